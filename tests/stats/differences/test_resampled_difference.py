import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.differences.resampled_difference import ResampledDifference


def test_the_interval_of_a_mean_is_that_of_scipy():
    rng = np.random.default_rng(0)
    sample = rng.normal(0.3, 1, 80)
    means = rng.choice(sample, size=(20_000, 80)).mean(axis=1)
    peer = stats.bootstrap(
        (sample,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    found = ResampledDifference(float(sample.mean()), means).interval(0.05)
    assert found == pytest.approx(tuple(peer.confidence_interval), abs=0.01)


@given(st.lists(st.integers(-20, 40), min_size=60, max_size=200), st.sampled_from([0.5, 0.2, 0.1]))
def test_an_interval_excludes_0_where_the_difference_is_significant(values, level):
    found = ResampledDifference(1.0, np.array(values) + 0.5)
    low, high = found.interval(level)
    if not math.isnan(low) and abs(found.p_value - level) > 4 / len(values):
        assert (low > 0 or high < 0) == (found.p_value < level)


def test_p_is_never_0_and_says_when_it_is_the_smallest():
    found = ResampledDifference(0.5, np.full(999, 0.5))
    assert (found.p_value, found.floored) == (2 / 1000, True)
    assert all(map(math.isnan, found.interval(0.05)))


def test_equal_systems_have_p_1():
    assert ResampledDifference(0.0, np.zeros(99)).p_value == 1.0


def test_an_undefined_difference_has_no_test():
    for estimate, values in ((math.nan, np.ones(9)), (1.0, np.full(9, np.nan))):
        found = ResampledDifference(estimate, values)
        assert math.isnan(found.p_value)
        assert not found.floored
        assert math.isnan(found.interval(0.05)[0])
