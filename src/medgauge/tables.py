"""Rows of a CSV, TSV or Parquet file, each with its place in the file, for error messages."""

import csv
import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from medgauge.errors import FileError
from medgauge.files import is_parquet, read_parquet, read_text
from medgauge.progress import track

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", "na", "nan", "null", "none")
"""Contents of a cell, in lower case, that mean a missing number."""


@dataclass(frozen=True)
class Row:
    """The values of a row, and its place in the file."""

    place: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A file's column names and rows.

    `has_names` is true if the header surely holds names; the first line of a text file may hold values.
    """

    path: Path
    header: tuple[str, ...]
    rows: list[Row]
    has_names: bool = False

    def number(self, row: Row, column: int) -> float:
        """Return the number in a cell; for anything else, raise an error with the place, not the value."""
        value = row.values[column]
        number = to_number(value)
        if math.isnan(number):
            shown = "is missing" if value is None or not str(value).strip() else "is not a number"
            raise FileError(
                self.path, f"the value of column '{self.header[column]}' {shown}", place=row.place
            )
        return number

    def optional_number(self, row: Row, column: int) -> float | None:
        """Return the number in a cell, or None if it is missing."""
        return None if is_missing(row.values[column]) else self.number(row, column)


def read_table(path: str | Path, *, has_header: bool = True) -> Table:
    """Read a table; the separator is a tab if the first line has one, else the more frequent of , and ;.

    Columns of a file without a header are named by their number, from 1.
    """
    path = Path(path)
    with track(f"reading {path.name}", 0):
        if is_parquet(path):
            return frame_table(read_parquet(path), path)
        return _read_delimited(path, has_header=has_header)


def is_missing(value: object) -> bool:
    """Return whether a cell is empty or says that there is no value.

    >>> is_missing(" "), is_missing("NA"), is_missing(None), is_missing(0)
    (True, True, True, False)
    """
    return value is None or str(value).strip().lower() in MISSING


def to_number(value: Any) -> float:
    """Return a cell as a number, NaN if it is not a finite one.

    >>> to_number(" 0.5 "), to_number("1_000"), to_number("high"), to_number("inf")
    (0.5, nan, nan, nan)
    """
    try:
        number = math.nan if "_" in str(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def frame_table(frame: "pl.DataFrame", path: Path) -> Table:
    """Return a frame as a table; errors name it by `path`."""
    rows = [Row(f"row {number}", values) for number, values in enumerate(frame.iter_rows(), 1)]
    return Table(path, tuple(frame.columns), rows, has_names=True)


def _read_delimited(path: Path, *, has_header: bool) -> Table:
    text = read_text(path)
    first_line = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = "\t" if "\t" in first_line else max(",;", key=first_line.count)
    try:
        rows = list(_split(path, text, delimiter, csv.QUOTE_MINIMAL))
    except FileError:
        if delimiter != "\t":
            raise
        rows = list(_split(path, text, delimiter, csv.QUOTE_NONE))  # quotes in a TSV are often literal
    if not rows:
        raise FileError(path, "the file has no rows")
    if has_header:
        header = tuple(name.strip() for name in rows.pop(0).values)
        twice = [number for number, name in enumerate(header, 1) if name and header.count(name) > 1]
        if twice:
            raise FileError(path, f"columns {twice[0]} and {twice[1]} have the same name", place="line 1")
    else:
        header = tuple(str(number) for number in range(1, len(rows[0].values) + 1))
    for row in rows:
        if len(row.values) != len(header):
            raise FileError(
                path,
                f"the row has {len(row.values)} fields, but {len(header)} are expected",
                place=row.place,
            )
    return Table(path, header, rows)


def _split(path: Path, text: str, delimiter: str, quoting: Literal[0, 3]) -> Iterator[Row]:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting, strict=True)
    line = 1
    try:
        for values in reader:
            if len(values) > 1 or any(value.strip() for value in values):
                yield Row(f"line {line}", tuple(values))
            line = reader.line_num + 1
    except csv.Error as error:
        problem = (
            "a quote is opened but not closed" if "end of data" in str(error) else "a quote is misplaced"
        )
        raise FileError(path, f"{problem} ({error})", place=f"line {line}") from error
