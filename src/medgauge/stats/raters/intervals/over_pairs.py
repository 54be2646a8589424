"""The interval of a statistic of agreement over pairs: the bootstrap's or the jackknife's."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.raters.agreement_statistics import Statistic
from medgauge.stats.raters.kernel import Kernel
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.jackknife import FEWEST_UNITS, Limits, jackknife_interval

FEW_PAIRS = 30
"""With fewer pairs the bootstrap's intervals are too short; see docs/agreement.md."""
MOST_UNDEFINED = 0.01
"""The largest share of resamples on which a figure may be undefined."""
_TINY = 1e-12  # resamples that differ by a smaller share of the figure differ by rounding
_OUTERMOST = 1 / 50  # share of the resamples outside the interval: at 95%, the outermost thousandth of all


@dataclass(frozen=True)
class OverPairs:
    """An interval over pairs, or the reason why there is none, and whether it is the jackknife's."""

    limits: Limits
    is_jackknifed: bool = False


def interval_over_pairs(
    statistic: Statistic,
    kernel: Kernel,
    value: float,
    *,
    resampled: Doubles,
    jackknifed: Doubles,
    level: float,
) -> OverPairs:
    """Return the interval of a statistic that a kernel computed on all pairs, on resamples, and without each.

    It is the BCa bootstrap's, unless that would reach into the outermost resamples (at 95%, the outermost
    thousandth), as with many small groups or panels, where resampling itself shifts a figure, or there are
    fewer than 30 pairs. Then it is the jackknife's, on the line that the range of the statistic is stretched
    to; but a maximum has none, since the best of many annotators is best by chance, and even more so on a
    resample. There is no interval either, but a reason, for fewer than 5 pairs, and if the figure is
    undefined on more than 1% of the resamples or the same on all.
    """
    if kernel.pairs < FEWEST_UNITS:
        return OverPairs(Limits(reason=f"fewer than {FEWEST_UNITS} pairs"))
    undefined = np.count_nonzero(~np.isfinite(resampled)) / resampled.size
    if undefined > MOST_UNDEFINED:
        return OverPairs(Limits(reason=f"it is undefined on {undefined:.0%} of the resamples"))
    if np.ptp(resampled[np.isfinite(resampled)]) <= _TINY * abs(value):
        return OverPairs(Limits(reason="it is the same on every resample"))
    bootstrap = Bca.of(value, resampled, jackknifed)
    inside = bootstrap.beyond(level) >= _OUTERMOST * level * bootstrap.resampled.size
    if inside and (statistic.is_maximum or kernel.pairs >= FEW_PAIRS):
        return OverPairs(Limits(*bootstrap.interval(level)))
    if statistic.is_maximum:
        return OverPairs(Limits(reason="the best of several who are about equally good is best by chance"))
    span = statistic.span_for(kernel.fewest_ratings)
    return OverPairs(jackknife_interval(value, jackknifed, level, span=span), is_jackknifed=True)
