import numpy as np
import polars as pl
import pytest

from medgauge.errors import UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import Card, PairSet
from medgauge.report.grids.latex import to_latex
from medgauge.report.run_tables import results_grid, rows
from medgauge.report.subsets.subset_tables import subsets_grid
from tests.vectors import some_vectors, write_binary

WORDS = [f"w{number}" for number in range(30)]


def pairs(name="mine", *, labelled=False, count=90):
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(count)],
            "term_1": rng.choice(WORDS, count),
            "term_2": rng.choice(WORDS, count),
            "label" if labelled else "gold": rng.integers(0, 2, count) if labelled else rng.random(count),
            "pos": [("N", "V", "")[number % 3] for number in range(count)],
            "size": rng.integers(0, 100, count),
        }
    )
    return PairSet(frame, Card(name=name, title=name))


@pytest.fixture
def vectors(tmp_path):
    return write_binary(tmp_path / "v.bin", some_vectors(*WORDS))


def test_subsets_are_rows_with_their_pairs_and_the_measure_of_the_main_table(vectors):
    run = evaluate([vectors, "random"], [pairs()], by="pos", measures="best")
    grid = subsets_grid(run)
    assert grid.title == "Subsets by pos, best measure of each model chosen on the test data"
    assert grid.header == ["set", "pos", "pairs", "v", "random"]
    assert [[cell.text for cell in row[:3]] for row in grid.rows] == [
        ["mine ρ", "N", "30/30"],
        ["mine ρ", "V", "30/30"],
    ]
    whole = max(
        (one for one in run.figures if one.model == "v" and one.subset is None), key=lambda one: one.value
    )
    for row, subset in zip(grid.rows, "NV", strict=True):
        [figure] = [
            one for one in run.figures if (one.model, one.subset, one.measure) == ("v", subset, whole.measure)
        ]
        assert (
            row[3].text
            == f"{figure.value:z.3f} [{figure.low:z.3f}, {figure.high:z.3f}] best: {figure.measure}"
        )
        assert sum(cell.bold for cell in row) == 1
    assert "Pairs of mine in no subset: 30 without a value." in grid.notes
    assert any("its best on all pairs of the set" in note for note in grid.notes)


def test_the_main_table_does_not_know_of_subsets(vectors):
    whole, parted = (evaluate([vectors, "random"], [pairs()], by=by) for by in (None, "pos"))
    assert results_grid(parted) == results_grid(whole)


def test_csv_has_the_figures_of_subsets_after_all_others(vectors):
    run = evaluate([vectors], [pairs(), pairs("other")], by="pos", measures=["fj"])
    columns, lines = rows(run)
    assert [line[list(columns).index("subset")] for line in lines] == [None, None, "N", "V", "N", "V"]
    assert [line[list(columns).index("dataset")] for line in lines] == [
        "mine",
        "other",
        "mine",
        "mine",
        "other",
        "other",
    ]


def test_labelled_sets_have_a_row_for_each_metric_and_subset(vectors):
    grid = subsets_grid(evaluate([vectors], [pairs(labelled=True)], by="pos", measures=["fj"]))
    assert [row[0].text for row in grid.rows] == [
        f"mine {name}" for name in ("AUC", "acc. best", "acc. CV") for _ in "NV"
    ]


def test_bins_that_were_not_asked_for_are_told_of(vectors):
    grid = subsets_grid(evaluate([vectors], [pairs()], by="size", measures=["fj"]))
    assert len(grid.rows) == 3
    assert any("numbers of pairs as equal as ties allow (bins=)" in note for note in grid.notes)


def test_fewer_bins_than_asked_for_are_told_of(vectors):
    grid = subsets_grid(evaluate([vectors], [pairs()], by="words", bins=4, measures=["fj"]))
    assert [row[1].text for row in grid.rows] == ["[1, 1]"]
    assert any("Fewer than 4 intervals, since many values are equal: mine." in note for note in grid.notes)


def test_an_empty_subset_is_shown_as_undefined(vectors):
    with pytest.warns(UndefinedWarning, match="on 1 of 2 subsets of mine by size are undefined: no pair is"):
        run = evaluate([vectors], [pairs()], by="size", bins=[0, 100, 200], measures=["fj"])
    grid = subsets_grid(run)
    assert [cell.text for cell in grid.rows[1]] == ["mine ρ", "[100, 200]", "0/0", "undefined"]
    assert grid.notes[-1] == "mine ρ [100, 200] of v is undefined: no pair is covered."


def test_notes_tell_of_condition_bound_and_types():
    rng = np.random.default_rng(1)
    made = pairs()
    raters = {f"rater_{name}": made.gold + rng.random(90) for name in "AB"}
    types = {"t1": rng.choice(["drug", "sign"], 90), "t2": ["sign"] * 90}
    rated = PairSet(
        made.frame.with_columns(**raters, **{k: pl.Series(v) for k, v in types.items()}), made.card
    )
    run = evaluate(["levenshtein"], [rated], where="size < 50", types=("t1", "t2"))
    used = run.datasets[0]
    notes = results_grid(run).notes
    assert f"Only pairs that meet size < 50 (where=): mine {used.n} of 90." in notes
    assert (
        f"Best annotator on mine: ρ {used.human.with_own:.3f} "
        f"({used.human.with_own_rater}) with the mean rating, {used.human.without_own:.3f} "
        f"({used.human.without_own_rater}) with the mean of the others."
    ) in notes
    assert (
        f"Ceiling on mine: a model that knew the true values would score about ρ {used.human.ceiling:.3f}, "
        "√G(q,k) of the mean rating (approximate for ρ)."
    ) in notes
    [told] = [note for note in notes if note.startswith("Median gold")]
    assert f"ρ {used.types.rho:z.3f} on the {used.n} pairs of the 2 combinations" in told
    assert "fitted on the same pairs that it is tested on" in told
    assert r"size $<$ 50" in to_latex(results_grid(run))
