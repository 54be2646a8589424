"""Plots of a comparison: figures with intervals and letters, or their spread over measures."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from medgauge.comparison.comparison import Comparison, Contest, Spread
from medgauge.evaluation.figures import METRICS
from medgauge.report.comparison_tables import contest_name, ordered_models, own_confidence
from medgauge.report.plots import COLOURS, drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ACROSS = 4  # panels in a row, at most
_PANEL = 2.4  # inches
_LINE = 0.22  # inches for a model


def draw_comparison(comparison: Comparison, path: Path) -> None:
    """Draw a panel for each set and metric, with the models down and their figures across."""
    if comparison.by == "measure":
        _draw_spreads(comparison.spreads, path)
    else:
        _draw_contests(comparison.contests, path)


def _draw_contests(contests: Sequence[Contest], path: Path) -> None:
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
    names = [(contest_name(contest), f"{METRICS[contest.metric]}\n{level}") for contest in contests]
    _draw_panels(names, models, path, fill)


def _draw_spreads(spreads: Sequence[Spread], path: Path) -> None:
    names = list(dict.fromkeys((contest_name(spread), METRICS[spread.metric]) for spread in spreads))
    models = list(dict.fromkeys(spread.model for spread in spreads))

    def fill(axes: "Axes", number: int) -> None:
        for spread in spreads:
            if contest_name(spread) == names[number][0]:
                height = models.index(spread.model)
                axes.plot([spread.low, spread.high], [height, height], "|-", color=COLOURS[0], markersize=6)
                axes.plot(spread.median, height, "D", color=COLOURS[1], markersize=4)

    _draw_panels(names, models, path, fill)


def _draw_panels(names: Sequence[tuple[str, str]], models: Sequence[str], path: Path, fill: "_Fill") -> None:
    across = min(_ACROSS, len(names))
    down = math.ceil(len(names) / across)
    width = 0.07 * max(map(len, models)) + _PANEL * across
    height = (0.95 + _LINE * len(models)) * down
    with drawing(path, width=width, height=height) as figure:
        grid = figure.subplots(down, across, sharey=True, squeeze=False)
        panels = list(grid.flat)
        for number, (name, label) in enumerate(names):
            axes = panels[number]
            fill(axes, number)
            axes.set_title(name, fontsize=9, loc="left")
            axes.set_xlabel(label, fontsize=8)
            # Ticks beside the letters of the panel before would make them seem labels.
            axes.tick_params(labelsize=8, left=number % across == 0)
            axes.locator_params(axis="x", nbins=4)
            axes.grid(axis="x", color="0.9", linewidth=0.6)
            axes.set_axisbelow(True)
        panels[0].set_yticks(range(len(models)), models)
        panels[0].set_ylim(len(models) - 0.5, -0.5)
        for axes in panels[len(names) :]:
            axes.remove()


if TYPE_CHECKING:
    from collections.abc import Callable

    _Fill = Callable[[Axes, int], None]
