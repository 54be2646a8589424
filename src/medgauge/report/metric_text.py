"""How metrics are called in tables and plots, and figures written."""

import math
from collections.abc import Mapping

from medgauge.estimate import Estimate
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import SetUsed
from medgauge.report.grid import figure_text

SHORT = {"spearman": "ρ", "auc": "AUC", "accuracy_best": "acc. best", "accuracy_cv": "acc. CV"}
_MOST_NAMED = 5  # figures that the note on a reason names


def main_metric(used: SetUsed) -> str:
    """Name the metric that sums up a set: ρ, or the AUC of a labelled one."""
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
    """Say why figures are undefined, by their names in the table: a note for each reason.

    >>> undefined_notes({"mine ρ of flat": Estimate(undefined="all 60 scores are equal"), "x": Estimate(0.6)})
    ['Undefined, since all 60 scores are equal: mine ρ of flat.']
    """
    by_reason: dict[str, list[str]] = {}
    for name, estimate in named.items():
        if estimate.undefined is not None:
            by_reason.setdefault(estimate.undefined, []).append(name)
    return [f"Undefined, since {reason}: {_listed(names)}." for reason, names in by_reason.items()]


def _listed(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
