"""The separation of categories: summary, grid (as table D.1 of Schulz and Juric 2020) and rows."""

import math

from medgauge.categories.separated import (
    CategorySeparation,
    OverlapContest,
    OverlapDifference,
    Separation,
)
from medgauge.errors import option
from medgauge.report.captions.metric_text import percent, undefined_notes
from medgauge.report.correlation_tables import p_text
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
    """Return the grid of all models, and that of their differences if there are several."""
    return [separation_grid(found), *([] if found.contest is None else [contest_grid(found.contest)])]


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


def contest_grid(contest: OverlapContest) -> Grid:
    """Return the models from best to worst on common terms, with letters and differences from the best."""
    best = contest.systems[0]
    from_best = {one.model_2: one for one in contest.differences if one.model_1 == best.model}
    rows = []
    for one in contest.systems:
        apart = from_best.get(one.model)
        rows.append(
            [
                Cell(one.model),
                Cell(one.measure),
                Cell("undefined" if math.isnan(one.overlap) else f"{one.overlap:.1%}"),
                Cell(one.letters if contest.untested is None else "–"),
                Cell("best") if apart is None else _difference(apart),
            ]
        )
    tests = len(contest.differences)
    notes = [
        f"On the {contest.common_a} × {contest.common_b} × {contest.common_c} terms that all models cover, "
        "each model with its standard measure, or its only one.",
        "Letters: models that share one cannot be told apart.",
        "− best: the difference of the overlap from the first, with the interval at level "
        f"{contest.alpha / max(tests, 1):.2g} and the p-value corrected for {counted(tests, 'test')} "
        f"(Bonferroni). In bold: significant at {contest.alpha:g}.",
    ]
    if contest.untested is not None:
        notes.append(f"No tests: {contest.untested}.")
    header = ["model", "measure", "O", "letters", "− best"]
    return Grid("Differences of the category overlap", header, rows, notes, labels=2)


def _difference(one: OverlapDifference) -> Cell:
    # The best is model_1 here, and the cell says by how much the other exceeds it.
    ends = "" if math.isnan(one.low) else f" [{-100 * one.high:+.1f}, {-100 * one.low:+.1f}]"
    p = "no test" if math.isnan(one.p_adjusted) else p_text(one.p_adjusted)
    value = "undefined" if math.isnan(one.value) else f"{-100 * one.value:+.1f}"
    return Cell(f"{value}{ends} ({p})", bold=one.significant)


_OF_CONTEST: ColumnTypes = {
    "common_overlap": float,
    "letters": str,
    "from_best": float,
    "from_best_low": float,
    "from_best_high": float,
    "from_best_p": float,
}


def rows(found: CategorySeparation) -> tuple[ColumnTypes, list[list[object]]]:
    """Return every model and measure as a row; what compares models is with the measure compared by."""
    columns = columns_of(Separation)
    compared = {} if found.contest is None else _compared(found.contest)
    nothing: list[object] = [None] * len(_OF_CONTEST)
    return columns | _OF_CONTEST, [
        [*(getattr(one, name) for name in columns), *compared.get((one.model, one.measure), nothing)]
        for one in found.separations
    ]


def _compared(contest: OverlapContest) -> dict[tuple[str, str], list[object]]:
    """Return the overlap on common terms, the letters, and the difference from the best of each system."""
    best = contest.systems[0].model
    apart = {one.model_2: one for one in contest.differences if one.model_1 == best}
    return {
        (one.model, one.measure): [
            one.overlap,
            one.letters,
            *(
                [-apart[one.model].value, -apart[one.model].high, -apart[one.model].low]
                if one.model in apart
                else [0.0, None, None]
            ),
            apart[one.model].p_adjusted if one.model in apart else None,
        ]
        for one in contest.systems
    }


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
