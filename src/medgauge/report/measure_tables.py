"""The choice of a measure: as a summary, as grids of measures against models, and as rows."""

import math
from collections.abc import Iterator, Mapping

from medgauge.errors import option
from medgauge.estimate import Estimate
from medgauge.evaluation.measure_choice import MeasureChoice, best_measure, distance
from medgauge.measures.declared import MEASURES
from medgauge.report.captions.metric_text import MEAN_RHO, SHORT, undefined_notes
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    counted,
    first_lines,
    listed,
    number_text,
    short_name,
)


def summary(choice: MeasureChoice) -> list[str]:
    """Describe in a few lines which measure is best for which model, and how much the choice matters."""
    sets = len({one.dataset for one in choice.measured})
    return [
        f"{counted(len(choice.models), 'model')} with several measures on {counted(sets, 'set')}",
        *first_lines(list(sentences(choice)), "sentence"),
    ]


def grids(choice: MeasureChoice) -> list[Grid]:
    """Return measures against models, over all graded sets or for each set, and the best on each set."""
    graded = list(dict.fromkeys(one.dataset for one in choice.measured if one.metric == "spearman"))
    found = []
    if len(graded) > 1:
        found.append(_means_grid(choice, len(graded)))
    single = dict.fromkeys((one.dataset, one.metric) for one in choice.measured)
    for dataset, metric in single:
        if metric != "spearman" or len(graded) == 1:
            values = {one.model: one.values for one in choice.measured if one.dataset == dataset}
            found.append(_grid(f"{dataset} {SHORT[metric]} by measure", values, []))
    found.append(_best_grid(choice))
    return [_with_notes(choice, found[0]), *found[1:]]


def rows(choice: MeasureChoice) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every figure as a row, and whether its measure is the model's best on the set."""
    columns = {"model": str, "dataset": str, "metric": str, "measure": str, "value": float, "best": bool}
    return columns, [
        [one.model, one.dataset, one.metric, measure, value, measure == one.best]
        for one in choice.measured
        for measure, value in one.values.items()
    ]


def sentences(choice: MeasureChoice) -> Iterator[str]:
    """Say of each model which measure is best most often, and how far the choice moves its figures."""
    for model in choice.models:
        for metric in choice.metrics:
            sets = choice.on_sets(model, metric)
            best, count = choice.most_often_best(model, metric)
            largest = choice.largest_distance(model, metric)
            if largest is None:
                yield f"{short_name(model)}: no two measures have {SHORT[metric]} on the same set"
                continue
            who = f"{best[0]} is" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} are each"
            moves = f"the choice moves {SHORT[metric]} by {choice.mean_distance(model, metric):.3f}"
            if len(sets) > 1:
                moves += f" on average (at most {largest.distance:.3f}, on {short_name(largest.dataset)})"
            where = "" if len(sets) == 1 else f" on {count} of {counted(len(sets), 'set')}"
            yield f"{short_name(model)}: {who} best{where}{_by_mean(choice, model, metric, best)}; {moves}"


def _by_mean(choice: MeasureChoice, model: str, metric: str, best: list[str]) -> str:
    """Name the measure with the highest mean ρ, where another one is best most often."""
    if metric != "spearman" or len(choice.on_sets(model, metric)) < 2:
        return ""
    top = best_measure({name: mean.value for name, mean in choice.mean_correlations(model).items()})
    return "" if top is None or top in best else f" (by the mean ρ it is {top})"


def _with_notes(choice: MeasureChoice, grid: Grid) -> Grid:
    notes = [f"{sentence}." for sentence in sentences(choice)]
    notes.append(
        "The best is chosen on the pairs that it is computed on, and nothing here is a test: compare the run "
        f"with {option('by', 'measure')} to see which differences are real."
    )
    if choice.with_one_measure:
        notes.append(f"Left out, since they have one measure: {listed(choice.with_one_measure)}.")
    return Grid(grid.title, grid.header, grid.rows, [*notes, *grid.notes], turned=grid.turned)


def _means_grid(choice: MeasureChoice, sets: int) -> Grid:
    means = {model: choice.mean_correlations(model) for model in choice.models}
    values = {model: {name: mean.value for name, mean in of.items()} for model, of in means.items()}
    named: dict[str, Estimate] = {
        f"the mean of {model} with {name}": mean for model, of in means.items() for name, mean in of.items()
    }
    title = f"{MEAN_RHO[:1].upper()}{MEAN_RHO[1:]} over {counted(sets, 'set')}, by measure"
    return _grid(title, values, undefined_notes(named))


def _grid(title: str, values: Mapping[str, dict[str, float]], notes: list[str]) -> Grid:
    """Return measures down and models across, the best of each model in bold, and how far the worst is."""
    best = {model: best_measure(of) for model, of in values.items()}
    measures = [name for name in MEASURES if any(name in of for of in values.values())]
    rows = [
        [
            Cell(name),
            *(
                Cell(number_text(of[name]), bold=best[model] == name) if name in of else Cell("–")
                for model, of in values.items()
            ),
        ]
        for name in measures
    ]
    rows.append([Cell("best − worst"), *(_distance(distance(of)) for of in values.values())])
    return Grid(title, ["measure", *values], rows, notes, turned=1)


def _best_grid(choice: MeasureChoice) -> Grid:
    """Return the best measure of each model on each set, with its distance from the worst."""
    found = {(one.dataset, one.metric, one.model): one for one in choice.measured}
    rows = [
        [
            Cell(f"{dataset} {SHORT[metric]}"),
            *(
                Cell(one.best or "undefined", after=_distance(one.distance).figure)
                for one in (found[dataset, metric, model] for model in choice.models)
            ),
        ]
        for dataset, metric in dict.fromkeys((one.dataset, one.metric) for one in choice.measured)
    ]
    title = "Best measure on each set, and its distance from the worst"
    return Grid(title, ["set", *choice.models], rows, turned=1)


def _distance(value: float) -> Cell:
    return Cell("" if math.isnan(value) else number_text(value))
