"""A run's figures on subsets of pairs as a grid."""

import math

from medgauge.errors import option
from medgauge.estimate import Estimate
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import Run, SetUsed
from medgauge.evaluation.shown import CHOSEN
from medgauge.report.grids.grid import Cell, Grid
from medgauge.report.metric_text import (
    SHORT,
    brackets_note,
    figure_cell,
    has_chosen,
    measure_notes,
    title_end,
    undefined_notes,
)
from medgauge.strata.subsets import DEFAULT_BINS, LEFT_OUT


def subsets_grid(run: Run) -> Grid:
    """Return subsets against models: the figure of the measure shown for a model on all pairs of the set.

    All subsets use one measure, so that they can be compared with each other.
    """
    chosen = chosen_figures(run)
    chosen_best = has_chosen(run)
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
                            figure_cell(cell, chosen=chosen_best, bold=len(cells) > 1 and cell.value == top)
                            for cell in cells
                        ),
                    ]
                )
    header = ["set", str(run.settings.by), "pairs", *(card.name for card in run.models)]
    notes = [*_notes(run), *undefined_notes(named)]
    note = brackets_note(run.settings.confidence)
    title = f"Subsets by {run.settings.by}{title_end(run)}"
    return Grid(title, header, rows, notes, labels=3, interval_note=note)


def _metrics(run: Run, used: SetUsed) -> list[str]:
    return list(dict.fromkeys(figure.metric for figure in run.figures if figure.dataset == used.name))


def chosen_figures(run: Run) -> dict[tuple[str, str, str, str], Figure]:
    """Return the figures of subsets by model, set, metric and subset, with the whole set's measure."""
    shown = run.shown_figures()
    return {
        (figure.model, figure.dataset, figure.metric, figure.subset): figure
        for figure in run.figures
        if figure.subset is not None
        and figure.measure == shown[figure.model, figure.dataset, figure.metric].measure
    }


def _notes(run: Run) -> list[str]:
    by, bins = run.settings.by, run.settings.bins
    notes = ["Pairs: those of the subset that all models can score, out of all in it."]
    if has_chosen(run):
        notes.append(f"Best: each model has the measure that is its best on all pairs of the set, {CHOSEN}.")
    else:
        notes += measure_notes(run)
    if run.settings.attributes is not None:
        notes.append(f"Both terms of a pair are in the same interval of {by}.")
    if any(used.cut == "quantiles" for used in run.datasets):
        what = "different terms" if run.settings.attributes is not None else "pairs"
        how = option("bins")
        notes.append(f"The intervals of {by} hold numbers of {what} as equal as ties allow ({how}).")
    wanted = bins if isinstance(bins, int) else DEFAULT_BINS
    fewer = [used.name for used in run.datasets if used.cut == "quantiles" and len(used.subsets) < wanted]
    if fewer:
        notes.append(f"Fewer than {wanted} intervals, since many values are equal: {', '.join(fewer)}.")
    for used in run.datasets:
        if used.left_out:
            reasons = ", ".join(f"{count} {LEFT_OUT[reason]}" for reason, count in used.left_out.items())
            notes.append(f"Pairs of {used.name} in no subset: {reasons}.")
    return notes
