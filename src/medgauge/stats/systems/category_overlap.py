"""How often a term is as similar to a term of a distant category as to one of a close category."""

import math
from dataclasses import dataclass

import numpy as np
from numba import get_num_threads, njit, prange
from scipy import stats

from medgauge.arrays import Doubles, Integers
from medgauge.estimate import CONFIDENCE, Estimate

_TOGETHER = 256  # values searched in step, so that they stay in the nearest cache


@dataclass(frozen=True)
class OverlapCounts:
    """How many triples (a, b, c) with sim(a, b) ≤ sim(a, c) each a, each b and each c is in."""

    by_a: Integers
    by_b: Integers
    by_c: Integers

    @property
    def errors(self) -> int:
        """The number of such triples."""
        return int(self.by_a.sum())

    @property
    def triples(self) -> int:
        """The number of all triples."""
        return self.by_a.size * self.by_b.size * self.by_c.size

    @property
    def projections(self) -> tuple[Doubles, Doubles, Doubles]:
        """The share of such triples among those of each a, each b and each c."""
        of_a, of_b, of_c = (
            np.asarray(side / (self.triples // side.size) if self.triples else side, np.float64)
            for side in (self.by_a, self.by_b, self.by_c)
        )
        return of_a, of_b, of_c

    def __add__(self, other: "OverlapCounts") -> "OverlapCounts":
        """Add the counts of other rows a with the same b and c."""
        by_a = np.concatenate([self.by_a, other.by_a])
        return OverlapCounts(by_a, self.by_b + other.by_b, self.by_c + other.by_c)


def overlap_counts(near: Doubles, far: Doubles) -> OverlapCounts:
    """Count the triples in which b is no more similar to a than c is, ties included.

    `near` has sim(a, b) and `far` sim(a, c), with a row for each a; neither has a NaN. Triples are not
    enumerated: the bs of a row are sorted, and each c is placed among them by binary search, in
    O(|A| (|B| + |C|) log |B|).

    >>> counts = overlap_counts(np.array([[0.9, 0.5]]), np.array([[0.5, 0.7, 0.1]]))
    >>> counts.errors, counts.by_b.tolist(), counts.by_c.tolist()
    (2, [0, 2], [1, 1, 0])
    """
    order = np.argsort(near, axis=1)
    threads = max(1, min(get_num_threads(), len(near)))
    by_a = np.empty(len(near), np.int64)
    by_b = np.zeros((threads, near.shape[1]), np.int64)
    by_c = np.zeros((threads, far.shape[1]), np.int64)
    _count(np.take_along_axis(near, order, axis=1), order, far, by_a, by_b, by_c)
    return OverlapCounts(by_a, by_b.sum(axis=0), by_c.sum(axis=0))


@njit(cache=True, parallel=True)
def _count(
    near: Doubles, order: Integers, far: Doubles, by_a: Integers, by_b: Integers, by_c: Integers
) -> None:
    """Count row by row; each thread adds to its own row of `by_b` and `by_c`, in whole numbers."""
    threads = by_b.shape[0]
    for thread in prange(threads):
        places = np.empty(far.shape[1], np.int64)
        reached = np.empty(near.shape[1] + 1, np.int64)
        for row in range(thread, near.shape[0], threads):
            _place(near[row], far[row], places)
            reached[:] = 0
            errors = 0
            for c in range(places.size):
                reached[places[c]] += 1
                by_c[thread, c] += places[c]
                errors += places[c]
            by_a[row] = errors
            # The b at a place is in error with every c placed after it.
            behind = 0
            for place in range(near.shape[1] - 1, -1, -1):
                behind += reached[place + 1]
                by_b[thread, order[row, place]] += behind


@njit(cache=True)
def _place(ascending: Doubles, values: Doubles, places: Integers) -> None:
    """Count, for each value, the sorted ones that are not above it.

    Many binary searches run in step: a single one would wait for a mispredicted branch at each step.
    """
    places[:] = 0
    if ascending.size == 0:
        return
    for first in range(0, values.size, _TOGETHER):
        last = min(values.size, first + _TOGETHER)
        length = ascending.size
        while length > 1:
            half = length >> 1
            for k in range(first, last):
                places[k] += half if ascending[places[k] + half - 1] <= values[k] else 0
            length -= half
        for k in range(first, last):
            places[k] += 1 if ascending[places[k]] <= values[k] else 0


def overlap(counts: OverlapCounts, *, confidence: float = CONFIDENCE) -> Estimate:
    """Compute the relative category overlap, the share of triples in error, with a U-statistic's interval.

        O = #{(a, b, c): sim(a, b) ≤ sim(a, c)} / (|A| |B| |C|)
        O ± z √(S_A/|A| + S_B/|B| + S_C/|C|), cut at 0 and 1

    0 is a perfect separation, and 0.5 is chance level without ties; ties count as errors. S_A,
    S_B and S_C are the sample variances of the shares of errors among the triples of each a, each b and each
    c: Hoeffding's projection, which with two samples is DeLong's variance of the AUC. The terms of each list
    are assumed to be drawn independently from their category.

    Undefined when a category is empty. There is no interval with fewer than two terms in a category, or
    where the variance is 0, since it would claim certainty.

    References: Schulz and Juric (2020), section 5.3; Hoeffding (1948), Annals of Mathematical Statistics
    19:293-325; Lehmann (1999), Elements of Large-Sample Theory, section 6.2.

    >>> near, far = np.array([[3.0, 4, 6], [2, 5, 5]]), np.array([[1.0, 2, 5, 1], [3, 0, 1, 4]])
    >>> found = overlap(overlap_counts(near, far))
    >>> found.value, found.low, round(found.high, 4)
    (0.16666666666666666, 0.0, 0.4206)
    """
    sides = {"A": counts.by_a, "B": counts.by_b, "C": counts.by_c}
    triples = counts.triples
    if empty := [name for name, side in sides.items() if not side.size]:
        reason = f"no term of {' or '.join(empty)} can be compared"
        return Estimate(confidence=confidence, undefined=reason)
    share = counts.errors / triples
    variance = 0.0
    for side in counts.projections:
        if (side != side[0]).any():  # equal shares have no variance, whatever rounding makes of their mean
            variance += float(np.var(side, ddof=1)) / side.size
    if variance == 0.0 or min(side.size for side in sides.values()) < 2:
        return Estimate(share, confidence=confidence, n=triples)
    half = float(stats.norm.ppf(0.5 + confidence / 2)) * math.sqrt(variance)
    return Estimate(share, max(0.0, share - half), min(1.0, share + half), confidence, triples)
