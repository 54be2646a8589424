"""From scores to results: coverage, and figures on the pairs that every model can score."""

import platform
import warnings
from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.errors import CoverageWarning, UndefinedWarning
from medgauge.evaluation.common import common_pairs, undefined_pairs
from medgauge.evaluation.figures import Figure, figures
from medgauge.evaluation.plan import Plan
from medgauge.evaluation.run import PROTOCOL, Coverage, Run, Settings
from medgauge.evaluation.run_folder import scores_path
from medgauge.evaluation.used import set_used
from medgauge.pairs import PairSet
from medgauge.strata.subsets import Subsets

_FEW = 20  # an interval over fewer pairs spans most of the scale

Frames = Mapping[tuple[str, str], pl.DataFrame]
"""Scores by model and set."""


def results(plan: Plan, frames: Frames) -> Run:
    """Hold all scores against the gold, each set on the pairs that every model can score.

    Those are the pairs that all models cover and for which no measure of the run is undefined, so that all
    figures of a set rest on the same pairs.
    """
    used, coverage, found, of_subsets = [], [], [], []
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
                )
            )
        if common.sum() < min(_FEW, len(pairs)):
            warnings.warn(
                f"on {name} all models can score only {int(common.sum())} of {len(pairs)} pairs",
                CoverageWarning,
                stacklevel=3,
            )
        parts = planned_set.subsets
        used.append(
            set_used(
                pairs, common, parts, settings, total=planned_set.total, columns=plan.columns(planned_set)
            )
        )
        scores = {
            planned.card.name: frames[planned.card.name, name].select(planned.measures)
            for planned in plan.models
        }
        figured, told = _figures(pairs, scores, common, len(pairs), settings)
        found += figured
        for reason, models in told.items():
            warnings.warn(f"{', '.join(models)} on {name}: {reason}", UndefinedWarning, stacklevel=3)
        if parts is not None:
            of_subsets += _subset_figures(pairs, scores, common, parts, settings)
    return Run(
        protocol=PROTOCOL,
        versions=versions(),
        settings=settings,
        models=cards,
        datasets=used,
        coverage=coverage,
        figures=found + of_subsets,
    )


def _subset_figures(
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    common: NDArray[np.bool_],
    parts: Subsets,
    settings: Settings,
) -> list[Figure]:
    found: list[Figure] = []
    reasons: Counter[str] = Counter()
    for number, subset in enumerate(parts.names):
        inside = parts.member == number
        figured, told = _figures(pairs, scores, common & inside, int(inside.sum()), settings, subset)
        found += figured
        reasons.update(dict.fromkeys(told, 1))
    for reason, count in reasons.items():
        place = f"{count} of {len(parts.names)} subsets of {pairs.card.name} by {settings.by}"
        warnings.warn(f"some figures on {place}: {reason}", UndefinedWarning, stacklevel=4)
    return found


def _figures(
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    chosen: NDArray[np.bool_],
    n: int,
    settings: Settings,
    subset: str | None = None,
) -> tuple[list[Figure], dict[str, list[str]]]:
    """Give the figures of all models on the chosen of n pairs, and whose are undefined, by reason."""
    found: list[Figure] = []
    told: dict[str, list[str]] = {}
    gold = pairs.gold[chosen]
    for model, frame in scores.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedWarning)
            for measure in frame.columns:
                found += figures(
                    model=model,
                    dataset=pairs.card.name,
                    measure=measure,
                    gold=gold,
                    scores=frame[measure].to_numpy()[chosen],
                    labelled=pairs.labelled,
                    n=n,
                    seed=settings.seed,
                    subset=subset,
                )
        for reason in dict.fromkeys(str(warning.message) for warning in caught):
            told.setdefault(reason, []).append(model)
    return found, told


def versions() -> dict[str, str]:
    """Give the versions of what a result was computed with."""
    packages = ("medgauge", "numpy", "scipy", "numba", "polars", "rapidfuzz")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
