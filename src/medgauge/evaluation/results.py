"""From scores to results: coverage, and figures on the pairs that every model can score."""

import platform
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.errors import CoverageWarning, UndefinedWarning
from medgauge.evaluation.common import common_pairs, failed_pairs, subword_pairs, undefined_pairs
from medgauge.evaluation.contamination import contamination
from medgauge.evaluation.figures import METRICS, Figure, figures
from medgauge.evaluation.plan import Plan
from medgauge.evaluation.run import PROTOCOL, Coverage, Run, Settings, SetUsed, UncoveredBounds
from medgauge.evaluation.run_folder import scores_path
from medgauge.evaluation.shown import shown_figures
from medgauge.evaluation.subset_tests import SubsetTest, subset_tests
from medgauge.evaluation.used import set_used
from medgauge.measures.declared import STANDARD
from medgauge.pairs import PairSet
from medgauge.stats.systems.correlation import spearman
from medgauge.stats.systems.roc import auc
from medgauge.stats.systems.uncovered import completed_auc, completed_spearman
from medgauge.strata.subsets import Subsets

_FEW = 20  # with fewer pairs, an interval spans most of the scale

Frames = Mapping[tuple[str, str], pl.DataFrame]
"""Scores by model and set."""


def results(plan: Plan, frames: Frames) -> Run:
    """Compare all scores with the gold, on each set's pairs that every model can score.

    Those are the pairs that all models cover and for which every measure of the run is defined, so that all
    figures on a set are computed on the same pairs.
    """
    used, coverage, found, of_subsets = [], [], [], []
    bounds: list[UncoveredBounds] = []
    settings, cards = plan.settings, [planned.card for planned in plan.models]
    for planned_set in plan.sets:
        name, pairs = planned_set.name, planned_set.pairs
        common = common_pairs(frames[card.name, name] for card in cards)
        for card in cards:
            frame = frames[card.name, name]
            coverage.append(
                Coverage(
                    model=card.name,
                    dataset=name,
                    n=len(pairs),
                    covered=int(frame["covered"].sum()),
                    undefined=int(undefined_pairs(frame).sum()),
                    scores=scores_path(card.name, name),
                    subwords=subword_pairs(frame),
                    without_key=None if card.keys == "term" else pairs.without_key(card.keys),
                    failures=failed_pairs(frame),
                )
            )
        if common.sum() < min(_FEW, len(pairs)):
            warnings.warn(
                f"on {name} all models can score only {int(common.sum())} of {len(pairs)} pairs",
                CoverageWarning,
                stacklevel=3,
            )
        parts = planned_set.subsets
        columns = plan.columns(planned_set)
        used.append(set_used(pairs, common, parts, settings, total=planned_set.total, columns=columns))
        scores = {
            planned.card.name: frames[planned.card.name, name].select(planned.measures)
            for planned in plan.models
        }
        whole = _figures(pairs, scores, common, len(pairs), settings)
        inside = _subset_figures(pairs, scores, common, parts, settings) if parts is not None else []
        if parts is not None:
            between = _between_subsets(plan, pairs, scores, common, parts)
            used[-1] = used[-1].model_copy(update={"between_subsets": between})
        for message in _undefined(used[-1], whole, inside, settings):
            warnings.warn(message, UndefinedWarning, stacklevel=3)
        found += whole
        bounds += _uncovered(pairs, shown_figures(whole, cards, settings.shown), frames)
        of_subsets += inside
    return Run(
        protocol=PROTOCOL,
        versions=versions(),
        settings=settings,
        models=cards,
        datasets=used,
        coverage=coverage,
        figures=found + of_subsets,
        uncovered=bounds,
        costs=plan.costs(),
        contamination=contamination(cards, (planned.pairs.card for planned in plan.sets)),
    )


def _uncovered(
    pairs: PairSet, shown: Mapping[tuple[str, str, str], Figure], frames: Frames
) -> Iterator[UncoveredBounds]:
    """Yield the bounds of each model that does not cover all pairs of a set, by the measure shown."""
    for (model, dataset, _), figure in shown.items():
        metric = figure.metric
        if metric != "spearman" and metric != "auc":
            continue
        scores = frames[model, dataset][figure.measure].to_numpy()
        covered = ~np.isnan(scores)
        if covered.all():
            continue
        gold = pairs.gold
        of_covered = (auc if metric == "auc" else spearman)(gold[covered], scores[covered])
        completed = (completed_auc if metric == "auc" else completed_spearman)(gold, scores, covered)
        yield UncoveredBounds(
            model=model,
            dataset=dataset,
            measure=figure.measure,
            metric=metric,
            n=len(pairs),
            covered=int(covered.sum()),
            value=of_covered.value,
            lowest=completed.lowest,
            worst=completed.worst,
            best=completed.best,
        )


def _subset_figures(
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    common: NDArray[np.bool_],
    parts: Subsets,
    settings: Settings,
) -> list[Figure]:
    found: list[Figure] = []
    for number, subset in enumerate(parts.names):
        inside = parts.member == number
        found += _figures(pairs, scores, common & inside, int(inside.sum()), settings, subset)
    return found


def _between_subsets(
    plan: Plan,
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    common: NDArray[np.bool_],
    parts: Subsets,
) -> list[SubsetTest]:
    """Test differences between subsets, each model with its standard measure, or its first one."""
    compared = {}
    for planned in plan.models:
        name, standard = planned.card.name, STANDARD[planned.card.family]
        measure = standard if standard in planned.measures else planned.measures[0]
        compared[name, measure] = scores[name][measure].to_numpy()[common]
    return subset_tests(
        pairs.gold[common],
        compared,
        parts.member[common],
        parts.names,
        labelled=pairs.labelled,
        confidence=plan.settings.confidence,
    )


def _figures(
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    chosen: NDArray[np.bool_],
    n: int,
    settings: Settings,
    subset: str | None = None,
) -> list[Figure]:
    """Return the figures of all models on the chosen pairs out of n."""
    gold = pairs.gold[chosen]
    return [
        figure
        for model, frame in scores.items()
        for measure in frame.columns
        for figure in figures(
            model=model,
            dataset=pairs.card.name,
            measure=measure,
            gold=gold,
            scores=frame[measure].to_numpy()[chosen],
            labelled=pairs.labelled,
            n=n,
            seed=settings.seed,
            subset=subset,
            confidence=settings.confidence,
        )
    ]


def _undefined(
    used: SetUsed, whole: Iterable[Figure], inside: Iterable[Figure], settings: Settings
) -> Iterator[str]:
    """Yield a message for each reason why figures on a set or its subsets are undefined."""
    for what, baseline in (("ρ of the best annotator", used.human), ("the baseline of types", used.types)):
        if baseline is not None and baseline.undefined is not None:
            yield f"{used.name}: {what} is undefined: {baseline.undefined}"
    for reason, these in _by_reason(whole).items():
        models = ", ".join(dict.fromkeys(figure.model for figure in these))
        metrics = list(dict.fromkeys(METRICS[figure.metric] for figure in these))
        verb = "is" if len(metrics) == 1 else "are"
        yield f"{models} on {used.name}: {' and '.join(metrics)} {verb} undefined: {reason}"
    for reason, these in _by_reason(inside).items():
        count = len({figure.subset for figure in these})
        place = f"{count} of {len(used.subsets)} subsets of {used.name} by {settings.by}"
        yield f"some figures on {place} are undefined: {reason}"


def _by_reason(found: Iterable[Figure]) -> dict[str, list[Figure]]:
    """Group the undefined figures by their reason."""
    undefined: dict[str, list[Figure]] = {}
    for figure in found:
        if figure.undefined is not None:
            undefined.setdefault(figure.undefined, []).append(figure)
    return undefined


def versions() -> dict[str, str]:
    """Return the versions of the software that computes results."""
    packages = ("medgauge", "numpy", "scipy", "numba", "polars", "rapidfuzz")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
