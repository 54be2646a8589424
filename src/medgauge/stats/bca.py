"""The bias-corrected and accelerated (BCa) bootstrap: an interval, and the level at which it touches 0."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Bca:
    """The BCa bootstrap of one statistic.

    `values` are the statistic on the resamples, sorted; `bias` is z₀ and `acceleration` is a. The interval at
    level α reaches from the resampled values' quantile at

        α₁ = Φ(z₀ + (z₀ + z) / (1 − a (z₀ + z))),    z = Φ⁻¹(α/2)

    to the one at α₂, with z = Φ⁻¹(1 − α/2). Resamples on which the statistic is undefined are left out.

    Reference: Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82:171-185.
    """

    estimate: float
    values: Doubles
    bias: float
    acceleration: float

    @classmethod
    def of(cls, estimate: float, resampled: Doubles, jackknifed: Doubles) -> "Bca":
        """Prepare the bootstrap of a statistic from its values on the resamples and without each pair.

            z₀ = Φ⁻¹(share of resampled values under the estimate, equal ones half)
            a  = Σ (θ̄ − θ₍ᵢ₎)³ / (6 (Σ (θ̄ − θ₍ᵢ₎)²)^1.5)

        >>> rng = np.random.default_rng(0)
        >>> sample = rng.exponential(size=50)
        >>> means = rng.choice(sample, size=(9999, 50)).mean(axis=1)
        >>> without = (sample.sum() - sample) / 49
        >>> boot = Bca.of(sample.mean(), means, without)
        >>> [round(end, 2) for end in boot.interval(0.05)]
        [0.86, 1.53]
        """
        values = np.sort(resampled[np.isfinite(resampled)])
        left_out = jackknifed[np.isfinite(jackknifed)]
        share = math.nan
        if values.size:
            below = np.searchsorted(values, estimate, "left") + np.searchsorted(values, estimate, "right")
            # With all values on one side, z₀ would be infinite.
            share = min(max(below / 2, 0.5), values.size - 0.5) / values.size
        deviations = left_out.mean() - left_out if left_out.size else np.zeros(1)
        squares = float((deviations**2).sum())
        skew = float((deviations**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
        return cls(estimate, values, float(ndtri(share)), skew)

    @property
    def _spreads(self) -> bool:
        return bool(self.values.size) and bool(self.values[0] < self.values[-1])

    def interval(self, level: float) -> tuple[float, float]:
        """Give the interval that misses the true value with probability `level`.

        (0, 0) where the statistic is 0 on every resample, as the difference of two equal systems is;
        undefined, (NaN, NaN), where it is another constant, which would claim certainty.
        """
        if math.isnan(self.estimate) or not self._spreads:
            return (0.0, 0.0) if self._is_zero else (math.nan, math.nan)
        z = self.bias + ndtri(np.array([level / 2, 1 - level / 2]))
        shares = ndtr(self.bias + z / (1 - self.acceleration * z))
        low, high = np.quantile(self.values, shares)
        return float(low), float(high)

    @property
    def p_value(self) -> float:
        """The level at which the interval just touches 0.

        With the share P of the resampled values under 0,

            z = v / (1 + a v) − z₀,    v = Φ⁻¹(P) − z₀,    p = 2 min(Φ(z), 1 − Φ(z))

        P is kept 1/(B + 1) away from 0 and 1, since B resamples say nothing beyond. 1 where the statistic
        is 0 on every resample; undefined, NaN, where it is another constant.
        """
        if math.isnan(self.estimate) or not self._spreads:
            return 1.0 if self._is_zero else math.nan
        lowest, highest = (self._level(share) for share in self._shares_at_zero())
        if lowest <= 0.5 <= highest:
            return 1.0
        return 2 * (highest if highest < 0.5 else 1 - lowest)

    @property
    def _is_zero(self) -> bool:
        return self.estimate == 0 and not self.values.any()

    def _shares_at_zero(self) -> tuple[float, float]:
        """Invert the quantile at 0: the lowest and the highest share whose quantile is 0."""
        values, count = self.values, self.values.size
        under, up_to = np.searchsorted(values, 0.0, "left"), np.searchsorted(values, 0.0, "right")

        def share(last: int) -> float:
            """Place 0 between the value at `last` and the next one."""
            if 0 <= last < count - 1:
                place = last + (0.0 - values[last]) / (values[last + 1] - values[last])
            else:
                place = last + 0.5
            return float(min(max(place / (count - 1), 1 / (count + 1)), count / (count + 1)))

        return share(int(under) - 1), share(int(up_to) - 1)

    def _level(self, share: float) -> float:
        """Give α/2 (or 1 − α/2) of the interval that ends at this share of the resampled values."""
        v = float(ndtri(share)) - self.bias
        stretch = 1 + self.acceleration * v
        if stretch <= 0:  # no level reaches so far
            return 0.0 if v < 0 else 1.0
        return float(ndtr(v / stretch - self.bias))
