"""The separation of categories: summary, grid (as table D.1 of Schulz and Juric 2020) and rows."""

import math

from medgauge.categories.separated import CategorySeparation, Separation
from medgauge.errors import option
from medgauge.report.grids.grid import (
    Cell,
    ColumnTypes,
    Grid,
    columns_of,
    counted,
    first_lines,
    number_text,
    short_name,
)
from medgauge.report.metric_text import percent, undefined_notes

_SIMILARITIES = {
    "sim_ab": "sim(A, B)",
    "sim_ac": "sim(A, C)",
    "sim_aa": "sim(A, A)",
    "sim_bb": "sim(B, B)",
    "sim_cc": "sim(C, C)",
}


def summary(found: CategorySeparation) -> list[str]:
    """Describe in a few lines the categories, and how well each model separates them at best."""

    def line(model: str) -> str:
        one = best_and_worst(found, model)[0]
        named = "" if one.measure == "score" else f", {one.measure}"
        return f"{short_name(model)}{named}: overlap {_overlap(one)}"

    categories = ", ".join(
        f"{one.role}: {short_name(one.name)} ({counted(one.terms, 'term')})" for one in found.categories
    )
    lines = first_lines([line(card.name) for card in found.models], "model")
    return [f"{counted(len(found.models), 'model')} on 3 categories", categories, *lines]


def grids(found: CategorySeparation) -> list[Grid]:
    """Return the one grid."""
    return [separation_grid(found)]


def separation_grid(found: CategorySeparation) -> Grid:
    """Return each model's best and worst measure: overlap, terms used, and mean similarities."""
    chosen = {card.name: best_and_worst(found, card.name) for card in found.models}
    lowest = min((_printed(ones[0]) for ones in chosen.values()), default=math.inf)
    rows = []
    for name, ones in chosen.items():
        for one, mark in zip(ones, (" (best)", " (worst)") if len(ones) > 1 else ("",), strict=True):
            is_top = len(chosen) > 1 and one is ones[0] and _printed(one) == lowest < math.inf
            rows.append(
                [
                    Cell(name),
                    Cell(f"{one.measure}{mark}"),
                    Cell(_value(one), bold=is_top, interval=_interval(one)),
                    Cell(f"{one.used_a} × {one.used_b} × {one.used_c}"),
                    *(Cell(number_text(getattr(one, field))) for field in _SIMILARITIES),
                ]
            )
    header = ["model", "measure", "O", "terms", *_SIMILARITIES.values()]
    levels = dict.fromkeys(percent(one.confidence) for one in found.separations)
    note = f"In brackets: {' or '.join(levels)} intervals."
    return Grid("Category overlap", header, rows, _notes(found, chosen), labels=2, interval_note=note)


def rows(found: CategorySeparation) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every model and measure as a row."""
    columns = columns_of(Separation)
    return columns, [[getattr(one, name) for name in columns] for one in found.separations]


def best_and_worst(found: CategorySeparation, model: str) -> list[Separation]:
    """Return a model's best and worst measure, or its only one; of those equal in print, the first."""
    mine = [one for one in found.separations if one.model == model]
    defined = [one for one in mine if not math.isnan(one.overlap)] or mine[:1]
    best, worst = min(defined, key=_printed), max(defined, key=_printed)
    return [best] if len(mine) == 1 or best is worst else [best, worst]


def _printed(one: Separation) -> float:
    return math.inf if math.isnan(one.overlap) else round(one.overlap, 3)


def _overlap(one: Separation) -> str:
    return f"{_value(one)} {_interval(one)}".rstrip()


def _value(one: Separation) -> str:
    return "undefined" if math.isnan(one.overlap) else f"{one.overlap:.1%}"


def _interval(one: Separation) -> str:
    return "" if math.isnan(one.low) else f"[{100 * one.low:.1f}, {100 * one.high:.1f}]"


def _notes(found: CategorySeparation, chosen: dict[str, list[Separation]]) -> list[str]:
    notes = ["; ".join(f"{one.role}: {one.name}, {one.terms} terms" for one in found.categories) + "."]
    if any(one.shared for one in found.categories):
        numbers = ", ".join(f"{one.shared} of {one.role}" for one in found.categories)
        notes.append(f"Left out because they are in another list too: {numbers}.")
    if any(one.repeated for one in found.categories):
        numbers = ", ".join(f"{one.repeated} of {one.role}" for one in found.categories)
        notes.append(f"Left out because they repeat an earlier line: {numbers}.")
    notes.append(
        "O: the share of all triples (a, b, c) with sim(a, b) ≤ sim(a, c); lower is better, and ties count "
        "as errors."
    )
    notes.append("sim(X, Y): the mean similarity over all pairs of different terms.")
    notes.append("terms: those of A, B and C that the model covers, on which its figures are computed.")
    if len({(one.used_a, one.used_b, one.used_c) for ones in chosen.values() for one in ones}) > 1:
        notes.append("Where these numbers differ, figures are computed on different triples.")
    if any(one.undefined for one in found.separations):
        most = max(one.undefined for one in found.separations)
        notes.append(f"Up to {most} covered terms are left out where the measure is undefined for them.")
    shown = [one for ones in chosen.values() for one in ones]
    notes += undefined_notes({f"O of {one.model} with {one.measure}": one.estimate for one in shown})
    if any(len(ones) > 1 for ones in chosen.values()):
        notes.append("The best and the worst measure of each model were chosen on these same terms.")
    if found.oov == "skip-word":
        notes.append(f"Unknown words were dropped from their terms ({option('oov', 'skip-word')}).")
    return notes
