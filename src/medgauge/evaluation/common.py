"""The pairs that every model of a run can score, on which all its figures are computed."""

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import NDArray


def undefined_pairs(frame: pl.DataFrame) -> NDArray[np.bool_]:
    """Return for which covered pairs of a model's scores some measure is undefined."""
    missing: NDArray[np.bool_] = np.isnan(frame.drop("pair_id", "gold", "covered").to_numpy()).any(axis=1)
    return frame["covered"].to_numpy() & missing


def common_pairs(frames: Iterable[pl.DataFrame]) -> NDArray[np.bool_]:
    """Return which pairs all models cover with every measure defined, given the scores of each."""
    masks = [frame["covered"].to_numpy() & ~undefined_pairs(frame) for frame in frames]
    return np.asarray(np.logical_and.reduce(masks), np.bool_)
