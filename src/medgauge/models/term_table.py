"""Tables of term vectors made elsewhere, one vector per term: Parquet or .npz."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Floats
from medgauge.errors import FileError
from medgauge.files.parquet import read_parquet


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file with a column `term`, and a list column `vector` or a numeric column per dimension."""

    path: Path
    format: str = "term vectors (Parquet)"

    @cached_property
    def content(self) -> tuple[list[str], Floats]:
        """The terms and their vectors."""
        frame = read_parquet(self.path)
        if "term" not in frame.columns or frame["term"].dtype != pl.String:
            raise FileError(
                self.path, f"has no text column 'term'; its columns are {', '.join(frame.columns)}"
            )
        if frame["term"].null_count():
            row = int(frame["term"].is_null().arg_max() or 0) + 1
            raise FileError(self.path, "the term is missing", place=f"row {row}")
        return frame["term"].to_list(), _checked(self.path, self._vectors(frame))

    def _vectors(self, frame: pl.DataFrame) -> NDArray[np.float64]:
        if "vector" not in frame.columns:
            numbers = frame.drop("term")
            if not numbers.columns or not all(kind.is_numeric() for kind in numbers.dtypes):
                raise FileError(
                    self.path,
                    "needs a list column 'vector', or only numeric columns besides 'term'",
                )
            return numbers.cast(pl.Float64).to_numpy()
        rows = frame["vector"]
        if not isinstance(rows.dtype, pl.List | pl.Array) or not rows.dtype.inner.is_numeric():
            raise FileError(self.path, "the column 'vector' does not hold lists of numbers")
        if rows.null_count():
            row = int(rows.is_null().arg_max() or 0) + 1
            raise FileError(self.path, "the vector is missing", place=f"row {row}")
        rows = rows.cast(pl.List(pl.Float64))
        lengths = rows.list.len()
        if lengths.n_unique() > 1:
            row = int((lengths != lengths[0]).arg_max() or 0) + 1
            raise FileError(
                self.path,
                f"the vector has {lengths[row - 1]} numbers, but the first has {lengths[0]}",
                place=f"row {row}",
            )
        flat = rows.explode().fill_null(float("nan")).to_numpy()
        return flat.reshape(frame.height, lengths[0] if frame.height else 0)


@dataclass(frozen=True)
class ZippedTable:
    """An .npz file with the arrays `terms` (text) and `vectors` (one row per term)."""

    path: Path
    format: str = "term vectors (npz)"

    @cached_property
    def content(self) -> tuple[list[str], Floats]:
        """The terms and their vectors; arrays of Python objects (pickles) are an error."""
        try:
            with np.load(self.path, allow_pickle=False) as arrays:
                found = {name: arrays[name] for name in ("terms", "vectors") if name in arrays.files}
        except Exception as error:  # a damaged archive or array can make numpy raise anything
            # Its message is dropped, since it may quote what is in the file.
            raise FileError(
                self.path,
                "cannot be read as .npz without pickle: it is damaged, or holds Python objects; write it "
                "again with numpy.savez, the terms as an array of text",
            ) from error
        for name in ("terms", "vectors"):
            if not isinstance(found.get(name), np.ndarray):
                raise FileError(
                    self.path, f"has no array '{name}'; a table of vectors needs 'terms' and 'vectors'"
                )
        terms, vectors = found["terms"], found["vectors"]
        if terms.dtype.kind != "U" or terms.ndim != 1:
            raise FileError(self.path, "the array 'terms' is not a list of strings (dtype U)")
        if vectors.dtype.kind not in "fiu" or vectors.shape[:1] != terms.shape or vectors.ndim != 2:
            raise FileError(
                self.path,
                f"the array 'vectors' has shape {vectors.shape}; it needs a row for each of the "
                f"{terms.size} terms",
            )
        return terms.tolist(), _checked(self.path, vectors)


def _checked(path: Path, vectors: NDArray[np.float64]) -> Floats:
    if not vectors.size:
        raise FileError(path, "the table is empty")
    with np.errstate(over="ignore"):
        single = vectors.astype(np.float32)
    bad = ~np.isfinite(single).all(axis=1)
    if bad.any():
        raise FileError(
            path,
            "the vector has a value that is missing, infinite or not a number (NaN)",
            place=f"row {int(bad.argmax()) + 1}",
        )
    return single
