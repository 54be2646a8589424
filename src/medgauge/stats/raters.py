"""How each rater agrees with the others of their group: IAA-1 and IAA-2."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from medgauge.errors import UndefinedWarning

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class RaterAgreement:
    """Of each rater: the mean ρ with each other one of the group, and ρ with the mean of the others.

    NaN stands for a rater who is alone in the group, or for whom no ρ is defined.
    """

    with_each: Floats
    with_mean: Floats

    @property
    def iaa_1(self) -> float:
        """The mean over raters of their mean ρ with each other one."""
        return _mean(self.with_each)

    @property
    def iaa_2(self) -> float:
        """The mean over raters of their ρ with the mean of the others."""
        return _mean(self.with_mean)


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def rated_by_all(ratings: Floats) -> Flags:
    """Say which pairs every rater rated: a consistency set, where raters else have pairs of their own."""
    missing: Flags = np.isnan(ratings)
    return np.logical_not(missing.any(axis=1))


def groups_of_raters(ratings: Floats) -> list[NDArray[np.intp]]:
    """Give the raters (columns) who rated the same pairs, in the order in which each group is met.

    >>> nan = math.nan
    >>> groups_of_raters(np.array([[1.0, nan, 2.0], [nan, 3.0, nan]]))
    [array([0, 2]), array([1])]
    """
    groups: dict[bytes, list[int]] = {}
    for rater, rated in enumerate((~np.isnan(ratings)).T):
        groups.setdefault(rated.tobytes(), []).append(rater)
    return [np.array(raters) for raters in groups.values()]


def rater_agreement(ratings: Floats) -> RaterAgreement:
    """IAA-1 and IAA-2: Spearman's ρ of each rater with the others who rated the same pairs.

        IAA-1 of rater j:  the mean over the others k of the group of ρ(rⱼ, rₖ)
        IAA-2 of rater j:  ρ(rⱼ, the mean over the others k of rₖ)

    `ratings` is pairs × raters, NaN where a rater did not rate. A ρ with a rater whose ratings are all equal
    is undefined and does not count. When nothing is defined, a rater's figures are NaN; if that is so of all,
    with an UndefinedWarning.

    Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Inter-rater
    reliability"; Gerz et al. (2016). SimVerb-3500. EMNLP.

    >>> found = rater_agreement(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]))
    >>> round(found.iaa_1, 3), round(found.iaa_2, 3)
    (0.5, 0.5)
    """
    with_each, with_mean = (np.full(ratings.shape[1], math.nan) for _ in range(2))
    for raters in groups_of_raters(ratings):
        rated = ~np.isnan(ratings[:, raters[0]])
        given = ratings[np.ix_(rated, raters)]
        if raters.size < 2 or len(given) < 2:
            continue
        own = _standard_ranks(given)
        rho = own.T @ own
        np.fill_diagonal(rho, math.nan)
        with_each[raters] = [_mean(row) for row in rho]
        # Rounded, so that the order of a sum breaks no tie.
        others = ((given.sum(axis=1, keepdims=True) - given) / (raters.size - 1)).round(12)
        with_mean[raters] = (own * _standard_ranks(others)).sum(axis=0)
    if np.isnan(with_each).all():
        warnings.warn(
            "agreement between raters is undefined: no two of them rated the same pairs",
            UndefinedWarning,
            stacklevel=2,
        )
    return RaterAgreement(with_each, with_mean)


def _standard_ranks(columns: Floats) -> Floats:
    """Rank each column, with mean 0 and length 1, so that inner products are ρ; NaN where all is tied."""
    ranks = rankdata(columns, axis=0)
    ranks -= ranks.mean(axis=0)
    lengths = np.sqrt((ranks**2).sum(axis=0))
    standard: Floats = np.divide(ranks, lengths, out=np.full_like(ranks, math.nan), where=lengths > 0)
    return standard
