"""The plot of a run's figures on subsets of pairs."""

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medgauge.evaluation.figures import METRICS
from medgauge.evaluation.run import Run, SetUsed
from medgauge.evaluation.shown import CHOSEN
from medgauge.report.captions.metric_text import SHORT, has_chosen, main_metric, percent
from medgauge.report.plots.canvas import COLOURS, MARKERS
from medgauge.report.subsets.subset_tables import chosen_figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEP = 0.12  # between two models, where the distance between two subsets is 1
_SPREAD = 0.7  # at most, over all models
_LETTERS = 16  # characters of a name on a line
_LETTER = 0.065  # inches that a letter of a name takes
_LINE = 0.15  # inches that a line takes
_WIDEST = 10  # inches of a panel whose names are not upright


def draw_subsets(run: Run, figure: "Figure") -> "list[Axes]":
    """Draw the figures of every set's subsets with their intervals: ρ, or the AUC of a labelled set."""
    sets = run.datasets
    across = 2 if len(sets) == 4 else min(3, len(sets))
    down = math.ceil(len(sets) / across)
    names = [_names(used, len(run.models)) for used in sets]
    width = max(3.2, *(0.8 + one.width for one in names))
    height = 2.4 + max(one.height for one in names)
    is_one_metric = len({used.labelled for used in sets}) == 1
    figure.set_size_inches(width * across + 1.8, height * down)
    panels = figure.subplots(down, across, squeeze=False, sharey=is_one_metric).ravel()
    for number, (used, axes) in enumerate(zip(sets, panels, strict=False)):
        _draw(run, used, axes)
        axes.set_xticks(range(len(used.subsets)), names[number].texts, rotation=names[number].rotation)
        axes.set_xlim(-0.5, len(used.subsets) - 0.5)
        axes.set_title(used.name, fontsize=9)
        axes.set_xlabel(str(run.settings.by))
        if number % across == 0 or not is_one_metric:
            axes.set_ylabel(SHORT["auc"] if used.labelled else METRICS["spearman"])
    for unused in panels[len(sets) :]:
        unused.set_visible(False)
    title = f"with {percent(run.settings.confidence)} interval"
    if has_chosen(run):
        title += f"\nof the best measure,\n{CHOSEN}"
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", title=title)
    return list(panels[: len(sets)])


@dataclass(frozen=True)
class _Names:
    """The names of subsets as written below a panel, and the inches that they take."""

    texts: list[str]
    rotation: float
    width: float
    height: float


def _names(used: SetUsed, models: int) -> _Names:
    """Wrap names into lines, or turn them upright where that takes too much room."""
    lines = [[*textwrap.wrap(one.name, _LETTERS), f"n = {one.compared}"] for one in used.subsets]
    longest = max(len(line) for name in lines for line in name)
    each = max(0.12 * models, (longest + 2) * _LETTER)
    if each * len(lines) <= _WIDEST:
        height = _LINE * max(len(name) for name in lines)
        return _Names(["\n".join(name) for name in lines], 0, each * len(lines), height)
    texts = [
        f"{textwrap.shorten(one.name, 40, placeholder=' …')}, n = {one.compared}" for one in used.subsets
    ]
    each = max(0.12 * models, _LINE)
    return _Names(texts, 90, each * len(texts), _LETTER * max(map(len, texts)))


def _draw(run: Run, used: SetUsed, axes: "Axes") -> None:
    metric = main_metric(used)
    chosen = chosen_figures(run)
    count = len(run.models)
    for number, card in enumerate(run.models):
        figures = [chosen[card.name, used.name, metric, subset.name] for subset in used.subsets]
        shift = min(_STEP, _SPREAD / count) * (number - (count - 1) / 2)
        again = number // len(COLOURS)  # a repeated colour gets another marker and line
        axes.errorbar(
            [place + shift for place in range(len(figures))],
            [figure.value for figure in figures],
            yerr=[
                [figure.value - figure.low for figure in figures],
                [figure.high - figure.value for figure in figures],
            ],
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[(number + again) % len(MARKERS)],
            markersize=4,
            linestyle=("-", "--", ":")[again % 3] if _in_order(used) else "none",
            linewidth=0.8,
            elinewidth=0.8,
            label=card.name,
        )
    axes.axhline(0.5 if used.labelled else 0, color="0.7", linewidth=0.6, zorder=0)  # chance level


def _in_order(used: SetUsed) -> bool:
    """Return whether the subsets are numeric: a line between categories would mean nothing."""
    if used.cut != "values":
        return True
    try:
        return all(math.isfinite(float(subset.name)) for subset in used.subsets)
    except ValueError:
        return False
