import contextlib
import math
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from medgauge.comparison.compare import compare
from medgauge.comparison.comparison import Comparison
from medgauge.comparison.graded import CorrelationTests
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning, UnknownNameError
from medgauge.estimate import Estimate
from medgauge.evaluation.evaluate import evaluate
from medgauge.progress import hearing, track
from medgauge.stats.resampling.swaps import standardised
from medgauge.stats.systems.classification import best_threshold
from medgauge.stats.systems.cross_validation import right_at_others
from tests.runs import Laid, laid_run, noisy, pair_set
from tests.stats.differences.test_rank_influence import plain_influence
from tests.vectors import some_vectors, write_binary

GOLD = np.random.default_rng(0).integers(0, 5, 60).astype(float)
SYSTEMS = {"good": noisy(GOLD, 1, 1), "fair": noisy(GOLD, 2, 2), "poor": noisy(GOLD, 9, 3)}
LABELS = np.repeat([0.0, 1.0], 60)
CLASSIFIERS = {"good": noisy(LABELS, 0.5, 1), "fair": noisy(LABELS, 1, 2), "poor": noisy(LABELS, 9, 3)}


def contest_of(comparison, metric="spearman"):
    return next(contest for contest in comparison.contests if contest.metric == metric)


def systems(contest):
    return {system.model: system for system in contest.systems}


@pytest.mark.slow
def test_a_graded_set_is_decided_as_scipys_permutation_test_decides():
    """Swaps of standardised ranks with scipy's own test, for the difference that is studentised here."""
    contest = contest_of(compare(laid_run(GOLD, SYSTEMS), correction="none"))
    assert contest.test == "swaps within pairs"

    def statistic(one, two):
        apart = plain_influence(GOLD, one), plain_influence(GOLD, two)
        psi = apart[0][1] - apart[1][1]
        return abs(apart[0][0] - apart[1][0]) / math.sqrt((psi**2).sum())

    for difference in contest.differences:
        samples = tuple(standardised(SYSTEMS[name]) for name in (difference.model_1, difference.model_2))
        theirs = stats.permutation_test(
            samples,
            statistic,
            permutation_type="samples",
            vectorized=False,
            n_resamples=499,
            alternative="greater",
            rng=np.random.default_rng(5),
        )
        assert difference.p == pytest.approx(theirs.pvalue, abs=0.05)


def test_from_500_pairs_on_a_graded_set_is_decided_by_students_t():
    gold = np.tile(GOLD, 9)
    run = laid_run(gold, {"one": noisy(gold, 2, 1), "two": noisy(gold, 3, 2)})
    contest = contest_of(compare(run))
    assert (contest.test, contest.resamples) == ("Student's t", None)
    [difference] = contest.differences
    (rho_1, psi_1), (rho_2, psi_2) = (plain_influence(gold, noisy(gold, 1 + k, k)) for k in (1, 2))
    apart = psi_1 - psi_2
    count = (apart**2).sum() ** 2 / (apart**4).sum()
    error = math.sqrt((apart**2).sum() / 540 / 539 * count / (count - 1))
    assert difference.value == pytest.approx(rho_1 - rho_2)
    assert difference.p == pytest.approx(2 * stats.t.sf(abs(rho_1 - rho_2) / error, count - 1))
    half = stats.t.isf(0.025, count - 1) * error
    assert (difference.low, difference.high) == pytest.approx((rho_1 - rho_2 - half, rho_1 - rho_2 + half))


@pytest.mark.parametrize("pairs", [60, 313])
def test_nearly_constant_scores_are_tested_without_an_interval(pairs):
    """Token-jaccard differed from 0 on 2 of 313 pairs; a bootstrap lost 13% of its resamples silently."""
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 5, pairs).astype(float)
    sparse = np.zeros(pairs)
    sparse[np.argsort(-gold)[:2]] = 1.0
    contest = contest_of(compare(laid_run(gold, {"sparse": sparse, "fair": noisy(gold, 2, 1)})))
    [difference] = contest.differences
    assert math.isnan(difference.low)
    assert difference.no_interval == f"only 2 of {pairs} scores differ from the commonest"
    assert 0 < difference.p < 1
    assert difference.estimate.no_interval == difference.no_interval
    assert math.isnan(systems(contest)["sparse"].low)


def test_two_sparse_systems_that_rest_on_two_pairs_each_are_hardly_ever_told_apart():
    """Exchangeable systems with 2 of 313 scores different: p was below .005 in 7% of samples."""
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(400):
        gold = rng.standard_normal(313)
        scores = np.zeros((2, 313))
        for row in scores:
            row[rng.choice(313, 2, replace=False)] = 1.0
        tests = CorrelationTests.of(gold, scores, level=0.005, rng=rng, track=partial(track, ""))
        found += tests.difference(0, 1).p_value < 0.005
    assert found <= 6  # 2 are expected at most; 27 were found


def test_wins_losses_ranks_and_letters_fit_together():
    gold = np.tile(np.arange(5.0), 60)
    run = laid_run(gold, {"fair": noisy(gold, 2, 1), "poor": noisy(gold, 9, 2), "good": noisy(gold, 0.5, 3)})
    contest = contest_of(compare(run))
    assert [system.model for system in contest.systems] == ["good", "fair", "poor"]
    assert [(system.wins, system.losses) for system in contest.systems] == [(2, 0), (1, 1), (0, 2)]
    assert [system.rank for system in contest.systems] == [1, 2, 3]
    assert [(system.rank_low, system.rank_high) for system in contest.systems] == [(1, 1), (2, 2), (3, 3)]
    assert [system.letters for system in contest.systems] == ["a", "b", "c"]


def test_a_difference_is_significant_when_its_interval_leaves_out_zero():
    systems = {f"m{number}": noisy(GOLD, 1 + number / 4, number) for number in range(8)}
    contest = contest_of(compare(laid_run(GOLD, systems)))
    assert contest.tests == 28
    assert contest.level == pytest.approx(0.05 / 28)
    outside = [difference.low > 0 or difference.high < 0 for difference in contest.differences]
    assert outside == [difference.significant for difference in contest.differences]
    assert 0 < sum(outside) < 28


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
def test_swaps_follow_the_level():
    """10 beyond the critical value: 10 / (0.05 / 3) = 600 would do, and 9,999 is the least."""
    assert contest_of(compare(laid_run(GOLD, SYSTEMS))).resamples == 9_999
    run = laid_run(GOLD, {f"m{number}": noisy(GOLD, 0.5 + number, number) for number in range(15)})
    assert contest_of(compare(run)).resamples == 10 * 105 / 0.05 - 1
    assert contest_of(compare(run, resamples=50)).resamples == 50


def test_clear_p_values_take_no_more_swaps_than_they_need():
    gold = GOLD[:25]
    run = laid_run(gold, {f"m{number}": noisy(gold, 9, number) for number in range(15)})
    assert contest_of(compare(run)).resamples == 9_999


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
def test_the_papers_23_models_make_253_tests_at_level_0_0002():
    gold = GOLD[:20]
    many = {f"m{number}": noisy(gold, 2, number) for number in range(23)}
    contest = contest_of(compare(laid_run(gold, many), resamples=20))
    assert (contest.tests, round(contest.level, 4)) == (253, 0.0002)


def test_best_thresholds_are_compared_by_mcnemars_test():
    run = laid_run(LABELS, CLASSIFIERS, labelled=True)
    contest = contest_of(compare(run), "accuracy_best")
    assert contest.test == "McNemar's test"
    right = {
        name: (scores >= best_threshold(LABELS, scores)) == (LABELS == 1)
        for name, scores in CLASSIFIERS.items()
    }
    for difference in contest.differences:
        one, two = right[difference.model_1], right[difference.model_2]
        table = [[(one & two).sum(), (one & ~two).sum()], [(~one & two).sum(), (~one & ~two).sum()]]
        exact = table[0][1] + table[1][0] < 25
        assert difference.p == pytest.approx(mcnemar(table, exact=exact).pvalue)


def test_cross_validated_accuracies_are_compared_by_student_s_t_with_split_halves():
    run = laid_run(LABELS, CLASSIFIERS, labelled=True)
    contest = contest_of(compare(run), "accuracy_cv")
    assert contest.test == "Student's t over pairs and split halves"
    figures = {figure.model: figure.value for figure in run.figures if figure.metric == "accuracy_cv"}
    for difference in contest.differences:
        expected = figures[difference.model_1] - figures[difference.model_2]
        assert difference.value == pytest.approx(expected)
        one, two = (
            right_at_others(LABELS, CLASSIFIERS[name], rng=np.random.default_rng(0))
            for name in (difference.model_1, difference.model_2)
        )
        assert difference.p > stats.ttest_rel(one, two).pvalue  # it ignores that pairs share thresholds


@pytest.mark.filterwarnings("ignore:mine has 3 pairs of one label:medgauge.errors.CoverageWarning")
def test_three_positives_cannot_be_split_into_halves():
    labels = np.array([1.0] * 3 + [0.0] * 47)
    run = laid_run(labels, {f"m{number}": noisy(labels, 1, number) for number in (0, 1)}, labelled=True)
    with pytest.warns(UndefinedWarning, match="1 of 1 differences .* cannot be tested: only 3 pairs have"):
        contest = contest_of(compare(run), "accuracy_cv")
    assert contest.untested == "only 3 pairs have label 1"


def test_areas_are_compared_by_delongs_test():
    contest = contest_of(compare(laid_run(LABELS, CLASSIFIERS, labelled=True)), "auc")
    assert contest.test == "DeLong's test"
    for difference in contest.differences:
        wins = []
        for name in (difference.model_1, difference.model_2):
            scores = CLASSIFIERS[name]
            wins.append(scores[LABELS == 1][:, None] > scores[LABELS == 0])
        apart = wins[0].astype(float) - wins[1]
        variance = apart.mean(axis=1).var(ddof=1) / 60 + apart.mean(axis=0).var(ddof=1) / 60
        assert difference.value == pytest.approx(apart.mean())
        freedom = variance**2 / sum(
            (apart.mean(axis=axis).var(ddof=1) / 60) ** 2 / 59 for axis in (0, 1)
        )  # Satterthwaite's
        p = 2 * stats.t.sf(abs(apart.mean()) / math.sqrt(variance), freedom)
        assert difference.p == pytest.approx(p)


@pytest.mark.parametrize(
    ("correction", "theirs"), [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")]
)
def test_corrections_are_over_the_tests_of_a_set_and_metric(correction, theirs):
    contest = contest_of(compare(laid_run(GOLD, SYSTEMS), correction=correction))
    p_values = [difference.p for difference in contest.differences]
    adjusted = [difference.p_adjusted for difference in contest.differences]
    assert adjusted == pytest.approx(multipletests(p_values, method=theirs)[1])


def two_sets(models):
    return evaluate(
        {name: Laid(scores) for name, scores in models.items()},
        [pair_set(GOLD), pair_set(GOLD[::-1], name="other")],
    )


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
def test_a_table_can_be_the_family():
    by_set = compare(two_sets(SYSTEMS), resamples=200)
    by_table = compare(two_sets(SYSTEMS), family="table", resamples=200)
    assert [contest.tests for contest in by_set.contests] == [3, 3]
    assert [contest.tests for contest in by_table.contests] == [6, 6]
    for one, two in zip(by_set.contests, by_table.contests, strict=True):
        for small, large in zip(one.differences, two.differences, strict=True):
            assert small.p == large.p
            assert large.p_adjusted == pytest.approx(min(1, 6 * small.p))


def test_a_sets_resamples_do_not_depend_on_the_other_sets():
    run = two_sets(SYSTEMS)
    both = compare(run, resamples=500)
    alone = compare(run, datasets=["other"], resamples=500)
    assert both.contests[1] == alone.contests[0]


def test_the_same_seed_gives_the_same_digits_and_another_seed_others():
    run = laid_run(GOLD, SYSTEMS)
    first, second = (compare(run, seed=seed).to_json() for seed in (3, 3))
    assert first == second != compare(run, seed=4).to_json()


def test_a_comparison_can_be_read_back():
    found = compare(laid_run(GOLD, {**SYSTEMS, "same": SYSTEMS["good"]}), resamples=300)
    assert Comparison.model_validate_json(found.to_json()) == found


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
def test_measures_are_compared_within_each_model(tmp_path):
    pairs = pair_set(GOLD)
    files = [
        write_binary(tmp_path / f"{name}.bin", some_vectors(*pairs.terms, dim=12, seed=number))
        for number, name in enumerate(("one", "two"))
    ]
    found = compare(evaluate([*files, "random"], [pairs]), by="measure", resamples=200)
    assert [(contest.model, contest.tests) for contest in found.contests] == [("one", 45), ("two", 45)]
    assert {(spread.model, spread.measures) for spread in found.spreads} == {("one", 10), ("two", 10)}
    for spread in found.spreads:
        contest = next(one for one in found.contests if one.model == spread.model)
        values = [system.value for system in contest.systems]
        assert (spread.low, spread.median, spread.high) == (min(values), np.median(values), max(values))


def test_the_four_measures_of_an_encoder_make_six_tests():
    class Encoder:
        def encode(self, texts):
            return np.random.default_rng(len(texts)).standard_normal((len(texts), 12))

    found = compare(evaluate({"encoder": Encoder()}, [pair_set(GOLD)]), by="measure")
    assert [(contest.tests, contest.level) for contest in found.contests] == [(6, pytest.approx(0.05 / 6))]


@pytest.mark.filterwarnings("ignore:.*swaps no difference:medgauge.errors.CoverageWarning")
def test_best_measures_are_marked_as_chosen_on_the_test_data(tmp_path):
    pairs = pair_set(GOLD)
    file = write_binary(tmp_path / "one.bin", some_vectors(*pairs.terms, dim=12))
    run = evaluate([file, "random"], [pairs])
    best = compare(run, measure="best", resamples=200)
    assert best.chosen_on_test_data
    assert not compare(run, measure="fj", resamples=200).chosen_on_test_data
    highest = max(figure.value for figure in run.figures if figure.model == "one")
    assert systems(contest_of(best))["one"].value == pytest.approx(highest, abs=5e-4)


def test_copies_in_groups_add_no_certainty():
    """Every pair four times. Taken as independent, a difference seems surer than it is."""
    gold, one, two = (np.tile(x, 4) for x in (GOLD, SYSTEMS["good"], SYSTEMS["fair"]))
    run = laid_run(gold, {"one": one, "two": two}, concept=[f"c{k % 60}" for k in range(240)])
    widths = {}
    for column in (None, "concept"):
        [difference] = contest_of(compare(run, clustered_by=column)).differences
        widths[column] = difference.high - difference.low
    [once] = contest_of(compare(laid_run(GOLD, {"one": SYSTEMS["good"], "two": SYSTEMS["fair"]}))).differences
    assert widths["concept"] > 0.9 * (once.high - once.low)
    assert widths[None] < 0.6 * widths["concept"]


@pytest.mark.parametrize("metric", ["auc", "accuracy_best", "accuracy_cv"])
def test_groups_of_labelled_pairs_have_a_test_of_their_own(metric):
    labels, one, two = (np.repeat(x, 3) for x in (LABELS, CLASSIFIERS["good"], CLASSIFIERS["fair"]))
    groups = [f"c{k}" for k in np.repeat(np.arange(120), 3)]
    run = laid_run(labels, {"one": one, "two": two}, labelled=True, concept=groups)
    contest = contest_of(compare(run, clustered_by="concept"), metric)
    if metric != "accuracy_cv":
        assert contest.test == "Obuchowski's test for clustered pairs"
    assert contest.groups == 120
    [clustered] = contest.differences
    [alone] = contest_of(compare(run), metric).differences
    assert clustered.value == pytest.approx(alone.value)
    assert clustered.high - clustered.low > 1.4 * (alone.high - alone.low)


@pytest.mark.parametrize("labelled", [False, True])
def test_two_equal_systems_do_not_differ(labelled):
    gold, scores = (LABELS, CLASSIFIERS["good"]) if labelled else (GOLD, SYSTEMS["good"])
    run = laid_run(gold, {"one": scores, "two": scores}, labelled=labelled)
    for contest in compare(run).contests:
        [difference] = contest.differences
        assert (difference.value, difference.p, difference.significant) == (0, 1, False)
        # Only Newcombe's interval says how far two classifiers that agree here may differ elsewhere.
        assert math.isnan(difference.low) == (contest.metric != "accuracy_best")
        assert [system.letters for system in contest.systems] == ["a", "a"]
        assert [(one.rank, one.rank_low, one.rank_high) for one in contest.systems] == [(1, 1, 1), (1, 1, 1)]


def test_constant_scores_are_not_compared_and_a_warning_says_so():
    with pytest.warns(UndefinedWarning):
        run = laid_run(GOLD, {**SYSTEMS, "flat": np.ones(60)})
    with pytest.warns(
        UndefinedWarning,
        match="^flat with score on mine is not compared by Spearman's ρ: all 60 scores are equal$",
    ) as caught:
        contest = contest_of(compare(run))
    assert [one.filename for one in caught] == [__file__]
    assert "flat" not in systems(contest)
    assert contest.tests == 3


def test_constant_scores_are_a_classifier_like_another():
    run = laid_run(LABELS, {**CLASSIFIERS, "flat": np.ones(120)}, labelled=True)
    for contest in compare(run).contests:
        assert systems(contest)["flat"].value == 0.5
        assert systems(contest)["flat"].letters != systems(contest)["good"].letters


def test_a_threshold_that_puts_all_on_one_side_is_compared():
    """The reversed scores are best classified by giving every pair one label."""
    run = laid_run(LABELS, {"good": CLASSIFIERS["good"], "reversed": -CLASSIFIERS["good"]}, labelled=True)
    contest = contest_of(compare(run), "accuracy_best")
    assert systems(contest)["reversed"].value == pytest.approx(0.5, abs=0.02)
    assert contest.differences[0].significant


def test_what_no_resample_changes_is_not_called_equal():
    """A perfect, a middling and a constant or reversed system: no letter joins the first and the last."""
    labels = np.repeat([0.0, 1.0], 60)
    run = laid_run(
        labels, {"perfect": labels, "mid": noisy(labels, 1, 1), "flat": np.ones(120)}, labelled=True
    )
    assert [system.letters for system in contest_of(compare(run), "auc").systems] == ["a", "b", "c"]
    run = laid_run(GOLD, {"perfect": GOLD, "mid": noisy(GOLD, 3, 1), "reversed": -GOLD})
    assert [system.letters for system in contest_of(compare(run)).systems] == ["a", "b", "c"]


@pytest.mark.filterwarnings("ignore:mine has 1 pair of one label:medgauge.errors.CoverageWarning")
@pytest.mark.parametrize("clustered_by", [None, "concept"])
def test_labels_with_one_positive_are_answered(clustered_by):
    """The AUC is defined and its covariance is not."""
    labels = np.array([1.0] + [0.0] * 49)
    systems = {f"m{number}": noisy(labels, 1, number) for number in range(3)}
    with pytest.warns(UndefinedWarning):
        run = laid_run(labels, systems, labelled=True, concept=[f"c{k}" for k in range(50)])
    with (
        pytest.warns(
            UndefinedWarning,
            match="m0 with score, m1 with score, m2 with score on mine are not compared by accuracy, "
            "cross-validated: only 1 pair has label 1",
        ),
        pytest.warns(UndefinedWarning, match="3 of 3 differences .* cannot be tested: only 1") as caught,
    ):
        contest = contest_of(compare(run, clustered_by=clustered_by), "auc")
    kind = "pair has" if clustered_by is None else "group has a pair with"
    assert contest.untested == f"only 1 {kind} label 1"
    assert len([one for one in caught if one.category is UndefinedWarning]) == 2
    assert [(one.rank_low, one.rank_high) for one in contest.systems] == [(1, 3)] * 3
    assert all(math.isnan(difference.p) for difference in contest.differences)


def test_one_group_is_answered():
    run = laid_run(LABELS, CLASSIFIERS, labelled=True, concept=["c"] * 120)
    with (
        pytest.warns(CoverageWarning, match="only 1 group of pairs"),
        pytest.warns(UndefinedWarning, match="cannot be tested: there is only 1 group of pairs"),
    ):
        found = compare(run, clustered_by="concept")
    for contest in found.contests:
        assert contest.untested == "there is only 1 group of pairs"
        assert all(math.isnan(system.low) and math.isnan(system.high) for system in contest.systems)
        assert not any(difference.significant for difference in contest.differences)


def test_groups_make_the_intervals_of_the_figures_wider():
    gold, one, two = (np.tile(x, 4) for x in (GOLD, SYSTEMS["good"], SYSTEMS["fair"]))
    run = laid_run(gold, {"one": one, "two": two}, concept=[f"c{k % 60}" for k in range(240)])
    alone, grouped = (
        systems(contest_of(compare(run, clustered_by=column)))["two"] for column in (None, "concept")
    )
    assert grouped.high - grouped.low > 1.5 * (alone.high - alone.low)


def confident_runs(gold, systems, **columns):
    for confidence in (0.8, 0.99):
        models = {name: Laid(scores) for name, scores in systems.items()}
        labels = set(gold) == {0, 1}
        yield evaluate(models, [pair_set(gold, labelled=labels, **columns)], confidence=confidence)


@pytest.mark.parametrize("clustered_by", [None, "concept"])
@pytest.mark.parametrize("gold", [GOLD, LABELS], ids=["graded", "labelled"])
def test_the_runs_confidence_reaches_the_intervals_of_systems_and_not_those_of_differences(
    gold, clustered_by
):
    scores = {f"m{number}": noisy(gold, 2, number) for number in range(3)}
    concept = [f"c{k // 2}" for k in range(gold.size)]
    with (
        pytest.warns(CoverageWarning, match="groups of pairs")
        if clustered_by and gold.size < 80
        else contextlib.nullcontext()
    ):
        narrow, wide = (
            compare(run, clustered_by=clustered_by) for run in confident_runs(gold, scores, concept=concept)
        )
    for one, other in zip(narrow.contests, wide.contests, strict=True):
        assert one.differences == other.differences
        for small in one.systems:
            large = systems(other)[small.model]
            assert large.low < small.low < small.value < small.high < large.high
            assert large.rank_low <= small.rank_low <= small.rank_high <= large.rank_high
            assert (small.estimate.confidence, large.estimate.confidence) == (0.8, 0.99)
            assert small.estimate.n == gold.size


def test_systems_and_differences_are_estimates_also_when_they_are_read_back():
    found = compare(laid_run(GOLD, SYSTEMS), resamples=300)
    for comparison in (found, Comparison.model_validate_json(found.to_json())):
        contest = contest_of(comparison)
        system, difference = contest.systems[0], contest.differences[0]
        assert system.estimate == Estimate(system.value, system.low, system.high, 0.95, 60)
        expected = Estimate(difference.value, difference.low, difference.high, 1 - contest.level, 60)
        assert difference.estimate == expected


VERSION_0_1_0 = Path(__file__).parents[1] / "fixtures" / "0.1.0"


def test_a_comparison_of_version_0_1_0_is_read_and_written_back():
    stored = (VERSION_0_1_0 / "comparison.json").read_text("utf-8")
    assert Comparison.model_validate_json(stored).to_json() == stored


def test_a_run_of_version_0_1_0_is_compared_as_today_and_that_is_said():
    stored = Comparison.model_validate_json((VERSION_0_1_0 / "comparison.json").read_text("utf-8"))
    said = []
    with hearing(said.append), pytest.warns(CoverageWarning, match="labelled has 6 pairs of one label"):
        found = compare(VERSION_0_1_0 / "run", resamples=199)
    assert any("was stored by an earlier version" in text for text in said)
    for old, new in zip(stored.contests, found.contests, strict=True):
        assert (old.dataset, old.metric, old.tests) == (new.dataset, new.metric, new.tests)
        if old.metric != "accuracy_cv":
            values = [{system.model: system.value for system in one.systems} for one in (old, new)]
            assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_fewer_than_ten_pairs_are_compared_with_a_warning():
    gold = np.arange(6.0)
    with pytest.warns(CoverageWarning, match="mine has 6 pairs: its intervals and tests mean little"):
        contest = contest_of(compare(laid_run(gold, {"one": gold, "two": -gold})))
    assert contest.pairs == 6


def test_few_pairs_of_a_label_are_compared_with_a_warning():
    labels = np.array([1.0] * 4 + [0.0] * 30)
    run = laid_run(labels, {"one": noisy(labels, 1, 1), "two": noisy(labels, 1, 2)}, labelled=True)
    with pytest.warns(CoverageWarning, match="mine has 4 pairs of one label"):
        compare(run)


def test_too_few_swaps_are_told_of_in_every_format():
    with pytest.warns(CoverageWarning, match="mine: with 30 swaps no difference can be significant"):
        compare(laid_run(GOLD, SYSTEMS), resamples=30)


def test_few_groups_are_compared_with_a_warning():
    run = laid_run(GOLD, SYSTEMS, concept=[f"c{k % 4}" for k in range(60)])
    with pytest.warns(CoverageWarning, match="mine has only 4 groups of pairs"):
        compare(run, clustered_by="concept")


@pytest.mark.parametrize("gold", [[1.0, 2.0, 2.0], [0.0, 1.0, 2.0, 3.0]])
def test_a_handful_of_pairs_does_not_crash(gold):
    gold = np.array(gold)
    run = laid_run(gold, {"up": gold, "down": -gold, "odd": gold % 2})
    with pytest.warns(CoverageWarning):
        contest = contest_of(compare(run, resamples=300))
    assert len(contest.differences) == 3


def test_two_pairs_are_not_compared_as_if_1_beat_minus_1():
    gold = np.array([1.0, 2.0])
    with pytest.warns(UndefinedWarning, match="only 2 pairs; at least 3 are needed"):
        run = laid_run(gold, {"up": gold, "down": -gold})
    with (
        pytest.warns(UndefinedWarning, match="not compared by Spearman's ρ: only 2 pairs; at least 3"),
        pytest.raises(InputError, match="there is nothing to compare"),
    ):
        compare(run)


def test_no_common_pairs_are_told_of():
    nan = np.full(5, np.nan)
    with pytest.warns(CoverageWarning), pytest.warns(UndefinedWarning):
        run = laid_run(range(5), {"one": np.arange(5.0), "two": nan})
    with (
        pytest.warns(CoverageWarning, match="no pair that all models can score"),
        pytest.raises(InputError, match="there is nothing to compare"),
    ):
        compare(run)


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"datasets": ["mien"]}, UnknownNameError, "no set of the run called 'mien'; did you mean 'mine'"),
        ({"by": "set"}, UnknownNameError, "no way to compare 'set'"),
        ({"correction": "hochberg"}, UnknownNameError, "no correction 'hochberg'"),
        ({"family": "all"}, UnknownNameError, "no family of tests 'all'"),
        ({"alpha": 0.0}, InputError, "alpha must be between 0 and 1, not 0"),
        ({"alpha": math.nan}, InputError, "alpha must be between 0 and 1"),
        ({"resamples": 0}, InputError, "resamples must be between 1 and 1,000,000, not 0"),
        ({"dependence": "triadic"}, UnknownNameError, "no dependence of pairs 'triadic'"),
        (
            {"dependence": "dyadic", "clustered_by": "term_1"},
            InputError,
            "clustered_by= and dependence='dyadic' are two ways",
        ),
        ({"by": "measure"}, InputError, "no model has two measures"),
        ({"by": "measure", "measure": "fj"}, InputError, "leave measure= out"),
        ({"clustered_by": "concept"}, UnknownNameError, "no column of mine 'concept'"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(options, error, complaint):
    with pytest.raises(error, match=complaint):
        compare(laid_run(GOLD, SYSTEMS), **options)


def test_sets_are_chosen_in_any_case_and_separated_by_commas():
    models = {name: Laid(scores) for name, scores in SYSTEMS.items()}
    run = evaluate(models, [pair_set(GOLD, name=name) for name in ("a", "b", "c", "a,c")])

    def chosen(*names):
        return [contest.dataset for contest in compare(run, datasets=names, resamples=999).contests]

    assert chosen("A", "b") == ["a", "b"]
    assert chosen("a, B") == ["a", "b"]
    assert chosen("a,c") == ["a,c"]
    with pytest.raises(UnknownNameError, match="there is no set of the run called 'd'"):
        chosen("a,d")


def test_one_model_cannot_be_compared():
    with pytest.raises(InputError, match="the run needs two models"):
        compare(laid_run(GOLD, {"one": SYSTEMS["good"]}))


def test_every_two_systems_are_compared_once():
    contest = contest_of(compare(laid_run(GOLD, SYSTEMS)))
    pairs = [(difference.model_1, difference.model_2) for difference in contest.differences]
    assert pairs == list(combinations(SYSTEMS, 2))
