"""The bias-corrected and accelerated (BCa) bootstrap: an interval, and the level at which it touches 0."""

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
    `units` is the number of units (pairs or groups) that the jackknife left out once each. The interval at
    level α reaches from the resampled values' quantile at

        α₁ = Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))),    z = Φ⁻¹(α/2)

    to the one at α₂, with z = Φ⁻¹(1 − α/2).

    Reference: Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82:171-185.
    """

    estimate: float
    resampled: Doubles
    bias: float
    acceleration: float
    units: int

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
        return cls(estimate, values, float(ndtri(share)), skew, jackknifed.size)

    @cached_property
    def _spreads(self) -> bool:
        return bool(self.resampled.size) and bool(np.ptp(self.resampled) > 0)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true value with probability `level`.

        Undefined, (NaN, NaN), if the statistic is the same on every resample, as it would claim certainty.
        """
        if math.isnan(self.estimate) or not self._spreads:
            return math.nan, math.nan
        low, high = np.quantile(self.resampled, self._ends(level))
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

    @property
    def p_value(self) -> float:
        """The level at which the interval just touches 0.

        With the share P of the resampled values below 0,

            z = v / (1 + a v) − z₀,    v = Φ⁻¹(P) − z₀,    p = 2 min(Φ(z), 1 − Φ(z))

        with P kept 1/(B + 1) away from 0 and 1. Not below 2/(B + 1), the least that B resamples can show, nor
        below 2^(1 − units), the smallest p of a sign test. If the statistic is the same on every resample: 1
        if it is 0, else that smallest p. Undefined, NaN, where the statistic is.
        """
        if math.isnan(self.estimate) or not self.resampled.size:
            return math.nan
        smallest = min(1.0, max(2 / (self.resampled.size + 1), 2.0 ** (1 - self.units)))
        if not self._spreads:
            return 1.0 if self.resampled[0] == 0 else smallest
        lowest, highest = (self._level(share) for share in self._shares_at_zero())
        if lowest <= 0.5 <= highest:
            return 1.0
        return max(smallest, 2 * (highest if highest < 0.5 else 1 - lowest))

    def _shares_at_zero(self) -> tuple[float, float]:
        """Invert the quantile at 0: the lowest and the highest share whose quantile is 0."""
        values, count = self.resampled, self.resampled.size
        under, up_to = int(np.count_nonzero(values < 0)), int(np.count_nonzero(values <= 0))
        nearest_under = values.max(where=values < 0, initial=-np.inf)
        nearest_over = values.min(where=values > 0, initial=np.inf)
        has_zero = up_to > under

        def share(last: int, value: float, following: float) -> float:
            """Place 0 between the value at `last`, in sorted order, and the one after it."""
            within = 0.0 < last + 1 < count
            place = last + ((0.0 - value) / (following - value) if within else 0.5)
            return float(min(max(place / (count - 1), 1 / (count + 1)), count / (count + 1)))

        return (
            share(under - 1, nearest_under, 0.0 if has_zero else nearest_over),
            share(up_to - 1, 0.0 if has_zero else nearest_under, nearest_over),
        )

    def _level(self, share: float) -> float:
        """Return α/2 (or 1 − α/2) of the interval that ends at this share of the resampled values."""
        v = float(ndtri(share)) - self.bias
        stretch = 1 + self.acceleration * v
        if stretch <= 0:  # no level reaches that far
            return 0.0 if v < 0 else 1.0
        return float(ndtr(v / stretch - self.bias))
