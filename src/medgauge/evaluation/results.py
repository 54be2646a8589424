"""From scores to results: coverage, and figures on the pairs that every model can score."""

import platform
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.errors import CoverageWarning, UndefinedWarning
from medgauge.evaluation.common import common_pairs, undefined_pairs
from medgauge.evaluation.figures import Figure, figures
from medgauge.evaluation.run import PROTOCOL, Coverage, Run, Settings
from medgauge.evaluation.run_folder import scores_path
from medgauge.evaluation.used import set_used
from medgauge.models.base import ModelCard
from medgauge.pairs import PairSet
from medgauge.strata.subsets import Subsets

_FEW = 20  # an interval over fewer pairs spans most of the scale

Frames = Mapping[tuple[str, str], pl.DataFrame]
"""Scores by model and set."""


def results(
    settings: Settings,
    cards: Sequence[ModelCard],
    sets: Mapping[str, PairSet],
    measures: Mapping[str, list[str]],
    frames: Frames,
    *,
    subsets: Mapping[str, Subsets],
    totals: Mapping[str, int],
) -> Run:
    """Hold all scores against the gold, each set on the pairs that every model can score.

    Those are the pairs that all models cover and for which no measure of the run is undefined, so that all
    figures of a set rest on the same pairs. `subsets` has none or those of every set; `totals` counts the
    pairs that each set had before it was narrowed.
    """
    used, coverage, found, of_subsets = [], [], [], []
    for name, pairs in sets.items():
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
        parts = subsets.get(name)
        used.append(set_used(pairs, common, parts, settings, total=totals[name]))
        scores = {card.name: frames[card.name, name].select(measures[card.name]) for card in cards}
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
        models=list(cards),
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
