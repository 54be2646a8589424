import pytest

from medgauge.report.ner import ner_tables
from tests.results import example

pytestmark = pytest.mark.filterwarnings("ignore::medgauge.errors.CoverageWarning")


@pytest.fixture(scope="module")
def found():
    return example("EntityRecognition")


def test_the_first_grid_has_f_in_per_cent_with_deviation_interval_and_letters(found):
    grid = ner_tables.grids(found)[0]
    assert grid.header == ["model", *(used.name for used in found.corpora)]
    figure = found.f_by_model()[found.models[0].name, found.corpora[0].name]
    cell = grid.rows[0][1]
    assert cell.figure == f"{100 * figure.f:.2f} ± {100 * figure.deviation:.2f}"
    assert cell.interval == f"[{100 * figure.low:.1f}, {100 * figure.high:.1f}]"
    letters = {one.model: one.letters for one in found.contests[0].models}
    assert cell.after == letters[found.models[0].name]


def test_the_notes_say_what_was_trained(found):
    notes = " ".join(ner_tables.grids(found)[0].notes)
    for text in (
        "3 words, 8 hidden units",
        "dropout 0.2",
        "a softmax over IOBES, vectors frozen",
        "4 epochs",
    ):
        assert text in notes
    changed = found.settings.model_copy(update={"crf": True, "tune": True, "patience": 3, "trials": 1})
    notes = " ".join(ner_tables.f_grid(found.model_copy(update={"settings": changed})).notes)
    for text in ("a conditional random field", "vectors tuned", "patience 3", "5 sentences", "of one trial"):
        assert text in notes


@pytest.mark.parametrize(("significant", "doubt"), [(True, ""), (False, " (not significant)")])
def test_the_first_line_says_whether_the_lead_is_significant(found, significant, doubt):
    contests = [
        contest.model_copy(
            update={
                "differences": [
                    one.model_copy(update={"significant": significant}) for one in contest.differences
                ]
            }
        )
        for contest in found.contests
    ]
    changed = found.model_copy(update={"contests": contests})
    contest = found.contests[0]
    first, second = contest.models[:2]
    line = f"{contest.corpus}: {first.model} has F {100 * first.f:.2f}"
    over = f", {100 * (first.f - second.f):.1f} points over {second.model}{doubt}"
    assert ner_tables.f_grid(changed).lead[0] == f"{line}{over}."
    assert f"{line}{over}" in ner_tables.summary(changed)


def test_the_first_line_leaves_out_models_without_a_figure(found):
    contest = found.contests[0]
    first, *others = [one.model for one in contest.models]
    figures = [
        one.model_copy(update={"f": float("nan"), "undefined": "nothing was found"})
        if one.model in others
        else one
        for one in found.figures
    ]
    lead = ner_tables.f_grid(found.model_copy(update={"figures": figures})).lead[0]
    assert lead == f"{contest.corpus}: {first} has F {100 * contest.models[0].f:.2f}."


def test_differences_are_from_the_best_in_points(found):
    contest = found.contests[0]
    rows = [row for row in ner_tables.grids(found)[1].rows if row[0].text == contest.corpus]
    assert [row[1].text for row in rows] == [one.model for one in contest.models]
    assert rows[0][-1].text == "best"
    last = contest.models[-1]
    [difference] = [one for one in contest.differences if one.model_1 == contest.models[0].model][-1:]
    assert difference.model_2 == last.model
    assert rows[-1][-1].text.startswith(f"{-100 * difference.value:+.2f} [")


def test_types_are_shown_where_a_corpus_has_several(found):
    titles = [grid.title for grid in ner_tables.grids(found)]
    assert "F by type, in per cent" in titles
    one = found.model_copy(update={"corpora": [used for used in found.corpora if len(used.types) == 1]})
    only = one.model_copy(
        update={
            "figures": [figure for figure in found.figures if figure.corpus == one.corpora[0].name],
            "contests": [],
            "covered": [cover for cover in found.covered if cover.corpus == one.corpora[0].name],
        }
    )
    assert "F by type, in per cent" not in [grid.title for grid in ner_tables.grids(only)]
