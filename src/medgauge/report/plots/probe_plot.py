"""The plot of a probe: the recall on new and on matched older concepts."""

from typing import TYPE_CHECKING

from medgauge.probing.probed import Probe
from medgauge.report.grids.grid import short_name
from medgauge.report.plots.canvas import COLOURS, MARKERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: Probe, figure: "Figure") -> "list[Axes]":
    """Draw both recalls with their intervals, older concepts above new ones."""
    figure.set_size_inches(5, 1.6)
    axes = figure.subplots()
    for place, group in enumerate(("new", "old")):
        one = found["new" if group == "new" else "old"]
        error = [[one.value - one.low], [one.high - one.value]]
        axes.errorbar([one.value], [place], xerr=error, fmt=MARKERS[place], color=COLOURS[place], capsize=3)
    axes.set_yticks([0, 1], [f"since {found.since}", "older, matched"])
    axes.set_ylim(-0.5, 1.5)
    axes.set_xlim(0, 1)
    axes.set_xlabel(f"recall@1 among {found.candidates:,} names")
    axes.set_title(short_name(found.model.name), fontsize=9, loc="left")
    return [axes]
