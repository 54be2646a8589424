"""Contests on labelled sets: differences of accuracy and of AUC."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.stats import t

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.comparison.outcome import RANK_DRAWS, Outcome
from medgauge.progress import Advance
from medgauge.stats.differences.paired import (
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
from medgauge.stats.differences.ranking import draw_figures
from medgauge.stats.differences.student import effective_count
from medgauge.stats.systems.cross_validation import (
    FEWEST_IN_HALVES,
    HALVES_FREEDOM,
    right_at_others,
    split_half_covariance,
)
from medgauge.stats.systems.reasons import too_few_of_a_label
from medgauge.stats.systems.roc import auc_covariance, auc_freedom, auc_parts


@dataclass(frozen=True)
class AccuracyDifference:
    """The difference of two accuracies on the same pairs, by McNemar's test and Newcombe's interval."""

    table: AgreementTable

    @property
    def estimate(self) -> float:
        """The first accuracy minus the second."""
        return (self.table.first - self.table.second) / self.table.total

    @property
    def deviation(self) -> float:
        """The standard error of the difference, √(b + c − (b − c)²/n)/n."""
        discordant, apart = self.table.first + self.table.second, self.table.first - self.table.second
        return math.sqrt(max(discordant - apart**2 / self.table.total, 0.0)) / self.table.total

    @property
    def freedom(self) -> float:
        """Infinite: McNemar's test does not use the standard error."""
        return math.inf

    @property
    def largest(self) -> float:
        """The largest difference of two shares."""
        return 1.0

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


def compare_crossed_accuracies(
    labels: Doubles,
    scores: Doubles,
    *,
    groups: Integers | None,
    seed: int,
    rng: np.random.Generator,
    advance: Advance = lambda _count: None,
) -> Outcome:
    """Compare the cross-validated accuracies of systems (rows of scores), with the folds of a seed.

    A pair counts by how often it is right over the deals into folds. The variance over pairs, or over groups
    of them, leaves out that pairs share thresholds, which vary too: what the variance of halves
    (`split_half_covariance`) exceeds that of independent pairs by is added to it.
    """
    found = []
    for row in scores:
        found.append(right_at_others(labels, row, rng=np.random.default_rng(seed)))
        advance(1)
    right = np.array(found)
    figures, parts = right.mean(axis=1), accuracy_parts(right)
    alone = clustered_covariance(parts, np.arange(labels.size))
    shared = split_half_covariance(labels, scores, rng=rng) - alone
    units = np.arange(labels.size) if groups is None else groups
    own = alone if groups is None else clustered_covariance(parts, groups)
    count = int(units.max()) + 1

    def difference(one: int, two: int) -> NormalDifference:
        signs = np.zeros(len(scores))
        signs[one], signs[two] = 1.0, -1.0
        variance = signs @ own @ signs + np.maximum(signs @ shared @ signs, 0.0)
        weights = np.asarray(parts[one] - parts[two], np.float64)
        freedom = _freedom(np.asarray(np.bincount(units, weights=weights, minlength=count), np.float64))
        return NormalDifference(
            float(figures[one] - figures[two]),
            # As in student_difference, for a variance that rests on few pairs.
            0.0 if variance < 1e-14 else math.sqrt(variance * (freedom + 1) / freedom),
            count,
            freedom=min(freedom, HALVES_FREEDOM),
        )

    interval = None if groups is None else partial(_own_interval, figures, own + shared, count)
    untested = too_few_of_a_label(labels, fewest=FEWEST_IN_HALVES)
    if untested is None and groups is not None:
        untested = _too_few_groups(groups, None)
    drawn = draw_figures(figures, own + shared, draws=RANK_DRAWS, rng=rng)
    name = "Student's t over pairs and split halves"
    return Outcome(name, figures, parts, drawn, difference, interval=interval, untested=untested)


def _freedom(apart: Doubles) -> float:
    """Return the degrees of freedom of a variance that rests on these contributions, at least 1."""
    count = effective_count(apart)
    return 1.0 if math.isnan(count) else max(count - 1, 1.0)


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
        lambda one, two: NormalDifference.of(
            figures, covariance, one, two, units=units, freedom=auc_freedom(labels, parts[one] - parts[two])
        ),
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

    drawn = draw_figures(figures, covariance, draws=RANK_DRAWS, rng=rng)
    name = "Obuchowski's test for clustered pairs"
    untested = _too_few_groups(groups, labels)
    interval = partial(_own_interval, figures, covariance, count)
    return Outcome(name, figures, parts, drawn, difference, interval=interval, untested=untested)


def _own_interval(
    figures: Doubles, covariance: Doubles, groups: int, system: int, level: float
) -> tuple[float, float]:
    """Return the interval of a system's own figure, by Student's t over groups of pairs."""
    if not covariance[system, system] > 0:  # undefined, or it would claim certainty
        return math.nan, math.nan
    half = float(t.isf(level / 2, max(groups - 1, 1))) * math.sqrt(covariance[system, system])
    return max(0.0, float(figures[system]) - half), min(1.0, float(figures[system]) + half)


def _too_few_groups(groups: Integers, labels: Doubles | None) -> str | None:
    """Return why the covariance of groups of pairs is undefined, or None."""
    if groups.max() == 0:
        return "there is only 1 group of pairs"
    for label in () if labels is None else (1, 0):
        if np.unique(groups[labels == label]).size < 2:
            return f"only 1 group has a pair with label {label}"
    return None
