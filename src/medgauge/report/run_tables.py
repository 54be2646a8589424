"""A run's figures and coverage: as a summary, as grids and as rows."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from medgauge.errors import option
from medgauge.estimate import Estimate
from medgauge.evaluation.figures import METRICS, Figure
from medgauge.evaluation.run import Coverage, Run, Settings, SetUsed
from medgauge.report.captions.contamination_notes import contamination_notes, marked_figures, with_mark
from medgauge.report.captions.metric_text import (
    MEAN_RHO,
    SHORT,
    brackets_note,
    chosen_by_distance_notes,
    figure_cell,
    has_chosen,
    main_metric,
    measure_notes,
    title_end,
    undefined_notes,
)
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    figure_text,
    first_lines,
    listed,
    number_text,
    short_name,
)
from medgauge.report.subsets.subset_tables import subset_tests_grid, subsets_grid

WITHOUT_KEY = (
    "Without key: pairs in which a term has no id or CUI in the set; the other uncovered pairs have one "
    "that the model lacks."
)
"""The note on pairs that a model of concepts cannot look up."""

_MOSTLY = 0.95  # of a set's pairs; with more, what is not covered changes little


def summary(run: Run) -> list[str]:
    """Describe in a few lines what was evaluated, and which model is best on each set."""
    shown = run.shown_figures()

    def line(used: SetUsed) -> str:
        metric = main_metric(used)
        figures = [shown[card.name, used.name, metric] for card in run.models]
        top = max(figures, key=lambda one: -math.inf if math.isnan(one.value) else one.value)
        text = figure_text(top.value, top.low, top.high)
        where = f"{short_name(used.name)} ({used.compared:,} of {counted(used.n, 'pair')})"
        by = "" if math.isnan(top.value) else f" by {short_name(top.model)}"
        named = f", {top.measure}" if by and top.measure != "score" else ""
        return f"{where}: {SHORT[metric]} {'at best ' if len(figures) > 1 else ''}{text}{by}{named}"

    about = f"{counted(len(run.models), 'model')} on {counted(len(run.datasets), 'set')}"
    if run.settings.by is not None:
        about += f", with subsets by {short_name(run.settings.by)}"
    about += title_end(run)
    models = f"models: {listed([card.name for card in run.models])}"
    return [about, models, *first_lines(map(line, run.datasets), "set")]


def grids(run: Run) -> list[Grid]:
    """Return the grids of figures, of subsets, and of coverage where it matters."""
    found = [results_grid(run)]
    if run.settings.by is not None:
        found.append(subsets_grid(run))
        if any(used.between_subsets for used in run.datasets):
            found.append(subset_tests_grid(run))
    if len(run.models) > 1 or any(one.undefined or one.subwords or one.without_key for one in run.coverage):
        found.append(coverage_grid(run))
    if any(bounds.covered < _MOSTLY * bounds.n for bounds in run.uncovered):
        found.append(uncovered_grid(run))
    return found


def results_grid(run: Run) -> Grid:
    """Return models against sets: the figure of the measure shown with its interval, and the pairs used.

    If all measures are shown, each has a row; a model that scores pairs itself has the same figure in all.
    """
    chosen = has_chosen(run)
    marked = marked_figures(run.contamination)
    rows = []
    named: dict[str, Estimate] = {}
    for used in run.datasets:
        metrics = dict.fromkeys(figure.metric for figure in run.figures if figure.dataset == used.name)
        for row, cells in _rows_of(run, used, metrics):
            values = [cell.value for cell in cells if cell is not None and not math.isnan(cell.value)]
            top = max(values, default=math.nan)
            named |= {f"{row} of {cell.model}": cell.estimate for cell in cells if cell is not None}
            rows.append(
                [
                    Cell(row),
                    Cell(f"{used.compared}/{used.n}"),
                    *(
                        Cell("–")
                        if cell is None
                        else figure_cell(
                            cell, chosen=chosen, bold=len(cells) > 1 and cell.value == top, marked=marked
                        )
                        for cell in cells
                    ),
                ]
            )
    if means := run.mean_correlations():
        rows.append(_mean_row(run, means))
        named |= {f"{MEAN_RHO} of {name}": mean for name, mean in means.items()}
    names = [card.name for card in run.models]
    notes = [*_notes(run), *undefined_notes(named)]
    title = f"Agreement with the gold{title_end(run)}"
    grid = oriented(title, names, rows, notes)
    return replace(grid, interval_note=brackets_note(run.settings.confidence))


def _rows_of(run: Run, used: SetUsed, metrics: Iterable[str]) -> Iterator[tuple[str, list[Figure | None]]]:
    """Yield the name of each row of a set, and the figure of each model in it; None if it has none."""
    if run.settings.shown != "all" or not run.several_measures:
        shown = run.shown_figures()
        for metric in metrics:
            yield (
                f"{used.name} {SHORT[metric]}",
                [shown[card.name, used.name, metric] for card in run.models],
            )
        return
    found: dict[tuple[str, str, str], Figure] = {
        (one.model, one.metric, one.measure): one
        for one in run.figures
        if one.dataset == used.name and one.subset is None
    }
    measures = [name for name in dict.fromkeys(one.measure for one in found.values()) if name != "score"]
    for metric, measure in product(metrics, measures):
        own = [(card.name, metric, "score" if card.family == "pairs" else measure) for card in run.models]
        yield f"{used.name} {SHORT[metric]} {measure}", [found.get(key) for key in own]


def _mean_row(run: Run, means: dict[str, Estimate]) -> list[Cell]:
    """Return the row of a summary: each model's mean ρ, which has no interval; marked if one of its ρ is."""
    top = max((mean.value for mean in means.values() if mean.is_defined), default=math.nan)
    sets = next(iter(means.values())).n
    graded = {used.name for used in run.datasets if not used.labelled}
    marked = {one.model for one in run.contamination if one.dataset in graded}
    cells = {
        name: Cell(number_text(mean.value), bold=len(means) > 1 and mean.value == top)
        for name, mean in means.items()
    }
    return [
        Cell(MEAN_RHO),
        Cell(counted(sets, "set")),
        *(with_mark(cell) if name in marked else cell for name, cell in cells.items()),
    ]


def coverage_grid(run: Run) -> Grid:
    """Return the number and share of each set's pairs that each model covers by itself."""
    covered = {(entry.model, entry.dataset): entry for entry in run.coverage}
    rows = []
    for used in run.datasets:
        entries = [covered[card.name, used.name] for card in run.models]
        rows.append(
            [
                Cell(used.name),
                Cell(str(used.n)),
                *(Cell(_covered(entry)) for entry in entries),
            ]
        )
    names = [card.name for card in run.models]
    notes = []
    if any(entry.subwords for entry in run.coverage):
        notes.append(
            "By subwords: pairs with a word outside the vocabulary, whose vector is made of its n-grams."
        )
    if any(entry.without_key for entry in run.coverage):
        notes.append(WITHOUT_KEY)
    return oriented("Pairs that each model covers by itself", names, rows, notes)


def uncovered_grid(run: Run) -> Grid:
    """Return what each figure could be if the pairs that a model does not cover had scores."""
    rows = [
        [
            Cell(f"{one.dataset} {SHORT[one.metric]}"),
            Cell(one.model),
            Cell(f"{one.covered}/{one.n}"),
            *(Cell(number_text(value)) for value in (one.value, one.lowest, one.worst, one.best)),
        ]
        for one in run.uncovered
        if one.covered < _MOSTLY * one.n
    ]
    notes = [
        "Covered: on the pairs that the model covers by itself. The others are on all pairs of the set, if "
        "those not covered all had the lowest score, or were placed among the covered ones in the reversed "
        "order of the gold, or in its order: nothing without further ties gives a lower or a higher figure.",
        f"Models that cover at least {_MOSTLY:.0%} of a set are left out; json has them.",
    ]
    if named := [name for name in dict.fromkeys(one.measure for one in run.uncovered) if name != "score"]:
        notes.append(f"Measure: {', '.join(named)}.")
    header = ["set", "model", "pairs", "covered", "lowest", "reversed", "gold order"]
    return Grid("If uncovered pairs had scores", header, rows, notes, labels=3)


def oriented(title: str, names: list[str], rows: list[list[Cell]], notes: list[str]) -> Grid:
    """Put models across, with each set's pairs next to its name, or down if they outnumber the rows.

    Where that does not fit, the layout may swap them.
    """
    grid = Grid(title, ["set", "pairs", *names], rows, notes, labels=2, turned=1)
    return grid.transposed() if len(names) > len(rows) else grid


def _covered(entry: Coverage) -> str:
    undefined = f", {entry.undefined} undefined" if entry.undefined else ""
    subwords = f", {entry.subwords} by subwords" if entry.subwords else ""
    without = f", {entry.without_key} without key" if entry.without_key else ""
    return f"{entry.covered} ({entry.covered / entry.n:.0%}{undefined}{subwords}{without})"


def rows(run: Run) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row, with what contaminates it if any figure of the run is contaminated."""
    columns = columns_of(Figure)
    found = [[getattr(figure, name) for name in columns] for figure in run.figures]
    if not run.contamination:
        return columns, found
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in run.contamination:
        reasons.setdefault((one.model, one.dataset), []).append(one.reason)
    said = ["; ".join(reasons.get((figure.model, figure.dataset), [])) for figure in run.figures]
    return {**columns, "contamination": str}, [
        [*row, reason] for row, reason in zip(found, said, strict=True)
    ]


def _notes(run: Run) -> list[str]:
    metrics = dict.fromkeys(figure.metric for figure in run.figures)
    meanings = "; ".join(f"{SHORT[metric]}: {METRICS[metric]}" for metric in metrics)
    notes = [f"{meanings}."]
    notes.append(
        "Pairs: those that all models can score, out of all in the set; every figure is computed on them."
    )
    undefined = sum(entry.undefined for entry in run.coverage)
    if undefined:
        notes.append(
            f"For {undefined} covered pairs some measure is undefined; they are left out for all models."
        )
    if sum(not used.labelled for used in run.datasets) > 1:
        notes.append(
            f"{MEAN_RHO}: a summary, the unweighted mean over the graded sets, of which some may share pairs."
        )
    notes += measure_notes(run)
    notes += contamination_notes(run.contamination)
    if "accuracy_best" in metrics:
        notes.append(
            "The best threshold is chosen on the pairs it is tested on, as in the papers; CV chooses it on "
            "other pairs."
        )
        shares = "; ".join(f"{one.name} {one.majority:.3f}" for one in run.datasets if one.majority)
        if shares:
            notes.append(f"Accuracy of always predicting the more common label: {shares}.")
    chosen = {used.name: used.most_edits for used in run.datasets if used.most_edits is not None}
    notes += chosen_by_distance_notes(chosen, [card.name for card in run.models])
    notes += [text for used in run.datasets for text in (*_human(used), *_types(used, run.settings))]
    if skipped := ", ".join(f"{one.name} {one.skipped:,}" for one in run.datasets if one.skipped):
        notes.append(f"Pairs without gold, which were skipped ({option('missing', 'skip')}): {skipped}.")
    notes += [
        f"{one.model}: about {one.tokens:,} tokens, which cost {one.cost:,.4f} at {one.price:g} for a "
        "million."
        for one in run.costs
    ]
    for entry in run.coverage:
        if entry.failures:
            kinds = ", ".join(f"{kind} {count:,}" for kind, count in entry.failures.items())
            notes.append(f"Pairs of {entry.dataset} that {entry.model} did not score: {kinds}.")
    if run.settings.where is not None:
        kept = ", ".join(f"{one.name} {one.n} of {one.total}" for one in run.datasets)
        notes.append(f"Only pairs that meet {run.settings.where} ({option('where')}): {kept}.")
    if run.settings.oov == "skip-word":
        notes.append(f"Unknown words were dropped from their terms ({option('oov', 'skip-word')}).")
    if run.settings.limit is not None:
        most = f"{run.settings.limit} pairs of each set were used"
        notes.append(f"At most the first {most} ({option('limit')}).")
    return notes


def _human(used: SetUsed) -> Iterator[str]:
    if used.human is not None:
        bound = used.human
        yield (
            f"Best annotator on {used.name}: ρ {number_text(bound.with_own)}{_of(bound.with_own_rater)} with "
            f"the mean rating, {number_text(bound.without_own)}{_of(bound.without_own_rater)} with the mean "
            f"of the others.{_since(bound.undefined)}"
        )
        if bound.no_ceiling is not None:
            yield f"Ceiling on {used.name}: undefined, as {bound.no_ceiling}."
        elif not math.isnan(bound.ceiling):
            yield (
                f"Ceiling on {used.name}: a model that knew the true values would score about ρ "
                f"{number_text(bound.ceiling)}, √G(q,k) of the mean rating (approximate for ρ)."
            )


def _since(undefined: str | None) -> str:
    return "" if undefined is None else f" Undefined: {undefined}."


def _of(rater: str | None) -> str:
    return "" if rater is None else f" ({rater})"


def _types(used: SetUsed, settings: Settings) -> Iterator[str]:
    if used.types is not None and settings.types is not None:
        yield (
            f"Median gold of each combination of {' and '.join(settings.types)} on {used.name}: "
            f"ρ {number_text(used.types.rho)} on the {used.types.pairs} pairs of the "
            f"{used.types.combinations} combinations that occur more than once; fitted on the same pairs "
            f"that it is tested on.{_since(used.types.undefined)}"
        )
