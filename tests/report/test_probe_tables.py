import pytest

from medgauge.report.probe_tables import conclusion, grids, rows
from tests.probing.test_probed import NAN, made
from tests.results import example


def test_the_grid_has_both_recalls_and_the_gap_and_says_what_follows():
    found = example("Probe")
    [grid] = grids(found)
    assert [row[0].text.split()[0] for row in grid.rows] == ["new:", "older,", "gap:"]
    assert grid.rows[2][2].figure == f"{found['gap'].value:.3f}"
    assert grid.rows[2][2].bold
    assert grid.lead == [f"{conclusion(found)}."]
    assert any("compare it with that of a model" in note for note in grid.notes)


def test_the_notes_count_what_was_left_out():
    found = made().model_copy(
        update={"unmatched": 2, "undated": 3, "ambiguous": 4, "wanted_candidates": 99, "oov": "skip-word"}
    )
    notes = " ".join(grids(found)[0].notes)
    assert "Left out of 5 new concepts: 2 since no older concept is like them." in notes
    assert "Concepts without a date, which are only candidates: 3." in notes
    assert "neither asked nor answers: 4." in notes
    assert "99 names were to be candidates; the model has vectors for this many." in notes
    assert "Unknown words were dropped" in notes


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (made(0.1), "a sign of training on the terminology"),
        (made(-0.1), "about as often as older ones like them: no sign of training"),
        (made(NAN, value=-1.0), "new concepts more often than older ones like them: no sign of training"),
        (made(NAN, value=NAN, n=0), "nothing can be said of training"),
    ],
)
def test_the_conclusion_is_said_in_words(found, words):
    if found["gap"].value < 0:
        found = found.model_copy(
            update={"figures": [one.model_copy(update={"high": NAN}) for one in found.figures]}
        )
    assert words in conclusion(found)


def test_rows_are_the_figures():
    columns, found = rows(example("Probe"))
    assert list(columns)[:2] == ["group", "value"]
    assert [row[0] for row in found] == ["new", "old", "gap"]
