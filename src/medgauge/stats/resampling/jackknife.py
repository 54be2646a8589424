"""The jackknife's interval, on a scale on which it cannot leave the range of the statistic."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from medgauge.arrays import Doubles
from medgauge.stats.resampling.span import Span

_TINY = 1e-12  # values that differ by a smaller share of the estimate differ by rounding
FEWEST_UNITS = 5  # on fewer, 95% intervals of agreement contain the true figure in less than 90%


@dataclass(frozen=True)
class Limits:
    """Both ends of an interval, or NaN and the reason why there is none."""

    low: float = math.nan
    high: float = math.nan
    reason: str | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends; NaN where there is none."""
        return self.low, self.high


def jackknife_interval(
    estimate: float, jackknifed: Doubles, level: float, *, span: Span | None = None, unit: str = "pair"
) -> Limits:
    """Return the interval of a statistic from its values without each of g units, inside its `span`.

    With the jackknife's standard error s of the statistic θ, and the place f(θ) of a value on the line that
    its span is stretched to, the interval reaches on that line to

        f(θ) ± t s f′(θ),    s² = (g − 1)/g Σ (θ₍ᵢ₎ − θ̄)²,    t = the 1 − level/2 quantile of Student's t

    with g − 1 degrees of freedom. The standard error is carried over by f′ rather than taken on the line,
    where a value without one unit may be at the end of the span, and so infinitely far away.

    There is no interval, but a reason, for fewer than 5 units, a statistic that is undefined without one of
    them or the same without each, and an estimate at an end of its span. `unit` is what a unit is called.

    Reference: Efron and Tibshirani (1993). An Introduction to the Bootstrap, chapter 11.

    >>> sample = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> [round(end, 3) for end in jackknife_interval(3.0, (sample.sum() - sample) / 4, 0.05).ends]
    [1.037, 4.963]
    >>> above_0 = jackknife_interval(3.0, (sample.sum() - sample) / 4, 0.05, span=Span(lowest=0))
    >>> [round(end, 3) for end in above_0.ends]
    [1.559, 5.772]
    """
    span = span or Span()
    units = jackknifed.size
    if units < FEWEST_UNITS:
        return Limits(reason=f"fewer than {FEWEST_UNITS} {unit}s")
    if not np.isfinite(jackknifed).all():
        return Limits(reason=f"it is undefined without one of the {unit}s")
    if not span.contains(estimate):
        return Limits(reason=f"it is not {span}")
    if np.ptp(jackknifed) <= _TINY * abs(estimate):
        return Limits(reason=f"it is the same without each {unit}")
    error = math.sqrt((units - 1) * float(jackknifed.var()))
    half = float(stdtrit(units - 1, 1 - level / 2)) * error * span.slope(estimate)
    middle = span.place(estimate)
    low, high = span.value(middle - half), span.value(middle + half)
    if not (math.isfinite(low) and math.isfinite(high)):
        return Limits(reason="its interval would be unlimited")
    return Limits(low, high)
