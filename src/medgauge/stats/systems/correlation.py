"""Correlation: Spearman's ρ of scores with the gold, Pearson's r of two columns of figures, and means."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.stats.systems.reasons import nearly_constant, too_few_pairs

_ROUNDING = 1e-14  # differences from a constant, or from |r| = 1, that may be only rounding
_TOO_FEW_MODELS = {
    0: "no model has both figures",
    1: "only 1 model has both figures",
    2: "only 2 models have both figures",
}


def spearman(
    x: Doubles,
    y: Doubles,
    *,
    confidence: float = CONFIDENCE,
    names: tuple[str, str] = ("gold scores", "scores"),
) -> Estimate:
    """Compute Spearman's ρ, corrected for ties (Pearson's r of average ranks), with Fisher's interval.

        ρ = Σ (R(xᵢ) − R̄)(R(yᵢ) − R̄) / √(Σ (R(xᵢ) − R̄)² Σ (R(yᵢ) − R̄)²)
        tanh(atanh ρ ± z √((1 + ρ²/2) / (n − 3)))

    `x` and `y` have the same length; a reason refers to their values by `names`. Undefined when there are
    fewer than three pairs (any two are in perfect order) or all values of one array are equal. There is no
    interval, and `no_interval` says why, where fewer than 5 values of one array differ from the commonest
    (`nearly_constant`), and for |ρ| = 1, where it would claim certainty. Pairs are assumed to be independent.

    References: Kendall (1955), Rank Correlation Methods, chapter 3. Bonett and Wright (2000). Sample size
    requirements for estimating Pearson, Kendall and Spearman correlations. Psychometrika 65:23-28.

    >>> found = spearman(np.arange(6.0), np.array([1.0, 3.0, 2.0, 5.0, 4.0, 6.0]))
    >>> round(found.value, 4), round(found.low, 4), round(found.high, 4)
    (0.8857, 0.0664, 0.9916)
    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.5, 0.5])).undefined
    'all 3 scores are equal'
    """
    n = len(x)
    undefined = too_few_pairs(n) or _equal(x, y, names, lambda side: bool(np.ptp(side) == 0))
    if undefined:
        return Estimate(confidence=confidence, n=n, undefined=undefined)
    rho = float(stats.spearmanr(x, y).statistic)
    no_interval = _no_interval(rho, x, y, names)
    if no_interval:
        return Estimate(rho, confidence=confidence, n=n, no_interval=no_interval)
    return Estimate(rho, *_fisher_interval(rho, n, 1 + rho * rho / 2, confidence), confidence, n)


@dataclass(frozen=True)
class Pearson:
    """Pearson's r with its two-tailed p-value, NaN where r is undefined."""

    r: Estimate
    p: float


def pearson(
    x: Doubles,
    y: Doubles,
    *,
    confidence: float = CONFIDENCE,
    names: tuple[str, str] = ("figures of x", "figures of y"),
) -> Pearson:
    """Compute Pearson's r of two columns of figures, a p-value by Student's t, an interval by Fisher's z.

        r = Σ (xᵢ − x̄)(yᵢ − ȳ) / √(Σ (xᵢ − x̄)² Σ (yᵢ − ȳ)²)
        p = 2 P(T > |r| √((n − 2) / (1 − r²))), with T of Student's t with n − 2 degrees of freedom
        tanh(atanh r ± z √(1 / (n − 3)))

    `x` and `y` have the same length and finite numbers; a reason refers to them by `names`. Undefined for
    n < 3 and when all values of one array are equal. For |r| = 1, p is 0 and there is no interval, since it
    would claim certainty; nor is there one for n = 3. The p-value and the interval assume that the models are
    independent and the two variables jointly normal.

    References: Student (1908). Probable error of a correlation coefficient. Biometrika 6:302-310. Fisher
    (1921). On the "probable error" of a coefficient of correlation deduced from a small sample. Metron
    1:3-32.

    >>> found = pearson(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 5.0]))
    >>> round(found.r.value, 4), round(found.p, 4), round(found.r.low, 4), round(found.r.high, 4)
    (0.8, 0.1041, -0.2796, 0.9862)
    """
    n = len(x)
    if undefined := _TOO_FEW_MODELS.get(n) or _equal(x, y, names, _is_constant):
        return Pearson(Estimate(confidence=confidence, n=n, undefined=undefined), math.nan)
    r = float(_centred(x) @ _centred(y))
    if 1 - abs(r) < _ROUNDING:
        return Pearson(Estimate(math.copysign(1.0, r), confidence=confidence, n=n), 0.0)
    t = abs(r) * math.sqrt((n - 2) / ((1 - r) * (1 + r)))
    found = Estimate(r, *_fisher_interval(r, n, 1.0, confidence), confidence, n)
    return Pearson(found, float(2 * stats.t.sf(t, n - 2)))


def critical_r(n: int, alpha: float = 0.05) -> float:
    """Return the least |r| over n models of which the p-value of `pearson` is below α.

        r = t / √(n − 2 + t²), with t the quantile 1 − α/2 of Student's t with n − 2 degrees of freedom

    Undefined, NaN, for n < 3.

    Reference: Student (1908). Probable error of a correlation coefficient. Biometrika 6:302-310.

    >>> round(critical_r(9), 3)
    0.666
    """
    if n < 3:
        return math.nan
    t = float(stats.t.ppf(1 - alpha / 2, n - 2))
    return t / math.sqrt(n - 2 + t * t)


def power_of_r(r: float, n: int, alpha: float = 0.05) -> float:
    """Return the share of samples of n models whose p-value is below α where the true correlation is r.

        Φ((ζ − c) √(n − 3)) + Φ((−ζ − c) √(n − 3)),   ζ = atanh r + r / (2 (n − 1)),   c = atanh r_α

    with r_α of `critical_r`: an approximation by Fisher's z, whose bias ζ includes. Undefined, NaN, for n < 4
    and for |r| = 1.

    References: Fisher (1921). On the "probable error" of a coefficient of correlation deduced from a small
    sample. Metron 1:3-32. Cohen (1988). Statistical power analysis for the behavioral sciences, chapter 3.

    >>> round(power_of_r(0.7, 9), 2), round(power_of_r(0.7, 14), 2)
    (0.6, 0.84)
    """
    if n < 4 or not abs(r) < 1:
        return math.nan
    zeta, critical = math.atanh(r) + r / (2 * (n - 1)), math.atanh(critical_r(n, alpha))
    return sum(float(stats.norm.cdf((one - critical) * math.sqrt(n - 3))) for one in (zeta, -zeta))


def mean_correlation(coefficients: Doubles) -> Estimate:
    """Average correlation coefficients by Fisher's z, each with the same weight.

        tanh((1/n) Σ atanh rᵢ)

    A plain mean of coefficients is biased towards 0, since their distribution is skewed; that of their z is
    nearly unbiased. There is no interval: the coefficients may share pairs and models, and what would vary is
    unknown. Undefined when there is no coefficient or one is NaN, and when one is 1 or −1: its z is infinite,
    and the mean would be ±1 whatever the others are.

    References: Fisher (1921). On the "probable error" of a coefficient of correlation deduced from a small
    sample. Metron 1:3-32. Silver and Dunlap (1987). Averaging correlation coefficients: should Fisher's z
    transformation be used? Journal of Applied Psychology 72:146-148.

    >>> round(mean_correlation(np.array([0.5, 0.8])).value, 4)
    0.6772
    >>> mean_correlation(np.array([0.5, 1.0])).undefined
    'a correlation of 1 or -1 has no finite z'
    """
    n, missing = len(coefficients), int(np.isnan(coefficients).sum())
    undefined = None
    if n == 0:
        undefined = "there is no correlation"
    elif missing:
        undefined = f"{missing} of {n} correlations {'is' if missing == 1 else 'are'} undefined"
    elif np.any(1 - np.abs(coefficients) < _ROUNDING):
        undefined = "a correlation of 1 or -1 has no finite z"
    if undefined:
        return Estimate(n=n, undefined=undefined)
    return Estimate(math.tanh(np.arctanh(coefficients).mean()), n=n)


def _equal(
    x: Doubles, y: Doubles, names: tuple[str, str], is_constant: Callable[[Doubles], bool]
) -> str | None:
    """Return the reason if one side is constant."""
    equal = (
        f"all {len(side)} {name} are equal"
        for side, name in zip((x, y), names, strict=True)
        if is_constant(side)
    )
    return next(equal, None)


def _no_interval(rho: float, x: Doubles, y: Doubles, names: tuple[str, str]) -> str | None:
    """Return the reason why Fisher's interval would claim more than is known."""
    few = (nearly_constant(side, name) for side, name in zip((x, y), names, strict=True))
    perfect = "the order is perfect" if rho > 0 else "the order is perfectly reversed"
    return next(filter(None, few), None) or (perfect if 1 - abs(rho) < _ROUNDING else None)


def _is_constant(x: Doubles) -> bool:
    largest = np.abs(x).max()
    return bool(largest == 0 or np.ptp(x / largest) < _ROUNDING)


def _centred(x: Doubles) -> Doubles:
    """Return the deviations from the mean with length 1, scaled first so that no square overflows."""
    scaled = x / np.abs(x).max()
    deviations: Doubles = scaled - scaled.mean()
    return deviations / np.linalg.norm(deviations)


def _fisher_interval(r: float, n: int, spread: float, confidence: float) -> tuple[float, float]:
    """Return tanh(atanh r ± z √(spread / (n − 3))), or NaNs where that would claim certainty."""
    if n < 4 or 1 - abs(r) < _ROUNDING:
        return math.nan, math.nan
    z = float(stats.norm.ppf(0.5 + confidence / 2))
    half = z * math.sqrt(spread / (n - 3))
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
