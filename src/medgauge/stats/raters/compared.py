"""Whom each rater is compared with: each of the others, the mean of the others, or the mean of all."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from medgauge.arrays import Doubles, Flags, Positions
from medgauge.rounding import without_noise

FEWEST = 3  # pairs for a ρ: on two pairs it is always 1 or −1
MEAN = -1  # stands for the mean instead of another rater
OWN_PAIRS = 10  # pairs that a group must have besides a consistency set


@dataclass(frozen=True)
class Compared:
    """Two series of ratings of the same pairs: a rater's own, and another's or a mean.

    `rows` are the pairs; `other` is the other rater, MEAN where it is a mean.
    """

    rater: int
    other: int
    rows: Positions
    own: Doubles
    others: Doubles


def groups_of_raters(ratings: Doubles) -> list[Positions]:
    """Return the groups of raters (columns) who are linked by pairs rated in common, in order.

    >>> nan = np.nan
    >>> groups_of_raters(np.array([[1.0, nan, 2.0], [nan, 3.0, nan]]))
    [array([0, 2]), array([1])]
    """
    pairs, raters = np.nonzero(~np.isnan(ratings))
    count = ratings.shape[1]
    # Raters and pairs are the two sides of a bipartite graph whose edges are ratings.
    edges = coo_array((np.ones(pairs.size), (raters, count + pairs)), shape=(count + len(ratings),) * 2)
    member = connected_components(edges, directed=False)[1][:count]
    return [np.flatnonzero(member == group) for group in dict.fromkeys(member.tolist())]


def consistency_set(ratings: Doubles) -> Flags:
    """Return which pairs form a consistency set: rated by (nearly) all raters, who otherwise rate their own.

    These are the pairs with the most ratings, and as few of them as separate the raters into groups: two or
    more with ten pairs or more, at least one of them with several raters. Each pair of the set has more
    ratings than the largest group has raters, and the set is no more than half of all pairs. Otherwise there
    is none. So a rater who skips a pair, or rates one of another group, changes little.

    >>> nan = np.nan
    >>> own = [[1.0, 2.0, nan, nan]] * 10 + [[nan, nan, 3.0, 1.0]] * 10
    >>> np.flatnonzero(consistency_set(np.array([[2.0, 2.0, 3.0, 1.0], *own])))
    array([0])
    """
    rated = ~np.isnan(ratings)
    counts = rated.sum(axis=1)
    for most in np.unique(counts)[::-1].tolist():
        shared: Flags = counts >= most
        if shared.sum() > len(ratings) / 2:
            break
        groups = groups_of_raters(ratings[~shared])
        own = [rated[~shared][:, raters].any(axis=1).sum() >= OWN_PAIRS for raters in groups]
        sizes = [raters.size for raters, has_own in zip(groups, own, strict=True) if has_own]
        if len(sizes) > 1 and 1 < max(sizes) < most:
            return shared
    return np.zeros(len(ratings), np.bool_)


def each_two(ratings: Doubles, *, fewest: int = FEWEST) -> list[Compared]:
    """Compare every two raters who rated at least `fewest` pairs in common."""
    twos = (combinations(raters.tolist(), 2) for raters in groups_of_raters(ratings))
    return compare_two(ratings, chain.from_iterable(twos), fewest=fewest)


def compare_two(ratings: Doubles, twos: Iterable[tuple[int, int]], *, fewest: int = FEWEST) -> list[Compared]:
    """Compare those of the given twos of raters who rated at least `fewest` pairs in common."""
    rated = ~np.isnan(ratings)
    masks = [column.tobytes() for column in rated.T]
    all_rows = [np.flatnonzero(column) for column in rated.T]
    given = [ratings[rows, rater] for rater, rows in enumerate(all_rows)]
    found = []
    for rater, other in twos:
        if masks[rater] == masks[other]:
            # Shared arrays, since hundreds of raters may have rated the same pairs.
            one = Compared(rater, other, all_rows[rater], given[rater], given[other])
        else:
            rows = np.flatnonzero(rated[:, rater] & rated[:, other])
            one = Compared(rater, other, rows, ratings[rows, rater], ratings[rows, other])
        if one.rows.size >= fewest:
            found.append(one)
    return found


def with_mean(ratings: Doubles, *, own: bool, fewest: int = FEWEST) -> list[Compared]:
    """Compare each rater with the mean rating, with or without their `own`, on pairs others rated too."""
    rated = ~np.isnan(ratings)
    counts, sums = rated.sum(axis=1), np.nansum(ratings, axis=1)
    found = []
    for rater in range(ratings.shape[1]):
        rows = np.flatnonzero(rated[:, rater] & (counts > 1))
        if rows.size < fewest:
            continue
        given = ratings[rows, rater]
        means = sums[rows] / counts[rows] if own else (sums[rows] - given) / (counts[rows] - 1)
        found.append(Compared(rater, MEAN, rows, given, without_noise(means)))
    return found
