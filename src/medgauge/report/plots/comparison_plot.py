"""The plot of a comparison: figures with intervals and letters, or those of every measure."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from medgauge.comparison.comparison import Comparison, Contest
from medgauge.comparison.conclusion import by_mean_rank
from medgauge.evaluation.figures import METRICS
from medgauge.report.captions.comparison_notes import contest_name
from medgauge.report.comparison_tables import own_confidence
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_NAMED = 0.6  # of the range of the figures, left on both sides for the names of measures


def draw(comparison: Comparison, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each set and metric, with the models down and their figures across."""
    if comparison.by == "measure":
        return _draw_measures(comparison.contests, figure)
    return _draw_contests(comparison.contests, figure)


def _draw_contests(contests: Sequence[Contest], figure: "Figure") -> "list[Axes]":
    models = by_mean_rank(contests)

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


def _draw_measures(contests: Sequence[Contest], figure: "Figure") -> "list[Axes]":
    """Draw a dot for each measure of a model; the lowest and the highest are named.

    A line from one to the other would look like a confidence interval.
    """
    panels = list(dict.fromkeys((contest_name(one), METRICS[one.metric]) for one in contests))
    models = list(dict.fromkeys(one.model or "" for one in contests))

    def fill(axes: "Axes", number: int) -> None:
        for contest in contests:
            if contest_name(contest) == panels[number][0]:
                height = models.index(contest.model or "")
                values = [system.value for system in contest.systems]
                axes.plot(values, [height] * len(values), "o", color=COLOURS[0], markersize=3.5, alpha=0.6)
                for system, side, away in (
                    (contest.systems[-1], "right", -4),
                    (contest.systems[0], "left", 4),
                ):
                    axes.annotate(
                        system.measure,
                        (system.value, height),
                        xytext=(away, 0),
                        textcoords="offset points",
                        ha=side,
                        va="center",
                        fontsize=6,
                    )
        axes.margins(x=_NAMED)

    return draw_panels(figure, panels, models, fill)
