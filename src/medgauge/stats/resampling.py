"""Spearman's ρ of several systems on resamples of the same pairs, and on the pairs without each one."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]
Places = NDArray[np.int32]
Flags = NDArray[np.bool_]
Weights = NDArray[np.float32] | NDArray[np.float64]

_LANES = 16  # resamples that are walked through together, in vector registers
_BATCH = 512  # resamples that share a generator, so that the number of threads changes no digit
_LEFT_OUT = 5_000  # blocks that the jackknife leaves out; beyond that it would take longer than the bootstrap
_EXACT_IN_SINGLE = 100_000  # up to so many pairs a weight times a doubled rank is a whole single


@dataclass(frozen=True)
class Resampled:
    """ρ of each system (column): on all pairs, on each resample, and without each unit; NaN is undefined.

    All by the same sums, so that what is equal is equal to the bit.
    """

    whole: Doubles
    resamples: Doubles
    jackknife: Doubles

    def more(self, other: "Resampled") -> "Resampled":
        """Join the resamples of the same pairs."""
        return Resampled(self.whole, np.concatenate([self.resamples, other.resamples]), self.jackknife)


def resample_spearman(
    gold: Doubles,
    scores: Doubles,
    *,
    resamples: int,
    rng: np.random.Generator,
    groups: Integers | None = None,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Resampled:
    """Compute Spearman's ρ between `gold` (n) and each row of `scores` (systems × n) on the same resamples.

    A resample draws n of the n pairs with replacement; with `groups` (a number from 0 for each pair) it draws
    whole groups, as many as there are. The jackknife leaves out each pair, or each group, once;
    of more than 5,000 it leaves out as many blocks of neighbours.

    Values are sorted once for each system. On a resample, where pair i was drawn wᵢ times, one walk in that
    order gives the average ranks: a run of equal values that was drawn g times after c smaller ones has rank
    c + (g + 1)/2. Doubled ranks are whole numbers, so sums are exact in double up to 100,000 pairs, whatever
    their order. `workers` is the number of threads (None: one for each processor), and changes no digit.

    Reference: Efron and Tibshirani (1993). An Introduction to the Bootstrap, chapters 6 and 11.

    >>> gold, scores = np.array([1.0, 2, 3, 4]), np.array([[1.0, 2, 3, 4], [4.0, 3, 2, 1]])
    >>> found = resample_spearman(gold, scores, resamples=3, rng=np.random.default_rng(0))
    >>> found.resamples
    array([[ 1., -1.],
           [ 1., -1.],
           [ 1., -1.]])
    """
    members = np.arange(gold.size) if groups is None else np.asarray(groups)
    members = members.astype(np.int32)
    count = int(members.max()) + 1
    sorted_gold = _sorted(gold[None, :])
    sorted_scores = _sorted(scores)
    kind: Any = np.float32 if gold.size <= _EXACT_IN_SINGLE else np.float64
    drawn = np.empty((resamples, len(scores)))
    left_out = min(count, _LEFT_OUT)
    blocks = (members.astype(np.int64) * left_out // count).astype(np.int32)
    without = np.empty((left_out + 1, len(scores)))  # the last row is without nothing
    # A narrow type is drawn five times as fast.
    draw_type: Any = np.uint16 if count <= 2**16 else np.uint32

    def empty() -> Weights:
        return np.empty((gold.size, _LANES), kind)

    def draw(first: int, own: np.random.Generator) -> None:
        for start in range(first, min(first + _BATCH, resamples), _LANES):
            part = drawn[start : min(start + _LANES, first + _BATCH)]
            draws = own.integers(0, count, size=(len(part), count), dtype=draw_type)
            weights = empty()
            _weigh_draws(draws, members, weights)
            _correlate(weights, empty(), *sorted_gold, *sorted_scores, part)
            advance(len(part))

    def leave_out(first: int) -> None:
        part = without[first : first + _LANES]
        weights = empty()
        _weigh_without(first, blocks, weights)
        _correlate(weights, empty(), *sorted_gold, *sorted_scores, part)

    firsts = range(0, resamples, _BATCH)
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        list(pool.map(leave_out, range(0, left_out + 1, _LANES)))
        list(pool.map(draw, firsts, rng.spawn(len(firsts))))
    return Resampled(without[-1], drawn, without[:-1])


def _sorted(rows: Doubles) -> tuple[Places, Flags]:
    """Give for each row the order of its values, and where a run of equal ones ends."""
    order = np.argsort(rows, axis=1, kind="stable")
    values = np.take_along_axis(rows, order, axis=1)
    ends = np.ones(rows.shape, np.bool_)
    ends[:, :-1] = values[:, 1:] != values[:, :-1]
    return order.astype(np.int32), ends


@njit(cache=True, nogil=True)
def _weigh_draws(draws: NDArray[np.uint16], members: Places, weights: Weights) -> None:
    """Count how often each pair is in each row of draws, of which there are no more than lanes."""
    counts = np.zeros((draws.shape[1], _LANES))
    for lane in range(draws.shape[0]):
        for group in draws[lane]:
            counts[group, lane] += 1
    for pair in range(members.size):
        weights[pair] = counts[members[pair]]


@njit(cache=True, nogil=True)
def _weigh_without(start: int, members: Places, weights: Weights) -> None:
    """Give each pair weight 1, and 0 in the lane that leaves out its group; the first leaves out `start`."""
    for pair in range(members.size):
        for lane in range(_LANES):
            weights[pair, lane] = members[pair] != start + lane


@njit(cache=True, nogil=True)
def _correlate(
    weights: Weights,
    products: Weights,
    gold_order: Places,
    gold_ends: Flags,
    orders: Places,
    ends: Flags,
    rhos: Doubles,
) -> None:
    """Compute ρ of every system under each lane's weights, with doubled ranks; `products` is scratch."""
    gold_squares = np.empty(_LANES)
    cross, squares, total = np.empty(_LANES), np.empty(_LANES), np.empty(_LANES)
    _rank_gold(weights, products, gold_order[0], gold_ends[0], gold_squares)
    for system in range(orders.shape[0]):
        _walk(weights, products, orders[system], ends[system], cross, squares, total)
        for lane in range(rhos.shape[0]):
            # The mean of N doubled ranks is N + 1.
            expected = total[lane] * (total[lane] + 1) * (total[lane] + 1)
            spread = (gold_squares[lane] - expected) * (squares[lane] - expected)
            rhos[lane, system] = (cross[lane] - expected) / np.sqrt(spread) if spread > 0 else np.nan


@njit(cache=True, nogil=True)
def _rank_gold(weights: Weights, products: Weights, order: Places, ends: Flags, squares: Doubles) -> None:
    """Give each pair's weight times its doubled gold rank, and the sum of the squared ranks."""
    below, drawn, rank = np.zeros(_LANES), np.zeros(_LANES), np.empty(_LANES)
    squares[:] = 0
    first = 0
    for place in range(order.size):
        pair = order[place]
        for lane in range(_LANES):
            drawn[lane] += np.float64(weights[pair, lane])
        if ends[place]:
            for lane in range(_LANES):
                rank[lane] = 2 * below[lane] + drawn[lane] + 1
                squares[lane] += drawn[lane] * rank[lane] * rank[lane]
                below[lane] += drawn[lane]
                drawn[lane] = 0
            for tied in range(first, place + 1):
                for lane in range(_LANES):
                    products[order[tied], lane] = weights[order[tied], lane] * rank[lane]
            first = place + 1


@njit(cache=True, nogil=True)
def _walk(
    weights: Weights,
    products: Weights,
    order: Places,
    ends: Flags,
    cross: Doubles,
    squares: Doubles,
    below: Doubles,
) -> None:
    """Sum, over a system's values in order, rank times gold rank and the squared ranks."""
    drawn, matched = np.zeros(_LANES), np.zeros(_LANES)
    cross[:] = 0
    squares[:] = 0
    below[:] = 0
    alone = True
    for place in range(order.size):
        pair = order[place]
        if alone and ends[place]:
            for lane in range(_LANES):
                weight = np.float64(weights[pair, lane])
                rank = 2 * below[lane] + weight + 1
                cross[lane] += rank * np.float64(products[pair, lane])
                squares[lane] += weight * rank * rank
                below[lane] += weight
            continue
        for lane in range(_LANES):
            drawn[lane] += np.float64(weights[pair, lane])
            matched[lane] += np.float64(products[pair, lane])
        alone = ends[place]
        if alone:
            for lane in range(_LANES):
                rank = 2 * below[lane] + drawn[lane] + 1
                cross[lane] += rank * matched[lane]
                squares[lane] += drawn[lane] * rank * rank
                below[lane] += drawn[lane]
                drawn[lane] = 0
                matched[lane] = 0
