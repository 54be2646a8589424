"""The ten measures the slow, obvious way, on scipy: what the kernels are held against."""

import warnings
from collections.abc import Callable

import numpy as np
from scipy import stats

from medgauge.arrays import Floats


def cos(x: Floats, y: Floats) -> float:
    x, y = x.astype(np.float64), y.astype(np.float64)
    length = np.linalg.norm(x) * np.linalg.norm(y)
    return float(x @ y / length) if length > 0 else np.nan


def _correlation(function: Callable[..., object]) -> Callable[[Floats, Floats], float]:
    def correlate(x: Floats, y: Floats) -> float:
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            return np.nan
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.NearConstantInputWarning)
            return float(function(x.astype(np.float64), y.astype(np.float64)).statistic)  # type: ignore[attr-defined]

    return correlate


BASIC = {
    "cos": cos,
    "pearson": _correlation(stats.pearsonr),
    "spearman": _correlation(stats.spearmanr),
    "kendall": _correlation(stats.kendalltau),
}


def mean(rows: Floats) -> Floats:
    """Average in double and round to single, where the kernels decide what is a tie."""
    return rows.astype(np.float64).mean(axis=0).astype(np.float32)


def fuzzy_jaccard(x: Floats, y: Floats) -> float:
    """DynaMax-Jaccard as in Zhelezniak et al. (2019b), algorithm 1."""
    x, y = x.astype(np.float64), y.astype(np.float64)
    universe = np.vstack([x, y])
    mine = np.maximum((x @ universe.T).max(axis=0), 0)
    yours = np.maximum((y @ universe.T).max(axis=0), 0)
    union = np.maximum(mine, yours).sum()
    return float(np.minimum(mine, yours).sum() / union) if union > 0 else np.nan


def max_jaccard(x: Floats, y: Floats) -> float:
    mine = np.maximum(x.max(axis=0), 0).astype(np.float64)
    yours = np.maximum(y.max(axis=0), 0).astype(np.float64)
    union = np.maximum(mine, yours).sum()
    return float(np.minimum(mine, yours).sum() / union) if union > 0 else np.nan


def reference(measure: str, x: Floats, y: Floats) -> float:
    """Score two terms, each given as the rows of its words."""
    if measure == "fj":
        return fuzzy_jaccard(x, y)
    if measure == "mj":
        return max_jaccard(x, y)
    how, _, basic = measure.rpartition("_")
    if how == "pair":
        return float(np.mean([BASIC[basic](one, two) for one in x for two in y]))
    return BASIC[basic](mean(x), mean(y))
