"""Groups of raters and consistency sets, by hand."""

import math

import numpy as np
import pytest

from medgauge.stats.raters.compared import consistency_set, groups_of_raters

NAN = math.nan


def two_groups(own: int) -> np.ndarray:
    """Two raters each with pairs of their own, and a pair that all four rated."""
    return np.array([[1.0, 2.0, 3.0, 2.0], *[[1.0, 2.0, NAN, NAN]] * own, *[[NAN, NAN, 1.0, 2.0]] * own])


def test_pairs_that_all_rated_are_a_consistency_set_beside_groups():
    assert np.flatnonzero(consistency_set(two_groups(own=10))).tolist() == [0]


def several_groups(groups: int = 3, raters: int = 3, own: int = 12, shared: int = 5) -> np.ndarray:
    """Groups with pairs of their own, after pairs that all rated."""
    ratings = np.full((shared + groups * own, groups * raters), NAN)
    ratings[:shared] = 1.0
    for group in range(groups):
        start = shared + group * own
        ratings[start : start + own, group * raters : (group + 1) * raters] = 2.0
    return ratings


def blanked(*places: tuple[int, int]) -> np.ndarray:
    ratings = several_groups()
    for place in places:
        ratings[place] = NAN
    return ratings


def with_extra(place: tuple[int, int]) -> np.ndarray:
    ratings = several_groups()
    ratings[place] = 3.0
    return ratings


@pytest.mark.parametrize(
    "ratings",
    [
        several_groups(),
        blanked((0, 0)),
        blanked((0, 0), (1, 4), (2, 8), (3, 0)),
        blanked(*((row, 0) for row in range(5))),
        blanked(*((row, 0) for row in range(5, 17))),
        blanked((7, 1), (20, 3)),
        several_groups(groups=2, raters=2)[:, :3],
        several_groups()[:, 1:],
    ],
    ids=[
        "clean",
        "one blank",
        "blanks of several",
        "one did none of them",
        "one did nothing else",
        "own pairs skipped",
        "one alone in a group",
        "a smaller group",
    ],
)
def test_blanks_do_not_hide_a_consistency_set(ratings):
    assert np.flatnonzero(consistency_set(ratings)).tolist() == [0, 1, 2, 3, 4]


def test_a_pair_rated_by_mistake_in_another_group_changes_little():
    """With three groups two are linked; with two the pair counts as shared."""
    assert np.flatnonzero(consistency_set(with_extra((5, 8)))).tolist() == [0, 1, 2, 3, 4]
    two = several_groups(groups=2)
    two[5, 5] = 3.0
    assert np.flatnonzero(consistency_set(two)).tolist() == [0, 1, 2, 3, 4, 5]


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
