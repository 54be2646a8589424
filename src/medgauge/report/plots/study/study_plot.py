"""The plot of a study: how figures on sets and in NER correlate or, without NER, the figures on sets."""

from typing import TYPE_CHECKING

from medgauge.report.plots import correlation_plot, run_plot
from medgauge.study.study_result import StudyResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: StudyResult, figure: "Figure") -> "list[Axes]":
    """Draw the correlations over the first domain with enough models, else the figures on sets."""
    correlations = next((one.found for one in found.correlations if one.found is not None), None)
    if correlations is not None:
        return correlation_plot.draw(correlations, figure)
    return run_plot.draw(found.evaluation, figure)
