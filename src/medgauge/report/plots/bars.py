"""Bars of how many pairs have each value, or each range of values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.report.plots.canvas import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FEW_VALUES = 25  # distinct values up to which each has its own bar
_SOME_VALUES = 61  # steps of the same, where many pairs share values: bins would hold uneven numbers of them
_BINS = 20
_BESIDE = 0.03  # of the scale, at least, between its ends and those of the axis


@dataclass(frozen=True)
class _Bars:
    """The centres and heights of bars, and their common width."""

    places: Doubles
    heights: Integers
    width: float


def draw_bars(axes: "Axes", values: Doubles, scale: tuple[float, float] | None) -> None:
    """Draw how often values occur, over the whole scale if it is known."""
    bars = _bars(values, scale)
    axes.bar(bars.places, bars.heights, bars.width, color=COLOURS[0], edgecolor="white", linewidth=0.5)
    low, high = scale or (values.min(), values.max())
    beside = max(0.75 * bars.width, _BESIDE * (high - low))
    axes.set_xlim(low - beside, high + beside)
    axes.locator_params(axis="y", integer=True)


def _bars(values: Doubles, scale: tuple[float, float] | None) -> _Bars:
    """Make a bar for each value or, for many values, bins over the scale or over the values' range."""
    places, heights = np.unique(values, return_counts=True)
    low, high = scale or (places[0], places[-1])
    span = float(high - low) or 1.0
    gap = np.diff(places).min(initial=span / 4)
    are_steps = 2 * places.size <= values.size and span < _SOME_VALUES * gap
    if places.size <= _FEW_VALUES or are_steps:
        return _Bars(places, heights, max(0.8 * gap, span / 150))  # wide enough to be seen
    # Rounded as values are, so that these fall into the right bin.
    edges = np.linspace(low, high, _BINS + 1).round(12)
    return _Bars((edges[:-1] + edges[1:]) / 2, np.histogram(values, edges)[0], span / _BINS)
