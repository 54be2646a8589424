import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import UndefinedWarning
from medgauge.stats.correlation import spearman, spearman_interval


def average_rank(x, i):
    return sum(one < x[i] for one in x) + (sum(one == x[i] for one in x) + 1) / 2


def slow_spearman(x, y):
    ranks = [(average_rank(x, i), average_rank(y, i)) for i in range(len(x))]
    middle = (len(x) + 1) / 2
    product = sum((a - middle) * (b - middle) for a, b in ranks)
    squares = [sum((pair[side] - middle) ** 2 for pair in ranks) for side in (0, 1)]
    return product / math.sqrt(squares[0] * squares[1])


@given(
    st.integers(2, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))
)
@settings(max_examples=200, deadline=None)
def test_spearman_is_pearson_of_average_ranks(lists):
    x, y = (np.array(one, float) for one in lists)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        with pytest.warns(UndefinedWarning):
            assert math.isnan(spearman(x, y))
    else:
        assert spearman(x, y) == pytest.approx(slow_spearman(x, y))


def test_spearman_of_a_hand_worked_case_without_ties():
    """ρ = 1 − 6 Σd² / (n³ − n) with d = 2, 3, 0, 0, 5, 7, 3, 6, 7, 1, so Σd² = 182."""
    x = np.array([7, 4, 3, 10, 6, 2, 9, 8, 1, 5], float)
    y = np.array([5, 7, 3, 10, 1, 9, 6, 2, 8, 4], float)
    assert spearman(x, y) == pytest.approx(1 - 6 * 182 / 990)


def test_fewer_than_two_pairs_are_undefined():
    with pytest.warns(UndefinedWarning):
        assert math.isnan(spearman(np.array([1.0]), np.array([1.0])))


def test_the_interval_of_a_hand_worked_case():
    """ρ = 0.6, n = 100: z = 0.69315, standard error √(1.18/97) = 0.11030, so z ± 0.21618."""
    assert spearman_interval(0.6, 100) == pytest.approx((math.tanh(0.47697), math.tanh(0.90932)), abs=1e-4)


@pytest.mark.parametrize(("correlation", "n"), list(itertools.product([0.0, 0.5, 0.8], [30, 200])))
def test_the_interval_covers_the_truth_as_often_as_it_says(correlation, n):
    rng = np.random.default_rng(7)
    truth = 6 / math.pi * math.asin(correlation / 2)  # of a bivariate normal
    covered = 0
    for _ in range(1000):
        x = rng.standard_normal(n)
        y = correlation * x + math.sqrt(1 - correlation**2) * rng.standard_normal(n)
        low, high = spearman_interval(spearman(x, y), n)
        covered += low <= truth <= high
    assert 0.925 <= covered / 1000 <= 0.975


def test_too_few_pairs_and_a_perfect_order_have_no_interval():
    assert all(map(math.isnan, spearman_interval(0.5, 3)))
    assert all(map(math.isnan, spearman_interval(math.nan, 30)))
    assert all(map(math.isnan, spearman_interval(1.0, 30)))
