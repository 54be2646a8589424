"""Whether figures on subsets, which have no pair in common, differ from one another."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles
from medgauge.stats.differences.rank_influence import rho_influence
from medgauge.stats.systems.reasons import nearly_constant, too_few_of_a_label
from medgauge.stats.systems.roc import auc_covariance, auc_freedom, auc_parts

TestScale = Literal["fisher", "logit", "plain"]
"""The scale on which figures are tested: that of ρ, of the AUC, and of differences."""

FEWEST = 10
"""The fewest pairs of a subset whose figure is tested; of a labelled set, half as many of each label."""

_BACK: dict[TestScale, Callable[[float], float]] = {
    "fisher": math.tanh,
    "logit": lambda x: 1 / (1 + math.exp(-x)),
    "plain": lambda x: x,
}


@dataclass(frozen=True)
class SubsetEstimate:
    """A figure on a subset, or the difference of two: on its scale, with its variance there."""

    value: float
    scaled: float
    variance: float
    freedom: float
    scale: TestScale

    def interval(self, confidence: float) -> tuple[float, float]:
        """Return the interval of the figure, by Student's t on its scale."""
        half = float(stats.t.ppf(0.5 + confidence / 2, self.freedom)) * math.sqrt(self.variance)
        return _BACK[self.scale](self.scaled - half), _BACK[self.scale](self.scaled + half)


def untestable(gold: Doubles, scores: Doubles, *, labelled: bool) -> str | None:
    """Return why the figures of systems (rows of scores) on a subset cannot be tested, or None."""
    if gold.size < FEWEST:
        return f"fewer than {FEWEST} pairs"
    if labelled:
        return too_few_of_a_label(gold, fewest=FEWEST // 2)
    reasons = (
        nearly_constant(values, what)
        for values, what in ((gold, "gold scores"), *((row, "scores") for row in scores))
    )
    return next((reason for reason in reasons if reason is not None), None)


def subset_estimates(
    gold: Doubles, scores: Doubles, *, labelled: bool
) -> tuple[list[SubsetEstimate], list[list[SubsetEstimate]]]:
    """Estimate the figure of each system (rows of scores) on a subset, and the advantage of each over each.

    Spearman's ρ on the scale of Fisher's z, atanh ρ, with the variance of its influence values divided by
    (1 − ρ²)²; the AUC a on that of the logit, with DeLong's variance divided by (a (1 − a))²; differences of
    two figures as they are, with the variance of the differences of what each pair contributes. A figure at
    the end of its range, or without variance, has the variance NaN.

    >>> gold = np.arange(12.0)
    >>> [found], _ = subset_estimates(gold, np.roll(gold, 1)[None, :], labelled=False)
    >>> round(found.value, 3), round(found.scaled, 3)
    (0.538, 0.602)
    """
    if labelled:
        found = [auc_parts(gold, row) for row in scores]
        figures, parts = np.array([area for area, _ in found]), np.array([part for _, part in found])
        covariance = auc_covariance(gold, parts)
        singles = [
            _at_scale(*one, "logit")
            for one in zip(
                figures, np.diagonal(covariance), [auc_freedom(gold, part) for part in parts], strict=True
            )
        ]
    else:
        figures, influence = rho_influence(gold, scores)
        parts = influence / gold.size
        covariance = parts @ parts.T * (gold.size / (gold.size - 1))
        singles = [
            _at_scale(*one, gold.size - 1, "fisher")
            for one in zip(figures, np.diagonal(covariance), strict=True)
        ]
    advantages = [
        [
            SubsetEstimate(
                float(figures[one] - figures[two]),
                float(figures[one] - figures[two]),
                _spread(covariance, one, two),
                auc_freedom(gold, parts[one] - parts[two]) if labelled else gold.size - 1,
                "plain",
            )
            for two in range(len(scores))
        ]
        for one in range(len(scores))
    ]
    return singles, advantages


def _at_scale(value: float, variance: float, freedom: float, scale: TestScale) -> SubsetEstimate:
    value, variance = float(value), float(variance)
    if scale == "fisher":
        slope, scaled = 1 - value**2, math.atanh(value) if abs(value) < 1 else math.nan
    else:
        slope, scaled = value * (1 - value), math.log(value / (1 - value)) if 0 < value < 1 else math.nan
    usable = variance > 0 and slope > 0
    return SubsetEstimate(value, scaled, variance / slope**2 if usable else math.nan, freedom, scale)


def _spread(covariance: Doubles, one: int, two: int) -> float:
    own = covariance[one, one] + covariance[two, two]
    variance = float(own - 2 * covariance[one, two])
    return variance if variance > 1e-14 * own else math.nan  # the variance of equal systems may be rounding


def equality_test(estimates: Sequence[SubsetEstimate]) -> float:
    """Compute the p-value of the test that independent estimates are all equal, by Welch's F.

    With the estimates θᵢ on their scale, weights wᵢ = 1/variance, W = Σ wᵢ, and Cochran's
    Q = Σ wᵢ (θᵢ − θ̄)²,

        F = Q/(k − 1) / (1 + 2 (k − 2)/(k² − 1) Λ),    Λ = Σ (1 − wᵢ/W)²/νᵢ

    with k − 1 and (k² − 1)/(3 Λ) degrees of freedom: unlike χ², it allows for variances that are themselves
    estimates, on νᵢ degrees of freedom. Of two, it is Welch's t test. Undefined, NaN, with fewer than two
    estimates, or where one has no variance.

    References: Cochran (1954), Biometrics 10:101-129; Welch (1951), Biometrika 38:330-336.

    >>> two = [SubsetEstimate(x, x, 0.01, 20, "plain") for x in (0.5, 0.2)]
    >>> round(equality_test(two), 4)
    0.0401
    """
    k = len(estimates)
    theta, variance, freedom = (
        np.array([getattr(one, name) for one in estimates]) for name in ("scaled", "variance", "freedom")
    )
    if k < 2 or not (np.isfinite(theta) & (variance > 0)).all():
        return math.nan
    weights = 1 / variance
    shares = weights / weights.sum()
    q = float((weights * (theta - (shares * theta).sum()) ** 2).sum())
    spread = float(((1 - shares) ** 2 / freedom).sum())
    f = q / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * spread)
    return float(stats.f.sf(f, k - 1, (k * k - 1) / (3 * spread)))


def difference_interval(
    one: SubsetEstimate, two: SubsetEstimate, *, confidence: float
) -> tuple[float, float]:
    """Compute the interval of the difference of two independent estimates from their own intervals.

        θ₁ − θ₂ − √((θ₁ − l₁)² + (u₂ − θ₂)²)   to   θ₁ − θ₂ + √((u₁ − θ₁)² + (θ₂ − l₂)²)

    Undefined, (NaN, NaN), where one has no variance.

    Reference: Zou (2007). Toward using confidence intervals to compare correlations. Psychological Methods
    12:399-413.

    >>> two = [SubsetEstimate(x, x, 0.01, math.inf, "plain") for x in (0.5, 0.2)]
    >>> tuple(round(end, 4) for end in difference_interval(*two, confidence=0.95))
    (0.0228, 0.5772)
    """
    if not (one.variance > 0 and two.variance > 0):
        return math.nan, math.nan
    (low_1, high_1), (low_2, high_2) = one.interval(confidence), two.interval(confidence)
    apart = one.value - two.value
    down = math.hypot(one.value - low_1, high_2 - two.value)
    return apart - down, apart + math.hypot(high_1 - one.value, two.value - low_2)
