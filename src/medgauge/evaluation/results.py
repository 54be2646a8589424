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
from medgauge.evaluation.run import PROTOCOL, Coverage, Run, Settings, SetUsed
from medgauge.evaluation.store import groups_path, scores_path
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
) -> Run:
    """Hold all scores against the gold, each set on the pairs that every model can score.

    Those are the pairs that all models cover and for which no measure of the run is undefined, so that all
    figures of a set rest on the same pairs.
    """
    used, coverage, found = [], [], []
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
        used.append(_set_used(pairs, common))
        for card in cards:
            frame = frames[card.name, name]
            found += _figures(card, pairs, frame, measures[card.name], common, settings)
    return Run(
        protocol=PROTOCOL,
        versions=_versions(),
        settings=settings,
        models=list(cards),
        datasets=used,
        coverage=coverage,
        figures=found,
    )


def _figures(
    card: ModelCard,
    pairs: PairSet,
    frame: pl.DataFrame,
    measures: list[str],
    common: NDArray[np.bool_],
    settings: Settings,
) -> list[Figure]:
    found = []
    for measure in measures:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UndefinedWarning)
            found += figures(
                model=card.name,
                dataset=pairs.card.name,
                measure=measure,
                gold=pairs.gold[common],
                scores=frame[measure].to_numpy()[common],
                labelled=pairs.labelled,
                n=len(pairs),
                seed=settings.seed,
            )
        for warning in caught:
            told = f"{card.name} on {pairs.card.name}: {warning.message}"
            warnings.warn(told, warning.category, stacklevel=4)
    return found


def _set_used(pairs: PairSet, common: NDArray[np.bool_]) -> SetUsed:
    positives = float(pairs.gold[common].mean()) if pairs.labelled and common.any() else None
    return SetUsed(
        name=pairs.card.name,
        title=pairs.card.title,
        kind=pairs.card.kind,
        labelled=pairs.labelled,
        n=len(pairs),
        compared=int(common.sum()),
        majority=None if positives is None else max(positives, 1 - positives),
        digest=pairs.digest,
        citation=pairs.card.citation,
        groups=groups_path(pairs.card.name),
    )


def _versions() -> dict[str, str]:
    packages = ("medgauge", "numpy", "scipy", "numba", "polars", "rapidfuzz")
    return {"python": platform.python_version(), **{name: version(name) for name in packages}}
