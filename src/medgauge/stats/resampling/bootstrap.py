"""The bootstrap and the jackknife as weights: how often each pair counts, in many resamples at once."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Integers, Places

Weights = NDArray[np.float32] | NDArray[np.float64]

LANES = 16  # resamples computed together, in vector registers
_BATCH = 512  # resamples that share a generator, so that results do not depend on the number of threads
LEFT_OUT = 5_000  # blocks that the jackknife leaves out; beyond that it would take longer than the bootstrap
_EXACT_IN_SINGLE = 100_000  # pairs up to which a weight times a doubled rank is exact in single precision


@dataclass(frozen=True)
class Resampled:
    """Figures (columns): on all pairs, on each resample, and without each unit; NaN is undefined.

    All are computed by the same sums, so that equal values are bitwise equal.
    """

    whole: Doubles
    resamples: Doubles
    jackknife: Doubles

    def more(self, other: "Resampled") -> "Resampled":
        """Append further resamples of the same pairs."""
        return Resampled(self.whole, np.concatenate([self.resamples, other.resamples]), self.jackknife)


def unit_weights(pairs: int) -> Weights:
    """Return weights that count each pair once in every lane, for plain figures without resampling."""
    weights: Weights = np.ones((pairs, LANES), _weight_type(pairs))
    return weights


def _weight_type(pairs: int) -> Any:
    return np.float32 if pairs <= _EXACT_IN_SINGLE else np.float64


def steps(units: int, resamples: int, *, most_left_out: int = LEFT_OUT) -> int:
    """Count the steps of `resample`, for a progress bar."""
    return resamples + min(units, most_left_out)


def resample(
    compute: Callable[[Weights, Doubles], None],
    members: Integers,
    *,
    figures: int,
    resamples: int,
    rng: np.random.Generator,
    most_left_out: int = LEFT_OUT,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Resampled:
    """Compute figures on resamples of pairs, and without each unit.

    `members` has for each pair the number, from 0, of the unit that it is drawn with: itself, or a group. A
    resample draws as many units as there are, with replacement; the jackknife leaves out each unit once or,
    if there are more than `most_left_out`, that many blocks of neighbours. `compute(weights, rows)` fills one
    row for each of at most LANES resamples, where pair i counts `weights[i, lane]` times; several threads
    call it. `workers` is their number (None: one for each processor), and does not change the result.

    Reference: Efron and Tibshirani (1993). An Introduction to the Bootstrap, chapters 6 and 11.

    >>> def count(weights, rows):
    ...     rows[:, 0] = weights.sum(axis=0)[: len(rows)]
    >>> found = resample(count, np.arange(4), figures=1, resamples=2, rng=np.random.default_rng(0))
    >>> found.whole, found.resamples.tolist(), found.jackknife.tolist()
    (array([4.]), [[4.0], [4.0]], [[3.0], [3.0], [3.0], [3.0]])
    """
    members = np.asarray(members)
    count = int(members.max()) + 1
    kind = _weight_type(members.size)
    drawn = np.empty((resamples, figures))
    left_out = min(count, most_left_out)
    blocks = (members.astype(np.int64) * left_out // count).astype(np.int32)
    units = members.astype(np.int32)
    without = np.empty((left_out + 1, figures))  # the last row leaves out nothing
    # Drawing a narrow type is five times as fast.
    draw_type: Any = np.uint16 if count <= 2**16 else np.uint32

    def draw(first: int, own: np.random.Generator) -> None:
        for start in range(first, min(first + _BATCH, resamples), LANES):
            part = drawn[start : min(start + LANES, first + _BATCH)]
            draws = own.integers(0, count, size=(len(part), count), dtype=draw_type)
            weights = np.empty((members.size, LANES), kind)
            _weigh_draws(draws, units, weights)
            compute(weights, part)
            advance(len(part))

    def leave_out(first: int) -> None:
        weights = np.empty((members.size, LANES), kind)
        _weigh_without(first, blocks, weights)
        part = without[first : first + LANES]
        compute(weights, part)
        advance(min(len(part), left_out - first))

    firsts = range(0, resamples, _BATCH)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        list(pool.map(leave_out, range(0, left_out + 1, LANES)))
        list(pool.map(draw, firsts, rng.spawn(len(firsts))))
    return Resampled(without[-1], drawn, without[:-1])


@njit(cache=True, nogil=True)
def _weigh_draws(draws: NDArray[np.uint16], members: Places, weights: Weights) -> None:
    """Count how often each pair is in each row of draws; there are at most LANES rows."""
    counts = np.zeros((draws.shape[1], LANES))
    for lane in range(draws.shape[0]):
        for group in draws[lane]:
            counts[group, lane] += 1
    for pair in range(members.size):
        weights[pair] = counts[members[pair]]


@njit(cache=True, nogil=True)
def _weigh_without(start: int, members: Places, weights: Weights) -> None:
    """Set each weight to 1, and to 0 in the lane that leaves out its group; the first leaves out `start`."""
    for pair in range(members.size):
        for lane in range(LANES):
            weights[pair, lane] = members[pair] != start + lane
