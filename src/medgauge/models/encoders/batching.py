"""Batches of texts of about the same length, by a budget of pieces."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from medgauge.arrays import Integers


def batches_of(lengths: Integers, budget: int) -> Iterator[Integers]:
    """Yield the numbers of texts in batches, each of at most `budget` pieces with padding.

    First come the batches that texts of one length fill, which need neither padding nor a mask, the longest
    first; then those of what is left of each length. A text longer than the budget is a batch of its own.

    >>> [batch.tolist() for batch in batches_of(np.array([3, 9, 3, 4, 40, 3, 3, 3]), 12)]
    [[4], [1], [0, 2, 5, 6], [3, 7]]
    """
    order = np.argsort(-lengths, kind="stable")
    ordered = lengths[order]
    left = []
    for first, end in _runs(ordered):
        rows = _rows(budget, int(ordered[first]))
        full = first + (end - first) // rows * rows
        yield from (order[start : start + rows] for start in range(first, full, rows))
        left.append(order[full:end])
    rest = np.concatenate([*left, np.empty(0, np.int64)])
    first = 0
    while first < rest.size:
        end = first + _rows(budget, int(lengths[rest[first]]))
        yield rest[first:end]
        first = end


def _runs(ordered: Integers) -> list[tuple[int, int]]:
    """Return where each run of equal lengths begins and ends."""
    limits = [0, *(np.flatnonzero(np.diff(ordered)) + 1).tolist(), ordered.size]
    return [(first, end) for first, end in pairwise(limits) if end > first]


def _rows(budget: int, length: int) -> int:
    return max(1, budget // max(1, length))
