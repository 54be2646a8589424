"""The plot of a comparison: figures with intervals and letters, or their spread over measures."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from medgauge.comparison.comparison import Comparison, Contest, Spread
from medgauge.evaluation.figures import METRICS
from medgauge.report.comparison_tables import contest_name, ordered_models, own_confidence
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(comparison: Comparison, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each set and metric, with the models down and their figures across."""
    if comparison.by == "measure":
        return _draw_spreads(comparison.spreads, figure)
    return _draw_contests(comparison.contests, figure)


def _draw_contests(contests: Sequence[Contest], figure: "Figure") -> "list[Axes]":
    models = ordered_models(contests)

    def fill(axes: "Axes", number: int) -> None:
        contest = contests[number]
        for system in contest.systems:
            height = models.index(system.model)
            if not math.isnan(system.low):
                axes.plot([system.low, system.high], [height, height], color=COLOURS[0], linewidth=1.5)
            axes.plot(system.value, height, "o", color=COLOURS[0], markersize=4)
            axes.annotate(
                system.letters,
                (1.02, height),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=7,
                color=COLOURS[0],
            )

    level = f"with {own_confidence(contests)} interval"
    panels = [(contest_name(contest), f"{METRICS[contest.metric]}\n{level}") for contest in contests]
    return draw_panels(figure, panels, models, fill)


def _draw_spreads(spreads: Sequence[Spread], figure: "Figure") -> "list[Axes]":
    panels = list(dict.fromkeys((contest_name(spread), METRICS[spread.metric]) for spread in spreads))
    models = list(dict.fromkeys(spread.model for spread in spreads))

    def fill(axes: "Axes", number: int) -> None:
        for spread in spreads:
            if contest_name(spread) == panels[number][0]:
                height = models.index(spread.model)
                axes.plot([spread.low, spread.high], [height, height], "|-", color=COLOURS[0], markersize=6)
                axes.plot(spread.median, height, "D", color=COLOURS[1], markersize=4)

    return draw_panels(figure, panels, models, fill)
