"""Kernel: statistics of agreement, prepared once and computed for any weights of the pairs."""

import math
from typing import ClassVar, Protocol

import numpy as np

from medgauge.arrays import Doubles, Flags
from medgauge.estimate import Estimate
from medgauge.stats.resampling.bootstrap import Weights, unit_weights
from medgauge.stats.settings import Level


class Kernel(Protocol):
    """Some statistics of ratings (pairs × raters, NaN where a rater did not rate).

    `names` are the declared statistics; `prefix` distinguishes two kernels of one statistic. Who is compared
    with whom is decided once, on all pairs; a weight says how often a pair counts.
    """

    names: ClassVar[tuple[str, ...]]
    prefix: ClassVar[str]

    def __init__(self, ratings: Doubles, level: Level, /) -> None: ...

    @property
    def pairs(self) -> int:
        """The number of pairs that the statistics are computed on."""

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings, two or more, of a pair that the statistics are computed on; 0 without pairs."""

    def compute(self, weights: Weights, rows: Doubles, /) -> None:
        """Fill a row of statistics for each of the first lanes of `weights`; NaN is undefined."""

    def reason(self, name: str, /) -> str:
        """Return why a statistic is undefined on all pairs; only for one that is."""


def plain_estimates(kernel: Kernel, pairs: int) -> dict[str, Estimate]:
    """Compute the statistics of a kernel that was prepared on `pairs` pairs, counting each pair once.

    They have no interval; the sums are those of the resamples, so that equal values are bitwise equal.
    """
    row = np.empty((1, len(kernel.names)))
    kernel.compute(unit_weights(pairs), row)
    return {
        name: Estimate(value, n=kernel.pairs, undefined=kernel.reason(name) if math.isnan(value) else None)
        for name, value in zip(kernel.names, row[0].tolist(), strict=True)
    }


def rated_by_several(ratings: Doubles) -> Flags:
    """Return which pairs have two ratings or more."""
    several: Flags = np.count_nonzero(~np.isnan(ratings), axis=1) > 1
    return several


def fewest_ratings(ratings: Doubles) -> int:
    """Return the fewest ratings of a pair with two or more; 0 if there is none.

    >>> fewest_ratings(np.array([[1.0, 2.0, 3.0], [np.nan, 2.0, 1.0], [np.nan, np.nan, 1.0]]))
    2
    """
    counts = np.count_nonzero(~np.isnan(ratings), axis=1)
    return int(counts[counts > 1].min()) if (counts > 1).any() else 0


def no_two_ratings_differ(ratings: Doubles) -> str | None:
    """Return why there is nothing to compare on the pairs with several ratings, or None.

    >>> no_two_ratings_differ(np.array([[1.0, np.nan], [np.nan, 2.0]]))
    'no pair has two ratings'
    >>> no_two_ratings_differ(np.array([[1.0, 1.0], [1.0, 1.0]]))
    'all 4 ratings are equal'
    """
    several = rated_by_several(ratings)
    given = ratings[several][~np.isnan(ratings[several])]
    if not given.size:
        return "no pair has two ratings"
    if np.ptp(given) > 0:
        return None
    where = "" if several.sum() == (~np.isnan(ratings)).any(axis=1).sum() else " of pairs with several"
    return f"all {given.size:,} ratings{where} are equal"
