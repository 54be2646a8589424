"""How far apart the ratings of a pair are, on average."""

from typing import ClassVar

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.raters.agreement_kernels import weighted_mean
from medgauge.stats.raters.kernel import fewest_ratings, rated_by_several
from medgauge.stats.resampling.bootstrap import LANES, Weights
from medgauge.stats.settings import Level


class Deviations:
    """The mean over pairs of the standard deviation of a pair's ratings, √(Σ (r − r̄)² / (m − 1)).

    Pairs with fewer than two ratings have none.
    """

    names: ClassVar[tuple[str, ...]] = ("mean_sd",)
    prefix: ClassVar[str] = ""

    def __init__(self, ratings: Doubles, _level: Level | None = None) -> None:
        rows = np.flatnonzero(rated_by_several(ratings))
        self._ratings = ratings
        self._rows = rows.astype(np.int32)
        self._deviations: Doubles = np.nanstd(ratings[rows], axis=1, ddof=1)

    @property
    def pairs(self) -> int:
        """The number of pairs with two ratings or more."""
        return self._rows.size

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings of a pair with two or more."""
        return fewest_ratings(self._ratings)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill the mean."""
        means = np.empty(LANES)
        weighted_mean(weights, self._rows, self._deviations, means)
        rows[:, 0] = means[: len(rows)]

    def reason(self, _name: str) -> str:
        """Return why the mean is undefined."""
        return "no pair has two ratings"
