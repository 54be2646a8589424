"""From scores to results: coverage, and figures on the pairs that every model can score."""

import platform
import warnings
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.errors import CoverageWarning, UndefinedWarning
from medgauge.evaluation.common import common_pairs, undefined_pairs
from medgauge.evaluation.figures import Figure, figures
from medgauge.evaluation.run import PROTOCOL, Coverage, Run, Settings
from medgauge.evaluation.store import scores_path
from medgauge.evaluation.subsets import Subsets
from medgauge.evaluation.used import set_used
from medgauge.models.base import ModelCard
from medgauge.pairs import PairSet

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
        found += _figures(pairs, scores, common, len(pairs), settings)
        if parts is not None:
            for number, subset in enumerate(parts.names):
                inside = parts.member == number
                of_subsets += _figures(pairs, scores, common & inside, int(inside.sum()), settings, subset)
    return Run(
        protocol=PROTOCOL,
        versions=_versions(),
        settings=settings,
        models=list(cards),
        datasets=used,
        coverage=coverage,
        figures=found + of_subsets,
    )


def _figures(
    pairs: PairSet,
    scores: Mapping[str, pl.DataFrame],
    chosen: NDArray[np.bool_],
    n: int,
    settings: Settings,
    subset: str | None = None,
) -> list[Figure]:
    """Give the figures of all models on the chosen of n pairs."""
    found: list[Figure] = []
    told: dict[str, type[Warning]] = {}
    gold = pairs.gold[chosen]
    for model, frame in scores.items():
        # Of a subset it is enough to know that it is too small.
        place = (
            f"{model} on {pairs.card.name}"
            if subset is None
            else f"{pairs.card.name}, {settings.by} {subset}"
        )
        for measure in frame.columns:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", UndefinedWarning)
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
            told |= {f"{place}: {warning.message}": warning.category for warning in caught}
    for message, category in told.items():
        warnings.warn(message, category, stacklevel=4)
    return found


def _versions() -> dict[str, str]:
    packages = ("medgauge", "numpy", "scipy", "numba", "polars", "rapidfuzz")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
