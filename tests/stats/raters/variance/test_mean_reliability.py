"""The reliability of ratings and of their means, with gaps, and of a model that knows the truth."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.reliability import Packed
from medgauge.stats.raters.resampled_agreement import without_blocks
from medgauge.stats.raters.variance.mean_reliability import (
    Design,
    MeanReliability,
    reliability_of,
    reliability_of_means,
)
from medgauge.stats.raters.variance.variance_components import CrossedRatings, VarianceComponents
from tests.stats.raters import references

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(2, 12), st.integers(2, 5)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)


def three_of(raters: int, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Which three raters rate each pair."""
    chosen = np.zeros((pairs, raters), bool)
    for row in chosen:
        row[rng.choice(raters, 3, replace=False)] = True
    return chosen


def figures(ratings: np.ndarray) -> dict[str, float]:
    return {name: one.value for name, one in plain_estimates(MeanReliability(ratings), len(ratings)).items()}


@given(RATINGS)
@settings(max_examples=40, deadline=None)
def test_the_figures_are_those_of_the_slow_reference(ratings):
    expected = references.reliability_of_all(ratings)
    assert figures(ratings) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_without_gaps_they_are_those_of_complete_panels():
    rng = np.random.default_rng(1)
    ratings = rng.normal(size=(30, 1)) + rng.normal(size=4) + 0.6 * rng.normal(size=(30, 4))
    packed = plain_estimates(Packed(ratings, "interval"), 30)
    found = figures(ratings)
    for name in ("icc_c1", "icc_ck"):
        assert found[name] == pytest.approx(packed[name].value, abs=1e-9)
    assert found["g_qk"] == pytest.approx(found["icc_ck"])
    assert found["ceiling"] == pytest.approx(math.sqrt(found["icc_ck"]))


def test_all_ratings_count_where_panels_leave_most_pairs_out():
    """Of pairs with two to five ratings, packed figures use only those with the most common number."""
    rng = np.random.default_rng(2)
    ratings = rng.normal(size=(60, 1)) + 0.6 * rng.normal(size=(60, 5))
    ratings[rng.random(ratings.shape) < 0.3] = NAN
    assert MeanReliability(ratings).pairs == 60
    assert Packed(ratings, "interval").pairs < 30


def test_q_is_0_where_all_rated_all_and_1_over_k_where_nobody_rated_twice():
    assert Design.of(CrossedRatings.of(np.ones((7, 3)))) == Design(3.0, 0.0)
    nested = np.full((4, 8), NAN)
    for pair in range(4):
        nested[pair, 2 * pair : 2 * pair + 2] = 1.0
    assert Design.of(CrossedRatings.of(nested)) == Design(2.0, 0.5)


def test_q_by_hand():
    """Two pairs with two and one raters, one of them shared: 1/k = 3/4, c/(kk′) = 1/2, so q = 1/4."""
    design = Design.of(CrossedRatings.of(np.array([[1.0, 2.0], [3.0, NAN]])))
    assert (design.k, design.q) == pytest.approx((4 / 3, 1 / 4))


def test_one_pair_has_no_design():
    assert math.isnan(Design.of(CrossedRatings.of(np.ones((1, 3)))).q)


def test_g_is_the_squared_correlation_of_means_with_the_truth_and_icc_is_not():
    """Each pair has three of forty raters whose offsets vary; 200 draws of 300 pairs."""
    rng = np.random.default_rng(3)
    components = VarianceComponents(1.0, 0.35, 0.7)
    squared, expected = [], []
    for _ in range(200):
        chosen = three_of(40, 300, rng)
        truth = rng.normal(size=(300, 1))
        offsets = math.sqrt(components.rater) * rng.normal(size=40)
        ratings = truth + offsets + math.sqrt(components.residual) * rng.normal(size=(300, 40))
        ratings[~chosen] = NAN
        squared.append(np.corrcoef(truth[:, 0], np.nanmean(ratings, axis=1))[0, 1] ** 2)
        expected.append(reliability_of(components, Design.of(CrossedRatings.of(ratings))))
    found = {name: float(np.mean([one[name] for one in expected])) for name in ("icc_ck", "g_qk")}
    true = float(np.mean(squared))
    assert true == pytest.approx(found["g_qk"], abs=0.01)
    assert found["icc_ck"] > true + 0.05


def test_estimated_from_ratings_g_is_near_the_truth():
    rng = np.random.default_rng(4)
    chosen = three_of(40, 1500, rng)
    truth = rng.normal(size=(1500, 1))
    ratings = truth + 0.6 * rng.normal(size=40) + 0.84 * rng.normal(size=(1500, 40))
    ratings[~chosen] = NAN
    found = figures(ratings)
    true = np.corrcoef(truth[:, 0], np.nanmean(ratings, axis=1))[0, 1]
    assert found["ceiling"] == pytest.approx(true, abs=0.015)
    assert found["icc_ck"] > found["g_qk"] + 0.03


def test_the_means_of_some_pairs_have_the_variances_of_all():
    rng = np.random.default_rng(5)
    ratings = rng.normal(size=(50, 1)) + rng.normal(size=(50, 4))
    ratings[25:, 2:] = NAN
    all_pairs, complete = reliability_of_means(ratings), reliability_of_means(ratings, np.arange(50) < 25)
    assert complete.components == all_pairs.components
    assert (complete.design.k, all_pairs.design.k) == pytest.approx((4.0, 8 / 3))


def test_leaving_out_blocks_is_the_same_from_anywhere():
    rng = np.random.default_rng(6)
    ratings = rng.normal(size=(12, 1)) + rng.normal(size=(12, 4))
    ratings[rng.random(ratings.shape) < 0.3] = NAN
    found = without_blocks(MeanReliability(ratings), rng=np.random.default_rng(0))
    expected = [
        list(references.reliability_of_all(np.delete(ratings, pair, axis=0)).values()) for pair in range(12)
    ]
    order = np.random.default_rng(0).permutation(12)
    for pair, block in enumerate(order):
        assert found[block] == pytest.approx(expected[pair], abs=1e-5)


@given(st.floats(0.01, 0.999), st.lists(st.floats(0, 1), min_size=5, max_size=30), st.floats(0.001, 0.5))
@settings(max_examples=100, deadline=None)
def test_no_interval_leaves_the_range(value, without, level):
    kernel = MeanReliability(np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 4.0]]))
    for name in kernel.names:
        low, high = kernel.limits(name, value, np.array(without), level).ends
        if not math.isnan(low):
            assert 0 <= low <= value + 1e-9
            assert value - 1e-9 <= high <= 1


def test_on_a_long_series_the_interval_is_that_of_fishers_z():
    """By hand: z = ½ ln((1 + 2x)/(1 − x)) for k = 3, with the slope 1.5 / ((1 + 2x)(1 − x))."""
    without = 0.6 + 0.001 * np.array([-1, 1] * 50)
    kernel = MeanReliability(np.array([[1.0, 2.0, 2.0], [2.0, 2.0, 1.0], [3.0, 4.0, 3.0]]))
    low, high = kernel.limits("icc_c1", 0.6, without, 0.05).ends
    error = math.sqrt(99 * 1e-6)
    middle, half = 0.5 * math.log(2.2 / 0.4), 1.984217 * error * 1.5 / (2.2 * 0.4)
    ends = [(math.exp(2 * z) - 1) / (math.exp(2 * z) + 2) for z in (middle - half, middle + half)]
    assert [low, high] == pytest.approx(ends, abs=1e-6)
