"""Average ranks under weights, in lanes: the sums behind Spearman's ρ."""

import numpy as np
from numba import njit

from medgauge.arrays import Doubles, Flags, Places
from medgauge.stats.resampling.bootstrap import LANES, Weights


def sorted_rows(rows: Doubles) -> tuple[Places, Flags]:
    """Return, for each row, the order of its values and where a run of equal ones ends."""
    order = np.argsort(rows, axis=1, kind="stable")
    values = np.take_along_axis(rows, order, axis=1)
    ends = np.ones(rows.shape, np.bool_)
    ends[:, :-1] = values[:, 1:] != values[:, :-1]
    return order.astype(np.int32), ends


@njit(cache=True, nogil=True)
def rank_products(weights: Weights, products: Weights, order: Places, ends: Flags, squares: Doubles) -> None:
    """Compute each pair's weight times its doubled rank, and the sum of the squared ranks."""
    below, drawn, rank = np.zeros(LANES), np.zeros(LANES), np.empty(LANES)
    squares[:] = 0
    first = 0
    for place in range(order.size):
        pair = order[place]
        for lane in range(LANES):
            drawn[lane] += np.float64(weights[pair, lane])
        if ends[place]:
            for lane in range(LANES):
                rank[lane] = 2 * below[lane] + drawn[lane] + 1
                squares[lane] += drawn[lane] * rank[lane] * rank[lane]
                below[lane] += drawn[lane]
                drawn[lane] = 0
            for tied in range(first, place + 1):
                for lane in range(LANES):
                    products[order[tied], lane] = weights[order[tied], lane] * rank[lane]
            first = place + 1


@njit(cache=True, nogil=True)
def walk(
    weights: Weights,
    products: Weights,
    order: Places,
    ends: Flags,
    cross: Doubles,
    squares: Doubles,
    below: Doubles,
) -> None:
    """Sum, over values in order, rank times the other's rank (from `products`), and the squared ranks."""
    drawn, matched = np.zeros(LANES), np.zeros(LANES)
    cross[:] = 0
    squares[:] = 0
    below[:] = 0
    alone = True
    for place in range(order.size):
        pair = order[place]
        if alone and ends[place]:
            for lane in range(LANES):
                weight = np.float64(weights[pair, lane])
                rank = 2 * below[lane] + weight + 1
                cross[lane] += rank * np.float64(products[pair, lane])
                squares[lane] += weight * rank * rank
                below[lane] += weight
            continue
        for lane in range(LANES):
            drawn[lane] += np.float64(weights[pair, lane])
            matched[lane] += np.float64(products[pair, lane])
        alone = ends[place]
        if alone:
            for lane in range(LANES):
                rank = 2 * below[lane] + drawn[lane] + 1
                cross[lane] += rank * matched[lane]
                squares[lane] += drawn[lane] * rank * rank
                below[lane] += drawn[lane]
                drawn[lane] = 0
                matched[lane] = 0


@njit(cache=True, nogil=True)
def rho_of_sums(cross: float, squares: float, other_squares: float, total: float) -> float:
    """Return ρ from sums over doubled ranks; NaN where one side is all tied."""
    # The mean of N doubled ranks is N + 1.
    expected = total * (total + 1) * (total + 1)
    spread = (squares - expected) * (other_squares - expected)
    return min(1.0, max(-1.0, (cross - expected) / np.sqrt(spread))) if spread > 0 else np.nan
