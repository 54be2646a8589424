"""Batches of texts of about the same length, by a budget of pieces."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from medgauge.arrays import Integers

_START = 8  # to start the work on a batch takes as long as to compute this part of the budget
_DIVISIBLE = 60  # large batches have a multiple of it, so that attention to short texts fills its rows


def batches_of(lengths: Integers, budget: int) -> Iterator[Integers]:
    """Yield the numbers of texts in batches, each of at most `budget` pieces with padding.

    First come the batches that texts of one length fill, which need neither padding nor a mask, the longest
    first; then those of what is left. Neighbouring lengths are put together where the padding costs less than
    a batch of their own. A text longer than the budget is a batch of its own.

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
        left += [order[full:end]] if end > full else []
    together: list[Integers] = []
    for run in left:
        if together and not _fits(lengths, [*together, run], budget):
            yield np.concatenate(together)
            together = []
        together.append(run)
    if together:
        yield np.concatenate(together)


def _runs(ordered: Integers) -> list[tuple[int, int]]:
    """Return where each run of equal lengths begins and ends."""
    limits = [0, *(np.flatnonzero(np.diff(ordered)) + 1).tolist(), ordered.size]
    return [(first, end) for first, end in pairwise(limits) if end > first]


def _rows(budget: int, length: int) -> int:
    rows = max(1, budget // max(1, length))
    return rows if rows < _DIVISIBLE else rows // _DIVISIBLE * _DIVISIBLE


def _fits(lengths: Integers, runs: list[Integers], budget: int) -> bool:
    """Return whether runs of falling lengths fit into a batch that is worth its padding."""
    longest = int(lengths[runs[0][0]])
    texts = sum(run.size for run in runs)
    padding = sum(run.size * (longest - int(lengths[run[0]])) for run in runs)
    return texts * longest <= budget and padding * _START <= budget
