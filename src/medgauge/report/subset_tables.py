"""A run's figures on subsets of pairs: as a grid, and as a plot."""

import math
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from medgauge.estimate import Estimate
from medgauge.evaluation.figures import METRICS, Figure, best_figures
from medgauge.evaluation.run import Run, SetUsed
from medgauge.report.grid import Cell, Grid
from medgauge.report.plots import COLOURS, MARKERS, drawing
from medgauge.report.run_tables import SHORT, percent, shown, undefined_notes
from medgauge.strata.subsets import DEFAULT_BINS, LEFT_OUT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STEP = 0.12  # between two models, where the room between two subsets is 1
_SPREAD = 0.7  # for all models
_LETTERS = 16  # of a name on a line
_LETTER = 0.065  # inches that a letter of a name takes
_LINE = 0.15  # inches that a line takes
_WIDEST = 10  # inches of a panel whose names are not upright


def subsets_grid(run: Run) -> Grid:
    """Return subsets against models: figures of the measure that is a model's best on all pairs of the set.

    One measure for all subsets, so that they can be compared with each other.
    """
    chosen = _chosen(run)
    several = run.several_measures
    rows = []
    named: dict[str, Estimate] = {}
    for used in run.datasets:
        for metric in _metrics(run, used):
            for subset in used.subsets:
                cells = [chosen[card.name, used.name, metric, subset.name] for card in run.models]
                top = max((cell.value for cell in cells if not math.isnan(cell.value)), default=math.nan)
                row = f"{used.name} {SHORT[metric]}"
                named |= {f"{row} {subset.name} of {cell.model}": cell.estimate for cell in cells}
                rows.append(
                    [
                        Cell(row),
                        Cell(subset.name),
                        Cell(f"{subset.compared}/{subset.n}"),
                        *(
                            Cell(shown(cell, several), bold=len(cells) > 1 and cell.value == top)
                            for cell in cells
                        ),
                    ]
                )
    header = ["set", str(run.settings.by), "pairs", *(card.name for card in run.models)]
    notes = [*_notes(run, several), *undefined_notes(named)]
    return Grid(f"Subsets by {run.settings.by}", header, rows, notes, labels=3)


def plot_subsets(run: Run, path: Path) -> None:
    """Draw the figures of every set's subsets with their intervals: ρ, or the AUC of a labelled set."""
    sets = run.datasets
    across = 2 if len(sets) == 4 else min(3, len(sets))
    down = math.ceil(len(sets) / across)
    names = [_names(used, len(run.models)) for used in sets]
    width = max(3.2, *(0.8 + one.width for one in names))
    height = 2.4 + max(one.height for one in names)
    is_one_metric = len({used.labelled for used in sets}) == 1
    with drawing(path, width=width * across + 1.8, height=height * down) as figure:
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
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right upper", title=title)


@dataclass(frozen=True)
class _Names:
    """The names of subsets as they stand under a panel, and the inches that they take."""

    texts: list[str]
    rotation: float
    width: float
    height: float


def _names(used: SetUsed, models: int) -> _Names:
    """Write names in lines of some letters, or upright where that takes too much room."""
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
    metric = _metrics(run, used)[0]
    chosen = _chosen(run)
    count = len(run.models)
    for number, card in enumerate(run.models):
        figures = [chosen[card.name, used.name, metric, subset.name] for subset in used.subsets]
        shift = min(_STEP, _SPREAD / count) * (number - (count - 1) / 2)
        again = number // len(COLOURS)  # a colour that comes again has another marker and line
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
    axes.axhline(0.5 if used.labelled else 0, color="0.7", linewidth=0.6, zorder=0)  # what chance gives


def _metrics(run: Run, used: SetUsed) -> list[str]:
    return list(dict.fromkeys(figure.metric for figure in run.figures if figure.dataset == used.name))


def _in_order(used: SetUsed) -> bool:
    """Return whether the subsets are of numbers: a line between categories would mean nothing."""
    if used.cut != "values":
        return True
    try:
        return all(math.isfinite(float(subset.name)) for subset in used.subsets)
    except ValueError:
        return False


def _chosen(run: Run) -> dict[tuple[str, str, str, str], Figure]:
    best = best_figures(run.figures)
    return {
        (figure.model, figure.dataset, figure.metric, figure.subset): figure
        for figure in run.figures
        if figure.subset is not None
        and figure.measure == best[figure.model, figure.dataset, figure.metric].measure
    }


def _notes(run: Run, several: bool) -> list[str]:
    by, bins = run.settings.by, run.settings.bins
    notes = [
        f"In brackets: {percent(run.settings.confidence)} intervals.",
        "Pairs: those of the subset that all models can score, of all in it.",
    ]
    if several:
        notes.append("Each model has the measure that is its best on all pairs of the set.")
    if run.settings.attributes is not None:
        notes.append(f"Both terms of a pair are in the same interval of {by}.")
    if any(used.cut == "quantiles" for used in run.datasets):
        what = "different terms" if run.settings.attributes is not None else "pairs"
        notes.append(f"The intervals of {by} hold numbers of {what} as equal as ties allow (--bins).")
    wanted = bins if isinstance(bins, int) else DEFAULT_BINS
    fewer = [used.name for used in run.datasets if used.cut == "quantiles" and len(used.subsets) < wanted]
    if fewer:
        notes.append(f"Fewer than {wanted} intervals, since many values are equal: {', '.join(fewer)}.")
    for used in run.datasets:
        if used.left_out:
            reasons = ", ".join(f"{count} {LEFT_OUT[reason]}" for reason, count in used.left_out.items())
            notes.append(f"Pairs of {used.name} in no subset: {reasons}.")
    return notes
