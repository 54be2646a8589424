"""Spearman's ρ of many comparisons of raters at once, on all pairs or on resamples of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Flags, Places
from medgauge.stats.raters.agreement_kernels import correlate_each
from medgauge.stats.raters.compared import Compared
from medgauge.stats.resampling.bootstrap import LANES, Weights
from medgauge.stats.resampling.weighted_ranks import sorted_rows


@dataclass(frozen=True)
class Comparisons:
    """Comparisons one after another, each from its start on, with one end more.

    Their pairs stand in the order of the rater's own ratings, and of the others'; flags say where a tie ends.
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
    pairs = 1 + max((int(one.rows.max()) for one in compared), default=-1)
    return Comparisons.of(compared).rhos(np.ones((pairs, LANES)))[:, 0]


def _orders(compared: Sequence[Compared], values: Sequence[Doubles]) -> tuple[Places, Flags]:
    """Give the pairs of each comparison in the order of their values, and where a tie ends."""
    orders, all_ends = [np.empty(0, np.int32)], [np.empty(0, np.bool_)]
    for one, given in zip(compared, values, strict=True):
        order, ends = sorted_rows(given[None, :])
        orders.append(one.rows[order[0]].astype(np.int32))
        all_ends.append(ends[0])
    return np.concatenate(orders), np.concatenate(all_ends)
