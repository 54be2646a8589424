"""A difference tested by its values on resamples."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.resampling.bca import normal_quantiles


@dataclass(frozen=True)
class ResampledDifference:
    """A difference of two figures, and its values on B resamples of the same units.

        p = min(1, 2 (1 + min(#{d* ≤ 0}, #{d* ≥ 0})) / (B + 1))

    The interval at level α reaches from the α/2 quantile of d* to the 1 − α/2 quantile: it excludes 0 where p
    is below α. Undefined, NaN, if the difference is, or is so on more than half of the resamples.

    Reference: Efron and Tibshirani (1993). An Introduction to the Bootstrap, chapters 13 and 15.

    >>> found = ResampledDifference(0.2, np.array([0.1, 0.2, 0.3, -0.1] * 10))
    >>> round(found.p_value, 4), found.floored
    (0.5366, False)
    """

    estimate: float
    resampled: Doubles

    @property
    def p_value(self) -> float:
        """The p-value of the test that there is no difference."""
        if not self._is_defined:
            return float("nan")
        return min(1.0, 2 * (1 + self._beyond) / (self._values.size + 1))

    @property
    def floored(self) -> bool:
        """Whether no resample has a difference of the other sign, so that the true p-value may be smaller."""
        return self._is_defined and self._beyond == 0

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true difference with probability `level`.

        Undefined, (NaN, NaN), if the difference is the same on every resample: it would claim certainty.
        """
        if not self._is_defined or not np.ptp(self._values) > 0:
            return float("nan"), float("nan")
        low, high = normal_quantiles(np.sort(self._values), np.array([level / 2, 1 - level / 2]))
        return float(low), float(high)

    @property
    def _values(self) -> Doubles:
        return self.resampled[np.isfinite(self.resampled)]

    @property
    def _is_defined(self) -> bool:
        return bool(np.isfinite(self.estimate)) and 2 * self._values.size > self.resampled.size

    @property
    def _beyond(self) -> int:
        values = self._values
        return int(min(np.count_nonzero(values <= 0), np.count_nonzero(values >= 0)))
