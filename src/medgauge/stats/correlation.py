"""Rank correlation between gold scores and a model's scores."""

import math
import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from medgauge.errors import UndefinedWarning

Floats = NDArray[np.float64]


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's ρ, corrected for ties: Pearson's r of the average ranks.

        ρ = Σ (R(xᵢ) − R̄)(R(yᵢ) − R̄) / √(Σ (R(xᵢ) − R̄)² Σ (R(yᵢ) − R̄)²)

    Parameters are two arrays of one length. Undefined, NaN with an UndefinedWarning, when there are fewer
    than two pairs or all values of one array are equal.

    Reference: Kendall (1955), Rank Correlation Methods, chapter 3.

    >>> round(spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 2.0])), 4)
    0.3162
    """
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        warnings.warn(
            "Spearman's ρ is undefined: fewer than two pairs, or all scores or all gold are equal",
            UndefinedWarning,
            stacklevel=2,
        )
        return math.nan
    return float(stats.spearmanr(x, y).statistic)


def spearman_interval(rho: float, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Confidence interval of Spearman's ρ by Fisher's z with the variance of Bonett and Wright.

        tanh(atanh ρ ± z √((1 + ρ²/2) / (n − 3)))

    Undefined, (NaN, NaN), for n < 4, for ρ NaN and for |ρ| = 1, where it would claim certainty. Pairs are
    taken as independent.

    Reference: Bonett and Wright (2000). Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations. Psychometrika 65:23-28.

    >>> tuple(round(end, 4) for end in spearman_interval(0.6, 100))
    (0.4438, 0.7208)
    """
    if n < 4 or math.isnan(rho) or abs(rho) >= 1.0:
        return math.nan, math.nan
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    half = z * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
