"""The tests of one contest, before the total number of tests is known."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Protocol

import numpy as np
from scipy.stats import t

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.errors import InputError, option
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.bootstrap import Resampled, steps
from medgauge.stats.resampling.resampled_spearman import resample_spearman
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

Track = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Opens a progress bar with a number of steps."""

_DRAWS = 10_000  # for ranks where nothing is resampled
BEYOND = 20  # resamples beyond each end of an interval, so that it does not depend on a single one
_LARGEST = 200_000_000  # figures on resamples, which take 1.6 GB
_RESERVE = 1.1  # times the resamples that the present ends require
_MOST = 5  # times the resamples that the level requires, at most, where ends are pushed outwards


class PairedDifference(Protocol):
    """The difference of two systems on the same pairs."""

    @property
    def estimate(self) -> float:
        """The first figure less the second."""

    @property
    def p_value(self) -> float:
        """The p-value of the test that there is no difference."""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true difference with probability `level`."""


@dataclass(frozen=True)
class Outcome:
    """The systems' `figures`, the difference of any two, and the resamples for their ranks.

    `resampled` are their figures on resamples, or drawn (rows × systems). `beyond` counts the resamples
    beyond the end of an interval with the fewest. `interval` returns that of a system's own figure at a
    level, where groups of pairs make it differ from the run's. `untested` says why a p-value is undefined, if
    one is.
    """

    test: str
    figures: Doubles
    resampled: Doubles
    resamples: int | None
    difference: Callable[[int, int], PairedDifference]
    beyond: float | None = None
    interval: Callable[[int, float], tuple[float, float]] | None = None
    untested: str | None = None


def resamples_for(level: float) -> int:
    """Return the number of resamples for 20 beyond each end of a percentile interval.

    >>> resamples_for(0.05 / 253)
    202400
    """
    return max(9_999, math.ceil(2 * BEYOND / max(level, 1e-15)))


def enough_resamples(level: float, *, drawn: int, beyond: float, systems: int) -> int | None:
    """Return a number of resamples that leaves 20 beyond each end, given how many of those drawn do so.

    It is rounded up, with a reserve for the variation of the ends. None if they would not fit in memory.

    >>> enough_resamples(0.005, drawn=49_995, beyond=15.0, systems=5)
    74000
    """
    wanted = max(resamples_for(level), math.ceil(_RESERVE * drawn * BEYOND / max(beyond, 1e-9)))
    step = 10 ** max(0, len(str(wanted)) - 2)
    rounded = -(-wanted // step) * step
    return None if rounded * systems > _LARGEST else rounded


def compare_correlations(
    gold: Doubles,
    scores: Doubles,
    *,
    groups: Integers | None,
    level: float,
    resamples: int | None,
    rng: np.random.Generator,
    track: Track,
) -> Outcome:
    """Compare Spearman's ρ of systems (rows of scores) by the BCa bootstrap, all on the same resamples.

    Their number is what the level requires, or more where the bias or skew of a difference pushes an end of
    its interval so far out that fewer than 20 lie beyond.
    """
    asked = resamples or resamples_for(level)
    if asked * len(scores) > _LARGEST:
        raise InputError(
            f"{asked:,} resamples of {len(scores)} systems do not fit in memory: set fewer with "
            f"{option('resamples')}, or use a larger {option('alpha')} or a smaller family of tests"
        )
    found = _resampled(gold, scores, asked, groups, rng, track)
    while True:
        beyond = _fewest_beyond(found, level)
        here = len(found.resamples)
        wanted = min(
            _MOST * asked, _LARGEST // len(scores), math.ceil(_RESERVE * here * BEYOND / max(beyond, 1.0))
        )
        if resamples is not None or beyond >= BEYOND or wanted <= here:
            break
        found = found.more(_resampled(gold, scores, wanted - here, groups, rng, track))

    def own_interval(system: int, level: float) -> tuple[float, float]:
        values = (found.whole[system], found.resamples[:, system], found.jackknife[:, system])
        return Bca.of(float(values[0]), *values[1:]).interval(level)

    return Outcome(
        "BCa bootstrap",
        found.whole,
        found.resamples,
        len(found.resamples),
        partial(_rho_difference, found),
        beyond=beyond,
        interval=None if groups is None else own_interval,
        untested=f"no resample of {len(found.resamples):,} has both figures",
    )


def _resampled(
    gold: Doubles,
    scores: Doubles,
    count: int,
    groups: Integers | None,
    rng: np.random.Generator,
    track: Track,
) -> Resampled:
    units = gold.size if groups is None else int(groups.max()) + 1
    with track(steps(units, count)) as advance:
        return resample_spearman(gold, scores, resamples=count, rng=rng, groups=groups, advance=advance)


def _rho_difference(found: Resampled, first: int, second: int) -> Bca:
    return Bca.of(
        float(found.whole[first] - found.whole[second]),
        found.resamples[:, first] - found.resamples[:, second],
        found.jackknife[:, first] - found.jackknife[:, second],
    )


def _fewest_beyond(found: Resampled, level: float) -> float:
    systems = range(found.whole.size)
    return min(_rho_difference(found, *two).beyond(level) for two in combinations(systems, 2))


@dataclass(frozen=True)
class AccuracyDifference:
    """The difference of two accuracies on the same pairs, by McNemar's test and Newcombe's interval."""

    table: AgreementTable

    @property
    def estimate(self) -> float:
        """The first accuracy less the second."""
        return (self.table.first - self.table.second) / self.table.total

    @property
    def p_value(self) -> float:
        """The p-value of McNemar's test."""
        return mcnemar(self.table)

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
        drawn = draw_figures(figures, covariance, draws=_DRAWS, rng=rng)
        return Outcome(
            "McNemar's test", figures, drawn, None, lambda one, two: AccuracyDifference(tables[one][two])
        )
    return _clustered(
        figures,
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
        return _clustered(figures, covariance, groups, rng, labels=labels)
    covariance = auc_covariance(labels, parts)
    units = int(min((labels == 1).sum(), (labels == 0).sum()))
    drawn = draw_figures(figures, covariance, draws=_DRAWS, rng=rng)
    return Outcome(
        "DeLong's test",
        figures,
        drawn,
        None,
        lambda one, two: NormalDifference.of(figures, covariance, one, two, units=units),
        untested=too_few_of_a_label(labels, fewest=2),
    )


def _clustered(
    figures: Doubles,
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

    drawn = draw_figures(figures, covariance, draws=_DRAWS, rng=rng)
    name = "Obuchowski's test for clustered pairs"
    untested = _too_few_groups(groups, labels)
    return Outcome(name, figures, drawn, None, difference, interval=own_interval, untested=untested)


def _too_few_groups(groups: Integers, labels: Doubles | None) -> str | None:
    """Return why the covariance of groups of pairs is undefined, or None."""
    if groups.max() == 0:
        return "there is only 1 group of pairs"
    for label in () if labels is None else (1, 0):
        if np.unique(groups[labels == label]).size < 2:
            return f"only 1 group has a pair with label {label}"
    return None
