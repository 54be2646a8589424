"""The plot of entity recognition: F of each model on each corpus, and of each of its trials."""

import math
from typing import TYPE_CHECKING

from medgauge.ner.recognition_result import EntityRecognition
from medgauge.report.captions.metric_text import percent
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(found: EntityRecognition, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each corpus, with the models down and F across; small marks are the trials."""
    models = [card.name for card in found.models]
    f_of = found.f_by_model()

    def fill(axes: "Axes", number: int) -> None:
        corpus = found.corpora[number].name
        for height, model in enumerate(models):
            one = f_of[model, corpus]
            if not math.isnan(one.low):
                axes.plot([100 * one.low, 100 * one.high], [height, height], color=COLOURS[0], linewidth=1.5)
            own = [100 * trial.f for trial in found.trials if (trial.model, trial.corpus) == (model, corpus)]
            axes.plot(own, [height] * len(own), "|", color=COLOURS[1], markersize=9)
            axes.plot(100 * one.f, height, "o", color=COLOURS[0], markersize=4)

    label = f"F (%), mean and trials,\nwith {percent(found.tests.confidence)} interval"
    return draw_panels(figure, [(used.name, label) for used in found.corpora], models, fill)
