"""The pairs that every model of a run can score, on which all its figures are computed."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.evaluation.scoring import FAILURE
from medgauge.measures.declared import MEASURES


def undefined_pairs(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Return for which covered pairs of a model's scores some measure is undefined."""
    measures = [name for name in frame.columns if name in MEASURES]
    missing: NDArray[np.bool_] = np.isnan(frame.select(measures).to_numpy()).any(axis=1)
    return frame["covered"].to_numpy() & missing


def subword_pairs(frame: pl.DataFrame) -> int | None:
    """Count the covered pairs with a word made of subwords, given a model's scores; None if it makes none."""
    if "subwords_1" not in frame.columns:
        return None
    composed = (pl.col("subwords_1").list.len() > 0) | (pl.col("subwords_2").list.len() > 0)
    return frame.filter(pl.col("covered") & composed).height


def failed_pairs(frame: pl.DataFrame) -> dict[str, int]:
    """Count the pairs without a score by why they have none, given a model's scores, if it says that."""
    if FAILURE not in frame.columns:
        return {}
    counts = frame[FAILURE].drop_nulls().value_counts(sort=True).rows()
    return dict(sorted(counts))


def common_pairs(frames: Iterable[pl.DataFrame]) -> NDArray[np.bool_]:
    """Return which pairs all models cover with every measure defined, given the scores of each."""
    masks = [frame["covered"].to_numpy() & ~undefined_pairs(frame) for frame in frames]
    return np.asarray(np.logical_and.reduce(masks), np.bool_)
