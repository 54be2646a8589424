"""The overall figures of ratings, and their intervals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.errors import undefined_is_told_by_nan
from medgauge.ratings.findings import Figures, Reliability
from medgauge.stats.raters import panels
from medgauge.stats.raters.alpha import krippendorff_alpha
from medgauge.stats.raters.iaa import rater_agreement
from medgauge.stats.raters.resampled_agreement import FIGURES, RELIABILITY, resample_agreement
from medgauge.stats.raters.upper_bound import human_upper_bound
from medgauge.stats.resampling.bca import Bca, jackknife_interval
from medgauge.stats.settings import Level

_LEVEL = 0.05  # of the intervals
_OUTERMOST = 0.001  # share of the resamples
_MAXIMA = ("human_upper_bound", "human_upper_bound_excluding_self")
_HEADLINE = {"kendall_w": "packed_kendall_w", "icc_c1": "packed_icc_c1", "icc_ck": "packed_icc_ck"}


def overall_figures(values: Doubles, level: Level) -> Figures:
    """Compute the headline figures of ratings, pairs × annotators."""
    reliability = panels.reliability(panels.packed(values))
    agreement = rater_agreement(values)
    bound = human_upper_bound(values)
    return Figures(
        alpha=krippendorff_alpha(values, level=level),
        kendall_w=reliability.kendall_w,
        icc_c1=reliability.icc.consistency_one,
        icc_ck=reliability.icc.consistency_mean,
        mean_rho=agreement.mean_rho,
        iaa_1=agreement.iaa_1,
        iaa_2=agreement.iaa_2,
        human_upper_bound=bound.with_own,
        human_upper_bound_excluding_self=bound.without_own,
    )


@dataclass(frozen=True)
class Intervals:
    """The 95% interval of each figure that has one, by its name, and which are the jackknife's."""

    ends: dict[str, tuple[float, float]]
    jackknifed: list[str]


def all_intervals(
    values: Doubles, level: Level, *, resamples: int, seed: int, advance: Callable[[int], None]
) -> Intervals:
    """Find the 95% interval of every figure over resamples of the pairs.

    It is the BCa bootstrap's, unless that would reach into the outermost thousandth of the resamples: as in
    many small groups or panels, where resampling itself shifts a figure. Then it is the jackknife's; but a
    maximum has none, since of many annotators the best is so by chance, and better still on a resample.
    """
    rng = np.random.default_rng(seed)
    found = resample_agreement(values, level=level, resamples=resamples, rng=rng, advance=advance)
    ends: dict[str, tuple[float, float]] = {}
    jackknifed = []
    for column, name in enumerate(FIGURES):
        figure, without = float(found.whole[column]), found.jackknife[:, column]
        bootstrap = Bca.of(figure, found.resamples[:, column], without)
        interval = bootstrap.interval(_LEVEL)
        if bootstrap.beyond(_LEVEL) < _OUTERMOST * bootstrap.resampled.size:
            if name in _MAXIMA:
                continue
            interval = jackknife_interval(figure, without, _LEVEL)
            jackknifed.append(name)
        if not np.isnan(interval).any():
            ends[name] = interval
    ends |= {name: ends[source] for name, source in _HEADLINE.items() if source in ends}
    return Intervals(ends, jackknifed)


def packed_reliability(values: Doubles, intervals: Intervals) -> Reliability:
    """Compute W and ICC with each pair's ratings side by side."""
    panel = panels.packed(values)
    with undefined_is_told_by_nan():
        figures = panels.reliability(panel).figures
    return _as_reliability(
        figures,
        intervals.ends,
        "packed_",
        pairs=panel.rows.size,
        panels=len(np.unique(np.isnan(values[panel.rows]), axis=0)),
        raters=panel.ratings.shape[1],
    )


def panel_reliability(values: Doubles, intervals: Intervals) -> Reliability:
    """Compute W and ICC panel by panel, averaged with their pairs as weights."""
    found = panels.panels_of(values)
    with undefined_is_told_by_nan():
        figures = np.array([panels.reliability(panel).figures for panel in found])
    sizes = {panel.ratings.shape[1] for panel in found}
    weights = np.array([panel.rows.size for panel in found], np.float64)
    return _as_reliability(
        panels.averaged(figures.reshape(len(found), len(RELIABILITY)), weights),
        intervals.ends,
        "panel_",
        pairs=int(weights.sum()),
        panels=len(found),
        raters=sizes.pop() if len(sizes) == 1 else None,
    )


def _as_reliability(
    figures: Doubles,
    ends: Mapping[str, tuple[float, float]],
    prefix: str,
    *,
    pairs: int,
    panels: int,
    raters: int | None,
) -> Reliability:
    return Reliability(
        pairs=pairs,
        panels=panels,
        raters=raters,
        **dict(zip(RELIABILITY, figures.tolist(), strict=True)),
        intervals={name: ends[prefix + name] for name in RELIABILITY if prefix + name in ends},
    )
