"""Spearman's ρ of many comparisons of raters at once, on all pairs or on resamples of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Flags, Places, Positions
from medgauge.stats.raters.agreement_kernels import correlate_each
from medgauge.stats.raters.compared import Compared
from medgauge.stats.resampling.bootstrap import LANES, Weights, unit_weights

_Side = tuple[Positions, Places, Flags]
"""Where each comparison starts, the pairs in the order of the ratings, and where a tie ends."""


@dataclass(frozen=True)
class Comparisons:
    """Comparisons of raters: their pairs sorted by the rater's own ratings, and by the others'."""

    sizes: Places
    own: _Side
    others: _Side

    @classmethod
    def of(cls, compared: Sequence[Compared]) -> "Comparisons":
        """Sort the pairs of each comparison."""
        return cls(
            np.array([one.rows.size for one in compared], np.int32),
            _side(compared, [one.own for one in compared]),
            _side(compared, [one.others for one in compared]),
        )

    def rhos(self, weights: Weights) -> Doubles:
        """Compute ρ of each comparison (rows) under the weights of each lane; NaN where one side is tied."""
        rhos = np.empty((self.sizes.size, LANES))
        correlate_each(weights, np.empty_like(weights), self.sizes, *self.own, *self.others, rhos)
        return rhos


def rhos_of(compared: Sequence[Compared]) -> Doubles:
    """Compute ρ of each comparison; NaN where one side is all tied.

    >>> from medgauge.stats.raters.compared import each_two
    >>> rhos_of(each_two(np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [3.0, 3.0, 0.0]])))
    array([0.5, nan, nan])
    """
    pairs = 1 + max((int(one.rows.max(initial=-1)) for one in compared), default=-1)
    return Comparisons.of(compared).rhos(unit_weights(pairs))[:, 0]


def why_tied(compared: Sequence[Compared]) -> str | None:
    """Return which side is tied in all comparisons with a mean; None without comparisons.

    >>> from medgauge.stats.raters.compared import with_mean
    >>> why_tied(with_mean(np.array([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]), own=True))
    "each annotator's ratings are all equal"
    """
    if not compared:
        return None
    if all(np.ptp(one.own) == 0 for one in compared):
        return "each annotator's ratings are all equal"
    if all(np.ptp(one.others) == 0 for one in compared):
        return "the mean ratings that annotators are compared with are all equal"
    return "each annotator's ratings, or the mean ratings that they are compared with, are all equal"


def _side(compared: Sequence[Compared], values: Sequence[Doubles]) -> _Side:
    """Sort the pairs of each comparison by their values.

    Where all rated the same pairs, a rater has one array in hundreds of comparisons: it is there once.
    """
    different = {id(given): (one.rows, given) for one, given in zip(compared, values, strict=True)}
    sizes = [rows.size for rows, _ in different.values()]
    starts = dict(zip(different, np.cumsum([0, *sizes]).tolist(), strict=False))
    number = np.repeat(np.arange(len(sizes)), sizes)
    rows = np.concatenate([np.empty(0, np.intp), *(rows for rows, _ in different.values())])
    ratings = np.concatenate([np.empty(0), *(given for _, given in different.values())])
    order = np.lexsort((ratings, number))
    ends = np.ones(order.size, np.bool_)
    ends[:-1] = (np.diff(ratings[order]) != 0) | (np.diff(number) != 0)
    return np.array([starts[id(given)] for given in values], np.intp), rows[order].astype(np.int32), ends
