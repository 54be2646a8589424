"""How each rater agrees with the others of their group: IAA-1 and IAA-2."""

import math
import warnings
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning
from medgauge.stats.raters.compared import FEWEST, compare_two, groups_of_raters, with_mean
from medgauge.stats.raters.comparisons import rhos_of


@dataclass(frozen=True)
class RaterAgreement:
    """Of each rater: the mean ρ with each other one of the group, and ρ with the mean of the others.

    NaN stands for a rater who shares no pairs with another, or for whom no ρ is defined. `mean_rho` is over
    every two raters.
    """

    with_each: Doubles
    with_mean: Doubles
    mean_rho: float

    @property
    def iaa_1(self) -> float:
        """The mean over raters of their mean ρ with each other one."""
        return mean_of_defined(self.with_each)

    @property
    def iaa_2(self) -> float:
        """The mean over raters of their ρ with the mean of the others."""
        return mean_of_defined(self.with_mean)


def mean_of_defined(values: Doubles) -> float:
    """Average what is not NaN; NaN of nothing."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def rater_agreement(ratings: Doubles) -> RaterAgreement:
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
    others = with_mean(ratings, own=False)
    with_mean_of_others[[one.rater for one in others]] = rhos_of(others)
    if np.isnan(with_each).all():
        warnings.warn(
            "agreement between raters is undefined: no two of them rated the same three pairs, "
            "with different ratings",
            UndefinedWarning,
            stacklevel=2,
        )
    return RaterAgreement(with_each, with_mean_of_others, mean_of_defined(rhos))


def _rho_of_each_two(ratings: Doubles) -> Doubles:
    """Compute ρ of every two raters, NaN where it is undefined and of each with themselves."""
    rhos = np.full((ratings.shape[1],) * 2, math.nan)
    rest: list[tuple[int, int]] = []
    for raters in groups_of_raters(ratings):
        rated = ~np.isnan(ratings[:, raters])
        rows = rated.any(axis=1)
        complete = rated[rows].all(axis=0) & (rows.sum() >= FEWEST)
        # Those who rated all pairs of the group, which may be hundreds, at once.
        full = raters[complete]
        whole = set(full.tolist())
        standard = _standard_ranks(ratings[np.ix_(rows, full)])
        rhos[np.ix_(full, full)] = (standard.T @ standard).clip(-1, 1)
        rest += [two for two in combinations(raters.tolist(), 2) if not whole.issuperset(two)]
    compared = compare_two(ratings, rest)
    first, second = ([getattr(one, side) for one in compared] for side in ("rater", "other"))
    rhos[first, second] = rhos[second, first] = rhos_of(compared)
    np.fill_diagonal(rhos, math.nan)
    return rhos


def _standard_ranks(columns: Doubles) -> Doubles:
    """Rank each column, with mean 0 and length 1, so that inner products are ρ; NaN where all is tied."""
    if not columns.size:
        return columns
    ranks = rankdata(columns, axis=0)
    ranks -= ranks.mean(axis=0)
    lengths = np.sqrt((ranks**2).sum(axis=0))
    standard: Doubles = np.divide(ranks, lengths, out=np.full_like(ranks, math.nan), where=lengths > 0)
    return standard
