import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.resampling.bca import Bca


@pytest.mark.parametrize("level", [0.2, 0.05, 0.01])
@pytest.mark.parametrize("seed", range(4))
def test_the_interval_is_scipys_on_the_same_resamples(seed, level):
    rng = np.random.default_rng(seed)
    sample = rng.exponential(size=25) - 0.8
    theirs = stats.bootstrap(
        (sample,), np.mean, n_resamples=1999, confidence_level=1 - level, method="BCa", rng=rng
    )
    without = (sample.sum() - sample) / (len(sample) - 1)
    ours = Bca.of(sample.mean(), theirs.bootstrap_distribution, without).interval(level)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


def test_a_difference_of_two_correlations_is_scipys():
    """On the same resamples, a small set with ties, three measures' scores against one gold."""
    rng = np.random.default_rng(7)
    gold = rng.integers(0, 4, 30).astype(float)
    one, two = gold + rng.standard_normal(30), gold + 2 * rng.standard_normal(30)

    def difference(x, y, z):
        return stats.spearmanr(x, y).statistic - stats.spearmanr(x, z).statistic

    theirs = stats.bootstrap(
        (gold, one, two), difference, paired=True, vectorized=False, n_resamples=999, method="BCa", rng=rng
    )
    keep = ~np.eye(30, dtype=bool)
    without = np.array([difference(gold[row], one[row], two[row]) for row in keep])
    ours = Bca.of(difference(gold, one, two), theirs.bootstrap_distribution, without)
    assert ours.interval(0.05) == pytest.approx(tuple(theirs.confidence_interval), abs=1e-12)


resampled = st.lists(st.integers(-6, 9).map(lambda k: k / 4), min_size=20, max_size=60)


@pytest.mark.slow
@given(resampled, st.lists(st.integers(-8, 8), min_size=3, max_size=10), st.integers(-6, 9))
@settings(max_examples=300, deadline=None)
def test_p_is_the_level_at_which_the_interval_touches_zero(values, without, estimate):
    boot = Bca.of(estimate / 4, np.array(values), np.array(without, float))
    p = boot.p_value
    assume(max(2 / (len(values) + 1), 2.0 ** (1 - len(without))) < p < 1)
    outside = 1 / (len(values) + 1)
    assume(outside < np.mean(np.array(values) <= 0) < 1 - outside)
    inside_low, inside_high = boot.interval(p * 0.999)
    assert inside_low <= 0 <= inside_high
    low, high = boot.interval(min(p * 1.001, 1.0))
    assert low >= -1e-9 or high <= 1e-9


@given(st.integers(0, 2**32 - 1), st.floats(-0.3, 0.3))
@settings(max_examples=100, deadline=None)
def test_a_difference_is_significant_when_the_interval_leaves_out_zero(seed, shift):
    rng = np.random.default_rng(seed)
    sample = rng.exponential(size=40) - 1 + shift
    means = rng.choice(sample, size=(2000, 40)).mean(axis=1)
    boot = Bca.of(sample.mean(), means, (sample.sum() - sample) / 39)
    for level in (0.3, 0.1, 0.05, 0.02):
        if boot.beyond(level) < 1:  # the end would lie beyond the last resample
            continue
        low, high = boot.interval(level)
        assert (boot.p_value < level) == (low > 0 or high < 0)


def test_without_bias_and_skew_p_is_the_percentiles():
    """Worked by hand: 5 of 200 symmetric values lie under 0, a share of 0.025, so p = 0.05."""
    values = np.arange(200) - 4.5
    boot = Bca(values.mean(), values, 0.0, 0.0, 50)
    assert boot.p_value == pytest.approx(2 * 4.5 / 199)
    assert boot.interval(2 * 4.5 / 199)[0] == pytest.approx(0, abs=1e-9)


def test_two_equal_systems_do_not_differ():
    boot = Bca.of(0.0, np.zeros(100), np.zeros(10))
    assert boot.p_value == 1.0
    assert all(map(math.isnan, boot.interval(0.05)))
    assert boot.beyond(0.05) == math.inf


@pytest.mark.parametrize(("units", "p"), [(3, 0.25), (30, 2 / 51)])
def test_a_difference_that_no_resample_changes_is_tested_by_its_sign(units, p):
    """Perfect against reversed scores: no spread, so no interval, but no reason to call them equal."""
    boot = Bca.of(2.0, np.full(50, 2.0), np.full(units, 2.0))
    assert boot.p_value == pytest.approx(p)
    assert all(map(math.isnan, boot.interval(0.05)))


@pytest.mark.parametrize("values", [np.full(50, np.nan), np.empty(0)])
def test_a_bootstrap_without_values_claims_nothing(values):
    boot = Bca.of(0.3, values, np.full(10, 0.3))
    assert math.isnan(boot.p_value)
    assert all(map(math.isnan, boot.interval(0.05)))


def test_an_undefined_figure_has_no_interval():
    boot = Bca.of(math.nan, np.arange(10.0), np.arange(5.0))
    assert math.isnan(boot.p_value)
    assert all(map(math.isnan, boot.interval(0.05)))


def test_resamples_without_a_value_are_left_out():
    values = np.random.default_rng(0).standard_normal(500)
    holed = np.concatenate([values, [np.nan] * 20])
    without = np.arange(10.0)
    assert Bca.of(0.1, holed, without).interval(0.05) == Bca.of(0.1, values, without).interval(0.05)


@pytest.mark.parametrize("side", [1, -1])
def test_resamples_that_are_all_on_one_side_give_no_p_of_zero(side):
    values = side * np.random.default_rng(0).uniform(1, 2, 999)
    boot = Bca.of(side * 1.5, values, np.random.default_rng(1).standard_normal(30))
    assert 2 / 1000 <= boot.p_value < 0.05


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=50, deadline=None)
def test_resamples_beyond_an_end_are_counted(seed):
    rng = np.random.default_rng(seed)
    sample = rng.exponential(size=20) - 1
    means = rng.choice(sample, size=(999, 20)).mean(axis=1)
    boot = Bca.of(sample.mean(), means, (sample.sum() - sample) / 19)
    low, high = boot.interval(0.1)
    counted = min((means < low).sum(), (means > high).sum())
    assert boot.beyond(0.1) == pytest.approx(counted, abs=1.5)


def test_two_groups_show_nothing():
    """However many resamples there are, only three of them are different."""
    values = np.random.default_rng(0).choice([0.1, 0.3, 0.5], 10_000)
    assert Bca.of(0.3, values, np.array([0.1, 0.5])).p_value == 0.5
