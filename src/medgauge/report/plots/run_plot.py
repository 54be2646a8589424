"""The plot of a run: the figures of its subsets or, without any, of whole sets."""

import math
from typing import TYPE_CHECKING

from medgauge.evaluation.figures import METRICS
from medgauge.evaluation.run import Run, SetUsed
from medgauge.evaluation.shown import CHOSEN
from medgauge.report.captions.metric_text import SHORT, has_chosen, main_metric, percent
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels
from medgauge.report.subsets.subset_plot import draw_subsets

_LINES = (":", "--")
_LEGEND = 0.3  # inches

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(run: Run, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each set, with the models down and the figures of the measure shown across."""
    if run.settings.by is not None:
        return draw_subsets(run, figure)
    models = [card.name for card in run.models]
    shown = run.shown_figures()

    def fill(axes: "Axes", number: int) -> None:
        used = run.datasets[number]
        for height, model in enumerate(models):
            found = shown[model, used.name, main_metric(used)]
            if not math.isnan(found.low):
                axes.plot([found.low, found.high], [height, height], color=COLOURS[0], linewidth=1.5)
            axes.plot(found.value, height, "o", color=COLOURS[0], markersize=4)
        for (label, value), line in zip(_people(used).items(), _LINES, strict=False):
            axes.axvline(value, color=COLOURS[1], linestyle=line, linewidth=1, label=label)

    metrics = [(used.name, main_metric(used)) for used in run.datasets]
    level = f"with {percent(run.settings.confidence)} interval"
    if has_chosen(run):
        level += f"\nof the best measure,\n{CHOSEN}"
    panels = [(f"{name} {SHORT[metric]}", f"{METRICS[metric]}\n{level}") for name, metric in metrics]
    drawn = draw_panels(figure, panels, models, fill)
    lines = {
        label: line for axes in drawn for line, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    if lines:
        # Above the panels, whose height does not depend on it.
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + _LEGEND)
        figure.legend(lines.values(), lines.keys(), loc="outside upper left", ncols=2, fontsize=8)
    return drawn


def _people(used: SetUsed) -> dict[str, float]:
    """Return the best annotator and the ceiling of a set with ratings, as far as they are defined."""
    if used.human is None:
        return {}
    shown = {
        "best annotator, own rating excluded": used.human.without_own,
        "ceiling √G(q,k), approximate": used.human.ceiling,
    }
    return {label: value for label, value in shown.items() if not math.isnan(value)}
