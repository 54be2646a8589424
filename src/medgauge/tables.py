"""Rows of a CSV, TSV or Parquet file, each with the place it stands at, for errors that point there."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from medgauge.errors import FileError
from medgauge.files import open_bytes, read_text

PARQUET_MAGIC = b"PAR1"


@dataclass(frozen=True)
class Row:
    """The values of a row, and where in the file they stand."""

    place: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A file's column names and rows."""

    path: Path
    header: tuple[str, ...]
    rows: list[Row]


def read_table(path: str | Path, *, has_header: bool = True) -> Table:
    """Read a table; the separator (tab, comma or semicolon) is the commonest in the first line.

    Columns of a file without a header are named by their number, from 1.
    """
    path = Path(path)
    with open_bytes(path) as stream:
        is_parquet = stream.read(4) == PARQUET_MAGIC
    return _read_parquet(path) if is_parquet else _read_delimited(path, has_header=has_header)


def _read_parquet(path: Path) -> Table:
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise FileError(path, f"cannot be read as Parquet ({error})") from error
    rows = [Row(f"row {number}", values) for number, values in enumerate(frame.iter_rows(), 1)]
    return Table(path, tuple(frame.columns), rows)


def _read_delimited(path: Path, *, has_header: bool) -> Table:
    text = read_text(path)
    first_line = text.split("\n", 1)[0]
    delimiter = max("\t,;", key=first_line.count)
    rows = list(_split(path, text, delimiter))
    if not rows:
        raise FileError(path, "the file has no rows")
    if has_header:
        header = tuple(name.strip() for name in rows.pop(0).values)
    else:
        header = tuple(str(number) for number in range(1, len(rows[0].values) + 1))
    for row in rows:
        if len(row.values) != len(header):
            raise FileError(
                path,
                f"the row has {len(row.values)} fields where {len(header)} are expected",
                place=row.place,
            )
    return Table(path, header, rows)


def _split(path: Path, text: str, delimiter: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for values in reader:
            if len(values) > 1 or any(value.strip() for value in values):
                yield Row(f"line {reader.line_num}", tuple(values))
    except csv.Error as error:
        raise FileError(path, str(error), place=f"line {reader.line_num}") from error
