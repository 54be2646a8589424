"""The plot of a choice of measures: every measure's figure on each set, the best one filled."""

from typing import TYPE_CHECKING

from medgauge.evaluation.figures import METRICS
from medgauge.evaluation.measure_choice import MeasureChoice
from medgauge.report.captions.metric_text import SHORT
from medgauge.report.plots.canvas import COLOURS
from medgauge.report.plots.panels import draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw(choice: MeasureChoice, figure: "Figure") -> "list[Axes]":
    """Draw a panel for each model, with the sets down: a ring for each measure, the best filled and named."""
    models = choice.models
    sets = list(dict.fromkeys((one.dataset, one.metric) for one in choice.measured))
    found = {(one.model, one.dataset, one.metric): one for one in choice.measured}

    def fill(axes: "Axes", number: int) -> None:
        for height, (dataset, metric) in enumerate(sets):
            one = found[models[number], dataset, metric]
            values = list(one.values.values())
            axes.plot(values, [height] * len(values), "o", color="0.6", markersize=4, fillstyle="none")
            if one.best is not None:
                axes.plot(one.values[one.best], height, "o", color=COLOURS[0], markersize=4)
                axes.annotate(
                    one.best,
                    (one.values[one.best], height),
                    xytext=(5, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=6,
                )
        axes.margins(x=0.3)

    label = " or ".join(METRICS[metric] for metric in choice.metrics) + "\nof each measure, the best filled"
    names = [f"{dataset} {SHORT[metric]}" for dataset, metric in sets]
    return draw_panels(figure, [(model, label) for model in models], names, fill)
