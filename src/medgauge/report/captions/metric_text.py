"""How metrics are named and figures written in tables and plots."""

import math
from collections.abc import Iterable, Mapping

from medgauge.estimate import Estimate, no_interval_sentences, undefined_sentences
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import Run, SetUsed
from medgauge.evaluation.shown import CHOSEN
from medgauge.report.captions.contamination_notes import Marked, with_mark
from medgauge.report.grids.grid import Cell, interval_text, listed, number_text

SHORT = {"spearman": "ρ", "auc": "AUC", "accuracy_best": "acc. best", "accuracy_cv": "acc. CV"}
MEAN_RHO = "mean ρ (Fisher's z)"
_MOST_NAMED = 5  # figures that a note names for one reason


def main_metric(used: SetUsed) -> str:
    """Return the main metric of a set: ρ, or the AUC of a labelled one."""
    return "auc" if used.labelled else "spearman"


def figure_cell(figure: Figure, *, chosen: bool, bold: bool = False, marked: Marked = ()) -> Cell:
    """Return the cell of a figure: its value, its interval and, if it was chosen as the best, its measure.

    `marked` are the models and sets whose figures may show memory.
    """
    if math.isnan(figure.value):
        return Cell("undefined", bold)
    measure = f"best: {figure.measure}" if chosen and figure.measure != "score" else ""
    cell = Cell(
        number_text(figure.value), bold, interval=interval_text(figure.low, figure.high), after=measure
    )
    return with_mark(cell) if (figure.model, figure.dataset) in marked else cell


def brackets_note(confidence: float) -> str:
    """Say what the brackets of a table hold.

    >>> brackets_note(0.95)
    'In brackets: 95% intervals.'
    """
    return f"In brackets: {percent(confidence)} intervals."


def percent(confidence: float) -> str:
    """Write a confidence.

    >>> percent(0.95), percent(0.995)
    ('95%', '99.5%')
    """
    return f"{100 * confidence:.10g}%"


def undefined_notes(named: Mapping[str, Estimate]) -> list[str]:
    """Return a note for each reason why figures, by their names, are undefined or lack an interval.

    >>> undefined_notes({"mine ρ of flat": Estimate(undefined="all 60 scores are equal"), "x": Estimate(0.6)})
    ['mine ρ of flat is undefined: all 60 scores are equal.']
    """
    reasons = {name: one.undefined for name, one in named.items() if one.undefined is not None}
    lacking = {name: one.no_interval for name, one in named.items() if one.no_interval is not None}
    sentences = [
        *undefined_sentences(reasons, most=_MOST_NAMED),
        *no_interval_sentences(lacking, most=_MOST_NAMED),
    ]
    return [f"{sentence}." for sentence in sentences]


def chosen_by_distance_notes(most_edits: Mapping[str, int], models: Iterable[str]) -> list[str]:
    """Say that the levenshtein baseline, if it is among the models, meets positives chosen by that distance.

    `most_edits` maps the names of sets to the distance up to which their positives were chosen.

    >>> chosen_by_distance_notes({"easy": 5}, ["levenshtein"])[0][:64]
    'The positives of easy were chosen by their Levenshtein distance,'
    """
    if "levenshtein" not in models:
        return []
    by_distance: dict[int, list[str]] = {}
    for name, most in most_edits.items():
        by_distance.setdefault(most, []).append(name)
    return [
        f"The positives of {listed(names)} were chosen by their Levenshtein distance, at most {most}: there "
        "the levenshtein baseline ranks high because of how the set was built."
        for most, names in by_distance.items()
    ]


def has_chosen(run: Run) -> bool:
    """Return whether the figures shown are those of measures that were chosen on the test data."""
    return run.several_measures and run.settings.shown == "best"


def title_end(run: Run) -> str:
    """Return the end of the title of a table whose measures were chosen on the test data."""
    return f", best measure of each model {CHOSEN}" if has_chosen(run) else ""


def measure_notes(run: Run) -> list[str]:
    """Say which measures the figures shown are of, and how they were chosen."""
    if has_chosen(run):
        return [
            f"Best: each cell has the measure with the highest figure, {CHOSEN}: it is higher than the same "
            "measure would be on other pairs."
        ]
    shown = run.shown_figures()
    named = [name for name in dict.fromkeys(one.measure for one in shown.values()) if name != "score"]
    if named and run.settings.shown == "all" and run.several_measures:
        return ["Each row has the figures of one measure, or a model's own score."]
    return [f"Measure: {', '.join(named)}."] if named else []
