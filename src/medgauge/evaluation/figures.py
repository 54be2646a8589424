"""Figures: how far a model's scores agree with the gold, each with its interval and the pairs it rests on."""

import math
from collections.abc import Iterable

import numpy as np
from pydantic import BaseModel, ConfigDict

from medgauge.arrays import Doubles
from medgauge.estimate import Number
from medgauge.stats.systems.classification import best_threshold, cross_validated, proportion_interval
from medgauge.stats.systems.correlation import spearman, spearman_interval
from medgauge.stats.systems.roc import auc, auc_interval

METRICS = {
    "spearman": "Spearman's ρ",
    "auc": "area under the ROC curve",
    "accuracy_best": "accuracy, best threshold",
    "accuracy_cv": "accuracy, cross-validated",
}

GRADED_METRICS = ("spearman",)
LABELLED_METRICS = ("auc", "accuracy_best", "accuracy_cv")


class Figure(BaseModel):
    """A figure: `value` with its 95% interval, on `covered` of the set's (or the subset's) `n` pairs.

    NaN (null in JSON) is undefined. `subset` is None for all pairs of the set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: str
    dataset: str
    measure: str
    metric: str
    value: Number
    low: Number
    high: Number
    n: int
    covered: int
    subset: str | None = None


def figures(
    *,
    model: str,
    dataset: str,
    measure: str,
    gold: Doubles,
    scores: Doubles,
    labelled: bool,
    n: int,
    seed: int,
    subset: str | None = None,
) -> list[Figure]:
    """Hold scores against gold: Spearman's ρ, or AUC and two accuracies where the gold is a label.

    `accuracy_best` follows the papers: its threshold is chosen on the same pairs, so it and its interval are
    optimistic. `accuracy_cv` chooses it by tenfold cross-validation, with the same folds for every model.
    """
    covered = len(gold)

    def figure(metric: str, value: float, ends: tuple[float, float]) -> Figure:
        return Figure(
            model=model,
            dataset=dataset,
            measure=measure,
            metric=metric,
            value=value,
            low=ends[0],
            high=ends[1],
            n=n,
            covered=covered,
            subset=subset,
        )

    if not labelled:
        rho = spearman(gold, scores)
        return [figure("spearman", rho, spearman_interval(rho, covered))]
    best = best_threshold(gold, scores).accuracy
    right = cross_validated(gold, scores, rng=np.random.default_rng(seed))
    crossed = math.nan if right is None else float(right.mean())
    return [
        figure("auc", auc(gold, scores), auc_interval(gold, scores)),
        figure("accuracy_best", best, proportion_interval(best, covered)),
        figure("accuracy_cv", crossed, proportion_interval(crossed, covered)),
    ]


def best_figures(found: Iterable[Figure]) -> dict[tuple[str, str, str], Figure]:
    """Give the best measure's figure of each model, whole set and metric: of equals in print, the first."""
    best: dict[tuple[str, str, str], Figure] = {}
    for figure in found:
        if figure.subset is None:
            key = (figure.model, figure.dataset, figure.metric)
            best[key] = max(best.get(key, figure), figure, key=_printed)
    return best


def _printed(figure: Figure) -> float:
    return -math.inf if math.isnan(figure.value) else round(figure.value, 3)
