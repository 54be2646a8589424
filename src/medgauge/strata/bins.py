"""Bins of numbers: intervals named after their edges."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Doubles
from medgauge.errors import InputError


@dataclass(frozen=True)
class Bins:
    """Intervals between neighbouring edges, closed to the left; the last is closed on both sides.

    >>> bins = Bins((0.0, 10.0, 100.0))
    >>> bins.names
    ['[0, 10)', '[10, 100]']
    >>> bins.of(np.array([9.9, 10.0, 100.0, 101.0, np.nan])).tolist()
    [0, 1, 1, -1, -1]
    """

    edges: tuple[float, ...]

    @property
    def names(self) -> list[str]:
        """The intervals as text."""
        texts = [repr(edge).removesuffix(".0") for edge in self.edges]
        left = ["(" if edge == -math.inf else "[" for edge in self.edges[:-1]]
        right = [")"] * (len(left) - 1) + [")" if self.edges[-1] == math.inf else "]"]
        return [
            f"{opened}{low}, {high}{closed}"
            for opened, low, high, closed in zip(left, texts[:-1], texts[1:], right, strict=True)
        ]

    def of(self, values: Doubles) -> NDArray[np.int64]:
        """Return the number of the bin that each value is in, −1 for none."""
        last = len(self.edges) - 2
        places = np.minimum(np.searchsorted(self.edges, values, side="right") - 1, last)
        inside = (values >= self.edges[0]) & (values <= self.edges[-1])
        return np.where(inside, places, -1).astype(np.int64)


def given_bins(edges: Sequence[float]) -> Bins:
    """Make bins from given edges."""
    if len(edges) < 2 or any(not low < high for low, high in pairwise(edges)):
        raise InputError("the edges of bins must be two or more increasing numbers, such as 0,10,100")
    return Bins(tuple(float(edge) for edge in edges))


def quantile_bins(values: Doubles, count: int) -> Bins:
    """Split values into bins of counts as equal as ties allow; fewer bins where too many values are equal.

    Missing and infinite values do not count; there must be others. An edge is the shortest number that
    separates the two values next to it, so that a bin's name states exactly what is in it.

    >>> quantile_bins(np.array([1.0, 2, 3, 57.25, 61.5, 99.125]), 2).names
    ['[1, 57)', '[57, 99.2]']
    """
    if count < 2:
        raise InputError(f"there must be at least 2 bins, not {count}")
    different, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    below = np.cumsum(counts)[:-1]  # how many values lie under each possible cut
    wanted = counts.sum() * np.arange(1, count) / count
    cuts = sorted({int(np.abs(below - goal).argmin()) for goal in wanted}) if len(below) else []
    inner = [_shortest(float(different[cut]), float(different[cut + 1])) for cut in cuts]
    lowest, highest = float(different[0]), float(different[-1])
    return Bins((_outward(lowest, math.floor), *inner, _outward(highest, math.ceil)))


def _shortest(below: float, value: float) -> float:
    """Return the number of fewest digits in (below, value]."""
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 18))
    return next(edge for edge in candidates if below < edge <= value)


def _outward(value: float, rounded: Callable[[float], int]) -> float:
    """Round a value to three digits, down or up, so that it stays inside; whole numbers are unchanged."""
    if value.is_integer():
        return value
    digits = min(300, max(0, 2 - math.floor(math.log10(abs(value)))))
    edge = rounded(value * 10.0**digits) / 10.0**digits
    is_inside = edge <= value if rounded is math.floor else edge >= value
    return edge if is_inside else value
