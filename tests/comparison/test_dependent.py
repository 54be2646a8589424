"""Contests on pairs that share concepts."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.comparison.compare import compare
from medgauge.comparison.dependent import DyadicContest, SharedDifference
from medgauge.comparison.graded import CorrelationTests
from medgauge.comparison.outcome import Outcome
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning
from medgauge.progress import track
from medgauge.stats.differences.dyadic import Dyads
from medgauge.stats.differences.paired import NormalDifference
from medgauge.stats.resampling.swaps import SwappedDifference
from tests.comparison.test_compare import VERSION_0_1_0
from tests.runs import laid_run, noisy

GOLD = np.random.default_rng(0).integers(0, 5, 400).astype(float)
LABELS = np.tile([0.0, 1.0], 200)


@dataclass(frozen=True)
class ExactDifference:
    """A difference with a p-value and an interval that were computed by hand."""

    estimate: float
    p_value: float
    ends: tuple[float, float]
    deviation = 0.2
    freedom = math.inf
    floored = False

    def interval(self, _level):
        return self.ends


def erring(gold, seed, *, concepts=60):
    """Two systems that err on concepts, of which each pair has two, and the concepts' ids."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, concepts, gold.size)
    second = (first + rng.integers(1, concepts, gold.size)) % concepts
    effects = rng.standard_normal((2, concepts))
    scores = gold + effects[:, first] + effects[:, second] + 0.3 * rng.standard_normal((2, gold.size))
    ids = {"id_1": [f"c{k}" for k in first], "id_2": [f"c{k}" for k in second]}
    return dict(zip(("one", "two"), scores, strict=True)), ids


@pytest.mark.parametrize("labelled", [False, True])
def test_every_metric_has_wider_intervals_on_pairs_that_share_concepts(labelled):
    gold = LABELS if labelled else GOLD
    systems, ids = erring(gold, 1)
    run = laid_run(gold, systems, labelled=labelled, **ids)
    alone, together = compare(run, dependence="independent"), compare(run, dependence="dyadic")
    assert (alone.dependence, together.dependence) == ("independent", "dyadic")
    assert compare(run).contests == together.contests
    for one, other in zip(alone.contests, together.contests, strict=True):
        assert other.test == f"{one.test}, with the errors of pairs that share concepts"
        assert other.resamples == one.resamples
        assert one.concepts == other.concepts == 60
        assert one.error_ratio == other.error_ratio
        assert one.error_ratio[0] > 1.2
        widths = [difference.high - difference.low for difference in (*one.differences, *other.differences)]
        assert widths[1] > 1.15 * widths[0]
        assert other.differences[0].value == pytest.approx(one.differences[0].value)
        for mine, yours in zip(one.systems, other.systems, strict=True):
            assert yours.high - yours.low > mine.high - mine.low
            assert (0 if labelled else -1) <= yours.low <= yours.value <= yours.high <= 1


@pytest.mark.parametrize("dependence", ["dyadic", None])
def test_pairs_without_common_concepts_are_independent(dependence):
    run = laid_run(GOLD, {"one": noisy(GOLD, 2, 1), "two": noisy(GOLD, 3, 2)})
    found = compare(run, dependence=dependence)
    assert found.contests[0].error_ratio == pytest.approx((1, 1))
    assert found == compare(run, dependence="independent")


def test_equal_systems_that_err_on_concepts_were_told_apart_by_default():
    """150 pairs of 50 concepts: what a model knows of a few concepts looks like a difference."""
    found = {"independent": 0, None: 0}
    for seed in range(40):
        systems, ids = erring(GOLD[:150], seed, concepts=50)
        run = laid_run(GOLD[:150], systems, **ids)
        for dependence in found:
            [difference] = compare(run, dependence=dependence, resamples=999).contests[0].differences
            found[dependence] += difference.significant
    assert found["independent"] >= 5
    assert found[None] <= 4


def test_ranks_vary_more_on_pairs_that_share_concepts():
    few = GOLD[:120]
    systems, ids = erring(few, 3, concepts=40)
    run = laid_run(few, systems | {"steady": noisy(few, 1.45, 5)}, **ids)
    spans = {}
    for dependence in ("independent", "dyadic"):
        contest = compare(run, dependence=dependence).contests[0]
        spans[dependence] = {one.model: (one.rank_low, one.rank_high) for one in contest.systems}
    for model, (low, high) in spans["independent"].items():
        assert spans["dyadic"][model][0] <= low <= high <= spans["dyadic"][model][1]
    assert spans["dyadic"] != spans["independent"]


def test_a_nearly_constant_system_may_still_rank_last_on_pairs_that_share_concepts():
    """Resamples without the only pair that it scores differently leave it without a figure."""
    gold = np.arange(30.0)
    only = np.zeros(30)
    only[29] = 1.0
    ids = {"id_1": [f"c{k % 20}" for k in range(30)], "id_2": [f"d{k}" for k in range(30)]}
    run = laid_run(gold, {"only": only, "other": noisy(gold, 60, 1), "third": noisy(gold, 60, 2)}, **ids)
    [contest] = compare(run).contests
    assert {one.model: one.rank_high for one in contest.systems}["only"] == 3
    assert contest.shares_concepts


def test_groups_take_the_place_of_concepts():
    systems, ids = erring(GOLD, 1)
    run = laid_run(GOLD, systems, **ids)
    found = compare(run, clustered_by="id_1")
    assert (found.dependence, found.clustered_by) == ("independent", "id_1")


@given(
    estimate=st.floats(-1, 1).filter(lambda value: abs(value) > 1e-6),
    freedom=st.one_of(st.just(math.inf), st.floats(1, 500)),
    seed=st.integers(0, 1000),
    level=st.sampled_from([0.05, 0.1, 0.3]),
)
def test_the_interval_of_swaps_excludes_0_exactly_where_p_is_below_the_level(estimate, freedom, seed, level):
    swapped = np.sort(np.abs(np.random.default_rng(seed).standard_normal(199)))[::-1]
    found = SwappedDifference(estimate, 0.3, swapped, freedom)
    low, high = found.interval(level)
    assert (not low <= 0 <= high) == (found.p_value < level)
    assert found.p_value >= SwappedDifference(estimate, 0.3, swapped).p_value


def test_a_difference_that_rests_on_few_concepts_is_compared_with_rarer_swaps():
    """By hand: 2.262 leaves 2.5% in Student's t with 9 degrees of freedom, as 1.96 does in the normal one."""
    swapped = np.array([2.3, 2.1, 1.96, 1.95, 1.0, 0.5, 0.4, 0.2, 0.1])
    assert SwappedDifference(2.262157, 1.0, swapped).p_value == pytest.approx(0.2)
    assert SwappedDifference(2.262157, 1.0, swapped, 9).p_value == pytest.approx(0.4)
    assert SwappedDifference(1.0, 1.0, swapped, 9).interval(0.4) == pytest.approx((1 - 2.2622, 2.0), abs=1e-3)


def test_an_exact_test_has_to_find_a_difference_too():
    """McNemar's test on 5 against 0 pairs has p = 0.0625; Student's t alone would be below 0.05."""
    base = ExactDifference(0.5, 0.0625, (-0.02, 0.9))
    found = SharedDifference(base, NormalDifference(0.5, 0.15, 10, freedom=9))
    assert found.shared.p_value < 0.02
    assert found.p_value == 0.0625
    assert found.interval(0.05) == pytest.approx((-0.02, 0.9))
    wider = SharedDifference(base, NormalDifference(0.5, 0.4, 10, freedom=9))
    assert wider.p_value == wider.shared.p_value
    assert wider.interval(0.05) == pytest.approx((0.5 - 0.4 * 2.262157, 1.0))
    undefined = SharedDifference(base, NormalDifference(0.5, math.nan, 10))
    assert math.isnan(undefined.p_value)
    assert math.isnan(undefined.interval(0.05)[0])


def test_a_variance_that_concepts_make_smaller_is_not_believed():
    """Pairs that share a concept with opposite contributions: the dyadic variance alone would be nearly 0."""
    gold = np.repeat(np.arange(30.0), 2)
    scores = np.stack([gold + np.tile([3.0, -3.0], 30), np.random.default_rng(0).standard_normal(60)])
    rng = np.random.default_rng(0)
    tests = CorrelationTests.of(gold, scores, level=0.05, swaps=99, rng=rng, track=lambda n: track("", n))
    outcome = Outcome("", tests.rhos, tests.influence / 60, np.empty((0, 2)), tests.difference)
    concepts = np.repeat(np.arange(30), 2)
    contest = DyadicContest(outcome, Dyads(concepts, 30 + np.arange(60)), graded=True)
    assert contest.difference(0, 1).deviation >= tests.difference(0, 1).deviation - 1e-12


def test_the_margin_is_that_of_two_one_sided_tests():
    """Two one-sided tests at 0.05 are the 90% interval (Schuirmann 1987)."""
    run = laid_run(GOLD, {"one": noisy(GOLD, 2, 1), "two": noisy(GOLD, 2, 2)})
    [difference] = compare(run).contests[0].differences
    [at_ten] = compare(run, alpha=0.1).contests[0].differences
    assert difference.margin == pytest.approx(max(abs(at_ten.low), abs(at_ten.high)))


def test_the_detectable_difference_is_found_in_four_of_five_samples():
    """By simulation: samples whose true difference is the one that a first sample calls detectable."""
    rng = np.random.default_rng(3)

    def sample(shift):
        gold = rng.standard_normal(400)
        strengths = np.array([0.6 + shift, 0.6])[:, None]
        return gold, strengths * gold + np.sqrt(1 - strengths**2) * rng.standard_normal((2, 400))

    gold, scores = sample(0.0)
    run = laid_run(gold, dict(zip(("one", "two"), scores, strict=True)))
    [first] = compare(run).contests[0].differences
    found = 0
    for _ in range(200):
        gold, scores = sample(first.detectable)
        tests = CorrelationTests.of(gold, scores, level=0.05, rng=rng, track=lambda n: track("", n))
        found += tests.difference(0, 1).p_value < 0.05
    assert 0.7 < found / 200 < 0.97  # the error is smaller where ρ is higher


def test_a_run_that_does_not_know_its_concepts_says_so():
    with pytest.raises(InputError, match="does not say which pairs share a concept; evaluate again"):
        compare(VERSION_0_1_0 / "run", dependence="dyadic")
    with pytest.warns(CoverageWarning):
        assert compare(VERSION_0_1_0 / "run").dependence == "independent"


def test_nothing_is_significant_without_a_standard_error():
    run = laid_run(np.arange(40.0), {"up": np.arange(40.0), "down": -np.arange(40.0)})
    [difference] = compare(run).contests[0].differences
    assert math.isnan(difference.low)
    assert math.isnan(difference.detectable)


def of_concepts(count):
    """Ids of pairs that share each concept of the first side with every `count`th other pair."""
    return {"id_1": [f"c{k % count}" for k in range(60)], "id_2": [f"d{k}" for k in range(60)]}


@pytest.mark.parametrize("labelled", [False, True])
def test_one_concept_for_all_pairs_is_no_ground_for_a_test(labelled):
    """An undefined standard error was taken for none at all, and every difference was significant."""
    gold = LABELS[:60] if labelled else GOLD[:60]
    systems = {"one": noisy(gold, 1, 1), "two": noisy(gold, 1, 2)}
    run = laid_run(gold, systems, labelled=labelled, id_1=["c"] * 60, id_2=["c"] * 60)
    with pytest.warns(UndefinedWarning, match="cannot be tested: all pairs share one concept"):
        found = compare(run)
    for contest in found.contests:
        [difference] = contest.differences
        assert math.isnan(difference.p)
        assert not difference.significant
        assert contest.untested == "all pairs share one concept"
    assert str(found)


def test_swaps_of_an_undefined_difference_are_undefined():
    swapped = np.array([2.0, 1.0])
    for estimate, deviation in ((math.nan, 0.1), (0.5, math.nan)):
        found = SwappedDifference(estimate, deviation, swapped)
        assert math.isnan(found.p_value)
        assert not found.floored


def test_intervals_of_figures_that_are_refused_or_certain_stay_so():
    gold = np.arange(60.0)
    few = np.zeros(60)
    few[[3, 50]] = 1.0
    systems = {"few": few, "perfect": gold, "noisy": noisy(gold, 20, 1)}
    for labelled in (False, True):
        truth = LABELS[:60] if labelled else gold
        given = {"few": few, "perfect": truth, "noisy": noisy(truth, 1, 1)} if labelled else systems
        run = laid_run(truth, given, labelled=labelled, **of_concepts(12))
        alone, together = (compare(run, dependence=kind) for kind in ("independent", "dyadic"))
        for one, other in zip(alone.contests, together.contests, strict=True):
            before = {system.model: (system.low, system.high) for system in one.systems}
            for system in other.systems:
                low, high = before[system.model]
                assert math.isnan(system.low) == math.isnan(low)
                assert math.isnan(system.high) == math.isnan(high)
                if not math.isnan(low):
                    assert system.low <= low + 1e-12
                    assert system.high >= high - 1e-12


def test_no_difference_is_certain_because_its_error_is_rounding():
    gold = np.arange(60.0)
    run = laid_run(gold, {"up": gold, "down": -gold}, **of_concepts(12))
    [contest] = compare(run).contests
    [difference] = contest.differences
    assert math.isnan(difference.low)
    assert difference.floored
    assert contest.error_ratio is None


def test_the_stated_ratio_is_that_of_the_errors():
    """The error of cross-validated accuracies has a part that concepts do not widen."""
    systems, ids = erring(LABELS, 1)
    run = laid_run(LABELS, systems, labelled=True, **ids)
    alone, together = (compare(run, dependence=kind) for kind in ("independent", "dyadic"))
    for one, other in zip(alone.contests, together.contests, strict=True):
        if one.metric == "auc":
            [narrow], [wide] = one.differences, other.differences
            ratio = (wide.high - wide.low) / (narrow.high - narrow.low)
            # The interval is wider by the degrees of freedom, too.
            assert 1.2 < other.error_ratio[0] < ratio < 1.1 * other.error_ratio[0]
        assert other.error_ratio[0] >= 1


def test_a_difference_that_cannot_be_is_not_called_detectable():
    gold = np.arange(12.0)
    run = laid_run(gold, {"one": noisy(gold, 5, 1), "two": noisy(gold, 5, 2), "three": noisy(gold, 5, 3)})
    with pytest.warns(CoverageWarning, match="with 99 swaps no difference can be significant"):
        found = compare(run, resamples=99, alpha=0.01)
    assert all(math.isnan(one.detectable) for one in found.contests[0].differences)
