"""Tables of vectors as Parquet: a column of keys, and a list of numbers or a column for each dimension."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.arrays import Floats
from medgauge.errors import FileError
from medgauge.files.parquet import read_parquet
from medgauge.models.tables.concept_keys import AS_NUMBERS, LISTED_COLUMNS, check_written
from medgauge.models.tables.keyed_rows import Keyed, chosen, single
from medgauge.models.words.reading import FoundVectors

TERM = ("term",)


@dataclass(frozen=True)
class ParquetTable:
    """A Parquet file with a column of keys, and a list column `vector` or a numeric column per dimension.

    The keys are in the first of `names` that is there: terms, or ids of concepts under any of several names.
    """

    path: Path
    names: tuple[str, ...] = TERM

    @property
    def of_terms(self) -> bool:
        """Whether the keys are terms, as opposed to ids of concepts."""
        return self.names == TERM

    @property
    def format(self) -> str:
        """The name of the format."""
        return f"{'term' if self.of_terms else 'concept'} vectors (Parquet)"

    def load(self) -> Keyed:
        """Read all keys and their vectors."""
        frame = read_parquet(self.path)
        name = self._key_column(frame)
        keys = self._keys(frame[name])
        # Another column of keys is not a dimension.
        others = [
            one for one in frame.columns if one != name and (self.of_terms or one.lower() not in self.names)
        ]
        return keys, single(self.path, self._vectors(frame.select(others)))

    def find(self, keys: Sequence[str]) -> FoundVectors:
        """Read the vectors of these keys (all distinct), after checking all of them."""
        return chosen(self.load(), keys)

    def _key_column(self, frame: pl.DataFrame) -> str:
        for name in self.names:
            for column in frame.columns:
                if column.lower() == name and (not self.of_terms or frame[column].dtype == pl.String):
                    return column
        needed = "text column 'term'" if self.of_terms else f"column of ids ({LISTED_COLUMNS})"
        advice = " (for vectors of concepts, write concepts:FILE)" if self.of_terms else ""
        columns = ", ".join(frame.columns)
        raise FileError(self.path, f"has no {needed}; its columns are {columns}{advice}")

    def _keys(self, column: pl.Series) -> list[str]:
        if column.dtype.is_float() or column.dtype.is_decimal():
            raise FileError(self.path, f"the ids in column '{column.name}' {AS_NUMBERS}")
        is_text = column.dtype in (pl.String, pl.Categorical, pl.Enum)
        if not is_text and not column.dtype.is_integer():
            raise FileError(
                self.path, f"the ids in column '{column.name}' are neither text nor whole numbers"
            )
        if column.null_count():
            row = int(column.is_null().arg_max() or 0) + 1
            what = "term" if self.of_terms else "id"
            raise FileError(self.path, f"the {what} is missing", place=f"row {row}")
        keys: list[str] = column.cast(pl.String).to_list()
        if not self.of_terms:
            keys = [key.strip() for key in keys]
            check_written(self.path, keys, what="row")
        return keys

    def _vectors(self, frame: pl.DataFrame) -> Floats:
        if "vector" not in frame.columns:
            if not frame.columns or not all(kind.is_numeric() for kind in frame.dtypes):
                keys = "'term'" if self.of_terms else "that of the ids"
                raise FileError(
                    self.path, f"needs a list column 'vector', or only numeric columns besides {keys}"
                )
            return frame.cast(pl.Float32, strict=False).to_numpy()
        rows = frame["vector"]
        if not isinstance(rows.dtype, pl.List | pl.Array) or not rows.dtype.inner.is_numeric():
            raise FileError(self.path, "the column 'vector' does not hold lists of numbers")
        if rows.null_count():
            row = int(rows.is_null().arg_max() or 0) + 1
            raise FileError(self.path, "the vector is missing", place=f"row {row}")
        rows = rows.cast(pl.List(pl.Float32), strict=False)
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
