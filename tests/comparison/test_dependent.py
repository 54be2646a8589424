"""Contests on pairs that share concepts."""

import math

import numpy as np
import pytest

from medgauge.comparison.compare import compare
from medgauge.comparison.dependent import DyadicContest
from medgauge.comparison.graded import CorrelationTests
from medgauge.comparison.outcome import Outcome
from medgauge.errors import InputError
from medgauge.progress import track
from medgauge.stats.differences.dyadic import Dyads
from tests.comparison.test_compare import VERSION_0_1_0
from tests.runs import laid_run, noisy

GOLD = np.random.default_rng(0).integers(0, 5, 400).astype(float)
LABELS = np.tile([0.0, 1.0], 200)


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
    alone, together = compare(run), compare(run, dependence="dyadic")
    assert together.dependence == "dyadic"
    for one, other in zip(alone.contests, together.contests, strict=True):
        assert other.test == "Student's t over pairs that share concepts"
        assert one.concepts == other.concepts == 60
        assert one.error_ratio == other.error_ratio
        assert one.error_ratio[0] > 1.2
        widths = [difference.high - difference.low for difference in (*one.differences, *other.differences)]
        assert widths[1] > 1.15 * widths[0]
        assert other.differences[0].value == pytest.approx(one.differences[0].value)
        for mine, yours in zip(one.systems, other.systems, strict=True):
            assert yours.high - yours.low > mine.high - mine.low
            assert (0 if labelled else -1) <= yours.low <= yours.value <= yours.high <= 1


def test_pairs_without_common_concepts_have_the_same_standard_error():
    run = laid_run(GOLD, {"one": noisy(GOLD, 2, 1), "two": noisy(GOLD, 3, 2)})
    [alone], [together] = (
        compare(run, dependence=dependence).contests[0].differences
        for dependence in ("independent", "dyadic")
    )
    assert compare(run).contests[0].error_ratio == pytest.approx((1, 1))
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=0.003)


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


def test_nothing_is_significant_without_a_standard_error():
    run = laid_run(np.arange(40.0), {"up": np.arange(40.0), "down": -np.arange(40.0)})
    [difference] = compare(run).contests[0].differences
    assert math.isnan(difference.low)
    assert math.isnan(difference.detectable)
