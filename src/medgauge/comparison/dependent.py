"""Contests whose pairs depend on one another because they share concepts."""

import math
from dataclasses import dataclass, replace

import numpy as np

from medgauge.arrays import Doubles
from medgauge.comparison.graded import fisher_interval
from medgauge.comparison.outcome import RANK_DRAWS, SHARED, Outcome, PairedDifference
from medgauge.stats.differences.dyadic import Dyads
from medgauge.stats.differences.paired import NormalDifference
from medgauge.stats.differences.ranking import draw_figures
from medgauge.stats.resampling.swaps import SwappedDifference

_LARGEST = {True: 2.0, False: 1.0}  # difference of two ρ, and of two shares


@dataclass(frozen=True)
class SharedDifference:
    """A difference that two tests have to find: for independent pairs, and for pairs that share concepts.

    Where the first is exact, as McNemar's is on few pairs, the second alone would find too much. p is the
    larger of the two, and the interval contains both: it excludes 0 exactly where both do.
    """

    independent: PairedDifference
    shared: NormalDifference

    @property
    def estimate(self) -> float:
        """The first figure minus the second."""
        return self.shared.estimate

    @property
    def deviation(self) -> float:
        """The standard error where pairs that share a concept are dependent."""
        return self.shared.deviation

    @property
    def freedom(self) -> float:
        """The degrees of freedom of that standard error."""
        return self.shared.freedom

    @property
    def p_value(self) -> float:
        """The larger p-value; NaN if either is undefined."""
        return float(np.maximum(self.independent.p_value, self.shared.p_value))

    @property
    def floored(self) -> bool:
        """Whether the p-value is the smallest that the test can give."""
        larger = self.shared if self.shared.p_value > self.independent.p_value else self.independent
        return larger.floored

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that contains those of both tests; (NaN, NaN) if either is undefined."""
        ends = np.array([self.independent.interval(level), self.shared.interval(level)])
        return float(ends[:, 0].min()), float(ends[:, 1].max())


@dataclass(frozen=True)
class DyadicContest:
    """An outcome for independent pairs, and the concepts of these pairs; `graded` if figures are ρ."""

    outcome: Outcome
    dyads: Dyads
    graded: bool

    def ratio(self, one: int, other: int) -> float:
        """Return how many times as large the standard error of a difference is as for independent pairs."""
        return self.dyads.variance(self._apart(one, other)).ratio

    def dependent(self, rng: np.random.Generator) -> Outcome:
        """Return the outcome where pairs that share a concept are dependent.

        What the dyadic variance of the pairs' contributions exceeds the independent one by is added to the
        variance of each difference, which is never made smaller: where concepts are few, the dyadic variance
        is itself so uncertain that it may come out negative.
        """
        covariance = self.dyads.covariance(self.outcome.parts)
        drawn = draw_figures(self.outcome.figures, covariance, draws=RANK_DRAWS, rng=rng)
        return replace(
            self.outcome,
            test=f"{self.outcome.test}{SHARED}",
            resampled=drawn,
            difference=self.difference,
            interval=self._own_interval,
        )

    def _apart(self, one: int, other: int) -> Doubles:
        return np.asarray(self.outcome.parts[one] - self.outcome.parts[other], np.float64)

    def difference(self, one: int, other: int) -> PairedDifference:
        """Return the difference of two systems where pairs that share a concept are dependent."""
        base, parts = self.outcome.difference(one, other), self._apart(one, other)
        wider = self._wider(base, parts)
        if isinstance(base, SwappedDifference):
            return replace(base, deviation=wider.deviation, freedom=self.dyads.variance(parts).swap_freedom)
        return SharedDifference(base, wider)

    def _wider(self, base: PairedDifference, parts: Doubles) -> NormalDifference:
        found = self.dyads.variance(parts)
        added = max(found.dyadic - found.independent, 0.0)
        freedom = min(found.freedom, base.freedom)
        return NormalDifference(
            base.estimate,
            math.sqrt(base.deviation**2 + added),
            self.dyads.concepts,
            freedom=freedom,
            largest=_LARGEST[self.graded],
        )

    def _own_interval(self, system: int, level: float) -> tuple[float, float]:
        figure, parts = float(self.outcome.figures[system]), self.outcome.parts[system]
        alone = math.sqrt(self.dyads.variance(parts).independent)
        own = self._wider(NormalDifference(figure, alone, parts.size), parts)
        if self.graded:
            return fisher_interval(figure, own, level)
        low, high = own.interval(level)
        return max(0.0, low), high
