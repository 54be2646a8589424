"""Figures: how well a model's scores agree with the gold, each with its interval and its pairs."""

import math
from collections.abc import Iterable
from typing import Any, Literal, get_args

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from medgauge.arrays import Doubles
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.stats.systems.classification import best_accuracy, cross_validated_accuracy
from medgauge.stats.systems.correlation import spearman
from medgauge.stats.systems.reasons import too_few_pairs
from medgauge.stats.systems.roc import auc
from medgauge.stored import Count, Number, StoredConfidence, StoredReason

Metric = Literal["spearman", "auc", "accuracy_best", "accuracy_cv"]
MainMetric = Literal["spearman", "auc"]
"""One metric for each set: the one of a graded set, the first of a labelled one."""

METRICS: dict[str, str] = {
    "spearman": "Spearman's ρ",
    "auc": "area under the ROC curve",
    "accuracy_best": "accuracy, best threshold",
    "accuracy_cv": "accuracy, cross-validated",
}

GRADED_METRICS = ("spearman",)
LABELLED_METRICS = ("auc", "accuracy_best", "accuracy_cv")
MAIN_METRICS: tuple[MainMetric, ...] = get_args(MainMetric)


class Figure(BaseModel):
    """A figure: `value` with its interval, on `covered` of the set's (or the subset's) `n` pairs.

    NaN (null in JSON) is undefined, and `undefined` then says why; `no_interval` says why a
    figure has none. `subset` is None for all pairs of the set.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: str
    dataset: str
    measure: str
    metric: Metric
    value: Number
    low: Number
    high: Number
    n: Count
    covered: Count
    subset: str | None = None
    confidence: StoredConfidence = CONFIDENCE
    undefined: StoredReason = None
    no_interval: StoredReason = None

    @model_validator(mode="before")
    @classmethod
    def _not_of_one_or_two_pairs(cls, fields: Any) -> Any:
        # Version 0.1.0 stored such figures, which are always 1 or -1 where they are defined.
        covered = fields.get("covered") if isinstance(fields, dict) else None
        few = too_few_pairs(covered) if isinstance(covered, int) else None
        return {**fields, "value": None, "low": None, "high": None, "undefined": few} if few else fields

    @property
    def estimate(self) -> Estimate:
        """The figure as an estimate, on the covered pairs."""
        return Estimate(
            self.value,
            self.low,
            self.high,
            self.confidence,
            self.covered,
            self.undefined,
            self.no_interval,
        )


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
    confidence: float = CONFIDENCE,
) -> list[Figure]:
    """Compare scores with the gold: Spearman's ρ, or AUC and two accuracies where the gold is a label.

    `accuracy_best` follows the papers: its threshold is chosen on the same pairs, so it and its interval are
    optimistic. `accuracy_cv` chooses it by tenfold cross-validation, the mean over 50 deals of the pairs into
    folds, which are the same for every model.
    """
    if labelled:
        rng = np.random.default_rng(seed)
        found: dict[Metric, Estimate] = {
            "auc": auc(gold, scores, confidence=confidence),
            "accuracy_best": best_accuracy(gold, scores, confidence=confidence),
            "accuracy_cv": cross_validated_accuracy(gold, scores, rng=rng, confidence=confidence),
        }
    else:
        found = {"spearman": spearman(gold, scores, confidence=confidence)}
    return [
        Figure(
            model=model,
            dataset=dataset,
            measure=measure,
            metric=metric,
            value=estimate.value,
            low=estimate.low,
            high=estimate.high,
            n=n,
            covered=len(gold),
            subset=subset,
            confidence=confidence,
            undefined=estimate.undefined,
            no_interval=estimate.no_interval,
        )
        for metric, estimate in found.items()
    ]


def best_figures(found: Iterable[Figure]) -> dict[tuple[str, str, str], Figure]:
    """Return each model's best figure by whole set and metric; of those equal in print, the first."""
    best: dict[tuple[str, str, str], Figure] = {}
    for figure in found:
        if figure.subset is None:
            key = (figure.model, figure.dataset, figure.metric)
            best[key] = max(best.get(key, figure), figure, key=lambda one: in_print(one.value))
    return best


def in_print(value: float) -> float:
    """Return a figure as it is printed, to choose the best by; undefined ones are lowest.

    >>> in_print(0.61549), in_print(math.nan)
    (0.615, -inf)
    """
    return -math.inf if math.isnan(value) else round(value, 3)
