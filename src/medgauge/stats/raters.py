"""Whom each rater is compared with: every other one, the mean of the others, the mean of all."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import rankdata

from medgauge.errors import UndefinedWarning

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]

FEWEST = 3  # pairs for a ρ: that of two pairs is 1 or −1 whatever the raters say
MEAN = -1  # in the place of another rater
OWN_PAIRS = 10  # that a group has at least beside a consistency set


@dataclass(frozen=True)
class Compared:
    """Two series of ratings of the same pairs: a rater's own, and another's or a mean.

    `rows` are the pairs; `other` is the other rater, MEAN where it is a mean.
    """

    rater: int
    other: int
    rows: Places
    own: Floats
    others: Floats

    @property
    def rho(self) -> float:
        """Spearman's ρ of the two; NaN where one is all tied."""
        own, others = _standard_ranks(np.stack([self.own, self.others], axis=1)).T
        return float(own @ others)


def groups_of_raters(ratings: Floats) -> list[Places]:
    """Give the raters (columns) who are linked by pairs that they rated in common, in order.

    >>> nan = math.nan
    >>> groups_of_raters(np.array([[1.0, nan, 2.0], [nan, 3.0, nan]]))
    [array([0, 2]), array([1])]
    """
    pairs, raters = np.nonzero(~np.isnan(ratings))
    count = ratings.shape[1]
    # Raters and pairs are the two sides of a graph, whose edges are ratings.
    edges = coo_array((np.ones(pairs.size), (raters, count + pairs)), shape=(count + len(ratings),) * 2)
    member = connected_components(edges, directed=False)[1][:count]
    return [np.flatnonzero(member == group) for group in dict.fromkeys(member.tolist())]


def consistency_set(ratings: Floats) -> Flags:
    """Say which pairs are a consistency set: all raters rated them, who else have pairs of their own.

    So it is where the raters, without these pairs, are in two groups or more, each of two raters or more
    and with ten pairs or more. Otherwise there is none.

    >>> nan = math.nan
    >>> own = [[1.0, 2.0, nan, nan]] * 10 + [[nan, nan, 3.0, 1.0]] * 10
    >>> np.flatnonzero(consistency_set(np.array([[2.0, 2.0, 3.0, 1.0], *own])))
    array([0])
    """
    missing: Flags = np.isnan(ratings)
    shared = np.logical_not(missing.any(axis=1))
    own = ratings[~shared]
    groups = groups_of_raters(own)
    is_one = len(groups) > 1 and all(
        raters.size > 1 and np.count_nonzero(~missing[~shared][:, raters].all(axis=1)) >= OWN_PAIRS
        for raters in groups
    )
    return shared if is_one else np.zeros_like(shared)


def each_two(ratings: Floats, *, fewest: int = FEWEST) -> list[Compared]:
    """Compare every two raters who rated `fewest` pairs in common."""
    found = []
    for raters in groups_of_raters(ratings):
        rated = ~np.isnan(ratings[:, raters])
        for place, rater in enumerate(raters.tolist()):
            for second, other in enumerate(raters[place + 1 :].tolist(), place + 1):
                rows = np.flatnonzero(rated[:, place] & rated[:, second])
                if rows.size >= fewest:
                    found.append(Compared(rater, other, rows, ratings[rows, rater], ratings[rows, other]))
    return found


def with_mean(ratings: Floats, *, own: bool, fewest: int = FEWEST) -> list[Compared]:
    """Compare each rater with the mean rating, their `own` in it or not, on pairs that another rated too."""
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


def without_noise(means: Floats) -> Floats:
    """Round means to thirteen digits, so that the order of a sum breaks no tie.

    >>> without_noise(np.array([(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3]))
    array([0.2, 0.2])
    """
    largest = np.abs(means[~np.isnan(means)]).max(initial=1.0)
    return means.round(13 - math.ceil(math.log10(largest)))


@dataclass(frozen=True)
class RaterAgreement:
    """Of each rater: the mean ρ with each other one of the group, and ρ with the mean of the others.

    NaN stands for a rater who shares no pairs with another, or for whom no ρ is defined. `mean_rho` is over
    every two raters.
    """

    with_each: Floats
    with_mean: Floats
    mean_rho: float

    @property
    def iaa_1(self) -> float:
        """The mean over raters of their mean ρ with each other one."""
        return mean_of_defined(self.with_each)

    @property
    def iaa_2(self) -> float:
        """The mean over raters of their ρ with the mean of the others."""
        return mean_of_defined(self.with_mean)


def mean_of_defined(values: Floats) -> float:
    """Average what is not NaN; NaN of nothing."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def rater_agreement(ratings: Floats) -> RaterAgreement:
    """IAA-1 and IAA-2: Spearman's ρ of each rater with the others who rated the same pairs.

        IAA-1 of rater j:  the mean over the others k of the group of ρ(rⱼ, rₖ)
        IAA-2 of rater j:  ρ(rⱼ, the mean over the others k of rₖ)

    `ratings` is pairs × raters, NaN where a rater did not rate. Each ρ is over the pairs that both rated, or
    that j and somebody else rated, three or more; one with ratings that are all equal is undefined and does
    not count. When nothing is defined, a rater's figures are NaN; if that is so of all, with an
    UndefinedWarning.

    Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Inter-rater
    reliability"; Gerz et al. (2016). SimVerb-3500. EMNLP.

    >>> found = rater_agreement(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]))
    >>> round(found.iaa_1, 3), round(found.iaa_2, 3)
    (0.5, 0.5)
    """
    rhos = _rho_of_each_two(ratings)
    with_each = np.array([mean_of_defined(row) for row in rhos])
    with_mean_of_others = np.full(len(rhos), math.nan)
    for one in with_mean(ratings, own=False):
        with_mean_of_others[one.rater] = one.rho
    if np.isnan(with_each).all():
        warnings.warn(
            "agreement between raters is undefined: no two of them rated the same three pairs, "
            "with different ratings",
            UndefinedWarning,
            stacklevel=2,
        )
    return RaterAgreement(with_each, with_mean_of_others, mean_of_defined(rhos))


def _rho_of_each_two(ratings: Floats) -> Floats:
    """Compute ρ of every two raters, NaN where it is undefined and of each with themselves."""
    rhos = np.full((ratings.shape[1],) * 2, math.nan)
    for raters in groups_of_raters(ratings):
        rated = ~np.isnan(ratings[:, raters])
        rows = rated.any(axis=1)
        if rated[rows].all() and rows.sum() >= FEWEST:  # hundreds of raters at once
            standard = _standard_ranks(ratings[np.ix_(rows, raters)])
            rhos[np.ix_(raters, raters)] = standard.T @ standard
        else:
            for one in each_two(ratings[:, raters]):
                places = raters[[one.rater, one.other]]
                rhos[places, places[::-1]] = one.rho
    np.fill_diagonal(rhos, math.nan)
    return rhos


def _standard_ranks(columns: Floats) -> Floats:
    """Rank each column, with mean 0 and length 1, so that inner products are ρ; NaN where all is tied."""
    ranks = rankdata(columns, axis=0)
    ranks -= ranks.mean(axis=0)
    lengths = np.sqrt((ranks**2).sum(axis=0))
    standard: Floats = np.divide(ranks, lengths, out=np.full_like(ranks, math.nan), where=lengths > 0)
    return standard
