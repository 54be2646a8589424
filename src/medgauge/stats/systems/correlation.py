"""Correlation: of a model's scores with the gold by rank, and of two columns of figures."""

import math
import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles
from medgauge.errors import UndefinedWarning

_ROUNDING = 1e-14  # differences from a constant, or from |r| = 1, that double precision cannot tell from none


def spearman(x: Doubles, y: Doubles) -> float:
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
    return _fisher_interval(rho, n, 1 + rho * rho / 2, confidence)


@dataclass(frozen=True)
class Pearson:
    """Pearson's r with its two-tailed p-value and its 95% interval; NaN is undefined."""

    r: float
    p: float
    low: float
    high: float


def pearson(x: Doubles, y: Doubles) -> Pearson:
    """Pearson's r, its p-value by Student's t and its 95% interval by Fisher's z.

        r = Σ (xᵢ − x̄)(yᵢ − ȳ) / √(Σ (xᵢ − x̄)² Σ (yᵢ − ȳ)²)
        p = 2 P(T > |r| √((n − 2) / (1 − r²))), with T of Student's t with n − 2 degrees of freedom
        tanh(atanh r ± z √(1 / (n − 3)))

    Parameters are two arrays of one length, of finite numbers. All is undefined, NaN with an
    UndefinedWarning, for n < 3 and when all values of one array are equal. For |r| = 1, p is 0 and there is
    no interval, (NaN, NaN), since it would claim certainty; nor is there one for n = 3. The p-value and the
    interval take the pairs as independent and the two variables as jointly normal.

    References: Student (1908). Probable error of a correlation coefficient. Biometrika 6:302-310. Fisher
    (1921). On the "probable error" of a coefficient of correlation deduced from a small sample. Metron
    1:3-32.

    >>> found = pearson(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 5.0]))
    >>> round(found.r, 4), round(found.p, 4), round(found.low, 4), round(found.high, 4)
    (0.8, 0.1041, -0.2796, 0.9862)
    """
    n = len(x)
    if n < 3 or _is_constant(x) or _is_constant(y):
        warnings.warn(
            "Pearson's r is undefined: fewer than three pairs, or all values of one side are equal",
            UndefinedWarning,
            stacklevel=2,
        )
        return Pearson(math.nan, math.nan, math.nan, math.nan)
    r = float(_centred(x) @ _centred(y))
    if 1 - abs(r) < _ROUNDING:
        return Pearson(math.copysign(1.0, r), 0.0, math.nan, math.nan)
    t = abs(r) * math.sqrt((n - 2) / ((1 - r) * (1 + r)))
    low, high = _fisher_interval(r, n, 1.0, 0.95)
    return Pearson(r, float(2 * stats.t.sf(t, n - 2)), low, high)


def _is_constant(x: Doubles) -> bool:
    largest = np.abs(x).max()
    return bool(largest == 0 or np.ptp(x / largest) < _ROUNDING)


def _centred(x: Doubles) -> Doubles:
    """Give the deviations from the mean as a vector of length 1, scaled first so that no square overflows."""
    scaled = x / np.abs(x).max()
    deviations: Doubles = scaled - scaled.mean()
    return deviations / np.linalg.norm(deviations)


def _fisher_interval(r: float, n: int, spread: float, confidence: float) -> tuple[float, float]:
    """Give tanh(atanh r ± z √(spread / (n − 3))), or NaNs where it is undefined or would claim certainty."""
    if n < 4 or math.isnan(r) or 1 - abs(r) < _ROUNDING:
        return math.nan, math.nan
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    half = z * math.sqrt(spread / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
