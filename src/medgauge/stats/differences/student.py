"""A difference tested by Student's t, with degrees of freedom from how many pairs its variance rests on."""

import math

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.differences.paired import NormalDifference

_ROUNDING = 1e-12  # contributions below this are only rounding
_FEWEST = 1e-3  # degrees of freedom: with fewer nothing is significant


def effective_count(parts: Doubles) -> float:
    """Return how many of these contributions matter for their sum of squares: M = (Σ ψ²)² / Σ ψ⁴.

    n for n contributions of the same size, n/3 for normal ones, and k where only k of them are not 0. NaN
    without any.

    >>> effective_count(np.array([1.0, -1.0, 1.0, 0.0, 0.0]))
    3.0
    """
    squares = np.square(parts)
    fourth = float(np.square(squares).sum())
    return float(squares.sum()) ** 2 / fourth if fourth > 0 else math.nan


def student_difference(estimate: float, parts: Doubles, *, largest: float = 1.0) -> NormalDifference:
    """Return a difference whose sampling error is the mean of independent contributions ψ of n units.

        s² = M/(M − 1) · Σ ψᵢ² / (n (n − 1)),    t = d/s with M − 1 degrees of freedom

    M is the `effective_count`: the variance of a sum that rests on a few units is itself estimated from a
    few. With M in place of n the test keeps its level where one of two systems gives nearly all pairs the
    same score; where every pair matters, s and t are hardly changed. A unit is a pair, or a group of pairs
    whose contributions are added up. The difference lies between −`largest` and `largest`.

    References: Hampel (1974), Journal of the American Statistical Association 69:383-393, for the variance
    from influence values; Satterthwaite (1946), Biometrics Bulletin 2:110-114, for degrees of freedom from
    how much a variance varies.

    >>> found = student_difference(0.2, np.array([0.6, -0.6, 0.6, -0.6]))
    >>> round(found.deviation, 4), found.freedom, round(found.p_value, 4)
    (0.4, 3.0, 0.6514)
    """
    units = parts.size
    if units < 2 or not np.abs(parts).max() > _ROUNDING:
        deviation = 0.0 if units > 1 and not np.isnan(parts).any() else math.nan
        return NormalDifference(estimate, deviation, units, largest=largest)
    count = effective_count(parts)
    freedom = max(count - 1, _FEWEST)
    variance = float(np.square(parts).sum()) / (units * (units - 1)) * (freedom + 1) / freedom
    return NormalDifference(estimate, math.sqrt(variance), units, freedom=freedom, largest=largest)
