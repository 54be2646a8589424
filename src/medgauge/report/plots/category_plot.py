"""The plot of category separation: overlap with its interval."""

import math
from typing import TYPE_CHECKING

from medgauge.categories.separated import CategorySeparation
from medgauge.report.category_tables import best_and_worst
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: CategorySeparation, figure: "Figure") -> "list[Axes]":
    """Draw the overlap of each model with its best and its worst measure, as in the table."""
    shown = [one for card in found.models for one in best_and_worst(found, card.name)]
    names = [one.model if one.measure == "score" else f"{one.model}, {one.measure}" for one in shown]

    def fill(axes: "Axes", _number: int) -> None:
        for height, one in enumerate(shown):
            if not math.isnan(one.low):
                ends = [100 * one.low, 100 * one.high]
                axes.plot(ends, [height, height], color=COLOURS[0], linewidth=1.5)
            axes.plot(100 * one.overlap, height, "o", color=COLOURS[0], markersize=4, clip_on=False)
        axes.set_xlim(left=0)

    return draw_panels(figure, [("Category overlap", "% of triples; lower is better")], names, fill)
