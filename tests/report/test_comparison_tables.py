import re
from contextlib import nullcontext

import numpy as np
import pytest

from medgauge.cli.console import print_grid
from medgauge.comparison.compare import compare
from medgauge.errors import CoverageWarning, UndefinedWarning, options_as_flags
from medgauge.evaluation.evaluate import evaluate
from medgauge.pairs import PairSet
from medgauge.report.comparison_tables import grids, rows
from medgauge.report.grids.formats import to_html, to_markdown
from medgauge.report.grids.latex import to_latex
from medgauge.report.plots.canvas import write_plot
from tests.latex import check_compiles
from tests.runs import Laid, laid_run, noisy, pair_set
from tests.vectors import some_vectors, write_binary

GOLD = np.tile(np.arange(5.0), 40)
LABELS = np.tile([0.0, 1.0], 100)
SYSTEMS = {"good": noisy(GOLD, 0.5, 1), "fair": noisy(GOLD, 2, 2), "poor_one": noisy(GOLD, 20, 3)}


@pytest.fixture(scope="module")
def graded():
    return compare(laid_run(GOLD, SYSTEMS))


@pytest.fixture(scope="module")
def mixed():
    sets = [pair_set(GOLD, name="graded"), pair_set(LABELS, name="labels", labelled=True)]
    return compare(evaluate({name: Laid(scores) for name, scores in SYSTEMS.items()}, sets))


@pytest.fixture(scope="module")
def by_measure(tmp_path_factory):
    pairs = pair_set(GOLD)
    file = write_binary(tmp_path_factory.mktemp("v") / "one.bin", some_vectors(*pairs.terms, dim=12))
    return compare(evaluate([file], [pairs]), by="measure")


def test_ranks_come_first_with_interval_and_letters(graded):
    grid = grids(graded)[0]
    assert grid.header == ["set", "mine ρ"]
    shown = {row[0].text: row[1].text for row in grid.rows}
    assert shown == {"pairs": "200", "good": "1 [1–1] a", "fair": "2 [2–2] b", "poor_one": "3 [3–3] c"}


def test_the_papers_notation_has_wins_and_losses_as_superscripts(graded):
    grid = grids(graded)[1]
    raised = {row[0].text: row[1].raised for row in grid.rows}
    assert raised == {"pairs": "", "good": "+2", "fair": "+1/−1", "poor_one": "−2"}
    assert [row[0].text for row in grid.rows if row[1].bold] == ["good"]


def test_the_conclusion_stands_above_the_first_table_in_every_format(graded, capsys):
    said = "good wins on mine (ρ 0.95"
    first, *others = grids(graded)
    assert first.lead[0] == "Compared by ρ on 1 set."
    assert first.lead[1].startswith(said)
    assert not any(grid.lead for grid in others)
    print_grid(first)
    written = [to_markdown(first), to_html(first).replace("&#961;", "ρ"), capsys.readouterr().out]
    for text in written:
        assert text.index(said) < text.index("Ranks</p>" if "<" in text else "Ranks")
    assert r"good wins on mine ($\rho$ 0.95" in to_latex(first)
    assert said in repr(graded)


def test_p_values_of_all_differences_are_shown_where_these_are_few(graded):
    grid = grids(graded)[2]
    assert grid.title == "Differences, with corrected p-values in brackets"
    shown = {row[0].text: row[1] for row in grid.rows}
    assert list(shown) == ["pairs", "good − fair", "good − poor_one", "fair − poor_one"]
    for difference in graded.contests[0].differences:
        cell = shown[f"{difference.model_1} − {difference.model_2}"]
        assert difference.floored
        p = "≤ 0.0003"  # 3 tests, of which none of 9,999 swaps reaches the difference
        assert cell.text == f"{difference.value:+.3f} ({p})"
        assert cell.bold is difference.significant
    assert "α = 0.05 with Bonferroni's correction" in grid.notes[0]


def test_uncorrected_p_values_are_not_called_corrected():
    grid = grids(compare(laid_run(GOLD, SYSTEMS), correction="none", resamples=999))[2]
    assert grid.title == "Differences, with p-values in brackets"
    assert "no correction for their number" in grid.notes[0]


def test_p_values_of_many_models_are_those_of_the_differences_from_the_best():
    systems = {f"m{number}": noisy(GOLD, 1 + number, number) for number in range(6)}
    found = compare(laid_run(GOLD, systems), resamples=4999)
    grid = grids(found)[2]
    assert grid.title.startswith("Differences from the best figure of the set")
    shown = {row[0].text: row[1].text for row in grid.rows}
    best = found.contests[0].systems[0].model
    assert shown[best] == "best"
    [other] = [one for one in found.contests[0].differences if {one.model_1, one.model_2} == {best, "m5"}]
    assert shown["m5"].startswith(f"{-abs(other.value):+.3f} (")
    assert "csv" in grid.notes[1]


def test_p_values_by_measure_are_those_of_the_differences_from_the_best_measure(by_measure):
    grid = grids(by_measure)[1]
    texts = dict(zip(grid.header, (cell.text for cell in grid.rows[0]), strict=True))
    best = by_measure.contests[0].systems[0].measure
    assert texts[best] == "best"
    others = [text for name, text in texts.items() if name not in (best, "model", "set", "pairs")]
    assert all(re.fullmatch(r"[+-]0\.\d{3} \(([<≤] )?[01]\.\d+\)", text) for text in others)


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
@pytest.mark.parametrize(("as_flags", "spelled"), [(False, "resamples="), (True, "--resamples ")])
def test_the_number_of_swaps_that_the_caption_names_is_enough(as_flags, spelled):
    run = laid_run(GOLD, SYSTEMS)
    with options_as_flags() if as_flags else nullcontext():
        caption = " ".join(grids(compare(run, resamples=50))[1].notes)
    number = int(re.search(rf"Too few swaps .* on mine: {spelled}(\d+) is enough\.", caption)[1])
    assert "Too few swaps" not in " ".join(grids(compare(run, resamples=number))[1].notes)


def test_an_interval_that_is_refused_is_named_with_its_reason():
    sparse = np.where(np.arange(200) < 3, 1.0, 0.0)
    found = compare(laid_run(GOLD, {**SYSTEMS, "sparse": sparse}))
    [note] = [note for note in grids(found)[1].notes if note.startswith("No interval")]
    assert note == (
        "No interval on mine ρ of good − sparse, fair − sparse, poor_one − sparse: only 3 of 200 scores "
        "differ from the commonest."
    )


def test_the_caption_says_what_could_have_been_found(graded):
    known = sorted(one.detectable for one in graded.contests[0].differences)
    caption = " ".join(grids(graded)[1].notes)
    assert f"would be found in 80% of samples is {known[1]:.2g} on mine ρ." in caption


def test_the_levenshtein_baseline_on_positives_chosen_by_that_distance_is_noted():
    pairs = pair_set(LABELS, name="easy", labelled=True)
    description = "Positive pairs: names with synonyms, at most 5 edits apart. Negative pairs: random."
    card = pairs.card.model_copy(update={"kind": "synonymy", "description": description})
    found = compare(evaluate(["levenshtein", "random"], [PairSet(pairs.frame, card)]))
    caption = " ".join(grids(found)[1].notes)
    assert "The positives of easy were chosen by their Levenshtein distance, at most 5" in caption


def concepts_of(pairs):
    """Pairs of 40 concepts."""
    rng = np.random.default_rng(4)
    return rng.integers(0, 20, pairs), 20 + rng.integers(0, 20, pairs)


def test_shared_concepts_that_widen_standard_errors_are_said():
    first, second = concepts_of(200)
    effects = np.random.default_rng(5).standard_normal((2, 40))
    systems = {
        f"m{number}": noisy(GOLD, 0.5, number) + 2 * (effect[first] + effect[second])
        for number, effect in enumerate(effects)
    }
    columns = {"id_1": [f"c{k}" for k in first], "id_2": [f"c{k}" for k in second]}
    run = laid_run(GOLD, systems, **columns)
    found = compare(run, dependence="independent")
    [contest] = found.contests
    assert contest.error_ratio is not None
    low, high = contest.error_ratio
    assert low == high > 1.1
    caption = " ".join(grids(found)[1].notes)
    assert (
        f"Pairs share concepts: standard errors that allow for it are larger by the factor {low:.2f}"
        in caption
    )
    assert "dependence='dyadic' takes that into account." in caption
    dyadic = compare(run, dependence="dyadic")
    assert dyadic.contests[0].concepts == 40
    allowed = " ".join(grids(dyadic)[1].notes)
    assert (
        "Pairs that share one of 40 concepts, on either side, depend on one another; tests and intervals "
        "allow for it, unlike those of the papers (dependence='independent'). Pairs share concepts: standard "
        "errors that allow for it are larger" in allowed
    )
    assert "Tests: swaps within pairs (ρ);" in allowed
    assert "takes that into account" not in allowed
    assert dyadic.contests[0].differences[0].p > found.contests[0].differences[0].p


def test_the_caption_names_the_sets_whose_pairs_share_concepts():
    gold = GOLD[:60]
    models = {"one": Laid(noisy(gold, 2, 1)), "two": Laid(noisy(gold, 3, 2))}
    shared = pair_set(gold, id_1=[f"c{k % 20}" for k in range(60)], id_2=[f"d{k}" for k in range(60)])
    found = compare(evaluate(models, [shared, pair_set(gold, name="other")]))
    caption = " ".join(grids(found)[1].notes)
    assert "On mine, pairs that share one of 80 concepts, on either side, depend on one another;" in caption
    assert "wider where pairs share concepts" in grids(found)[0].notes[0]
    unknown = found.model_copy(
        update={"contests": [one.model_copy(update={"concepts": None}) for one in found.contests]}
    )
    assert "On mine, pairs that share a concept, on either side" in " ".join(grids(unknown)[1].notes)


def test_the_caption_says_that_mcnemars_test_is_not_the_only_one():
    labels = np.tile([0.0, 1.0], 30)
    systems = {"one": noisy(labels, 1, 1), "two": noisy(labels, 1, 2)}
    ids = {"id_1": [f"c{k % 20}" for k in range(60)], "id_2": [f"d{k}" for k in range(60)]}
    run = laid_run(labels, systems, labelled=True, **ids)
    said = "Besides McNemar's test, Student's t with the error of such pairs has to find a difference."
    assert said in grids(compare(run))[1].notes
    assert said not in grids(compare(run, dependence="independent"))[1].notes


def test_a_lower_figure_with_the_letter_of_the_best_is_explained_where_it_occurs(graded):
    best = noisy(GOLD, 2, 1)
    alike = best + 0.9 * np.random.default_rng(2).standard_normal(GOLD.size)  # close to the best, and worse
    apart = noisy(GOLD, 2.6, 6)
    found = compare(laid_run(GOLD, {"best": best, "alike": alike, "apart": apart}), resamples=9999)
    values = {system.model: system.value for system in found.contests[0].systems}
    assert values["best"] > values["alike"] > values["apart"]
    [note] = [note for note in grids(found)[0].notes if "although" in note]
    assert note.startswith("On mine ρ, apart shares a letter with best, and alike does not although its")
    assert not any("although" in note for note in grids(graded)[0].notes)


def test_the_caption_says_family_tests_level_method_and_independence(graded):
    caption = " ".join(grids(graded)[1].notes)
    for part in (
        "α = 0.05 with Bonferroni's correction over all differences of a set and metric",
        "(3 tests; intervals at level 0.017)",
        "Tests: swaps within pairs (ρ); up to 9,999 swaps, seed 0.",
        "Pairs are treated as independent.",
    ):
        assert part in caption
    assert "Too few swaps" not in caption


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"correction": "holm"}, "Holm's correction"),
        ({"correction": "bh"}, "Benjamini and Hochberg's correction"),
        ({"correction": "none"}, "α = 0.05 for each of 3 tests, with no correction for their number"),
        ({"family": "table"}, "all differences of the table with the same metric"),
        ({"clustered_by": "concept"}, "same concept depend on one another: 50 groups of pairs"),
        ({"alpha": 0.01}, "α = 0.01"),
        ({"seed": 7}, "seed 7"),
        ({"resamples": 20}, "to be significant on mine: resamples=9999 is enough."),
    ],
)
def test_the_caption_follows_the_options(options, part):
    run = laid_run(GOLD, SYSTEMS, concept=[f"c{k % 50}" for k in range(200)])
    caption = " ".join(grids(compare(run, **{"resamples": 200, **options}))[1].notes)
    assert part in caption
    assert "treated as independent" in caption


def test_labelled_sets_have_a_row_for_each_metric_and_the_threshold_is_explained(mixed):
    grid = grids(mixed)[1]
    assert [row[0].text for row in grid.rows] == [
        "graded ρ",
        "labels AUC",
        "labels acc. best",
        "labels acc. CV",
    ]
    caption = " ".join(grid.notes)
    assert "McNemar's test (acc. best)" in caption
    assert "Student's t over pairs and split halves (acc. CV)" in caption
    assert "DeLong's test (AUC)" in caption
    assert "The best threshold is chosen on the pairs it is tested on" in caption


def test_a_best_measure_is_shown_and_the_caption_says_where_it_was_chosen(tmp_path):
    pairs = pair_set(GOLD)
    file = write_binary(tmp_path / "one.bin", some_vectors(*pairs.terms, dim=12))
    run = evaluate([file, "random"], [pairs])
    grid = grids(compare(run, measure="best", resamples=200))[1]
    [cell] = [row[1] for row in grid.rows if row[0].text == "one"]
    assert len(cell.text.split()) == 2
    assert any("chosen on the same pairs (the test data)" in note for note in grid.notes)
    named = grids(compare(run, measure="fj", resamples=200))[1]
    assert "Measures: fj (one)." in named.notes


def test_measures_are_compared_in_a_row_for_each_model_and_set(by_measure):
    grid, _, spread = grids(by_measure)
    assert grid.header[:4] == ["model", "set", "pairs", "avg_cos"]
    assert [cell.text for cell in grid.rows[0][:3]] == ["one", "mine ρ", "200"]
    assert sum(cell.bold for cell in grid.rows[0]) >= 1
    values = sorted(float(cell.text) for cell in grid.rows[0][3:])
    shown = [float(cell.text.split()[0]) for cell in spread.rows[0][3:]]
    assert shown[0] == values[0]
    assert shown[2] == values[-1]
    assert values[4] <= shown[1] <= values[5]
    systems = by_measure.contests[0].systems
    named = [spread.rows[0][column].text.split()[1] for column in (3, 5)]
    assert named == [systems[-1].measure, systems[0].measure]


def test_a_system_that_was_not_compared_has_a_dash():
    models = {"flat": Laid(np.ones(200)), **{name: Laid(scores) for name, scores in SYSTEMS.items()}}
    sets = [pair_set(GOLD), pair_set(LABELS, name="labels", labelled=True)]
    with pytest.warns(UndefinedWarning):
        run = evaluate(models, sets)
    with pytest.warns(UndefinedWarning):
        found = compare(run, resamples=200)
    grid = grids(found)[0]
    column = grid.header.index("flat")
    assert {row[0].text: row[column].text for row in grid.rows}["mine ρ"] == "–"
    notes = grids(found)[1].notes
    assert "Not compared on mine ρ: flat with score; all 200 scores are equal." in notes
    assert sum("Not compared" in note for note in notes) == 1


def test_differences_without_a_test_say_why():
    run = laid_run(LABELS, SYSTEMS, labelled=True, concept=["c"] * 200)
    with pytest.warns(CoverageWarning), pytest.warns(UndefinedWarning):
        found = compare(run, clustered_by="concept")
    assert "No tests on mine AUC: there is only 1 group of pairs." in grids(found)[1].notes


@pytest.mark.parametrize(("confidence", "said"), [(0.95, "95%"), (0.995, "99.5%")])
def test_ranks_and_plots_say_the_confidence_of_the_run(tmp_path, confidence, said):
    models = {name: Laid(scores) for name, scores in SYSTEMS.items()}
    found = compare(evaluate(models, [pair_set(GOLD)], confidence=confidence), resamples=200)
    assert f"in brackets its range in {said} of bootstrap resamples of the pairs" in grids(found)[0].notes[0]
    write_plot(tmp_path / "plot.svg", found.plot)
    assert f"with {said} interval" in (tmp_path / "plot.svg").read_text("utf-8")


def test_csv_has_every_difference(mixed):
    columns, lines = rows(mixed)
    assert len(lines) == 12
    assert list(columns)[:5] == ["dataset", "metric", "pairs", "tests", "level"]
    first = dict(zip(columns, lines[0], strict=True))
    assert (first["dataset"], first["model_1"], first["model_2"]) == ("graded", "good", "fair")
    assert first["p_adjusted"] == min(1, 3 * first["p"])


def test_markdown_and_latex_raise_wins_and_losses(graded):
    grid = grids(graded)[1]
    assert "<sup>+1/−1</sup>" in to_markdown(grid)
    text = to_latex(grid)
    assert r"\textsuperscript{+1/$-$1}" in text
    assert r"poor\_one" in text
    assert "[1--1]" in to_latex(grids(graded)[0])


@pytest.fixture
def tables(graded, by_measure, mixed):
    return [to_latex(grid) for found in (graded, by_measure, mixed) for grid in grids(found)]


def test_the_latex_has_even_brackets_and_environments(tables):
    for table in tables:
        assert table.count("{") == table.count("}")
        assert table.count(r"\begin") == table.count(r"\end") >= 2


def test_the_latex_compiles_with_booktabs(tables, tmp_path):
    check_compiles(tables, tmp_path)
