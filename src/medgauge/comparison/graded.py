"""Contests on graded sets: differences of Spearman's ρ."""

import math
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import t

from medgauge.arrays import Doubles, Integers
from medgauge.comparison.outcome import RANK_DRAWS, Outcome, PairedDifference
from medgauge.errors import option
from medgauge.stats.differences.rank_influence import rho_influence
from medgauge.stats.differences.student import student_difference
from medgauge.stats.resampling.bootstrap import steps
from medgauge.stats.resampling.resampled_spearman import resample_spearman
from medgauge.stats.resampling.swaps import SwappedDifference, SwapTest, draw_swaps
from medgauge.stats.settings import MOST_RESAMPLES
from medgauge.stats.systems.reasons import nearly_constant

Track = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Opens a progress bar with a number of steps."""

SMALL = 500
"""Pairs below which two systems are swapped; above, Student's t says the same (benchmarks/calibration.py)."""
SWAPS = "swaps within pairs"
STUDENT = "Student's t"
EITHER = " or "
"""Between the names of two tests, where each decides some of the differences."""

_BEYOND = 10  # swaps beyond the critical value, so that it does not depend on a single one
_FEWEST_SWAPS = 9_999
_CLEAR = 5  # times the level: a p-value above this needs no more swaps
_ROUNDING = 1e-12  # a standard error below this is only rounding
_DENSE = 30  # scores that differ from the commonest, or a third of all: with fewer, swaps exceed their level


def swaps_for(level: float) -> int:
    """Return the number of swaps for 10 beyond the critical value of a test at this level.

    >>> swaps_for(0.05), swaps_for(0.05 / 253), swaps_for(1e-9)
    (9999, 50599, 1000000)
    """
    wanted = math.ceil(_BEYOND / max(level, 1e-9) - 1e-9) - 1
    return min(max(_FEWEST_SWAPS, wanted), MOST_RESAMPLES)


def enough_swaps(level: float) -> str:
    """Say how many swaps can show a difference at this level, or that no number does.

    >>> enough_swaps(0.05), enough_swaps(1e-9)
    ('resamples=9999 is enough', 'use a larger alpha= or compare fewer models')
    """
    if level > 1 / (MOST_RESAMPLES + 1):
        return f"{option('resamples', swaps_for(level))} is enough"
    return f"use a larger {option('alpha')} or compare fewer models"


@dataclass(frozen=True)
class CorrelationTests:
    """Spearman's ρ of systems, and the test of the difference of any two.

    `influence` is each pair's on each ρ (systems × pairs), `sums` the same summed over groups of pairs, as if
    there were one pair in each. `swapped` has the differences that are tested by swaps; all others are
    compared with Student's t.
    """

    rhos: Doubles
    influence: Doubles
    sums: Doubles
    swapped: Mapping[tuple[int, int], SwappedDifference]

    @classmethod
    def of(
        cls,
        gold: Doubles,
        scores: Doubles,
        *,
        groups: Integers | None = None,
        level: float,
        swaps: int | None = None,
        rng: np.random.Generator,
        track: Track,
    ) -> "CorrelationTests":
        """Prepare the tests; two systems are swapped where neither has nearly all pairs in a tie."""
        rhos, influence = rho_influence(gold, scores)
        dense = [_is_dense(row) for row in scores]
        found = {}
        if groups is None and gold.size < SMALL and _is_dense(gold):
            two = [(i, j) for i, j in combinations(range(len(scores)), 2) if dense[i] and dense[j]]
            found = _swap(gold, scores, (rhos, influence), two, swaps or swaps_for(level), level, rng, track)
        units = np.arange(gold.size) if groups is None else groups
        count = int(units.max()) + 1
        sums = np.stack([np.bincount(units, row, count) for row in influence]) * (count / gold.size)
        return cls(rhos, influence, np.asarray(sums, np.float64), found)

    def difference(self, one: int, other: int) -> PairedDifference:
        """Return the difference of two systems."""
        if (one, other) in self.swapped:
            return self.swapped[one, other]
        estimate = float(self.rhos[one] - self.rhos[other])
        return student_difference(estimate, self.sums[one] - self.sums[other], largest=2.0)

    def own_interval(self, system: int, level: float) -> tuple[float, float]:
        """Return the interval of the ρ of one system."""
        error = student_difference(0.0, self.sums[system], largest=2.0)
        return fisher_interval(float(self.rhos[system]), error, level)


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
    """Compare Spearman's ρ of systems (rows of scores) by T = (ρ₁ − ρ₂)/s, with s from influence values.

    On fewer than 500 pairs, T is compared with its values after swapping the two systems within pairs, if
    both have many different scores; else with Student's t (`student_difference`). `groups` of dependent pairs
    count as one each, always with Student's t. Ranks vary over bootstrap resamples, the same for all systems.
    """
    tests = CorrelationTests.of(
        gold, scores, groups=groups, level=level, swaps=resamples, rng=rng, track=track
    )
    reasons = [nearly_constant(gold, "gold scores"), *(nearly_constant(row, "scores") for row in scores)]
    units = tests.sums.shape[1]
    drawn = min(resamples or RANK_DRAWS, RANK_DRAWS)
    with track(steps(units, drawn)) as advance:
        ranked = resample_spearman(gold, scores, resamples=drawn, rng=rng, groups=groups, advance=advance)
    by_t = len(tests.swapped) < math.comb(len(scores), 2)
    return Outcome(
        EITHER.join(name for name, used in ((SWAPS, tests.swapped), (STUDENT, by_t)) if used),
        tests.rhos,
        tests.influence / gold.size,
        ranked.resamples,
        tests.difference,
        swaps=max((one.swapped.size for one in tests.swapped.values()), default=None),
        interval=None if groups is None else tests.own_interval,
        untested="there is only 1 group of pairs" if units == 1 else None,
        no_interval=lambda one, other: reasons[0] or reasons[1 + one] or reasons[1 + other],
    )


def fisher_interval(rho: float, error: PairedDifference, level: float) -> tuple[float, float]:
    """Return the interval of a ρ with this standard error, symmetric on the scale of Fisher's z.

        tanh(atanh ρ ± t s / (1 − ρ²))

    Undefined, (NaN, NaN), for |ρ| = 1 and without a standard error.
    """
    if not error.deviation > 0 or abs(rho) > 1 - 1e-12:
        return math.nan, math.nan
    half = float(t.isf(level / 2, error.freedom)) * error.deviation / (1 - rho**2)
    centre = math.atanh(rho)
    return math.tanh(centre - half), math.tanh(centre + half)


def _is_dense(values: Doubles) -> bool:
    commonest = int(np.unique(values, return_counts=True)[1].max())
    return values.size - commonest >= min(_DENSE, values.size / 3)


def _swap(
    gold: Doubles,
    scores: Doubles,
    correlations: tuple[Doubles, Doubles],
    two: list[tuple[int, int]],
    wanted: int,
    level: float,
    rng: np.random.Generator,
    track: Track,
) -> dict[tuple[int, int], SwappedDifference]:
    """Test every two systems by the same swaps: all that are wanted where p may be below the level."""
    rhos, influence = correlations
    test = SwapTest.of(gold)
    first = min(wanted, _FEWEST_SWAPS)
    swaps, more = (draw_swaps(gold.size, count, rng) for count in (first, wanted - first))

    def decide(pair: tuple[int, int]) -> SwappedDifference:
        one, other = pair
        apart = influence[one] - influence[other]
        deviation = math.sqrt(float(np.square(apart).sum()) / (gold.size * (gold.size - 1)))
        difference = (float(rhos[one] - rhos[other]), deviation if deviation > _ROUNDING else 0.0)
        statistics = test.statistics(scores[one], scores[other], swaps)[:first]
        found = SwappedDifference(*difference, np.sort(statistics)[::-1])
        if wanted > first and found.p_value <= _CLEAR * level:
            further = test.statistics(scores[one], scores[other], more)[: wanted - first]
            found = SwappedDifference(*difference, np.sort(np.concatenate([statistics, further]))[::-1])
        advance(1)
        return found

    with track(len(two)) as advance, ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(two, pool.map(decide, two), strict=True))
