import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.stats.differences.ranking import draw_figures, rank_interval, ranks


@given(st.lists(st.integers(0, 5).map(float), min_size=1, max_size=8))
def test_a_rank_is_one_more_than_the_number_of_better_ones(figures):
    expected = [1 + sum(other > mine for other in figures) for mine in figures]
    assert ranks(np.array(figures)).tolist() == expected


def test_the_undefined_comes_last():
    assert ranks(np.array([[0.1, np.nan, -0.5]])).tolist() == [[1, 3, 2]]


def test_the_interval_of_a_rank_of_a_hand_worked_case():
    """Of 100 resamples the first system is best in 97, second in 2 and third in 1, so 97.5% need rank 2.

    The second is best in 3, which is more than 2.5%; the third is second in 1, which is less.
    """
    rows = [[3.0, 2, 1]] * 97 + [[2.0, 3, 1]] * 2 + [[1.0, 3, 2]]
    low, high = rank_interval(np.array(rows))
    assert low.tolist() == [1, 1, 3]
    assert high.tolist() == [2, 2, 3]


def test_more_confidence_makes_a_wider_interval_of_a_rank():
    rows = np.random.default_rng(0).standard_normal((1000, 5)) + np.arange(5.0)
    narrow, wide = (rank_interval(rows, confidence=confidence) for confidence in (0.5, 0.99))
    assert (wide[0] <= narrow[0]).all()
    assert (narrow[1] <= wide[1]).all()
    assert (wide[1] - wide[0]).sum() > (narrow[1] - narrow[0]).sum()


def test_drawn_figures_have_the_covariance():
    covariance = np.array([[0.04, 0.03, 0.0], [0.03, 0.09, 0.0], [0.0, 0.0, 0.01]])
    drawn = draw_figures(np.array([0.5, 0.6, 0.7]), covariance, draws=100_000, rng=np.random.default_rng(0))
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=1.5e-3)
    assert drawn.mean(axis=0) == pytest.approx([0.5, 0.6, 0.7], abs=5e-3)


def test_equal_systems_are_drawn_equal():
    covariance = np.full((3, 3), 0.0123)
    drawn = draw_figures(np.array([0.5, 0.5, 0.5]), covariance, draws=1000, rng=np.random.default_rng(0))
    assert (ranks(drawn) == 1).all()


def test_what_has_no_covariance_has_no_draws_and_any_rank():
    drawn = draw_figures(np.ones(3), np.full((3, 3), np.nan), draws=10, rng=np.random.default_rng(0))
    low, high = rank_interval(drawn)
    assert (low.tolist(), high.tolist()) == ([1, 1, 1], [3, 3, 3])


def test_a_system_without_a_figure_on_a_resample_ranks_last_there():
    """Such resamples were left out for all systems, also where most of them were lost."""
    rows = np.array([[3.0, 2, 1]] * 9 + [[np.nan, 2, 3]] * 90)
    low, high = rank_interval(rows)
    assert (low.tolist(), high.tolist()) == ([1, 2, 1], [3, 2, 3])
