"""Two or more classifiers on the same pairs: tests and intervals for differences of accuracy and of AUC."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.estimate import CONFIDENCE
from medgauge.stats.systems.classification import proportion_interval

_FEW = 25  # discordant pairs below which the test is exact


@dataclass(frozen=True)
class AgreementTable:
    """How many pairs both classifiers get right, only the first, only the second, and neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def total(self) -> int:
        """The number of pairs."""
        return self.both + self.first + self.second + self.neither


def agreements(right: Flags) -> list[list[AgreementTable]]:
    """Count the agreement of every two rows of `right` (classifiers × pairs: whether each is right).

    >>> agreements(np.array([[1, 1, 0, 0], [1, 0, 1, 1]], bool))[0][1]
    AgreementTable(both=1, first=1, second=2, neither=0)
    """
    exact = right.astype(np.float64)  # whole numbers in double, so that a fast product counts
    both = (exact @ exact.T).astype(np.int64)
    own = np.diagonal(both)
    total = right.shape[1]
    return [
        [
            AgreementTable(
                int(both[i, j]),
                int(own[i] - both[i, j]),
                int(own[j] - both[i, j]),
                int(total - own[i] - own[j] + both[i, j]),
            )
            for j in range(len(right))
        ]
        for i in range(len(right))
    ]


def mcnemar(table: AgreementTable) -> float:
    """Compute the p-value of McNemar's test that two classifiers are right equally often.

    With b and c discordant pairs, exact when b + c < 25,

        p = min(1, 2 P(X ≤ min(b, c))),    X ~ Binomial(b + c, 1/2)

    else by χ² = max(|b − c| − 1, 0)² / (b + c) with one degree of freedom. 1 when b = c.

    References: McNemar (1947), Psychometrika 12:153-157; Edwards (1948), Psychometrika 13:185-187, for the
    continuity correction.

    >>> round(mcnemar(AgreementTable(both=59, first=6, second=16, neither=80)), 4)
    0.0525
    """
    b, c = table.first, table.second
    if b + c < _FEW:
        return float(min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5)))
    return float(stats.chi2.sf(max(abs(b - c) - 1, 0) ** 2 / (b + c), 1))


def accuracy_difference(table: AgreementTable, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Compute the interval of the difference of two accuracies on the same pairs (Newcombe's method 10).

    With the accuracies p₁ and p₂, their Wilson intervals (l₁, u₁) and (l₂, u₂), and φ,

        low  = p₁ − p₂ − √((p₁ − l₁)² − 2φ (p₁ − l₁)(u₂ − p₂) + (u₂ − p₂)²)
        high = p₁ − p₂ + √((p₂ − l₂)² − 2φ (p₂ − l₂)(u₁ − p₁) + (u₁ − p₁)²)

    φ = x / √((a + b)(c + d)(a + c)(b + d)) with x = ad − bc, less n/2 (but not below 0) where ad > bc; 0
    where a margin is 0. Undefined, (NaN, NaN), without pairs.

    Reference: Newcombe (1998). Improved confidence intervals for the difference between binomial proportions
    based on paired data. Statistics in Medicine 17:2635-2650.

    >>> ends = accuracy_difference(AgreementTable(both=36, first=12, second=2, neither=0))
    >>> tuple(round(end, 4) for end in ends)
    (0.0569, 0.3404)
    """
    n = table.total
    if n == 0:
        return math.nan, math.nan
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


def accuracy_parts(right: Flags | Doubles) -> Doubles:
    """Return what each pair contributes to the variation of each accuracy: (cᵢ − accuracy)/n.

    `right` has, for each classifier and pair, whether it is right, or how often.

    >>> accuracy_parts(np.array([[True, True, False, False]]))
    array([[ 0.125,  0.125, -0.125, -0.125]])
    """
    exact = right.astype(np.float64)
    return np.asarray((exact - exact.mean(axis=1, keepdims=True)) / right.shape[1], np.float64)


def clustered_covariance(parts: Doubles, groups: Integers) -> Doubles:
    """Compute the covariance of several means where pairs of one group depend on one another.

        K/(K − 1) Σ_k s_k s_kᵀ

    over the K groups, with s_k the sum of what the pairs of group k contribute to each figure (`parts`:
    figures × pairs; `groups`: a number from 0 for each pair). Undefined, NaN, with fewer than two groups.

    Reference: Obuchowski (1998), Statistics in Medicine 17:1495-1507.

    >>> clustered_covariance(np.array([[0.1, 0.1, -0.2]]), np.array([0, 0, 1]))
    array([[0.16]])
    """
    count = int(groups.max()) + 1 if groups.size else 0
    sums = _sums(parts, groups, count)
    return np.asarray(sums @ sums.T * _inflation(count), np.float64)


def clustered_auc_covariance(labels: Doubles, parts: Doubles, groups: Integers) -> Doubles:
    """Compute the covariance of several AUCs where pairs of one group depend on one another.

        I₁₀/(I₁₀ − 1) Σ p_k p_kᵀ + I₀₁/(I₀₁ − 1) Σ n_k n_kᵀ + I/(I − 1) Σ (p_k n_kᵀ + n_k p_kᵀ)

    with p_k and n_k the sums of the `auc_parts` of the positive and negative pairs of group k, I₁₀ groups
    with a positive pair, I₀₁ with a negative one and I in all. Undefined, NaN, where one of these is below 2.

    Reference: Obuchowski (1997). Nonparametric analysis of clustered ROC curve data. Biometrics 53:567-578.

    >>> labels, parts = np.array([1.0, 1, 0, 0]), np.array([[0.1, -0.1, 0.2, -0.2]])
    >>> clustered_auc_covariance(labels, parts, np.arange(4)).round(3)
    array([[0.2]])
    """
    count = int(groups.max()) + 1 if groups.size else 0
    positive, negative = (_sums(np.where(labels == label, parts, 0.0), groups, count) for label in (1, 0))
    with_positive, with_negative = (np.unique(groups[labels == label]).size for label in (1, 0))
    cross = positive @ negative.T
    return np.asarray(
        positive @ positive.T * _inflation(with_positive)
        + negative @ negative.T * _inflation(with_negative)
        + (cross + cross.T) * _inflation(count),
        np.float64,
    )


def _sums(parts: Doubles, groups: Integers, count: int) -> Doubles:
    return np.stack([np.bincount(groups, weights=row, minlength=count) for row in parts])


def _inflation(count: int) -> float:
    return count / (count - 1) if count > 1 else math.nan


@dataclass(frozen=True)
class NormalDifference:
    """A difference between −`largest` and `largest` with its standard deviation, assumed to be normal.

    Under the null hypothesis the deviation may be different, `null_deviation`. `freedom` selects Student's t
    instead of the normal distribution, for groups of pairs (units − 1) and wherever few pairs say how much
    the difference varies.
    """

    estimate: float
    deviation: float
    units: int
    null_deviation: float | None = None
    freedom: float = math.inf
    largest: float = 1.0

    @classmethod
    def of(
        cls,
        figures: Doubles,
        covariance: Doubles,
        first: int,
        second: int,
        *,
        units: int,
        null_deviation: float | None = None,
        freedom: float = math.inf,
    ) -> "NormalDifference":
        """Return the difference of two of several figures."""
        own = covariance[first, first] + covariance[second, second]
        variance = own - 2 * covariance[first, second]
        # The variance of equal systems may be only rounding.
        deviation = 0.0 if variance < 1e-14 * own else math.sqrt(variance)
        estimate = float(figures[first] - figures[second])
        return cls(estimate, deviation, units, null_deviation, freedom)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true value with probability `level`, cut at the largest.

        Undefined, (NaN, NaN), without a deviation, as it would claim certainty.
        """
        if self.deviation == 0 or math.isnan(self.deviation):
            return math.nan, math.nan
        half = float(stats.t.isf(level / 2, self.freedom)) * self.deviation
        return max(-self.largest, self.estimate - half), min(self.largest, self.estimate + half)

    @property
    def floored(self) -> bool:
        """Whether the p-value is the smallest of a sign test, for want of a deviation."""
        return self._null_deviation == 0 and self.estimate != 0

    @property
    def _null_deviation(self) -> float:
        return self.deviation if self.null_deviation is None else self.null_deviation

    @property
    def p_value(self) -> float:
        """The two-sided p-value: 2 (1 − Φ(|d| / s)), or by Student's t.

        Without a deviation: 1 if there is no difference, else the smallest p of a sign test, 2^(1 − units).

        >>> round(NormalDifference(0.196, 0.1, units=50).p_value, 2)
        0.05
        """
        deviation = self._null_deviation
        if deviation == 0:
            return 1.0 if self.estimate == 0 else min(1.0, 2.0 ** (1 - self.units))
        # The deviation under the null hypothesis replaces Student's t: it is conservative by itself.
        freedom = self.freedom if self.null_deviation is None else math.inf
        return float(2 * stats.t.sf(abs(self.estimate) / deviation, freedom))


def null_deviation(right: Flags, groups: Integers, first: int, second: int) -> float:
    """Compute the deviation of the difference of two accuracies in groups of pairs under the null hypothesis.

        √(K/(K − 1) Σ_k d_k²) / N

    with d_k the pairs of group k that only the first classifier gets right less those of only the second,
    and N pairs. Undefined, NaN, with fewer than two groups.

    References: Obuchowski (1998), Statistics in Medicine 17:1495-1507; Yang, Sun and Hardin (2010),
    Biometrical Journal 52, doi:10.1002/bimj.201000035.

    >>> right = np.array([[1, 1, 1, 0], [0, 0, 1, 1]], bool)
    >>> round(null_deviation(right, np.array([0, 0, 1, 1]), 0, 1), 4)
    0.7906
    """
    count = int(groups.max()) + 1
    apart = right[first].astype(np.float64) - right[second]
    sums = np.bincount(groups, weights=apart, minlength=count)
    return math.sqrt(_inflation(count) * float((sums**2).sum())) / int(right.shape[1])
