import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.resampling.bca import Bca, normal_quantiles

R_BOOT = {
    0.2: (-0.411024311009298, 2.82762934130485),
    0.05: (-0.603021604045264, 4.19285225843986),
    0.01: (-0.672428204121176, 4.19285225843986),
    0.001: (-0.69672133722875, 4.19285225843986),
}
"""R 4.2.2, boot 1.3-28.1: boot:::bca.ci(b, conf = 1 - level, index = 1, t0 = 0.25, t = t, L = L), with the
values and influence values below."""


def skewed_values():
    """(i * 37 mod 199)/199 as exponential quantiles: t <- qexp((t + 0.5/199) * 0.995) - 0.7."""
    shares = (np.arange(1, 200) * 37 % 199) / 199
    return stats.expon.ppf((shares + 0.5 / 199) * 0.995) - 0.7


@pytest.mark.parametrize("level", R_BOOT)
def test_the_interval_is_that_of_rs_boot(level):
    influence = np.array([-1.2, 0.3, 2.5, -0.4, 0.9, -2.1, 0.05, 1.1, -0.6, -0.55])
    ours = Bca.of(0.25, skewed_values(), -influence).interval(level)
    assert ours == pytest.approx(R_BOOT[level], abs=1e-12)


def test_quantiles_are_those_of_rs_norm_inter():
    """R 4.2.2, boot 1.3-28.1: boot:::norm.inter(t, c(0.001, 0.01, 0.025, 0.1, 0.5, 0.9, 0.999))."""
    shares = np.array([0.001, 0.01, 0.025, 0.1, 0.5, 0.9, 0.999])
    theirs = [
        -0.6974968697818814,
        -0.6924717335792083,
        -0.6772430128773838,
        -0.5974134112248989,
        -0.0118403609510938,
        1.5778924804036738,
        4.1928522584398635,
    ]
    assert normal_quantiles(np.sort(skewed_values()), shares) == pytest.approx(theirs, abs=1e-12)


@given(st.integers(1, 60), st.floats(0.0001, 0.9999))
def test_quantiles_are_order_statistics_at_whole_ranks_and_lie_between_others(count, share):
    values = np.arange(float(count))
    rank = min(max((count + 1) * share, 1), count)
    [found] = normal_quantiles(values, np.array([share]))
    assert np.floor(rank + 1e-9) - 1 <= found + 1e-9
    assert found <= np.ceil(rank) - 1 + 1e-9
    whole = round(rank)
    [at_rank] = normal_quantiles(values, np.array([whole / (count + 1)]))
    assert at_rank == pytest.approx(whole - 1, abs=1e-6)


@pytest.mark.parametrize("level", [0.2, 0.05])
@pytest.mark.parametrize("seed", range(4))
def test_the_interval_is_nearly_scipys_on_the_same_resamples(seed, level):
    """Scipy interpolates as numpy does, one order statistic further in."""
    rng = np.random.default_rng(seed)
    sample = rng.exponential(size=25) - 0.8
    theirs = stats.bootstrap(
        (sample,), np.mean, n_resamples=1999, confidence_level=1 - level, method="BCa", rng=rng
    )
    without = (sample.sum() - sample) / (len(sample) - 1)
    values = np.sort(theirs.bootstrap_distribution)
    low, high = Bca.of(sample.mean(), values, without).interval(level)
    assert abs(np.searchsorted(values, low) - np.searchsorted(values, theirs.confidence_interval.low)) <= 2
    assert abs(np.searchsorted(values, high) - np.searchsorted(values, theirs.confidence_interval.high)) <= 2
    assert low <= theirs.confidence_interval.low + 1e-12
    assert high >= theirs.confidence_interval.high - 1e-12


def test_a_statistic_that_no_resample_changes_has_no_interval():
    boot = Bca.of(0.0, np.zeros(100), np.zeros(10))
    assert all(map(math.isnan, boot.interval(0.05)))
    assert boot.beyond(0.05) == math.inf


@pytest.mark.parametrize("values", [np.full(50, np.nan), np.empty(0)])
def test_a_bootstrap_without_values_claims_nothing(values):
    assert all(map(math.isnan, Bca.of(0.3, values, np.full(10, 0.3)).interval(0.05)))


def test_an_undefined_figure_has_no_interval():
    assert all(map(math.isnan, Bca.of(math.nan, np.arange(10.0), np.arange(5.0)).interval(0.05)))


def test_resamples_without_a_value_are_left_out():
    values = np.random.default_rng(0).standard_normal(500)
    holed = np.concatenate([values, [np.nan] * 20])
    without = np.arange(10.0)
    assert Bca.of(0.1, holed, without).interval(0.05) == Bca.of(0.1, values, without).interval(0.05)


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
