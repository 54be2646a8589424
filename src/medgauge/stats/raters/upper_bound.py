"""The best annotator: what the best rater would score as a model."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import Estimate
from medgauge.stats.raters.compared import Compared, with_mean
from medgauge.stats.raters.comparisons import Comparisons, why_tied
from medgauge.stats.raters.kernel import (
    fewest_ratings,
    no_two_ratings_differ,
    plain_estimates,
    rated_by_several,
)
from medgauge.stats.resampling.bootstrap import Weights, unit_weights
from medgauge.stats.settings import Level

FEWEST_OF_THE_BEST = 10  # pairs: on fewer, the best of many raters would be best by chance


@dataclass(frozen=True)
class UpperBound:
    """The best rater's ρ with the mean rating, and with the mean of the others; raters by column or None."""

    with_own: Estimate
    with_own_rater: int | None
    without_own: Estimate
    without_own_rater: int | None


def human_upper_bound(ratings: Doubles, *, fewest: int = FEWEST_OF_THE_BEST) -> UpperBound:
    """Compute ρ of the best rater with the mean rating, with and without their own.

        with own:     max over raters j of ρ(rᵢⱼ, mean over all k of rᵢₖ)
        without own:  max over raters j of ρ(rᵢⱼ, mean over all k ≠ j of rᵢₖ)

    `ratings` is pairs × raters, NaN where a rater did not rate. Each ρ is over the pairs that rater j and
    somebody else rated: on a pair with one rating, mean and rating are the same. The first figure is biased
    upwards, as the mean includes the rating. Raters with fewer than `fewest` such pairs, or for whom ρ is
    undefined, do not count; when none is left the figure is undefined. Among equal raters, the first is
    named. The figures have no interval here.

    The paper calls these human upper bounds. They do not limit what a model can score: one that knew the true
    values would be closer to the mean than any single rater (`ceiling` of `MeanReliability`).

    Reference: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 6.

    >>> ratings = np.array([[0.0, 0.0, 1.0], [1.0, 2.0, 0.0], [2.0, 2.0, 3.0], [3.0, 3.0, 2.0]])
    >>> bound = human_upper_bound(ratings, fewest=4)
    >>> round(bound.with_own.value, 4), bound.with_own_rater
    (1.0, 0)
    >>> round(bound.without_own.value, 4), bound.without_own_rater
    (0.9487, 0)
    """
    kernel = UpperBounds(ratings, fewest=fewest)
    with_own, without_own = plain_estimates(kernel, len(ratings)).values()
    first, second = kernel.best_raters(unit_weights(len(ratings)))
    return UpperBound(with_own, first, without_own, second)


class UpperBounds:
    """The best annotator: comparisons of each rater with the mean rating, with and without their own."""

    names: ClassVar[tuple[str, ...]] = ("human_upper_bound", "human_upper_bound_excluding_self")
    prefix: ClassVar[str] = ""

    def __init__(
        self, ratings: Doubles, _level: Level | None = None, *, fewest: int = FEWEST_OF_THE_BEST
    ) -> None:
        self._ratings = ratings
        self._fewest = fewest
        self._compared: list[list[Compared]] = [
            with_mean(ratings, own=own, fewest=fewest) for own in (True, False)
        ]
        self._comparisons = [Comparisons.of(compared) for compared in self._compared]

    @property
    def pairs(self) -> int:
        """The number of pairs with two ratings or more."""
        return int(rated_by_several(self._ratings).sum())

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings of a pair with two or more."""
        return fewest_ratings(self._ratings)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill both figures."""
        for column, comparisons in enumerate(self._comparisons):
            rhos = comparisons.rhos(weights)
            highest = np.where(np.isnan(rhos), -np.inf, rhos).max(axis=0, initial=-np.inf)
            rows[:, column] = np.where(highest > -np.inf, highest, np.nan)[: len(rows)]

    def best_raters(self, weights: Weights) -> list[int | None]:
        """Return the rater who reaches each figure in the first lane, None where it is undefined."""
        best: list[int | None] = []
        for compared, comparisons in zip(self._compared, self._comparisons, strict=True):
            rhos = comparisons.rhos(weights)[:, 0]
            best.append(None if np.isnan(rhos).all() else compared[int(np.nanargmax(rhos))].rater)
        return best

    def reason(self, name: str) -> str:
        """Return why a figure is undefined."""
        compared = self._compared[self.names.index(name)]
        too_few = f"no annotator has {self._fewest} pairs that another rated"
        return no_two_ratings_differ(self._ratings) or why_tied(compared) or too_few
