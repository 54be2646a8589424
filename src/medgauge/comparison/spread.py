"""How much a model's figures vary over its measures."""

import math
from collections.abc import Sequence
from statistics import median

from medgauge.comparison.comparison import Spread
from medgauge.evaluation.figures import Metric
from medgauge.evaluation.measure_choice import best_measure, worst_measure
from medgauge.evaluation.run import Run, SetUsed


def spreads(run: Run, sets: Sequence[SetUsed]) -> list[Spread]:
    """Return the lowest, median and highest figure of each model with several measures on each set.

    As in figures B.1 and C.1 of Schulz and Juric (2020); undefined figures are left out.
    """
    found: dict[tuple[str, Metric, str], dict[str, float]] = {}
    for used in sets:
        for figure in run.figures:
            if figure.dataset == used.name and figure.subset is None and not math.isnan(figure.value):
                values = found.setdefault((used.name, figure.metric, figure.model), {})
                values[figure.measure] = figure.value
    return [
        Spread(
            model=model,
            dataset=dataset,
            metric=metric,
            measures=len(values),
            low=min(values.values()),
            median=median(values.values()),
            high=max(values.values()),
            lowest=worst_measure(values) or "",
            highest=best_measure(values) or "",
        )
        for (dataset, metric, model), values in found.items()
        if len(values) > 1
    ]
