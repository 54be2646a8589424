"""Contests whose pairs depend on one another because they share concepts."""

import math
from dataclasses import dataclass, replace

import numpy as np

from medgauge.comparison.outcome import SHARED, Ends, Outcome, PairedDifference
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
    def largest(self) -> float:
        """The largest difference that there can be."""
        return self.shared.largest

    @property
    def p_value(self) -> float:
        """The larger p-value; NaN if either is undefined."""
        return float(np.maximum(self.independent.p_value, self.shared.p_value))

    @property
    def floored(self) -> bool:
        """Whether the p-value is the smallest that the test can give."""
        larger = self.shared if self.shared.p_value > self.independent.p_value else self.independent
        return larger.floored

    def interval(self, level: float) -> Ends:
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
        base = self.outcome.difference(one, other).deviation
        wider = self.difference(one, other).deviation
        return wider / base if base > 0 else math.nan

    def dependent(self, rng: np.random.Generator) -> Outcome:
        """Return the outcome where pairs that share a concept are dependent.

        What the dyadic variance of the pairs' contributions exceeds the independent one by is added to the
        variance of each difference, which is never made smaller: where concepts are few, the dyadic variance
        is itself so uncertain that it may come out negative. Intervals of single systems become wider by as
        much as their standard errors, and resamples, from which ranks vary, get draws with the covariance
        that is added.
        """
        added = self.dyads.added_covariance(self.outcome.parts)
        drawn = draw_figures(np.zeros(len(added)), added, draws=len(self.outcome.resampled), rng=rng)
        one_concept = "all pairs share one concept" if self.dyads.concepts == 1 else None
        return replace(
            self.outcome,
            test=f"{self.outcome.test}{SHARED}",
            resampled=self.outcome.resampled + drawn,
            difference=self.difference,
            widened=self._widened,
            untested=self.outcome.untested or one_concept,
        )

    def difference(self, one: int, other: int) -> PairedDifference:
        """Return the difference of two systems where pairs that share a concept are dependent."""
        base = self.outcome.difference(one, other)
        found = self.dyads.variance(self.outcome.parts[one] - self.outcome.parts[other])
        # A difference to which no pair contributes has none to share.
        deviation = math.sqrt(base.deviation**2 + found.added) if base.deviation else base.deviation
        if isinstance(base, SwappedDifference):
            return replace(base, deviation=deviation, freedom=found.swap_freedom)
        freedom, largest = min(found.freedom, base.freedom), _LARGEST[self.graded]
        wider = NormalDifference(
            base.estimate, deviation, self.dyads.concepts, freedom=freedom, largest=largest
        )
        return SharedDifference(base, wider)

    def _widened(self, system: int, figure: float, ends: Ends) -> Ends:
        """Return the interval of a figure, as much wider as its error; that of a ρ on Fisher's scale."""
        found = self.dyads.variance(self.outcome.parts[system])
        factor = math.sqrt(1 + found.added / found.independent) if found.independent > 0 else 1.0
        if self.graded:
            if not max(map(abs, (figure, *ends))) < 1:  # NaN, or certain
                return ends
            low, centre, high = (math.atanh(value) for value in (ends[0], figure, ends[1]))
            return math.tanh(centre - factor * (centre - low)), math.tanh(centre + factor * (high - centre))
        low, high = (figure + factor * (end - figure) for end in ends)
        return (low if math.isnan(low) else max(low, 0.0), high if math.isnan(high) else min(high, 1.0))
