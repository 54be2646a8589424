"""The plot of a gold standard: the distribution of its scores or labels."""

from typing import TYPE_CHECKING

from medgauge.ratings.gold import Gold
from medgauge.report.grids.grid import short_name
from medgauge.report.plots.bars import draw_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 4.6, 3.0  # inches


def draw(made: Gold, figure: "Figure") -> "list[Axes]":
    """Draw how many pairs have each gold score or label."""
    figure.set_size_inches(_WIDTH, _HEIGHT)
    axes = figure.subplots()
    labelled = made.pairs.labelled
    draw_bars(axes, made.pairs.gold, (0.0, 1.0) if labelled else made.pairs.card.scale)
    if labelled:
        axes.set_xticks([0, 1], ["not same", "same"])
    axes.set_title(short_name(made.pairs.card.name), fontsize=9, loc="left")
    axes.set_xlabel("label" if labelled else "gold score")
    axes.set_ylabel("pairs")
    return [axes]
