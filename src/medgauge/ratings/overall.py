"""The overall figures of ratings, and their intervals."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.ratings.findings import HEADLINES, Figures, Reliability
from medgauge.stats.raters.agreement_statistics import FIGURES, RELIABILITY, STATISTICS, Statistic, prepare
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.reliability import ByPanel, Packed
from medgauge.stats.raters.resampled_agreement import resample_agreement
from medgauge.stats.resampling.bca import Bca, jackknife_interval
from medgauge.stats.settings import Level

_OUTERMOST = 1 / 50  # share of the resamples outside the interval: at 95%, the outermost thousandth of all


def overall_figures(values: Doubles, level: Level) -> Figures:
    """Compute the headline figures of ratings, pairs × annotators, without intervals."""
    found: dict[str, Estimate] = {}
    for kernel in dict.fromkeys(STATISTICS[name].kernels[0] for name in HEADLINES):
        found |= plain_estimates(kernel(values, level), len(values))
    return Figures(**{name: found[name].value for name in HEADLINES})


@dataclass(frozen=True)
class Overall:
    """The estimate of each of the FIGURES, and the names of those whose interval is the jackknife's."""

    estimates: dict[str, Estimate]
    jackknifed: list[str]


def estimate_agreement(
    values: Doubles,
    level: Level,
    *,
    resamples: int,
    seed: int,
    confidence: float = CONFIDENCE,
    advance: Callable[[int], None] = lambda _done: None,
) -> Overall:
    """Compute every figure of ratings, pairs × annotators, with its interval over resamples of the pairs.

    The interval is the BCa bootstrap's, unless that would reach into the outermost resamples (at 95%, the
    outermost thousandth), as with many small groups or panels, where resampling itself shifts a figure. Then
    it is the jackknife's; but a maximum has no interval then, since the best of many annotators is best by
    chance, and even more so on a resample.
    """
    kernels = prepare(values, level)
    rng = np.random.default_rng(seed)
    found = resample_agreement(kernels, len(values), resamples=resamples, rng=rng, advance=advance)
    estimates: dict[str, Estimate] = {}
    jackknifed = []
    named = [(kernel, name) for kernel in kernels for name in kernel.names]
    for column, (kernel, name) in enumerate(named):
        value, without = float(found.whole[column]), found.jackknife[:, column]
        figure = kernel.prefix + name
        if math.isnan(value):
            reason = kernel.reason(name)
            estimates[figure] = Estimate(confidence=confidence, n=kernel.pairs, undefined=reason)
            continue
        bootstrap = Bca.of(value, found.resamples[:, column], without)
        low, high, is_jackknifed = _interval(bootstrap, without, FIGURES[figure], confidence)
        estimates[figure] = Estimate(value, low, high, confidence, kernel.pairs)
        if is_jackknifed:
            jackknifed.append(figure)
    return Overall(estimates, jackknifed)


def _interval(
    bootstrap: Bca, without: Doubles, statistic: Statistic, confidence: float
) -> tuple[float, float, bool]:
    """Return both ends of an interval, NaN where there is none, and whether it is the jackknife's."""
    level = round(1 - confidence, 12)  # exactly 0.05 for 0.95
    if bootstrap.beyond(level) >= _OUTERMOST * level * bootstrap.resampled.size:
        return *bootstrap.interval(level), False
    if statistic.is_maximum:
        return math.nan, math.nan, False
    return *jackknife_interval(bootstrap.estimate, without, level), True


def packed_reliability(values: Doubles, level: Level, overall: Overall) -> Reliability:
    """Return W and ICC with each pair's ratings side by side."""
    kernel = Packed(values, level)
    return _reliability(kernel, overall, panels=kernel.packed_panels)


def panel_reliability(values: Doubles, level: Level, overall: Overall) -> Reliability:
    """Return W and ICC panel by panel, averaged with their pairs as weights."""
    kernel = ByPanel(values, level)
    return _reliability(kernel, overall, panels=len(kernel.panels))


def _reliability(kernel: Packed | ByPanel, overall: Overall, *, panels: int) -> Reliability:
    estimates = {name: overall.estimates[kernel.prefix + name] for name in RELIABILITY}
    return Reliability(
        pairs=kernel.pairs,
        panels=panels,
        raters=kernel.raters,
        **{name: one.value for name, one in estimates.items()},
        intervals=intervals_of(estimates),
        undefined=reasons_of(estimates),
    )


def intervals_of(estimates: dict[str, Estimate]) -> dict[str, tuple[float, float]]:
    """Return the defined intervals by name."""
    return {name: one.interval for name, one in estimates.items() if not np.isnan(one.interval).any()}


def reasons_of(estimates: dict[str, Estimate]) -> dict[str, str]:
    """Return the reasons of the undefined estimates by name."""
    return {name: one.undefined for name, one in estimates.items() if one.undefined is not None}
