"""The overall figures of ratings, and their intervals."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.ratings.findings import HEADLINES, Figures, RatingVariances, Reliability
from medgauge.stats.raters.agreement_statistics import FIGURES, RELIABILITY, STATISTICS, prepare
from medgauge.stats.raters.alpha import Alpha
from medgauge.stats.raters.iaa import RaterCorrelations
from medgauge.stats.raters.intervals.over_pairs import interval_over_pairs
from medgauge.stats.raters.intervals.over_raters import (
    FEWEST_RATERS,
    figures_without,
    interval_over_raters,
    rater_blocks,
    spearman_brown,
)
from medgauge.stats.raters.kernel import Kernel, fewest_ratings, plain_estimates
from medgauge.stats.raters.reliability import ByPanel, Packed
from medgauge.stats.raters.resampled_agreement import resample_agreement, without_blocks
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from medgauge.stats.raters.variance.variance_components import VarianceComponents
from medgauge.stats.settings import Level


def overall_figures(values: Doubles, level: Level) -> Figures:
    """Compute the headline figures of ratings, pairs × annotators, without intervals."""
    found: dict[str, Estimate] = {}
    for kernel in dict.fromkeys(STATISTICS[name].kernels[0] for name in HEADLINES):
        found |= plain_estimates(kernel(values, level), len(values))
    return Figures(**{name: found[name].value for name in HEADLINES})


@dataclass(frozen=True)
class Overall:
    """The estimate of each of the FIGURES, which intervals are the jackknife's, and why there are none.

    `variances` are those that the figures of REML are computed from, None where they are undefined.
    """

    estimates: dict[str, Estimate]
    jackknifed: list[str]
    no_interval: dict[str, str]
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
    """Compute every figure of ratings, pairs × annotators, with its interval over the pairs.

    Figures of REML, each of which takes a search, have the interval of a jackknife over at most 200 blocks.
    """
    estimates: dict[str, Estimate] = {}
    jackknifed = []
    no_interval: dict[str, str] = {}
    kernels: list[Kernel] = []
    variances = None
    for kernel in prepare(values, level):
        if isinstance(kernel, MeanReliability):
            rng = np.random.default_rng(seed)
            of_all = estimate_reliability(kernel, rng=rng, confidence=confidence, advance=advance)
            estimates |= of_all.estimates
            no_interval |= of_all.no_interval
            variances = of_all.variances
        else:
            kernels.append(kernel)
    rng = np.random.default_rng(seed)
    found = resample_agreement(kernels, len(values), resamples=resamples, rng=rng, advance=advance)
    named = [(kernel, name) for kernel in kernels for name in kernel.names]
    for column, (kernel, name) in enumerate(named):
        value, figure = float(found.whole[column]), kernel.prefix + name
        if math.isnan(value):
            reason = kernel.reason(name)
            estimates[figure] = Estimate(confidence=confidence, n=kernel.pairs, undefined=reason)
            continue
        over_pairs = interval_over_pairs(
            FIGURES[figure],
            kernel,
            value,
            resampled=found.resamples[:, column],
            jackknifed=found.jackknife[:, column],
            level=error_level(confidence),
        )
        estimates[figure] = Estimate(value, *over_pairs.limits.ends, confidence, kernel.pairs)
        if over_pairs.limits.reason is not None:
            no_interval[figure] = over_pairs.limits.reason
        elif over_pairs.is_jackknifed:
            jackknifed.append(figure)
    return Overall({name: estimates[name] for name in FIGURES}, jackknifed, no_interval, variances)


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
) -> Overall:
    """Compute the figures of REML, each with the interval of a jackknife over blocks of the pairs."""
    whole = plain_estimates(kernel, kernel.size)
    if kernel.components is None:
        undefined = {name: replace(one, confidence=confidence) for name, one in whole.items()}
        return Overall(undefined, [], {}, None)
    without = without_blocks(kernel, rng=rng, advance=advance)
    found, no_interval = {}, {}
    for (name, one), column in zip(whole.items(), without.T, strict=True):
        limits = kernel.limits(name, one.value, column, error_level(confidence))
        found[name] = Estimate(one.value, *limits.ends, confidence, one.n)
        if limits.reason is not None:
            no_interval[name] = limits.reason
    return Overall(found, [], no_interval, variances_of(kernel))


def error_level(confidence: float) -> float:
    """Return the level of an interval's error.

    >>> error_level(0.95)
    0.05
    """
    return round(1 - confidence, 12)


@dataclass(frozen=True)
class OverRaters:
    """Intervals over annotators by the names of figures, why others have none, and how many were left out.

    `blocks` is the number of annotators, or of blocks of them, that were left out one at a time; 0 if there
    are too few annotators.
    """

    intervals: dict[str, tuple[float, float]]
    no_interval: dict[str, str]
    blocks: int


def estimate_over_raters(
    values: Doubles,
    level: Level,
    *,
    confidence: float = CONFIDENCE,
    figures: Callable[[Doubles, Level], dict[str, float]] | None = None,
) -> OverRaters:
    """Compute the intervals of α, ICC(C,1), ICC(C,k) and mean ρ that leave out one annotator at a time.

    `figures` computes α and ICC(C,1), by default those of `overall_figures`. The interval of ICC(C,k) is that
    of ICC(C,1) for the mean of k ratings, the harmonic mean of all pairs, since without an annotator they
    have fewer. There are no intervals for fewer than five annotators.
    """
    blocks = rater_blocks(values)
    if len(blocks) < FEWEST_RATERS:
        return OverRaters({}, {}, 0)
    of_all = MeanReliability(values, level)
    compute, twos = figures or partial(_single_figures, near=of_all.components), RaterCorrelations(values)
    whole = compute(values, level) | {"mean_rho": plain_estimates(twos, len(values))["mean_rho"].value}
    without = figures_without(lambda left: compute(left, level), values, blocks)
    without["mean_rho"] = twos.mean_rho_without(blocks)
    intervals, no_interval = {}, {}
    for name, value in whole.items():
        if math.isnan(value):
            continue
        span = STATISTICS[name].span_for(fewest_ratings(values))
        found = interval_over_raters(value, without[name], error_level(confidence), span=span)
        if found.reason is None:
            intervals[name] = found.ends
        else:
            no_interval[name] = found.reason
    if "icc_c1" in intervals:
        low, high = (spearman_brown(end, of_all.design.k) for end in intervals["icc_c1"])
        intervals["icc_ck"] = low, high
    elif "icc_c1" in no_interval:
        no_interval["icc_ck"] = no_interval["icc_c1"]
    return OverRaters(intervals, no_interval, len(blocks))


def _single_figures(
    values: Doubles, level: Level, *, near: VarianceComponents | None = None
) -> dict[str, float]:
    """Return α and ICC(C,1), which estimate the same whatever the number of annotators.

    The search for the latter starts from the variances of nearly the same ratings (`near`), if given.
    """
    alpha = plain_estimates(Alpha(values, level), len(values))["alpha"].value
    of_all = MeanReliability(values, level, near=near)
    return {"alpha": alpha, "icc_c1": plain_estimates(of_all, len(values))["icc_c1"].value}


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
