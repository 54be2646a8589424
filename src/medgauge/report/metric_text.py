"""How metrics are named and figures written in tables and plots."""

import math
from collections.abc import Mapping

from medgauge.estimate import Estimate, undefined_sentences
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import SetUsed
from medgauge.report.grids.grid import Cell, interval_text, number_text

SHORT = {"spearman": "ρ", "auc": "AUC", "accuracy_best": "acc. best", "accuracy_cv": "acc. CV"}
MEAN_RHO = "mean ρ (Fisher's z)"
_MOST_NAMED = 5  # figures that a note names for one reason


def main_metric(used: SetUsed) -> str:
    """Return the main metric of a set: ρ, or the AUC of a labelled one."""
    return "auc" if used.labelled else "spearman"


def figure_cell(figure: Figure, *, with_measure: bool, bold: bool = False) -> Cell:
    """Return the cell of a figure: its value, its interval and, if asked for, its measure."""
    if math.isnan(figure.value):
        return Cell("undefined", bold)
    measure = figure.measure if with_measure and figure.measure != "score" else ""
    return Cell(
        number_text(figure.value), bold, interval=interval_text(figure.low, figure.high), after=measure
    )


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
    """Return a note for each reason why figures, by their names in the table, are undefined.

    >>> undefined_notes({"mine ρ of flat": Estimate(undefined="all 60 scores are equal"), "x": Estimate(0.6)})
    ['mine ρ of flat is undefined: all 60 scores are equal.']
    """
    reasons = {name: one.undefined for name, one in named.items() if one.undefined is not None}
    return [f"{sentence}." for sentence in undefined_sentences(reasons, most=_MOST_NAMED)]
