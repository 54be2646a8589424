"""Spearman's ρ of several systems on resamples of the same pairs, and on the pairs without each one."""

from collections.abc import Callable

import numpy as np
from numba import njit

from medgauge.arrays import Doubles, Flags, Integers, Places
from medgauge.stats.resampling.bootstrap import LANES, Resampled, Weights, resample
from medgauge.stats.resampling.weighted_ranks import rank_products, rho_of_sums, sorted_rows, walk


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
    if there are more than 5,000, it leaves out 5,000 blocks of neighbours.

    Values are sorted once for each system. On a resample, where pair i was drawn wᵢ times, one walk in that
    order gives the average ranks: a run of equal values that was drawn g times after c smaller ones has rank
    c + (g + 1)/2. Doubled ranks are whole numbers, so sums are exact in double precision up to 100,000
    pairs, in any order. `workers` is the number of threads (None: one for each processor), and does not
    change the result.

    Reference: Efron and Tibshirani (1993). An Introduction to the Bootstrap, chapters 6 and 11.

    >>> gold, scores = np.array([1.0, 2, 3, 4]), np.array([[1.0, 2, 3, 4], [4.0, 3, 2, 1]])
    >>> found = resample_spearman(gold, scores, resamples=3, rng=np.random.default_rng(0))
    >>> found.resamples
    array([[ 1., -1.],
           [ 1., -1.],
           [ 1., -1.]])
    """
    sorted_gold = sorted_rows(gold[None, :])
    sorted_scores = sorted_rows(scores)

    def compute(weights: Weights, rows: Doubles) -> None:
        _correlate(weights, np.empty_like(weights), *sorted_gold, *sorted_scores, rows)

    return resample(
        compute,
        np.arange(gold.size) if groups is None else groups,
        figures=len(scores),
        resamples=resamples,
        rng=rng,
        workers=workers,
        advance=advance,
    )


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
    gold_squares = np.empty(LANES)
    cross, squares, total = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    rank_products(weights, products, gold_order[0], gold_ends[0], gold_squares)
    for system in range(orders.shape[0]):
        walk(weights, products, orders[system], ends[system], cross, squares, total)
        for lane in range(rhos.shape[0]):
            rhos[lane, system] = rho_of_sums(cross[lane], gold_squares[lane], squares[lane], total[lane])
