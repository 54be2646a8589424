import numpy as np
import pytest

from medgauge.comparison.compare import compare
from medgauge.errors import UndefinedWarning
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import Card, PairSet
from medgauge.report.run_tables import coverage_grid, grids, results_grid, rows
from tests.models.small import OpenWords
from tests.runs import Laid, contaminated_run, laid_run, pair_set, word_pairs
from tests.vectors import WORDS, some_vectors, write_binary


@pytest.fixture
def vectors(tmp_path):
    return write_binary(tmp_path / "v.bin", some_vectors(*WORDS))


def test_each_cell_has_the_best_measure_its_interval_and_says_so(vectors):
    run = evaluate([vectors, "random"], [word_pairs()], measures="best")
    grid = results_grid(run)
    best = max((figure for figure in run.figures if figure.model == "v"), key=lambda figure: figure.value)
    shown = grid.rows[1][1].text if grid.header[1].startswith("mine") else grid.rows[0][2].text
    assert shown == f"{best.value:z.3f} [{best.low:z.3f}, {best.high:z.3f}] best: {best.measure}"
    assert grid.title == "Agreement with the gold, best measure of each model chosen on the test data"
    assert any("chosen on the test data: it is higher" in note for note in grid.notes)


@pytest.mark.parametrize("kind", ["to_markdown", "to_latex", "to_html", "__repr__", "_repr_html_"])
def test_a_best_measure_is_marked_as_chosen_on_the_test_data_in_every_format(vectors, kind):
    run = evaluate([vectors, "random"], [word_pairs()])
    best = run.showing("best")
    for one, marked in ((run, False), (best, True)):
        assert ("chosen on the test data" in " ".join(getattr(one, kind)().split())) is marked


def test_the_standard_measure_is_shown_by_default_though_another_has_a_higher_figure(vectors):
    run = evaluate([vectors], [word_pairs(), word_pairs("other")])
    figures = [one for one in run.figures if one.dataset == "mine"]
    assert max(figures, key=lambda one: one.value).measure != "avg_cos"
    [standard] = [one for one in figures if one.measure == "avg_cos"]
    grid = results_grid(run)
    assert grid.rows[0][2].text == f"{standard.value:z.3f} [{standard.low:z.3f}, {standard.high:z.3f}]"
    assert "Measure: avg_cos." in grid.notes
    assert len(rows(run)[1]) == len(run.figures) == 20


def test_all_measures_have_a_row_each_and_a_baseline_its_score_in_all(vectors):
    run = evaluate([vectors, "random"], [word_pairs()], measures="all")
    grid = results_grid(run)
    grid = grid if grid.header[0] == "set" else grid.transposed()
    assert len(grid.rows) == 10
    assert len({row[3].text for row in grid.rows}) == 1
    for row in grid.rows:
        measure = row[0].text.removeprefix("mine ρ ")
        [figure] = [one for one in run.figures if (one.model, one.measure) == ("v", measure)]
        assert row[2].text.startswith(f"{figure.value:z.3f}")


def test_a_figure_without_interval_says_why():
    gold = np.arange(40.0)
    run = evaluate({"nearly": Laid((gold > 37).astype(float)), "plain": Laid(gold % 7)}, [pair_set(gold)])
    reason = "only 2 of 40 scores differ from the commonest"
    assert [one.no_interval for one in run.figures] == [reason, None]
    grid = results_grid(run)
    assert f"{pair_set(gold).card.name} ρ of nearly has no interval: {reason}." in grid.notes
    assert [one.no_interval for one in type(run).model_validate_json(run.to_json()).figures] == [reason, None]
    assert "no_interval" in rows(run)[0]


def test_of_measures_that_are_equal_in_print_the_first_is_shown(vectors):
    """On terms of one word each, avg_cos and pair_cos differ by rounding alone."""
    run = evaluate([vectors], [word_pairs(), word_pairs("other")], measures=["avg_cos", "pair_cos"])
    assert results_grid(run.showing("best")).rows[0][2].text.endswith("best: avg_cos")


def test_one_chosen_measure_is_named_once(vectors):
    grid = results_grid(evaluate([vectors], [word_pairs(), word_pairs("other")], measures=["mj"]))
    assert "Measure: mj." in grid.notes
    assert "mj" not in grid.rows[0][2].text


def test_every_row_shows_the_pairs_it_rests_on(vectors):
    grid = results_grid(
        evaluate([vectors], [word_pairs(), word_pairs("labels", labelled=True)], measures=["fj"])
    )
    assert [row[0].text for row in grid.rows] == [
        "mine ρ",
        "labels AUC",
        "labels acc. best",
        "labels acc. CV",
    ]
    assert {row[1].text for row in grid.rows} == {"50/50"}


def test_more_models_than_sets_go_down(vectors):
    grid = results_grid(evaluate([vectors, "random", "levenshtein"], [word_pairs()]))
    assert grid.header == ["set", "mine ρ"]
    assert [row[0].text for row in grid.rows] == ["pairs", "v", "random", "levenshtein"]


def test_an_undefined_figure_says_so():
    same = PairSet.of(
        [("a", "b", 1.0), ("c", "d", 2.0), ("e", "f", 3.0)], card=Card(name="mine", title="mine")
    )
    with pytest.warns(UndefinedWarning):
        run = evaluate(["token-jaccard"], [same, word_pairs("other")])
    grid = results_grid(run)
    assert grid.rows[0][2].text == "undefined"
    assert grid.notes[-3:] == [
        "mine ρ of token-jaccard is undefined: all 3 scores are equal.",
        "other ρ of token-jaccard is undefined: all 50 scores are equal.",
        "mean ρ (Fisher's z) of token-jaccard is undefined: 2 of 2 correlations are undefined.",
    ]


def test_a_reason_that_holds_for_many_figures_names_some_and_counts_the_rest():
    gold = np.arange(30.0)
    with pytest.warns(UndefinedWarning):
        run = laid_run(gold, {f"m{number}": gold * 0 for number in range(8)})
    assert results_grid(run).notes[-1] == (
        "mine ρ of m0, mine ρ of m1, mine ρ of m2, mine ρ of m3, mine ρ of m4 and 3 more are undefined: "
        "all 30 scores are equal."
    )


def test_the_notes_say_the_confidence(vectors):
    for confidence, said in ((0.95, "95%"), (0.995, "99.5%")):
        grid = results_grid(evaluate([vectors], [word_pairs()], confidence=confidence))
        assert f"In brackets: {said} intervals." in grid.all_notes


def test_what_raters_and_types_do_not_give_says_why():
    gold = np.arange(30.0)
    columns = {"rater_a": [1.0] * 30, "rater_b": [2.0] * 30, "t": [f"t{k}" for k in range(30)]}
    with pytest.warns(UndefinedWarning):
        run = evaluate({"one": Laid(gold)}, [pair_set(gold, **columns)], types=("t", "t"))
    notes = " ".join(results_grid(run).notes)
    assert "Undefined: each annotator's ratings are all equal" in notes
    assert "Undefined: no combination of categories occurs twice." in notes


def test_the_settings_that_change_figures_stand_below_the_table(vectors):
    run = evaluate([vectors], [word_pairs()], limit=30, oov="skip-word")
    notes = " ".join(results_grid(run).notes)
    assert "first 30 pairs" in notes
    assert "skip-word" in notes


def test_undefined_scores_are_counted_where_coverage_is(tmp_path):
    vectors = some_vectors(*WORDS) | {"w3": np.zeros(4, np.float32)}
    path = write_binary(tmp_path / "zero.bin", vectors)
    with pytest.warns(UndefinedWarning):
        run = evaluate([path], [word_pairs(), word_pairs("other")], measures=["avg_cos"])
    undefined = run.coverage[0].undefined
    assert undefined > 0
    assert coverage_grid(run).rows[0][2].text == f"50 (100%, {undefined} undefined)"
    assert f"For {2 * undefined} covered pairs some measure is undefined" in " ".join(results_grid(run).notes)


def test_coverage_shows_each_models_own(vectors):
    run = evaluate([vectors, "random"], [word_pairs(), word_pairs("other"), word_pairs("third")])
    assert [cell.text for cell in coverage_grid(run).rows[0]] == ["mine", "50", "50 (100%)", "50 (100%)"]


def test_csv_rows_hold_every_figure(vectors):
    run = evaluate([vectors], [word_pairs()])
    columns, lines = rows(run)
    assert list(columns)[:5] == ["model", "dataset", "measure", "metric", "value"]
    assert len(lines) == len(run.figures) == 10


def test_the_coverage_of_one_model_says_how_much_comes_from_subwords():
    texts = [("heart", "attack", 1.0), ("heart", "hearts", 2.0), ("attack", "heart attack", 3.0)]
    pairs = PairSet.of(texts, card=Card(name="mine", title="mine"))
    run = evaluate([OpenWords()], [pairs], measures=["avg_cos"])
    [_, grid] = grids(run)
    assert [cell.text for cell in grid.rows[0]] == ["mine", "3", "3 (100%, 1 by subwords)"]
    assert grid.notes[0].startswith("By subwords: pairs with a word outside the vocabulary")


def test_the_last_row_summarises_the_graded_sets_without_an_interval():
    sets = [word_pairs("one"), word_pairs("two", seed=1), word_pairs("labels", labelled=True)]
    run = evaluate(["random", "char-tfidf"], sets)
    grid = results_grid(run)
    means = run.mean_correlations()
    name, count, *cells = grid.rows[-1]
    assert (name.text, count.text) == ("mean ρ (Fisher's z)", "2 sets")
    assert [cell.text for cell in cells] == [f"{means[name].value:z.3f}" for name in ("random", "char-tfidf")]
    assert [cell.bold for cell in cells].count(True) == 1
    assert any(note.startswith("mean ρ (Fisher's z): a summary") for note in grid.notes)


def test_one_graded_set_has_no_summary():
    grid = results_grid(evaluate(["random"], [word_pairs(), word_pairs("labels", labelled=True)]))
    assert "mean" not in " ".join([*(row[0].text for row in grid.rows), *grid.notes])


def test_without_intervals_the_note_on_them_goes_too(vectors):
    grid = results_grid(evaluate([vectors], [word_pairs()])).without_intervals()
    assert not any("[" in cell.text for row in grid.rows for cell in row)
    assert not any("brackets" in note for note in grid.all_notes)


@pytest.mark.parametrize(("models", "noted"), [(["levenshtein", "random"], True), (["random"], False)])
def test_the_levenshtein_baseline_on_positives_chosen_by_that_distance_is_noted(models, noted):
    pairs = word_pairs("easy", labelled=True)
    description = "Positive pairs: names with synonyms, at most 5 edits apart. Negative pairs: random."
    card = pairs.card.model_copy(update={"kind": "synonymy", "description": description})
    run = evaluate(models, [PairSet(pairs.frame, card)])
    assert run.datasets[0].most_edits == 5
    found = any("chosen by their Levenshtein distance, at most 5" in one for one in results_grid(run).notes)
    assert found is noted


def test_figures_that_uncovered_pairs_could_change_have_a_table_of_bounds():
    gold = np.arange(40.0)
    scores = np.where(gold < 10, np.nan, gold % 7)
    run = evaluate({"some": Laid(scores), "all": Laid(gold % 9)}, [pair_set(gold)])
    [found] = run.uncovered
    assert (found.model, found.covered, found.n) == ("some", 30, 40)
    assert found.worst < found.lowest < found.best
    assert found.worst < found.value < found.best
    [grid] = [one for one in grids(run) if one.title.startswith("If uncovered pairs")]
    assert [cell.text for cell in grid.rows[0][:3]] == ["mine ρ", "some", "30/40"]
    assert [cell.text for cell in grid.rows[0][4:]] == [
        f"{one:z.3f}" for one in (found.lowest, found.worst, found.best)
    ]
    assert type(run).model_validate_json(run.to_json()).uncovered == run.uncovered


def test_bounds_have_no_table_where_nearly_all_pairs_are_covered():
    gold = np.arange(40.0)
    run = evaluate({"most": Laid(np.where(gold == 3, np.nan, gold % 7))}, [pair_set(gold)])
    assert len(run.uncovered) == 1
    assert not any(one.title.startswith("If uncovered pairs") for one in grids(run))


FORMATS = {
    "to_markdown": "<sup>†</sup>",
    "to_html": "<sup>&#8224;</sup>",
    "to_latex": r"\textsuperscript{\textdagger{}}",
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_figure_of_a_contaminated_model_is_marked_in_every_format(kind):
    for run in (contaminated_run(), contaminated_run(by="part")):
        for found in (run, compare(run, resamples=99)):
            text = getattr(found, kind)()
            assert FORMATS[kind] in text
            assert "may show memory. Trained on UMLS, which contains SNOMED CT" in " ".join(text.split())
        assert FORMATS[kind] not in getattr(contaminated_run(made_of=()), kind)()


def test_only_the_contaminated_figure_and_the_mean_over_it_are_marked():
    grid = results_grid(contaminated_run())
    grid = grid if grid.header[0] == "set" else grid.transposed()
    cells = [(row[0].text, *one) for row in grid.rows for one in zip(grid.header, row, strict=True)]
    marked = [(name, model) for name, model, cell in cells if cell.raised]
    assert marked == [("mine ρ", "trained"), ("mean ρ (Fisher's z)", "trained")]


def test_rows_have_the_reason_where_there_is_contamination_and_no_column_where_there_is_none():
    columns, found = rows(contaminated_run())
    assert list(columns)[-1] == "contamination"
    reasons = {(row[0], row[1]): row[-1] for row in found}
    assert reasons["trained", "mine"] == "UMLS, which contains SNOMED CT, which the set was made from"
    assert {reason for key, reason in reasons.items() if key != ("trained", "mine")} == {""}
    assert "contamination" not in rows(contaminated_run(made_of=()))[0]
