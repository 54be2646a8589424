import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.differences.student import effective_count, student_difference

parts = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=30).map(np.array)


@given(parts.filter(lambda x: np.abs(x).max() > 0), st.floats(0.01, 100))
def test_the_effective_count_lies_between_one_and_all_and_has_no_scale(values, factor):
    count = effective_count(values)
    assert 1 <= count <= np.count_nonzero(values) + 1e-9
    assert effective_count(values * factor) == pytest.approx(count)
    assert effective_count(np.concatenate([values, np.zeros(5)])) == pytest.approx(count)


def test_the_effective_count_of_equal_and_normal_contributions():
    """Σψ⁴ is 3 σ⁴ n for normal ones."""
    assert effective_count(np.array([2.0, -2.0, 2.0, -2.0])) == 4
    normal = np.random.default_rng(0).standard_normal(300_000)
    assert effective_count(normal) == pytest.approx(100_000, rel=0.02)


def test_contributions_of_equal_size_are_tested_as_by_a_one_sample_t_test():
    """With |ψ| equal, M = n: the paired t-test of the values, but for the variance's n/(n − 1)."""
    values = np.array([1.0, -1.0] * 10)
    found = student_difference(0.3, values)
    alone = math.sqrt(np.square(values).sum() / 20 / 19)
    assert found.deviation == pytest.approx(alone * math.sqrt(20 / 19))
    assert found.p_value == pytest.approx(2 * stats.t.sf(0.3 / found.deviation, 19))
    low, high = found.interval(found.p_value)
    assert min(abs(low), abs(high)) < 1e-9


@given(parts, st.floats(-2, 2), st.floats(0.001, 0.5))
def test_a_difference_is_significant_exactly_where_its_interval_excludes_zero(values, estimate, level):
    found = student_difference(estimate, values, largest=2.0)
    low, high = found.interval(level)
    if found.deviation > 0 and abs(found.p_value - level) > 1e-9:
        assert (found.p_value < level) == (low > 0 or high < 0)
        assert -2 <= low <= estimate <= high <= 2


def test_one_pair_decides_nothing():
    found = student_difference(0.5, np.array([0.7, 0.0, 0.0, 0.0, 0.0]), largest=2.0)
    assert found.p_value > 0.9
    assert found.interval(0.05) == (-2.0, 2.0)


def test_equal_systems_do_not_differ_and_have_no_interval():
    found = student_difference(0.0, np.zeros(5))
    assert found.p_value == 1.0
    assert not found.floored
    assert all(map(math.isnan, found.interval(0.05)))


def test_a_difference_that_no_pair_changes_is_tested_by_its_sign():
    found = student_difference(2.0, np.zeros(5), largest=2.0)
    assert (found.p_value, found.floored) == (2.0**-4, True)
