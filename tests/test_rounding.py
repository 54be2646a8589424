"""Rounding of computed columns: equal values are equal, and others stay apart."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.rounding import without_noise


@pytest.mark.parametrize("size", [1e-14, 1.0, 1600.0, 1e9])
def test_the_order_of_a_sum_breaks_no_tie_on_any_scale(size):
    ratings = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]) * size
    one, other = without_noise(np.array([sum(row) / 3 for row in ratings.tolist()]))
    assert one == other


@given(st.lists(st.tuples(st.integers(10, 40), st.integers(10, 40)), min_size=2, max_size=20))
def test_means_of_ratings_are_tied_exactly_if_rational_arithmetic_ties_them(ratings):
    exact = [Fraction(one + two, 20) for one, two in ratings]
    found = without_noise(np.array([(one / 10 + two / 10) / 2 for one, two in ratings])).tolist()
    assert [[a < b for b in found] for a in found] == [[a < b for b in exact] for a in exact]


def test_the_mean_of_1_7_and_1_4_is_that_of_1_6_and_1_5():
    assert (1.7 + 1.4) / 2 != (1.6 + 1.5) / 2
    assert without_noise(np.array([(1.7 + 1.4) / 2, (1.6 + 1.5) / 2])).tolist() == [1.55, 1.55]


def test_nothing_and_undefined_values_stay():
    assert without_noise(np.array([])).size == 0
    assert without_noise(np.array([0.0, 0.0])).tolist() == [0.0, 0.0]
    assert np.isnan(without_noise(np.array([np.nan, 1.0]))).tolist() == [True, False]
