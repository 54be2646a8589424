"""The overall figures of ratings, and their intervals."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.ratings.findings import HEADLINES, Figures, RatingVariances, Reliability
from medgauge.stats.raters.agreement_statistics import FIGURES, RELIABILITY, STATISTICS, Statistic, prepare
from medgauge.stats.raters.kernel import Kernel, plain_estimates
from medgauge.stats.raters.reliability import ByPanel, Packed
from medgauge.stats.raters.resampled_agreement import resample_agreement, without_blocks
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
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
    """The estimate of each of the FIGURES, and the names of those whose interval is the jackknife's.

    `variances` are those that the figures of REML are computed from, None where they are undefined.
    """

    estimates: dict[str, Estimate]
    jackknifed: list[str]
    variances: RatingVariances | None


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
    chance, and even more so on a resample. Figures of REML, each of which takes a search, have the interval
    of a jackknife over at most 200 blocks of pairs.
    """
    estimates: dict[str, Estimate] = {}
    jackknifed = []
    kernels: list[Kernel] = []
    variances = None
    for kernel in prepare(values, level):
        if isinstance(kernel, MeanReliability):
            rng = np.random.default_rng(seed)
            estimates |= estimate_reliability(kernel, rng=rng, confidence=confidence, advance=advance)
            variances = variances_of(kernel)
        else:
            kernels.append(kernel)
    rng = np.random.default_rng(seed)
    found = resample_agreement(kernels, len(values), resamples=resamples, rng=rng, advance=advance)
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
    return Overall({name: estimates[name] for name in FIGURES}, jackknifed, variances)


def variances_of(kernel: MeanReliability) -> RatingVariances | None:
    """Return the variance components of ratings, and the design that their mean depends on."""
    found, design = kernel.components, kernel.design
    if found is None:
        return None
    return RatingVariances(
        pair=found.pair,
        annotator=found.rater,
        residual=found.residual,
        pairs=kernel.pairs,
        k=design.k,
        q=design.q,
    )


def estimate_reliability(
    kernel: MeanReliability,
    *,
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
    advance: Callable[[int], None] = lambda _done: None,
) -> dict[str, Estimate]:
    """Compute the figures of REML, each with the interval of a jackknife over blocks of the pairs."""
    whole = plain_estimates(kernel, kernel.size)
    if kernel.components is None:
        return {name: replace(one, confidence=confidence) for name, one in whole.items()}
    without = without_blocks(kernel, rng=rng, advance=advance)
    found = {}
    for (name, one), column in zip(whole.items(), without.T, strict=True):
        low, high = kernel.interval(name, one.value, column, round(1 - confidence, 12))
        found[name] = Estimate(one.value, low, high, confidence, one.n)
    return found


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
