"""The bias-corrected and accelerated (BCa) bootstrap."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtr, ndtri

from medgauge.arrays import Doubles


@dataclass(frozen=True)
class Bca:
    """The BCa bootstrap of one statistic.

    `resampled` has the statistic on the resamples where it is defined; `bias` is z₀ and `acceleration` is a.
    The interval at level α reaches from the resampled values' quantile at

        α₁ = Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))),    z = Φ⁻¹(α/2)

    to the one at α₂, with z = Φ⁻¹(1 − α/2); quantiles are `normal_quantiles`.

    Reference: Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82:171-185.
    """

    estimate: float
    resampled: Doubles
    bias: float
    acceleration: float

    @classmethod
    def of(cls, estimate: float, resampled: Doubles, jackknifed: Doubles) -> "Bca":
        """Prepare the bootstrap of a statistic from its values on the resamples and without each unit.

            z₀ = Φ⁻¹(share of resampled values below the estimate, equal ones half)
            a  = Σ (θ̄ − θ₍ᵢ₎)³ / (6 (Σ (θ̄ − θ₍ᵢ₎)²)^1.5)

        >>> rng = np.random.default_rng(0)
        >>> sample = rng.exponential(size=50)
        >>> means = rng.choice(sample, size=(9999, 50)).mean(axis=1)
        >>> without = (sample.sum() - sample) / 49
        >>> boot = Bca.of(sample.mean(), means, without)
        >>> [round(end, 2) for end in boot.interval(0.05)]
        [0.86, 1.53]
        """
        values = resampled[np.isfinite(resampled)]
        left_out = jackknifed[np.isfinite(jackknifed)]
        share = math.nan
        if values.size:
            below = np.count_nonzero(values < estimate) + np.count_nonzero(values <= estimate)
            # With all values on one side, z₀ would be infinite.
            share = min(max(below / 2, 0.5), values.size - 0.5) / values.size
        deviations = left_out.mean() - left_out if left_out.size else np.zeros(1)
        squares = float((deviations**2).sum())
        skew = float((deviations**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
        return cls(estimate, values, float(ndtri(share)), skew)

    @cached_property
    def _spreads(self) -> bool:
        return bool(self.resampled.size) and bool(np.ptp(self.resampled) > 0)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true value with probability `level`.

        Undefined, (NaN, NaN), if the statistic is the same on every resample, as it would claim certainty.
        """
        if math.isnan(self.estimate) or not self._spreads:
            return math.nan, math.nan
        low, high = normal_quantiles(np.sort(self.resampled), self._ends(level))
        return float(low), float(high)

    def beyond(self, level: float) -> float:
        """Count the resamples beyond the end of the interval with fewer of them; ∞ without an interval."""
        if math.isnan(self.estimate) or not self._spreads:
            return math.inf
        low, high = self._ends(level)
        return float(min(low, 1 - high) * self.resampled.size)

    def _ends(self, level: float) -> Doubles:
        """Return α₁ and α₂."""
        z = self.bias + ndtri(np.array([level / 2, 1 - level / 2]))
        return np.asarray(ndtr(self.bias + z / (1 - self.acceleration * z)), np.float64)


def normal_quantiles(values: Doubles, shares: Doubles) -> Doubles:
    """Return quantiles of B sorted values, interpolated on the normal scale.

    The quantile at α is the value with rank (B + 1) α. Between the ranks k and k + 1 it is

        x₍ₖ₎ + (Φ⁻¹(α) − Φ⁻¹(k/(B + 1))) / (Φ⁻¹((k + 1)/(B + 1)) − Φ⁻¹(k/(B + 1))) · (x₍ₖ₊₁₎ − x₍ₖ₎)

    and below rank 1 or above B the outermost value.

    Reference: Davison and Hinkley (1997). Bootstrap Methods and their Application, section 5.3.2; as
    `norm.inter` in the R package boot.

    >>> normal_quantiles(np.arange(1.0, 20.0), np.array([0.05, 0.5, 0.975])).round(4)
    array([ 1., 10., 19.])
    """
    count = values.size
    ranks = np.clip((count + 1) * shares, 1, count)
    below = np.minimum(np.floor(ranks + 1e-10).astype(np.intp), max(count - 1, 1))
    ends = ndtri(below / (count + 1)), ndtri((below + 1) / (count + 1))
    within = np.clip((ndtri(ranks / (count + 1)) - ends[0]) / (ends[1] - ends[0]), 0, 1)
    low, high = values[below - 1], values[np.minimum(below, count - 1)]
    return np.asarray(low + within * (high - low), np.float64)
