"""Groups of raters and consistency sets, by hand."""

import math

import numpy as np
import pytest

from medgauge.stats.raters import consistency_set, groups_of_raters, without_noise

NAN = math.nan


def two_groups(own: int) -> np.ndarray:
    """Two raters each with pairs of their own, and a pair that all four rated."""
    return np.array([[1.0, 2.0, 3.0, 2.0], *[[1.0, 2.0, NAN, NAN]] * own, *[[NAN, NAN, 1.0, 2.0]] * own])


def test_pairs_that_all_rated_are_a_consistency_set_beside_groups():
    assert np.flatnonzero(consistency_set(two_groups(own=10))).tolist() == [0]


@pytest.mark.parametrize(
    "ratings",
    [
        two_groups(own=9),
        np.ones((30, 4)),
        np.array([*[[1.0, 2.0, 3.0]] * 20, [1.0, 2.0, NAN]]),
        np.array([*[[1.0, 2.0, NAN]] * 20, *[[NAN, 2.0, 1.0]] * 20, [1.0, 1.0, 1.0]]),
        np.empty((0, 3)),
        np.empty((3, 0)),
    ],
    ids=["few own pairs", "all rated all", "one rating missing", "panels that overlap", "no pairs", "nobody"],
)
def test_otherwise_there_is_no_consistency_set(ratings):
    assert not consistency_set(ratings).any()


def test_raters_are_linked_through_others():
    """The first and the third share no pair, but both share one with the second."""
    ratings = np.array([[1.0, 2.0, NAN, NAN], [NAN, 1.0, 2.0, NAN], [NAN, NAN, NAN, 3.0]])
    assert [group.tolist() for group in groups_of_raters(ratings)] == [[0, 1, 2], [3]]


@pytest.mark.parametrize("size", [1.0, 1600.0, 1e9])
def test_the_order_of_a_sum_breaks_no_tie_on_any_scale(size):
    ratings = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]) * size
    one, other = without_noise(np.array([sum(row) / 3 for row in ratings.tolist()]))
    assert one == other
