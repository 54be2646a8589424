"""Spearman's ρ of many comparisons of raters at once, on all pairs or on resamples of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from medgauge.arrays import Doubles, Flags, Places
from medgauge.stats.raters.agreement_kernels import correlate_each
from medgauge.stats.raters.compared import Compared
from medgauge.stats.resampling.bootstrap import LANES, Weights, unit_weights


@dataclass(frozen=True)
class Comparisons:
    """Comparisons one after another; `starts` has the start of each, and the end.

    Their pairs are sorted by the rater's own ratings, and by the others'; flags mark where a tie ends.
    """

    starts: Places
    own: tuple[Places, Flags]
    others: tuple[Places, Flags]

    @classmethod
    def of(cls, compared: Sequence[Compared]) -> "Comparisons":
        """Sort the pairs of each comparison."""
        starts = np.cumsum([0, *(one.rows.size for one in compared)])
        return cls(
            starts.astype(np.int32),
            _orders(compared, [one.own for one in compared]),
            _orders(compared, [one.others for one in compared]),
        )

    def rhos(self, weights: Weights) -> Doubles:
        """Compute ρ of each comparison (rows) under the weights of each lane; NaN where one side is tied."""
        rhos = np.empty((self.starts.size - 1, LANES))
        correlate_each(weights, np.empty_like(weights), self.starts, *self.own, *self.others, rhos)
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


def _orders(compared: Sequence[Compared], values: Sequence[Doubles]) -> tuple[Places, Flags]:
    """Return the pairs of each comparison in the order of their values, and where a tie ends."""
    if not compared:
        return np.empty(0, np.int32), np.empty(0, np.bool_)
    # Where all rated the same pairs, a rater has one array in many comparisons: it is sorted once.
    first = {id(given): (one.rows, given) for one, given in zip(compared, values, strict=True)}
    sizes = [rows.size for rows, _ in first.values()]
    number = np.repeat(np.arange(len(first)), sizes)
    rows, given = (np.concatenate(side) for side in zip(*first.values(), strict=True))
    order = np.lexsort((given, number))
    ends = np.ones(order.size, np.bool_)
    ends[:-1] = (given[order][1:] != given[order][:-1]) | (number[1:] != number[:-1])
    starts = np.cumsum([0, *sizes])
    places = {one: slice(*ends) for one, ends in zip(first, pairwise(starts.tolist()), strict=True)}
    ordered = rows[order].astype(np.int32)
    return (
        np.concatenate([ordered[places[id(given)]] for given in values]),
        np.concatenate([ends[places[id(given)]] for given in values]),
    )
