from medgauge.report.captions.contamination_notes import contamination_notes, marked_figures, with_mark
from medgauge.report.grids.grid import Cell
from tests.runs import contaminated_run


def test_the_note_says_what_the_mark_means_and_who_was_trained_on_what():
    [note] = contamination_notes(contaminated_run().contamination)
    assert note == (
        "†: the model was trained on what the set was made from, so its figure may show memory. Trained on "
        "UMLS, which contains SNOMED CT, which the set was made from: trained (mine)."
    )


def test_there_is_no_note_where_nothing_is_marked():
    assert contamination_notes([]) == []


def test_figures_are_marked_by_model_and_set():
    assert marked_figures(contaminated_run().contamination) == {("trained", "mine")}


def test_a_mark_leaves_the_rest_of_a_cell_alone():
    assert with_mark(Cell("0.5", bold=True, raised="+1/−2", after="fj")) == Cell(
        "0.5", bold=True, raised="+1/−2 †", after="fj"
    )
