"""Which of a model's measures a run shows: the standard one, the best on the test data, or all."""

from collections.abc import Iterable, Mapping
from typing import Literal

from medgauge.evaluation.figures import Figure, best_figures
from medgauge.measures.declared import STANDARD, ModelFamily
from medgauge.models.base import ModelCard

Shown = Literal["standard", "best", "all"]
"""The measures that tables show; a run stores the figures of all that were computed."""

CHOSEN = "chosen on the test data"
"""How a best measure is marked wherever it is shown."""


def shown_figures(
    figures: Iterable[Figure], models: Iterable[ModelCard], shown: Shown
) -> dict[tuple[str, str, str], Figure]:
    """Return the figure that stands for each model by whole set and metric.

    That is the one of the best measure, if this is to be shown; otherwise of the standard measure, avg_cos
    for word vectors and cos for term vectors, or of the first where the standard was not computed.
    """
    whole = [figure for figure in figures if figure.subset is None]
    if shown == "best":
        return best_figures(whole)
    families: Mapping[str, ModelFamily] = {card.name: card.family for card in models}
    found: dict[tuple[str, str, str], Figure] = {}
    for figure in whole:
        key = (figure.model, figure.dataset, figure.metric)
        if key not in found or figure.measure == STANDARD[families[figure.model]]:
            found[key] = figure
    return found
