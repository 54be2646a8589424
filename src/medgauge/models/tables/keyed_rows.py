"""What readers of tables share: keys with a row of numbers each, checked, and the rows that are wanted."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Floats
from medgauge.errors import FileError
from medgauge.models.words.reading import NO_KEYS, FoundVectors

Keyed = tuple[list[str], Floats]
"""The keys of a table, and a row for each."""

NOT_FINITE = "the vector has a value that is missing, infinite or not a number (NaN)"


def single(path: Path, vectors: NDArray[Any]) -> Floats:
    """Return vectors in single precision; an empty table, and a value that is not finite, is an error."""
    if not vectors.size:
        raise FileError(path, "the table is empty")
    with np.errstate(over="ignore"):
        rows = vectors.astype(np.float32, copy=False)
    bad = ~np.isfinite(rows).all(axis=1)
    if bad.any():
        raise FileError(path, NOT_FINITE, place=f"row {int(bad.argmax()) + 1}")
    return rows


def rows_of(keys: Iterable[str], wanted: Sequence[str]) -> NDArray[np.int64]:
    """Return where each wanted key is first, -1 if it is not there.

    >>> rows_of(["a", "b", "a"], ["c", "a"]).tolist()
    [-1, 0]
    """
    places = dict.fromkeys(wanted, -1)
    for row, key in enumerate(keys):
        if places.get(key, 0) < 0:
            places[key] = row
    return np.array([places[key] for key in wanted], np.int64)


def chosen(content: Keyed, wanted: Sequence[str]) -> FoundVectors:
    """Return the rows of the wanted keys (all distinct), without those of the others."""
    keys, vectors = content
    rows = rows_of(keys, wanted)
    found = np.zeros((len(wanted), vectors.shape[1]), np.float32)
    found[rows >= 0] = vectors[rows[rows >= 0]]
    return FoundVectors(found, rows >= 0, len(keys), NO_KEYS)
