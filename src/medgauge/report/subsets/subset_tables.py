"""A run's figures on subsets of pairs, and the tests between subsets, as grids."""

import math

from medgauge.errors import option
from medgauge.estimate import Estimate
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import Run, SetUsed
from medgauge.evaluation.shown import CHOSEN
from medgauge.evaluation.subset_tests import SubsetTest
from medgauge.report.captions.contamination_notes import contamination_notes, marked_figures
from medgauge.report.captions.metric_text import (
    SHORT,
    brackets_note,
    figure_cell,
    has_chosen,
    measure_notes,
    title_end,
    undefined_notes,
)
from medgauge.report.correlation_tables import p_text
from medgauge.report.grids.grid import Cell, Grid, listed, short_name
from medgauge.strata.subsets import DEFAULT_BINS, LEFT_OUT

_ALPHA = 0.05
_MOST_NAMED = 4  # models up to which the table has the advantage of each over each


def subsets_grid(run: Run) -> Grid:
    """Return subsets against models: the figure of the measure shown for a model on all pairs of the set.

    All subsets use one measure, so that they can be compared with each other.
    """
    chosen = chosen_figures(run)
    chosen_best = has_chosen(run)
    marked = marked_figures(run.contamination)
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
                            figure_cell(
                                cell,
                                chosen=chosen_best,
                                bold=len(cells) > 1 and cell.value == top,
                                marked=marked,
                            )
                            for cell in cells
                        ),
                    ]
                )
    header = ["set", str(run.settings.by), "pairs", *(card.name for card in run.models)]
    notes = [*_notes(run), *undefined_notes(named)]
    note = brackets_note(run.settings.confidence)
    title = f"Subsets by {run.settings.by}{title_end(run)}"
    return Grid(title, header, rows, notes, labels=3, interval_note=note)


def subset_tests_grid(run: Run) -> Grid:
    """Return whether each model's figure, and each one's advantage over another, differs between subsets."""
    rows: list[list[Cell]] = []
    reasons: dict[tuple[str, str], list[str]] = {}
    named = len(run.models) <= _MOST_NAMED
    for used in run.datasets:
        for one in used.between_subsets:
            if one.undefined is not None and one.other is None:
                reasons.setdefault((used.name, one.undefined), []).append(one.model)
            if one.other is None or named:
                rows.append(_test_row(used, one))
    notes = [
        "Each model has its standard measure, or its first one; the first minus the second model is the "
        "advantage of the first.",
        "p: of the test that the figure, or the advantage, is the same on all subsets (Welch's F, corrected "
        f"for all such tests of the set, Bonferroni). In bold: below {_ALPHA:g}.",
        "Clearest difference: that of two subsets with the lowest p-value, which is corrected for all "
        "differences of two subsets. All are in the JSON.",
        *(
            f"No test of {listed(models)} on {short_name(dataset)}: {reason}."
            for (dataset, reason), models in reasons.items()
        ),
    ]
    header = ["set", "model", "subsets", "p", "clearest difference"]
    return Grid("Differences between subsets", header, rows, notes, labels=2)


def _test_row(used: SetUsed, one: SubsetTest) -> list[Cell]:
    what = one.model if one.other is None else f"{one.model} − {one.other}"
    p = Cell("–") if math.isnan(one.p_adjusted) else _p_cell(one.p_adjusted)
    defined = [found for found in one.differences if not math.isnan(found.p)]
    clearest = min(defined, key=lambda found: found.p, default=None)
    text = "–"
    if clearest is not None:
        first, second = clearest.subset_1, clearest.subset_2
        text = f"{first} − {second}: {clearest.value:+z.3f} ({_p(clearest.p_adjusted)})"
    bold = clearest is not None and clearest.p_adjusted < _ALPHA
    return [
        Cell(f"{used.name} {SHORT[one.metric]}"),
        Cell(what),
        Cell(str(len(one.subsets))),
        p,
        Cell(text, bold=bold),
    ]


def _p_cell(p: float) -> Cell:
    return Cell(_p(p), bold=p < _ALPHA)


def _p(p: float) -> str:
    return p_text(p).removeprefix("p ").removeprefix("= ")


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
    notes += contamination_notes(run.contamination)
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
