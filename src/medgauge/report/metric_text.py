"""How metrics are named and figures written in tables and plots."""

import math
from collections.abc import Mapping

from medgauge.estimate import Estimate, undefined_sentences
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import SetUsed
from medgauge.report.grid import figure_text

SHORT = {"spearman": "ρ", "auc": "AUC", "accuracy_best": "acc. best", "accuracy_cv": "acc. CV"}
_MOST_NAMED = 5  # figures that a note names for one reason


def main_metric(used: SetUsed) -> str:
    """Return the main metric of a set: ρ, or the AUC of a labelled one."""
    return "auc" if used.labelled else "spearman"


def shown(figure: Figure, with_measure: bool) -> str:
    """Write a figure with its interval."""
    if math.isnan(figure.value):
        return "undefined"
    text = figure_text(figure.value, figure.low, figure.high)
    return f"{text} {figure.measure}" if with_measure and figure.measure != "score" else text


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
