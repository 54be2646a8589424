"""Two or more classifiers on the same pairs: tests and intervals for differences of accuracy and of AUC."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from medgauge.stats.classification import proportion_interval

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_FEW = 25  # discordant pairs under which the test is exact


@dataclass(frozen=True)
class Agreement:
    """How many of the same pairs two classifiers both get right, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def total(self) -> int:
        """The number of pairs."""
        return self.both + self.first + self.second + self.neither


def agreements(right: Flags) -> list[list[Agreement]]:
    """Count the agreement of every two rows of `right` (classifiers × pairs: whether each is right).

    >>> agreements(np.array([[1, 1, 0, 0], [1, 0, 1, 1]], bool))[0][1]
    Agreement(both=1, first=1, second=2, neither=0)
    """
    exact = right.astype(np.float64)  # whole numbers in double, so that a fast product counts
    both = (exact @ exact.T).astype(np.int64)
    own = np.diagonal(both)
    total = right.shape[1]
    return [
        [
            Agreement(
                int(both[i, j]),
                int(own[i] - both[i, j]),
                int(own[j] - both[i, j]),
                int(total - own[i] - own[j] + both[i, j]),
            )
            for j in range(len(right))
        ]
        for i in range(len(right))
    ]


def mcnemar(table: Agreement) -> float:
    """p-value of McNemar's test that two classifiers are right equally often.

    With b and c discordant pairs, exact when b + c < 25,

        p = min(1, 2 P(X ≤ min(b, c))),    X ~ Binomial(b + c, 1/2)

    else by χ² = max(|b − c| − 1, 0)² / (b + c) with one degree of freedom. 1 when b = c.

    References: McNemar (1947), Psychometrika 12:153-157; Edwards (1948), Psychometrika 13:185-187, for the
    continuity correction.

    >>> round(mcnemar(Agreement(both=59, first=6, second=16, neither=80)), 4)
    0.0525
    """
    b, c = table.first, table.second
    if b + c < _FEW:
        return float(min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5)))
    return float(stats.chi2.sf(max(abs(b - c) - 1, 0) ** 2 / (b + c), 1))


def accuracy_difference(table: Agreement, *, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of the difference of two accuracies on the same pairs, by Newcombe's method 10.

    With the accuracies p₁ and p₂, their Wilson intervals (l₁, u₁) and (l₂, u₂), and φ,

        low  = p₁ − p₂ − √((p₁ − l₁)² − 2φ (p₁ − l₁)(u₂ − p₂) + (u₂ − p₂)²)
        high = p₁ − p₂ + √((p₂ − l₂)² − 2φ (p₂ − l₂)(u₁ − p₁) + (u₁ − p₁)²)

    φ = x / √((a + b)(c + d)(a + c)(b + d)) with x = ad − bc, less n/2 (but not under 0) where ad > bc; 0
    where a margin is 0. (0, 0) where the classifiers agree on every pair; undefined, (NaN, NaN), without
    pairs.

    Reference: Newcombe (1998). Improved confidence intervals for the difference between binomial proportions
    based on paired data. Statistics in Medicine 17:2635-2650.

    >>> ends = accuracy_difference(Agreement(both=36, first=12, second=2, neither=0))
    >>> tuple(round(end, 4) for end in ends)
    (0.0569, 0.3404)
    """
    n = table.total
    if n == 0:
        return math.nan, math.nan
    if table.first == table.second == 0:
        return 0.0, 0.0
    ones, twos = table.both + table.first, table.both + table.second
    p1, p2 = ones / n, twos / n
    low1, high1 = proportion_interval(p1, n, confidence=confidence)
    low2, high2 = proportion_interval(p2, n, confidence=confidence)
    cross = table.both * table.neither - table.first * table.second
    corrected = max(cross - n / 2, 0.0) if cross > 0 else cross
    margins = ones * (n - ones) * twos * (n - twos)
    phi = corrected / math.sqrt(margins) if margins else 0.0

    def reach(down: float, up: float) -> float:
        return math.sqrt(max(down**2 - 2 * phi * down * up + up**2, 0.0))

    return p1 - p2 - reach(p1 - low1, high2 - p2), p1 - p2 + reach(p2 - low2, high1 - p1)


def accuracy_parts(right: Flags) -> Doubles:
    """Give what each pair contributes to the variation of each accuracy: (cᵢ − accuracy)/n.

    >>> accuracy_parts(np.array([[True, True, False, False]]))
    array([[ 0.125,  0.125, -0.125, -0.125]])
    """
    exact = right.astype(np.float64)
    return np.asarray((exact - exact.mean(axis=1, keepdims=True)) / right.shape[1], np.float64)


def clustered_covariance(parts: Doubles, groups: Integers) -> Doubles:
    """Covariance of several figures where pairs of one group depend on one another.

        K/(K − 1) Σ_k s_k s_kᵀ

    over the K groups, with s_k the sum of what the pairs of group k contribute to each figure (`parts`:
    figures × pairs; `groups`: a number from 0 for each pair). Undefined, NaN, with fewer than two groups.

    References: Obuchowski (1997), Biometrics 53:567-578, for the AUC; Obuchowski (1998), Statistics in
    Medicine 17:1495-1507, for paired proportions.

    >>> clustered_covariance(np.array([[0.1, 0.1, -0.2]]), np.array([0, 0, 1]))
    array([[0.16]])
    """
    count = int(groups.max()) + 1 if groups.size else 0
    if count < 2:
        return np.full((len(parts), len(parts)), np.nan)
    sums = np.stack([np.bincount(groups, weights=row, minlength=count) for row in parts])
    return np.asarray(sums @ sums.T * (count / (count - 1)), np.float64)


@dataclass(frozen=True)
class NormalDifference:
    """A difference of two figures whose covariance is known, taken as normal."""

    estimate: float
    deviation: float

    @classmethod
    def of(cls, figures: Doubles, covariance: Doubles, first: int, second: int) -> "NormalDifference":
        """Take two of several figures."""
        variance = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
        # What is left of equal systems after rounding is no variance.
        if variance < 1e-14 * (covariance[first, first] + covariance[second, second]):
            variance = 0.0
        return cls(float(figures[first] - figures[second]), math.sqrt(variance))

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval that misses the true value with probability `level`.

        (0, 0) for equal systems; undefined, (NaN, NaN), where no variance stands beside a difference.
        """
        if self.deviation == 0:
            return (0.0, 0.0) if self.estimate == 0 else (math.nan, math.nan)
        half = float(stats.norm.isf(level / 2)) * self.deviation
        return self.estimate - half, self.estimate + half

    @property
    def p_value(self) -> float:
        """Two-sided: 2 (1 − Φ(|d| / s)); 1 for equal systems, undefined where the interval is.

        >>> round(NormalDifference(0.196, 0.1).p_value, 2)
        0.05
        """
        if self.deviation == 0:
            return 1.0 if self.estimate == 0 else math.nan
        return float(2 * stats.norm.sf(abs(self.estimate) / self.deviation))
