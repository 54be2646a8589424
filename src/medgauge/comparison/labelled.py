"""Contests on labelled sets: differences of accuracy and of AUC."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.comparison.outcome import RANK_DRAWS, Outcome
from medgauge.stats.systems.paired import (
    AgreementTable,
    NormalDifference,
    accuracy_difference,
    accuracy_parts,
    agreements,
    clustered_auc_covariance,
    clustered_covariance,
    mcnemar,
    null_deviation,
)
from medgauge.stats.systems.ranking import draw_figures
from medgauge.stats.systems.reasons import too_few_of_a_label
from medgauge.stats.systems.roc import auc_covariance, auc_parts


@dataclass(frozen=True)
class AccuracyDifference:
    """The difference of two accuracies on the same pairs, by McNemar's test and Newcombe's interval."""

    table: AgreementTable

    @property
    def estimate(self) -> float:
        """The first accuracy less the second."""
        return (self.table.first - self.table.second) / self.table.total

    @property
    def deviation(self) -> float:
        """The standard error of the difference, √(b + c − (b − c)²/n)/n."""
        discordant, apart = self.table.first + self.table.second, self.table.first - self.table.second
        return math.sqrt(max(discordant - apart**2 / self.table.total, 0.0)) / self.table.total

    @property
    def p_value(self) -> float:
        """The p-value of McNemar's test."""
        return mcnemar(self.table)

    @property
    def floored(self) -> bool:
        """Whether the p-value is the smallest that the test can give; it is exact."""
        return False

    def interval(self, level: float) -> tuple[float, float]:
        """Return Newcombe's interval."""
        return accuracy_difference(self.table, confidence=1 - level)


def compare_accuracies(right: Flags, *, groups: Integers | None, rng: np.random.Generator) -> Outcome:
    """Compare classifiers by the pairs that each gets right (rows of `right`)."""
    figures = right.mean(axis=1)
    parts = accuracy_parts(right)
    if groups is None:
        covariance = clustered_covariance(parts, np.arange(right.shape[1]))
        tables = agreements(right)
        drawn = draw_figures(figures, covariance, draws=RANK_DRAWS, rng=rng)
        return Outcome(
            "McNemar's test", figures, parts, drawn, lambda one, two: AccuracyDifference(tables[one][two])
        )
    return _clustered(
        figures,
        parts,
        clustered_covariance(parts, groups),
        groups,
        rng,
        null=lambda one, two: null_deviation(right, groups, one, two),
    )


def compare_areas(
    labels: Doubles, scores: Doubles, *, groups: Integers | None, rng: np.random.Generator
) -> Outcome:
    """Compare the AUCs of systems (rows of scores)."""
    found = [auc_parts(labels, row) for row in scores]
    figures, parts = np.array([area for area, _ in found]), np.array([part for _, part in found])
    if groups is not None:
        covariance = clustered_auc_covariance(labels, parts, groups)
        return _clustered(figures, parts, covariance, groups, rng, labels=labels)
    covariance = auc_covariance(labels, parts)
    units = int(min((labels == 1).sum(), (labels == 0).sum()))
    drawn = draw_figures(figures, covariance, draws=RANK_DRAWS, rng=rng)
    return Outcome(
        "DeLong's test",
        figures,
        parts,
        drawn,
        lambda one, two: NormalDifference.of(figures, covariance, one, two, units=units),
        untested=too_few_of_a_label(labels, fewest=2),
    )


def _clustered(
    figures: Doubles,
    parts: Doubles,
    covariance: Doubles,
    groups: Integers,
    rng: np.random.Generator,
    *,
    null: Callable[[int, int], float] = lambda _one, _two: math.nan,
    labels: Doubles | None = None,
) -> Outcome:
    """Compare figures where pairs of a group depend on one another; `labels` are given for AUCs."""
    count = int(groups.max()) + 1

    def difference(one: int, two: int) -> NormalDifference:
        under_null = null(one, two)
        return NormalDifference.of(
            figures,
            covariance,
            one,
            two,
            units=count,
            null_deviation=None if math.isnan(under_null) else under_null,
            freedom=max(count - 1, 1),
        )

    def own_interval(system: int, level: float) -> tuple[float, float]:
        if not covariance[system, system] > 0:  # undefined, or it would claim certainty
            return math.nan, math.nan
        half = float(t.isf(level / 2, max(count - 1, 1))) * math.sqrt(covariance[system, system])
        return max(0.0, float(figures[system]) - half), min(1.0, float(figures[system]) + half)

    drawn = draw_figures(figures, covariance, draws=RANK_DRAWS, rng=rng)
    name = "Obuchowski's test for clustered pairs"
    untested = _too_few_groups(groups, labels)
    return Outcome(name, figures, parts, drawn, difference, interval=own_interval, untested=untested)


def _too_few_groups(groups: Integers, labels: Doubles | None) -> str | None:
    """Return why the covariance of groups of pairs is undefined, or None."""
    if groups.max() == 0:
        return "there is only 1 group of pairs"
    for label in () if labels is None else (1, 0):
        if np.unique(groups[labels == label]).size < 2:
            return f"only 1 group has a pair with label {label}"
    return None
