import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.resampling.swaps import SwappedDifference, SwapTest, draw_swaps, standardised
from tests.stats.differences.test_rank_influence import plain_influence


def plain_statistic(gold, first, second, swapped):
    """|T| after swapping standardised ranks where `swapped`, ranked again by the loops of the influence."""
    one, two = standardised(first), standardised(second)
    one, two = np.where(swapped, two, one), np.where(swapped, one, two)
    if np.ptp(one) == 0 or np.ptp(two) == 0:
        return math.inf
    (rho_1, psi_1), (rho_2, psi_2) = plain_influence(gold, one), plain_influence(gold, two)
    n = gold.size
    deviation = math.sqrt(np.square(psi_1 - psi_2).sum() / (n * (n - 1)))
    if abs(rho_1 - rho_2) < 1e-12:
        return 0.0
    return abs(rho_1 - rho_2) / deviation if deviation > 1e-12 else math.inf


scores = st.lists(st.integers(0, 4).map(float), min_size=8, max_size=8).filter(lambda x: len(set(x)) > 1)


@pytest.mark.slow
@given(scores.map(np.array), scores.map(np.array), scores.map(np.array), st.integers(0, 2**32 - 1))
@settings(deadline=None)
def test_each_swap_is_ranked_and_studentised_again(gold, first, second, seed):
    swaps = draw_swaps(8, 16, np.random.default_rng(seed))
    found = SwapTest.of(gold).statistics(first, second, swaps)
    for number, statistic in enumerate(found):
        swapped = (swaps[number // 8] >> (number % 8)) & 1 == 1
        assert statistic == pytest.approx(plain_statistic(gold, first, second, swapped), rel=1e-8, abs=1e-8)


def test_unswapped_it_is_the_difference_of_scipys_correlations_over_its_error():
    rng = np.random.default_rng(0)
    gold = rng.integers(0, 5, 60).astype(float)
    one, two = gold + rng.standard_normal(60), np.round(gold + 2 * rng.standard_normal(60))
    [found, *_] = SwapTest.of(gold).statistics(one, two, np.zeros((1, 60), np.uint8))
    apart = stats.spearmanr(gold, one).statistic - stats.spearmanr(gold, two).statistic
    psi = plain_influence(gold, one)[1] - plain_influence(gold, two)[1]
    assert found == pytest.approx(abs(apart) / math.sqrt((psi**2).sum() / 60 / 59))


def test_swapping_all_pairs_changes_nothing():
    rng = np.random.default_rng(1)
    gold, one, two = rng.standard_normal((3, 40))
    none, every = np.zeros((1, 40), np.uint8), np.full((1, 40), 255, np.uint8)
    test = SwapTest.of(gold)
    assert test.statistics(one, two, none) == pytest.approx(test.statistics(one, two, every))


def test_systems_on_other_scales_are_swapped_as_ranks():
    rng = np.random.default_rng(2)
    gold, one, two = rng.standard_normal((3, 40))
    swaps = draw_swaps(40, 64, rng)
    test = SwapTest.of(gold)
    assert test.statistics(one, two, swaps) == pytest.approx(
        test.statistics(np.exp(one), 1000 * two - 5, swaps)
    )


def test_p_counts_the_swaps_that_reach_the_observed_difference():
    """Worked by hand: T = 2; of 9 swaps two reach it, so p = 3/10."""
    swapped = np.array([3.0, 2.0, 1.9, 1.5, 1.0, 0.5, 0.3, 0.2, 0.1])
    found = SwappedDifference(0.4, 0.2, swapped)
    assert found.p_value == pytest.approx(0.3)
    assert not found.floored
    assert SwappedDifference(0.8, 0.2, swapped).p_value == pytest.approx(0.1)
    assert SwappedDifference(0.8, 0.2, swapped).floored


@given(
    st.lists(st.integers(0, 40).map(lambda k: k / 10), min_size=1, max_size=60),
    st.integers(-20, 20).map(lambda k: k / 7),
    st.sampled_from([0.5, 0.2, 0.1, 0.05, 0.011]),
)
def test_an_interval_excludes_zero_exactly_where_p_is_below_the_level(statistics, estimate, level):
    found = SwappedDifference(estimate, 1.0, np.sort(np.array(statistics))[::-1])
    low, high = found.interval(level)
    outside = low > 0 or high < 0
    if estimate and not any(abs(abs(estimate) - value) < 1e-6 for value in statistics):
        assert outside == (found.p_value < level - 1e-12)


def test_too_few_swaps_show_nothing():
    found = SwappedDifference(1.5, 0.1, np.array([1.0, 0.5]))
    assert found.interval(0.05) == (-2.0, 2.0)
    assert found.critical(0.05) == math.inf


def test_equal_systems_do_not_differ():
    found = SwappedDifference(0.0, 0.0, np.zeros(99))
    assert found.p_value == 1.0
    assert all(map(math.isnan, found.interval(0.05)))
