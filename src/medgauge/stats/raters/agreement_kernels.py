"""Compiled sums for the figures of agreement, weighting each pair by its count in a resample, in lanes."""

import numpy as np
from numba import njit

from medgauge.arrays import Doubles, Flags, Places, Positions
from medgauge.stats.resampling.bootstrap import LANES, Weights
from medgauge.stats.resampling.weighted_ranks import rank_products, rho_of_sums, walk

_TINY = 1e-12  # a sum of squares below this share of the sums it is the difference of is rounding


@njit(cache=True, nogil=True)
def count_values(weights: Weights, rows: Places, starts: Places, codes: Places, totals: Doubles) -> None:
    """Count how often each value is drawn."""
    for place in range(rows.size):
        for code in codes[starts[place] : starts[place + 1]]:
            for lane in range(LANES):
                totals[code, lane] += weights[rows[place], lane]


@njit(cache=True, nogil=True)
def add_disagreements(weights: Weights, rows: Places, disagreements: Doubles, observed: Doubles) -> None:
    """Sum the disagreement within pairs."""
    for place in range(rows.size):
        for lane in range(LANES):
            observed[lane] += weights[rows[place], lane] * disagreements[place]


@njit(cache=True, nogil=True)
def add_ratios(totals: Doubles, values: Doubles, expected: Doubles) -> None:
    """Sum δ² of ratios between all ratings, `totals` of each value; no table, as there may be thousands."""
    for one in range(values.size):
        for other in range(one):
            total = values[one] + values[other]
            square = 2 * ((values[one] - values[other]) / total) ** 2 if total else 0.0
            for lane in range(LANES):
                expected[lane] += totals[one, lane] * totals[other, lane] * square


@njit(cache=True, nogil=True)
def spread_on(
    line: Doubles,
    weights: Weights,
    rows: Places,
    starts: Places,
    codes: Places,
    totals: Doubles,
    observed: Doubles,
    expected: Doubles,
) -> None:
    """Sum (f − g)² within pairs and between all ratings, where each value has a place on a line."""
    n, middle = np.zeros(LANES), np.zeros(LANES)
    for code in range(totals.shape[0]):
        for lane in range(LANES):
            n[lane] += totals[code, lane]
            middle[lane] += totals[code, lane] * line[code, lane]
    for lane in range(LANES):
        middle[lane] = middle[lane] / n[lane] if n[lane] else 0.0
    for code in range(totals.shape[0]):
        for lane in range(LANES):
            expected[lane] += 2 * n[lane] * totals[code, lane] * (line[code, lane] - middle[lane]) ** 2
    first, second = np.empty(LANES), np.empty(LANES)
    for place in range(rows.size):
        given = codes[starts[place] : starts[place + 1]]
        first[:] = 0
        second[:] = 0
        for code in given:
            for lane in range(LANES):
                from_middle = line[code, lane] - middle[lane]
                first[lane] += from_middle
                second[lane] += from_middle * from_middle
        for lane in range(LANES):
            apart = 2 * (given.size * second[lane] - first[lane] * first[lane]) / (given.size - 1)
            observed[lane] += weights[rows[place], lane] * apart


@njit(cache=True, nogil=True)
def add_panel(
    weights: Weights,
    rows: Places,
    ratings: Doubles,
    orders: Places,
    ends: Flags,
    sums: Doubles,
    counted: Doubles,
) -> None:
    """Add a panel's W and ICC times its pairs, and its pairs, in each lane where they are defined."""
    pairs, raters = ratings.shape
    n, of_pairs, of_squares, within = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    of_raters = np.zeros((raters, LANES))
    for place in range(pairs):
        mean, apart = 0.0, 0.0
        for rater in range(raters):
            mean += ratings[place, rater] / raters
        for rater in range(raters):
            apart += (ratings[place, rater] - mean) ** 2
        for lane in range(LANES):
            weight = np.float64(weights[rows[place], lane])
            n[lane] += weight
            of_pairs[lane] += weight * mean
            of_squares[lane] += weight * mean * mean
            within[lane] += weight * apart
        for rater in range(raters):
            for lane in range(LANES):
                of_raters[rater, lane] += weights[rows[place], lane] * ratings[place, rater]
    concordance = np.empty(LANES)
    _concord(weights, rows, orders, ends, n, concordance)
    for lane in range(LANES):
        if n[lane] < 2 or raters < 2:
            continue
        between = 0.0
        for rater in range(raters):
            between += (of_raters[rater, lane] / n[lane] - of_pairs[lane] / n[lane]) ** 2
        between *= n[lane]
        spread = raters * (of_squares[lane] - of_pairs[lane] ** 2 / n[lane])
        left = within[lane] - between
        most = raters * of_squares[lane] + within[lane]
        r = spread / (n[lane] - 1) if spread > _TINY * most else 0.0
        e = left / ((n[lane] - 1) * (raters - 1)) if left > _TINY * most else 0.0
        c = between / (raters - 1) if between > _TINY * most else 0.0
        w = within[lane] / (n[lane] * (raters - 1)) if within[lane] > _TINY * most else 0.0
        least = _TINY * (r + c + e)
        _add(sums, counted, lane, 0, n[lane], concordance[lane], 1.0, 0.0)
        _add(sums, counted, lane, 1, n[lane], r - w, r + (raters - 1) * w, least)
        _add(sums, counted, lane, 2, n[lane], r - w, r, least)
        _add(sums, counted, lane, 3, n[lane], r - e, r + (raters - 1) * e, least)
        _add(sums, counted, lane, 4, n[lane], r - e, r, least)
        _add(sums, counted, lane, 5, n[lane], r - e, r + (raters - 1) * e + raters * (c - e) / n[lane], least)
        _add(sums, counted, lane, 6, n[lane], r - e, r + (c - e) / n[lane], least)


@njit(cache=True, nogil=True)
def _add(
    sums: Doubles,
    counted: Doubles,
    lane: int,
    figure: int,
    weight: float,
    above: float,
    below: float,
    least: float,
) -> None:
    """Add a ratio with a weight, unless it is undefined because the denominator is only rounding."""
    if abs(below) > least and not np.isnan(above):
        sums[lane, figure] += weight * above / below
        counted[lane, figure] += weight


@njit(cache=True, nogil=True)
def _concord(
    weights: Weights, rows: Places, orders: Places, ends: Flags, n: Doubles, concordance: Doubles
) -> None:
    """Compute Kendall's W with doubled ranks; NaN where every rater's ratings are all tied."""
    raters, pairs = orders.shape
    ranks, ties = np.zeros((pairs, LANES)), np.zeros(LANES)
    for rater in range(raters):
        below, drawn = np.zeros(LANES), np.zeros(LANES)
        first = 0
        for place in range(pairs):
            for lane in range(LANES):
                drawn[lane] += weights[rows[orders[rater, place]], lane]
            if ends[rater, place]:
                for tied in range(first, place + 1):
                    for lane in range(LANES):
                        ranks[orders[rater, tied], lane] += 2 * below[lane] + drawn[lane] + 1
                for lane in range(LANES):
                    ties[lane] += drawn[lane] ** 3 - drawn[lane]
                    below[lane] += drawn[lane]
                    drawn[lane] = 0
                first = place + 1
    squares = np.zeros(LANES)
    for place in range(pairs):
        for lane in range(LANES):
            squares[lane] += weights[rows[place], lane] * (ranks[place, lane] - raters * (n[lane] + 1)) ** 2
    for lane in range(LANES):
        most = raters**2 * (n[lane] ** 3 - n[lane]) - raters * ties[lane]
        concordance[lane] = 3 * squares[lane] / most if most > 0 else np.nan


@njit(cache=True, nogil=True)
def correlate_each(
    weights: Weights,
    products: Weights,
    sizes: Places,
    own_starts: Positions,
    own_orders: Places,
    own_ends: Flags,
    others_starts: Positions,
    others_orders: Places,
    others_ends: Flags,
    rhos: Doubles,
) -> None:
    """Compute ρ of each comparison under each lane's weights, with doubled ranks; `products` is scratch."""
    own_squares = np.empty(LANES)
    cross, squares, total = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for one in range(sizes.size):
        start, end = own_starts[one], own_starts[one] + sizes[one]
        rank_products(weights, products, own_orders[start:end], own_ends[start:end], own_squares)
        start, end = others_starts[one], others_starts[one] + sizes[one]
        walk(weights, products, others_orders[start:end], others_ends[start:end], cross, squares, total)
        for lane in range(LANES):
            rhos[one, lane] = rho_of_sums(cross[lane], own_squares[lane], squares[lane], total[lane])


@njit(cache=True, nogil=True)
def weighted_mean(weights: Weights, rows: Places, values: Doubles, means: Doubles) -> None:
    """Average values of pairs."""
    total, sums = np.zeros(LANES), np.zeros(LANES)
    for place in range(rows.size):
        for lane in range(LANES):
            total[lane] += weights[rows[place], lane]
            sums[lane] += weights[rows[place], lane] * values[place]
    for lane in range(LANES):
        means[lane] = sums[lane] / total[lane] if total[lane] > 0 else np.nan
