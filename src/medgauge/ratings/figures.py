"""The overall figures of ratings, and their intervals."""

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import UndefinedWarning
from medgauge.ratings.result import Figures, Reliability
from medgauge.stats import panels
from medgauge.stats.alpha import krippendorff_alpha
from medgauge.stats.bca import Bca
from medgauge.stats.bootstrap import Resampled
from medgauge.stats.choices import Level
from medgauge.stats.iaa import rater_agreement
from medgauge.stats.resampled_agreement import FIGURES, RELIABILITY, resample_agreement
from medgauge.stats.upper_bound import human_upper_bound

Floats = NDArray[np.float64]
Intervals = dict[str, tuple[float, float]]

_LEVEL = 0.05  # of the intervals
_HEADLINE = {"kendall_w": "packed_kendall_w", "icc_c1": "packed_icc_c1", "icc_ck": "packed_icc_ck"}


@contextmanager
def silent() -> Iterator[None]:
    """Let NaN alone say what is undefined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        yield


def overall_figures(values: Floats, level: Level) -> Figures:
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


def all_intervals(
    values: Floats, level: Level, *, resamples: int, seed: int, advance: Callable[[int], None]
) -> Intervals:
    """Bootstrap every figure over the pairs: the 95% BCa interval of each that is defined, by its name.

    An interval that does not have the figure in it is left out: of hundreds of annotators the best is so by
    chance, and better still on a resample.
    """
    rng = np.random.default_rng(seed)
    found = resample_agreement(values, level=level, resamples=resamples, rng=rng, advance=advance)
    intervals = {name: _interval(found, column) for column, name in enumerate(FIGURES)}
    intervals |= {name: intervals[source] for name, source in _HEADLINE.items()}
    return {name: ends for name, ends in intervals.items() if not np.isnan(ends).any()}


def _interval(found: Resampled, column: int) -> tuple[float, float]:
    figure = float(found.whole[column])
    low, high = Bca.of(figure, found.resamples[:, column], found.jackknife[:, column]).interval(_LEVEL)
    return (low, high) if low <= figure <= high else (math.nan, math.nan)


def packed_reliability(values: Floats, intervals: Intervals) -> Reliability:
    """Compute W and ICC with each pair's ratings side by side."""
    panel = panels.packed(values)
    with silent():
        figures = panels.reliability(panel).figures
    return _as_reliability(
        figures, intervals, "packed_", pairs=panel.rows.size, panels=1, raters=panel.ratings.shape[1]
    )


def panel_reliability(values: Floats, intervals: Intervals) -> Reliability:
    """Compute W and ICC panel by panel, averaged with their pairs as weights."""
    found = panels.panels_of(values)
    with silent():
        figures = np.array([panels.reliability(panel).figures for panel in found])
    sizes = {panel.ratings.shape[1] for panel in found}
    weights = np.array([panel.rows.size for panel in found], np.float64)
    return _as_reliability(
        panels.averaged(figures.reshape(len(found), len(RELIABILITY)), weights),
        intervals,
        "panel_",
        pairs=int(weights.sum()),
        panels=len(found),
        raters=sizes.pop() if len(sizes) == 1 else None,
    )


def _as_reliability(
    figures: Floats, intervals: Intervals, prefix: str, *, pairs: int, panels: int, raters: int | None
) -> Reliability:
    return Reliability(
        pairs=pairs,
        panels=panels,
        raters=raters,
        **dict(zip(RELIABILITY, figures.tolist(), strict=True)),
        intervals={name: intervals[prefix + name] for name in RELIABILITY if prefix + name in intervals},
    )
