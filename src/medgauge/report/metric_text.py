"""How metrics are called in tables and plots, and figures written."""

import math

from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import SetUsed
from medgauge.report.grid import figure_text

SHORT = {"spearman": "ρ", "auc": "AUC", "accuracy_best": "acc. best", "accuracy_cv": "acc. CV"}


def main_metric(used: SetUsed) -> str:
    """Name the metric that sums up a set: ρ, or the AUC of a labelled one."""
    return "auc" if used.labelled else "spearman"


def shown(figure: Figure, with_measure: bool) -> str:
    """Write a figure with its interval."""
    if math.isnan(figure.value):
        return "undefined"
    text = figure_text(figure.value, figure.low, figure.high)
    return f"{text} {figure.measure}" if with_measure and figure.measure != "score" else text
