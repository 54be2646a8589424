"""Slow, plain references of the statistics of agreement, which know nothing of weights, lanes and kernels.

`ratings` is pairs × raters; NaN is not rated. What is undefined is NaN.
"""

import math
from collections import Counter
from itertools import permutations

import numpy as np
from scipy.stats import rankdata

from medgauge.stats.raters.compared import Compared, each_two, with_mean
from medgauge.stats.raters.reliability import Panel, packed, panels_of
from medgauge.stats.raters.variance.variance_components import CrossedRatings, variance_components
from tests.stats.systems.test_correlation import slow_spearman

RELIABILITY = ("kendall_w", "icc_1", "icc_k", "icc_c1", "icc_ck", "icc_a1", "icc_ak")
NAN = math.nan
_TINY = 1e-12


def alpha(ratings: np.ndarray, level: str) -> float:
    """Krippendorff's α by its definition: δ² over all ordered twos within pairs, and over all ratings."""
    pairs = [[value for value in row if not math.isnan(value)] for row in ratings.tolist()]
    pairs = [pair for pair in pairs if len(pair) > 1]
    counts = Counter(value for pair in pairs for value in pair)
    if len(counts) < 2:
        return NAN
    n = sum(counts.values())

    def apart(x: float, y: float) -> float:
        if level == "nominal":
            return float(x != y)
        if level == "interval":
            return (x - y) ** 2
        if level == "ratio":
            return ((x - y) / (x + y)) ** 2 if x + y else 0.0
        low, high = min(x, y), max(x, y)
        between = sum(count for value, count in counts.items() if low <= value <= high)
        return float((between - (counts[x] + counts[y]) / 2) ** 2)

    observed = sum(apart(x, y) / (len(pair) - 1) for pair in pairs for x, y in permutations(pair, 2))
    expected = sum(apart(x, y) * counts[x] * counts[y] for x in counts for y in counts)
    return 1 - (n - 1) * observed / expected


def kendall_w(ratings: np.ndarray) -> float:
    """Kendall's W of ratings without gaps, corrected for ties."""
    pairs, raters = ratings.shape
    sizes = [size for column in ratings.T for size in Counter(column.tolist()).values()]
    most = raters**2 * (pairs**3 - pairs) - raters * sum(size**3 - size for size in sizes)
    if pairs < 2 or raters < 2 or most == 0:
        return NAN
    sums = rankdata(ratings, axis=0).sum(axis=1)
    return float(12 * ((sums - sums.mean()) ** 2).sum() / most)


def intraclass_correlations(ratings: np.ndarray) -> list[float]:
    """The six forms of McGraw and Wong, in the order of RELIABILITY, by an analysis of variance."""
    pairs, raters = ratings.shape
    if pairs < 2 or raters < 2 or np.ptp(ratings) == 0:
        return [NAN] * 6
    of_pairs, of_raters, mean = ratings.mean(axis=1), ratings.mean(axis=0), ratings.mean()
    r = raters * ((of_pairs - mean) ** 2).sum() / (pairs - 1)
    c = pairs * ((of_raters - mean) ** 2).sum() / (raters - 1)
    w = ((ratings - of_pairs[:, None]) ** 2).sum() / (pairs * (raters - 1))
    left = ratings - of_pairs[:, None] - of_raters + mean
    e = (left**2).sum() / ((pairs - 1) * (raters - 1))

    def ratio(above: float, below: float) -> float:
        return float(above / below) if abs(below) > _TINY * (r + c + e) else NAN

    return [
        ratio(r - w, r + (raters - 1) * w),
        ratio(r - w, r),
        ratio(r - e, r + (raters - 1) * e),
        ratio(r - e, r),
        ratio(r - e, r + (raters - 1) * e + raters * (c - e) / pairs),
        ratio(r - e, r + (c - e) / pairs),
    ]


def reliability(panel: Panel) -> list[float]:
    """W and ICC of one panel, in the order of RELIABILITY."""
    return [kendall_w(panel.ratings), *intraclass_correlations(panel.ratings)]


def averaged(figures: list[list[float]], weights: list[int]) -> list[float]:
    """Average panels' figures with weights, each over the panels where it is defined."""
    means = []
    for column in range(len(RELIABILITY)):
        defined = [
            (row[column], weight)
            for row, weight in zip(figures, weights, strict=True)
            if not math.isnan(row[column])
        ]
        total = sum(weight for _, weight in defined)
        means.append(sum(value * weight for value, weight in defined) / total if total else NAN)
    return means


def mean(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else NAN


def rho(one: Compared, rows: list[int]) -> float:
    """ρ of a comparison on rows that are drawn, with plain ranks."""
    drawn = [place for row in rows for place in np.flatnonzero(one.rows == row)]
    own, others = one.own[drawn].tolist(), one.others[drawn].tolist()
    return slow_spearman(own, others) if len(set(own)) > 1 and len(set(others)) > 1 else NAN


def figures(ratings: np.ndarray, rows: list[int], level: str) -> dict[str, float]:
    """Every figure on rows as drawn; who is compared with whom is decided on all rows."""
    drawn = ratings[rows]
    found = {"alpha": alpha(drawn, level)}
    whole = packed(ratings)
    inside = [place for row in rows for place in np.flatnonzero(whole.rows == row)]
    of_packed = reliability(Panel(whole.rows[inside], whole.ratings[inside])) if inside else [NAN] * 7
    found |= {f"packed_{name}": value for name, value in zip(RELIABILITY, of_packed, strict=True)}
    of_panels, weights = [], []
    for panel in panels_of(ratings):
        places = [place for row in rows for place in np.flatnonzero(panel.rows == row)]
        if len(places) > 1:
            of_panels.append(reliability(Panel(panel.rows[places], panel.ratings[places])))
            weights.append(len(places))
    by_panel = averaged(of_panels, weights)
    found |= {f"panel_{name}": value for name, value in zip(RELIABILITY, by_panel, strict=True)}
    twos = each_two(ratings)
    rhos = [rho(one, rows) for one in twos]
    found["mean_rho"] = mean(rhos)
    found["iaa_1"] = mean(
        [
            mean([value for one, value in zip(twos, rhos, strict=True) if rater in (one.rater, one.other)])
            for rater in range(ratings.shape[1])
        ]
    )
    found["iaa_2"] = mean([rho(one, rows) for one in with_mean(ratings, own=False)])
    for name, own in (("human_upper_bound", True), ("human_upper_bound_excluding_self", False)):
        bounds = [rho(one, rows) for one in with_mean(ratings, own=own, fewest=10)]
        found[name] = max((value for value in bounds if not math.isnan(value)), default=NAN)
    found |= reliability_of_all(drawn)
    several = [row[~np.isnan(row)] for row in drawn if (~np.isnan(row)).sum() > 1]
    found["mean_sd"] = mean([float(np.std(row, ddof=1)) for row in several])
    return found


def restricted_deviance(ratings: np.ndarray, pair: float, rater: float, residual: float) -> float:
    """−2 ln of the restricted likelihood, up to a constant, with the whole covariance matrix."""
    pairs, raters = np.nonzero(~np.isnan(ratings))
    y = ratings[pairs, raters]
    together = (pairs[:, None] == pairs) * pair + (raters[:, None] == raters) * rater
    inverse = np.linalg.inv(together + residual * np.eye(y.size))
    ones = inverse.sum()
    left = y - inverse.sum(axis=0) @ y / ones
    return float(-np.linalg.slogdet(inverse)[1] + math.log(ones) + left @ inverse @ left)


def reliability_of_all(ratings: np.ndarray) -> dict[str, float]:
    """ICC(C,1), ICC(C,k), G(q,k) and the ceiling; components are checked by the likelihood."""
    names = ("icc_c1", "icc_ck", "g_qk", "ceiling")
    if CrossedRatings.of(ratings).why_undefined() is not None:
        return dict.fromkeys(names, NAN)
    counts = (~np.isnan(ratings)).sum(axis=1)
    rated = ~np.isnan(ratings[counts > 0])
    counts = counts[counts > 0]
    shared = rated.astype(float) @ rated.T / np.outer(counts, counts)
    n = len(counts)
    q = (1 / counts).mean() - (shared.sum() - np.trace(shared)) / (n * (n - 1))
    k = 1 / (1 / counts).mean()
    found = variance_components(CrossedRatings.of(ratings))
    g = found.pair / (found.pair + q * found.rater + found.residual / k)
    return {
        "icc_c1": found.pair / (found.pair + found.residual),
        "icc_ck": found.pair / (found.pair + found.residual / k),
        "g_qk": g,
        "ceiling": math.sqrt(g),
    }
