"""How well each rater agrees with the others of their group: IAA-1, IAA-2 and the mean ρ of every two."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

from medgauge.arrays import Doubles, Positions
from medgauge.estimate import Estimate
from medgauge.stats.raters.compared import FEWEST, each_two, with_mean
from medgauge.stats.raters.comparisons import Comparisons, why_tied
from medgauge.stats.raters.kernel import (
    fewest_ratings,
    no_two_ratings_differ,
    plain_estimates,
    rated_by_several,
)
from medgauge.stats.resampling.bootstrap import Weights, unit_weights
from medgauge.stats.settings import Level


@dataclass(frozen=True)
class RaterAgreement:
    """For each rater, the mean ρ with each of the others in the group, and ρ with the mean of the others.

    NaN marks a rater who shares no pairs with another, or for whom no ρ is defined. The estimates, which have
    no interval, are averages: of ρ over every two raters, and of either figure over the raters.
    """

    with_each: Doubles
    with_mean: Doubles
    mean_rho: Estimate
    iaa_1: Estimate
    iaa_2: Estimate


def rater_agreement(ratings: Doubles) -> RaterAgreement:
    """Compute IAA-1 and IAA-2: Spearman's ρ of each rater with the others who rated the same pairs.

        IAA-1 of rater j:  the mean over the others k of the group of ρ(rⱼ, rₖ)
        IAA-2 of rater j:  ρ(rⱼ, the mean over the others k of rₖ)

    `ratings` is pairs × raters, NaN where a rater did not rate. Each ρ is over the pairs that both rated, or
    that j and somebody else rated, three or more; a ρ of ratings that are all equal is undefined and does
    not count.

    Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Inter-rater
    reliability"; Gerz et al. (2016). SimVerb-3500. EMNLP.

    >>> found = rater_agreement(np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]))
    >>> round(found.iaa_1.value, 3), round(found.iaa_2.value, 3)
    (0.5, 0.5)
    """
    kernel = RaterCorrelations(ratings)
    with_each, with_others = kernel.of_raters(unit_weights(len(ratings)))
    return RaterAgreement(with_each, with_others, **plain_estimates(kernel, len(ratings)))


class RaterCorrelations:
    """The mean ρ of every two raters, IAA-1 and IAA-2: comparisons with each other and with the mean."""

    names: ClassVar[tuple[str, ...]] = ("mean_rho", "iaa_1", "iaa_2")
    prefix: ClassVar[str] = ""

    def __init__(self, ratings: Doubles, _level: Level | None = None) -> None:
        self._ratings = ratings
        self._two_raters = each_two(ratings)
        self._with_mean = with_mean(ratings, own=False)
        self._twos = Comparisons.of(self._two_raters)
        self._others = Comparisons.of(self._with_mean)
        raters = [rater for one in self._two_raters for rater in (one.rater, one.other)]
        numbers = np.repeat(np.arange(len(self._two_raters)), 2)
        # A 1 for each rater (row) and each two raters (column) that they belong to.
        self._is_one_of = csr_array(
            (np.ones(numbers.size), (np.array(raters, np.int64), numbers)),
            shape=(ratings.shape[1], len(self._two_raters)),
        )

    @property
    def pairs(self) -> int:
        """The number of pairs with two ratings or more."""
        return int(rated_by_several(self._ratings).sum())

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings of a pair with two or more."""
        return fewest_ratings(self._ratings)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill the three means."""
        twos, others = self._twos.rhos(weights), self._others.rhos(weights)
        for column, values in enumerate((twos, self._with_each(twos), others)):
            rows[:, column] = _mean_of_defined_rows(values)[: len(rows)]

    def of_raters(self, weights: Weights) -> tuple[Doubles, Doubles]:
        """Return each rater's mean ρ with the others, and ρ with the mean of the others; first lane."""
        with_others = np.full(self._ratings.shape[1], math.nan)
        with_others[[one.rater for one in self._with_mean]] = self._others.rhos(weights)[:, 0]
        return self._with_each(self._twos.rhos(weights))[:, 0], with_others

    def mean_rho_without(self, blocks: Sequence[Positions]) -> Doubles:
        """Return the mean ρ of every two raters without each block of them, NaN where none is left.

        The ρ of two raters does not depend on the others, so that none is computed again.
        """
        rhos = self._twos.rhos(unit_weights(len(self._ratings)))[:, 0]
        means = np.full(len(blocks), math.nan)
        for place, block in enumerate(blocks):
            means[place] = mean_of_defined(rhos[self._is_one_of[block].sum(axis=0) == 0])
        return means

    def _with_each(self, rhos: Doubles) -> Doubles:
        """Average, for each rater (row), the ρ with each of the others; NaN where none is defined."""
        defined = ~np.isnan(rhos)
        counts = self._is_one_of @ defined.astype(np.float64)
        sums = self._is_one_of @ np.where(defined, rhos, 0.0)
        means: Doubles = np.divide(sums, counts, out=np.full(counts.shape, math.nan), where=counts > 0)
        return means

    def reason(self, name: str) -> str:
        """Return why a mean is undefined."""
        if reason := no_two_ratings_differ(self._ratings):
            return reason
        if name == "iaa_2":
            return why_tied(self._with_mean) or f"no annotator has {FEWEST} pairs that another rated"
        if self._two_raters:
            return f"of any two annotators with {FEWEST} pairs in common, one rated them all the same"
        return f"no two annotators rated {FEWEST} pairs in common"


def mean_of_defined(values: Doubles) -> float:
    """Average the values that are not NaN; NaN if there are none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if defined.size else math.nan


def _mean_of_defined_rows(values: Doubles) -> Doubles:
    """Average each column over the rows where it is not NaN; NaN where there are none."""
    defined = ~np.isnan(values)
    counts = defined.sum(axis=0)
    sums = np.where(defined, values, 0.0).sum(axis=0)
    means: Doubles = np.divide(sums, counts, out=np.full(sums.size, math.nan), where=counts > 0)
    return means
