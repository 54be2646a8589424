"""What the tests of one contest found, before it is known how many tests there are in all."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from medgauge.stats.bca import Bca
from medgauge.stats.paired import (
    Agreement,
    NormalDifference,
    accuracy_difference,
    accuracy_parts,
    agreements,
    clustered_covariance,
    mcnemar,
)
from medgauge.stats.ranking import draw_figures
from medgauge.stats.resampling import resample_spearman
from medgauge.stats.roc import auc_covariance, auc_parts

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_DRAWS = 10_000  # for the interval of a rank where nothing is resampled


class PairedDifference(Protocol):
    """The difference of two systems on the same pairs."""

    @property
    def estimate(self) -> float:
        """The first figure less the second."""

    @property
    def p_value(self) -> float:
        """Of the test that there is no difference."""

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval that misses the true difference with probability `level`."""


@dataclass(frozen=True)
class Outcome:
    """The figures of a contest's systems, resampled (resamples × systems), and the difference of any two."""

    test: str
    resampled: Doubles
    resamples: int | None
    difference: Callable[[int, int], PairedDifference]


def compare_correlations(
    gold: Doubles,
    scores: Doubles,
    figures: Doubles,
    *,
    groups: Integers | None,
    resamples: int,
    rng: np.random.Generator,
    advance: Callable[[int], None],
) -> Outcome:
    """Compare Spearman's ρ of systems (rows of scores) by the BCa bootstrap, all on the same resamples."""
    found = resample_spearman(gold, scores, resamples=resamples, rng=rng, groups=groups, advance=advance)

    def difference(first: int, second: int) -> PairedDifference:
        return Bca.of(
            float(figures[first] - figures[second]),
            found.resamples[:, first] - found.resamples[:, second],
            found.jackknife[:, first] - found.jackknife[:, second],
        )

    return Outcome("BCa bootstrap", found.resamples, resamples, difference)


@dataclass(frozen=True)
class AccuracyDifference:
    """The difference of two accuracies on the same pairs, by McNemar's test and Newcombe's interval."""

    table: Agreement

    @property
    def estimate(self) -> float:
        """The first accuracy less the second."""
        return (self.table.first - self.table.second) / self.table.total

    @property
    def p_value(self) -> float:
        """Of McNemar's test."""
        return mcnemar(self.table)

    def interval(self, level: float) -> tuple[float, float]:
        """Give Newcombe's interval."""
        return accuracy_difference(self.table, confidence=1 - level)


def compare_accuracies(right: Flags, *, groups: Integers | None, rng: np.random.Generator) -> Outcome:
    """Compare classifiers by the pairs that each gets right (rows of `right`)."""
    figures = right.mean(axis=1)
    parts = accuracy_parts(right)
    if groups is not None:
        return _normal("Obuchowski's test for clustered pairs", figures, parts, groups, rng)
    covariance = clustered_covariance(parts, np.arange(right.shape[1]))
    tables = agreements(right)
    drawn = draw_figures(figures, covariance, draws=_DRAWS, rng=rng)
    return Outcome("McNemar's test", drawn, None, lambda one, two: AccuracyDifference(tables[one][two]))


def compare_areas(
    labels: Doubles, scores: Doubles, *, groups: Integers | None, rng: np.random.Generator
) -> Outcome:
    """Compare the AUCs of systems (rows of scores)."""
    found = [auc_parts(labels, row) for row in scores]
    figures, parts = np.array([area for area, _ in found]), np.array([part for _, part in found])
    if groups is not None:
        return _normal("Obuchowski's test for clustered pairs", figures, parts, groups, rng)
    covariance = auc_covariance(labels, parts)
    return _from_covariance("DeLong's test", figures, covariance, rng)


def _normal(
    test: str, figures: Doubles, parts: Doubles, groups: Integers, rng: np.random.Generator
) -> Outcome:
    return _from_covariance(test, figures, clustered_covariance(parts, groups), rng)


def _from_covariance(test: str, figures: Doubles, covariance: Doubles, rng: np.random.Generator) -> Outcome:
    drawn = draw_figures(figures, covariance, draws=_DRAWS, rng=rng)
    return Outcome(test, drawn, None, lambda one, two: NormalDifference.of(figures, covariance, one, two))
