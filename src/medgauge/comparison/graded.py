"""Contests on graded sets: differences of Spearman's ρ."""

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from itertools import combinations

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.comparison.outcome import Outcome
from medgauge.errors import InputError, option
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.bootstrap import Resampled, steps
from medgauge.stats.resampling.resampled_spearman import resample_spearman

Track = Callable[[int], AbstractContextManager[Callable[[int], None]]]
"""Opens a progress bar with a number of steps."""

BEYOND = 20  # resamples beyond each end of an interval, so that it does not depend on a single one
_LARGEST = 200_000_000  # figures on resamples, which take 1.6 GB
_RESERVE = 1.1  # times the resamples that the present ends require
_MOST = 5  # times the resamples that the level requires, at most, where ends are pushed outwards


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
