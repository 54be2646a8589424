import pytest

from medgauge.evaluation.evaluate import evaluate
from medgauge.inspection.worst_pairs import worst_pairs
from medgauge.pairs import Card, PairSet
from medgauge.report.worst_pair_tables import grids, narrow_grids, rows, summary
from tests.results import example
from tests.runs import laid_run, pair_set

LONG = "a very long description of a finding, "


@pytest.fixture(scope="module")
def found():
    texts = [(f"{LONG}{number}", f"{LONG * 2}{number}", float(number)) for number in range(5)]
    pairs = PairSet.of(texts, card=Card(name="mine", title="mine"))
    return worst_pairs(evaluate("random", pairs), model="random", datasets=pairs)


def width(grid):
    columns = zip(*([len(cell.plain) for cell in row] for row in grid.rows), strict=True)
    widths = [max(len(name), *column) for name, column in zip(grid.header, columns, strict=True)]
    return sum(widths) + 2 * (len(widths) - 1)


def test_terms_are_cut_to_fit_the_terminal_and_only_there(found):
    [whole, _], [cut, _] = grids(found), narrow_grids(found, 80)
    assert width(whole) > 100
    assert width(cut) == 80
    assert all(row[0].text.endswith("…") and row[1].text.endswith("…") for row in cut.rows)
    assert [[cell.text for cell in row[2:]] for row in cut.rows] == [
        [cell.text for cell in row[2:]] for row in whole.rows
    ]


def test_a_short_term_leaves_its_room_to_the_other():
    pairs = PairSet.of(
        [("flu", LONG, 3.0), ("gout", LONG, 2.0), ("acne", LONG, 1.0)], card=Card(name="x", title="x")
    )
    made = worst_pairs(evaluate("random", pairs), model="random", datasets=pairs)
    [cut, _] = narrow_grids(made, 70)
    assert width(cut) == 70
    assert {row[0].text for row in cut.rows} == {"flu", "gout", "acne"}


def test_a_very_narrow_terminal_keeps_the_beginnings_of_terms(found):
    [cut, _] = narrow_grids(found, 20)
    assert {len(row[0].text) for row in cut.rows} == {10}


def test_graded_and_labelled_pairs_have_their_own_columns():
    graded, labelled, _ = grids(example("WorstPairs"))
    assert graded.header == ["term 1", "term 2", "gold", "rank", "score", "rank", "edits"]
    assert labelled.header == ["term 1", "term 2", "label", "score", "rank", "wrong side", "edits"]


def test_two_models_are_called_a_and_b_and_the_nearer_is_named():
    gold = [1, 2, 3, 4]
    run = laid_run(gold, {"one": [1, 2, 3, 4], "two": [4, 3, 2, 1]})
    [grid, _] = grids(worst_pairs(run, model="one", against="two", datasets=pair_set(gold), top=1))
    assert grid.title == "mine: A, one, against B, two"
    assert [cell.text for cell in grid.rows[0][2:]] == ["1", "4", "4", "1", "A", "1"]


@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_the_spread_of_ratings_and_missing_words_have_columns_only_where_there_are_any():
    pairs = pair_set([1, 2, 3], rater_a=[1, 2, 3], rater_b=[2, 2, 2])
    [grid, uncovered] = grids(worst_pairs(evaluate("random", pairs), model="random", datasets=pairs))
    assert grid.header[-1] == "spread"
    assert "Spread: the highest rating of the pair minus the lowest." in uncovered.notes


def test_what_is_not_covered_names_words_or_says_that_they_are_not_known():
    made = example("WorstPairs")
    lacking = (
        made.sets[0].uncovered[0].model_copy(update={"pairs": 3, "words": {"gout": 2, "flu": 1, "acne": 1}})
    )
    unknown = lacking.model_copy(update={"words": None})
    sets = [
        one.model_copy(update={"uncovered": [entry]})
        for one, entry in zip(made.sets, (lacking, unknown), strict=True)
    ]
    grid = grids(made.model_copy(update={"sets": sets, "absent": {"x": "how"}}))[-1]
    assert [row[2].text for row in grid.rows] == ["gout (2), flu (1) and 1 more", "not known"]
    assert any("0.1.0" in note for note in grid.notes)
    assert grid.notes[-1] == "Not found on this machine: x (how)."


def test_rows_hold_whole_terms_and_join_words(found):
    columns, table = rows(found)
    assert list(columns)[:4] == ["dataset", "pair_id", "term_1", "term_2"]
    assert {row[2][:-1] for row in table} == {LONG}
    pair = found.sets[0].pairs[0].model_copy(update={"missing": ["a", "b"], "subwords": None})
    one = found.sets[0].model_copy(update={"pairs": [pair]})
    assert rows(found.model_copy(update={"sets": [one]}))[1][0][-2:] == ["a; b", None]


def test_a_summary_has_no_term_and_says_how_far_off_the_worst_is():
    assert summary(example("WorstPairs"))[0] == "20 worst pairs of levenshtein on 2 sets"
    assert summary(example("WorstPairs"))[2].endswith("97% of the other label on the wrong side of a pair")
    assert "ranks differ by up to" in summary(example("WorstPairs of two models"))[1]


@pytest.mark.parametrize(
    ("labels", "systems", "said"),
    [
        (None, {"a": [1, 2, 3, 4]}, "every pair has the rank of its gold"),
        ([0, 0, 1, 1], {"a": [1, 2, 3, 4]}, "no pair is on the wrong side of one with the other label"),
        (None, {"a": [2, 1, 3, 4], "b": [4, 2, 6, 8]}, "both models rank every pair the same"),
    ],
)
def test_a_set_without_any_error_is_said_to_have_none(labels, systems, said):
    gold, labelled = labels or [1, 2, 3, 4], labels is not None
    run = laid_run(gold, systems, labelled=labelled)
    against = "b" if len(systems) == 2 else None
    found = worst_pairs(run, model="a", against=against, datasets=pair_set(gold, labelled=labelled))
    [uncovered] = grids(found)
    assert uncovered.notes[0] == f"mine is not shown: {said}."
    assert f"mine (4 of 4 pairs): {said}" in summary(found)
