"""Which measure is best for which model, and how much the choice matters, from the figures of a run."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from pydantic import BaseModel, ConfigDict

from medgauge.errors import InputError, quoted
from medgauge.estimate import Estimate
from medgauge.evaluation.figures import Figure, MainMetric, in_print
from medgauge.measures.declared import MEASURES
from medgauge.result import StoredResult
from medgauge.stats.systems.correlation import mean_correlation
from medgauge.stored import Number, StoredName


class MeasuresOnSet(BaseModel):
    """The figures of a model's measures on a set, by Spearman's ρ or the AUC; NaN is undefined."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    dataset: StoredName
    metric: MainMetric
    values: dict[StoredName, Number]

    @property
    def best(self) -> str | None:
        """The measure with the highest figure; of those equal in print, the first."""
        return best_measure(self.values)

    @property
    def distance(self) -> float:
        """The distance from the best figure to the worst; NaN if fewer than two are defined."""
        return distance(self.values)


class MeasureChoice(StoredResult):
    """The figures of every measure, for the models of a run that have several.

    Everything follows from the figures of the run: the best measure is chosen on the pairs that it is
    computed on, and nothing here is a test. `compare` with by="measure" tests which differences are real.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    _kind: ClassVar[str] = "measure"

    measured: list[MeasuresOnSet]
    with_one_measure: list[StoredName]

    def _flaw(self) -> str | None:
        if not self.measured:
            return "it has no figures; evaluate again"
        unknown = next((name for one in self.measured for name in one.values if name not in MEASURES), None)
        if unknown is not None:
            return f"there is no measure {quoted(unknown)}; evaluate again"
        sets = {one.dataset: one.metric for one in self.measured}
        wanted = sorted((model, dataset, metric) for model in self.models for dataset, metric in sets.items())
        if sorted((one.model, one.dataset, one.metric) for one in self.measured) != wanted:
            return "the figures of some model on some set are missing; evaluate again"
        measures = {one.model: list(one.values) for one in self.measured}
        if any(len(one.values) < 2 or list(one.values) != measures[one.model] for one in self.measured):
            return "the figures of some measure on some set are missing; evaluate again"
        return None

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(dict.fromkeys(one.model for one in self.measured))

    @property
    def metrics(self) -> list[str]:
        """The metrics: Spearman's ρ of graded sets, the AUC of labelled ones."""
        return list(dict.fromkeys(one.metric for one in self.measured))

    def on_sets(self, model: str, metric: str) -> list[MeasuresOnSet]:
        """Return the figures of a model's measures on each set by a metric."""
        return [one for one in self.measured if (one.model, one.metric) == (model, metric)]

    def mean_correlations(self, model: str) -> dict[str, Estimate]:
        """Return each measure's mean ρ over the graded sets, by Fisher's z."""
        graded = self.on_sets(model, "spearman")
        return {
            measure: mean_correlation(np.array([one.values[measure] for one in graded]))
            for measure in (graded[0].values if graded else ())
        }

    def most_often_best(self, model: str, metric: str) -> tuple[list[str], int]:
        """Return the measures that are best on the most sets, and on how many."""
        counts = Counter(one.best for one in self.on_sets(model, metric) if one.best is not None)
        most = max(counts.values(), default=0)
        return [name for name, count in counts.items() if count == most], most

    def mean_distance(self, model: str, metric: str) -> float:
        """Return the mean distance from the best figure to the worst, over the sets that have one."""
        distances = [one.distance for one in self.on_sets(model, metric)]
        defined = [value for value in distances if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan

    def largest_distance(self, model: str, metric: str) -> MeasuresOnSet | None:
        """Return the set on which the best figure is farthest from the worst."""
        defined = [one for one in self.on_sets(model, metric) if not math.isnan(one.distance)]
        return max(defined, key=lambda one: one.distance, default=None)


def best_measure(values: "dict[str, float]") -> str | None:
    """Return the measure with the highest figure; of those equal in print, the first.

    >>> best_measure({"avg_cos": 0.61, "fj": 0.63, "mj": math.nan}), best_measure({"mj": math.nan})
    ('fj', None)
    """
    defined = {name: value for name, value in values.items() if not math.isnan(value)}
    return max(defined, key=lambda name: in_print(defined[name]), default=None)


def worst_measure(values: "dict[str, float]") -> str | None:
    """Return the measure with the lowest figure; of those equal in print, the first.

    >>> worst_measure({"avg_cos": 0.61, "fj": 0.63, "mj": math.nan})
    'avg_cos'
    """
    return best_measure({name: -value for name, value in values.items()})


def distance(values: "dict[str, float]") -> float:
    """Return the distance from the highest figure to the lowest; NaN if fewer than two are defined.

    >>> round(distance({"avg_cos": 0.61, "fj": 0.63, "mj": math.nan}), 3)
    0.02
    """
    defined = [value for value in values.values() if not math.isnan(value)]
    return max(defined) - min(defined) if len(defined) > 1 else math.nan


def measure_choice(figures: Iterable[Figure], models: Sequence[str]) -> MeasureChoice:
    """Return the figures of every measure on whole sets, for the models that have several measures."""
    found: dict[tuple[str, str, MainMetric], dict[str, float]] = {}
    for one in figures:
        if one.subset is None and (one.metric == "spearman" or one.metric == "auc"):
            found.setdefault((one.model, one.dataset, one.metric), {})[one.measure] = one.value
    several = {model for (model, _, _), values in found.items() if len(values) > 1}
    if not several:
        raise InputError(
            "the run has one measure for each model, so there is no choice to show; evaluate with several"
        )
    return MeasureChoice(
        measured=[
            MeasuresOnSet(model=model, dataset=dataset, metric=metric, values=values)
            for (model, dataset, metric), values in found.items()
            if model in several
        ],
        with_one_measure=[name for name in models if name not in several],
    )
