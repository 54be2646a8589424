"""Ratings as tests compare them."""

import numpy as np
from polars.testing import assert_frame_equal

from medgauge.ratings.ratings import Ratings


def values(ratings: Ratings) -> list[list[float | None]]:
    """Give the ratings with None for NaN, so that they compare equal."""
    return [[None if np.isnan(value) else value for value in row] for row in ratings.values.tolist()]


def assert_same(one: Ratings, other: Ratings) -> None:
    """Compare all that ratings hold."""
    assert one.annotators == other.annotators
    assert_frame_equal(one.pairs, other.pairs)
    np.testing.assert_array_equal(one.values, other.values)
    np.testing.assert_array_equal(one.unsure, other.unsure)
    assert (one.verdicts, one.scale, one.card) == (other.verdicts, other.scale, other.card)
