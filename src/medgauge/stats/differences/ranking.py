"""Ranks of systems, and how certain they are."""

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Integers
from medgauge.estimate import CONFIDENCE


def ranks(figures: Doubles) -> Integers:
    """Rank figures along the last axis, 1 for the highest; equal ones share the best rank, NaN comes last.

    >>> ranks(np.array([0.5, 0.7, 0.5, np.nan]))
    array([2, 1, 2, 4])
    """
    known = np.where(np.isnan(figures), -np.inf, figures)
    return np.asarray(stats.rankdata(-known, method="min", axis=-1), np.int64)


def rank_interval(resampled: Doubles, *, confidence: float = CONFIDENCE) -> tuple[Integers, Integers]:
    """Return the percentile interval of each system's rank over resamples (resamples × systems).

    A rank is a whole number, so the ends are ranks that occurred: at least (1 + confidence)/2 of the
    resamples lie on the inner side of each. It shows how the rank varies; where several systems are nearly
    equal, it contains the true rank less often than `confidence`. A system that has no figure on a resample,
    because all its scores there are equal, ranks last on it; if no system has a figure on any, the interval
    covers all ranks.

    Reference: Hall and Miller (2009). Using the bootstrap to quantify the authority of an empirical ranking.
    Annals of Statistics 37:3929-3959.

    >>> low, high = rank_interval(np.array([[0.9, 0.5, 0.1], [0.9, 0.5, 0.6], [0.8, 0.5, 0.1]]))
    >>> low, high
    (array([1, 2, 2]), array([1, 3, 3]))
    """
    if np.isnan(resampled).all():
        systems = resampled.shape[1]
        return np.ones(systems, np.int64), np.full(systems, systems)
    tail = (1 - confidence) / 2
    low, high = np.quantile(ranks(resampled), [tail, 1 - tail], axis=0, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def draw_figures(figures: Doubles, covariance: Doubles, *, draws: int, rng: np.random.Generator) -> Doubles:
    """Draw figures (draws × systems) from the normal distribution with this covariance.

    Rounded to 9 decimals, so that equal systems stay equal. Undefined, NaN, where the covariance is.

    >>> draw_figures(np.array([0.5, 0.7]), np.zeros((2, 2)), draws=1, rng=np.random.default_rng(0))
    array([[0.5, 0.7]])
    """
    if not np.isfinite(covariance).all():
        return np.full((draws, len(figures)), np.nan)
    values, vectors = np.linalg.eigh(covariance)
    # A zero that is off by rounding would tell equal systems apart.
    values[values < 1e-12 * max(values[-1], 0.0)] = 0.0
    root = vectors * np.sqrt(values)
    drawn = figures + rng.standard_normal((draws, len(figures))) @ root.T
    return np.asarray(np.round(drawn, 9), np.float64)
