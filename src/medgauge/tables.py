"""Rows of a CSV, TSV, Excel, OpenDocument or Parquet file, each with its place, for error messages."""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from medgauge.errors import FileError, option
from medgauge.files.decoding import read_any_text
from medgauge.files.parquet import is_parquet, read_parquet
from medgauge.files.spreadsheets import unprotected
from medgauge.files.workbooks import is_workbook, read_sheet
from medgauge.progress import track

if TYPE_CHECKING:
    import polars as pl

MISSING = ("", "na", "n/a", "n.a.", "k.a.", "k. a.", "nan", "null", "none", "-", "–", "—")
"""Contents of a cell, in lower case, that mean a missing number."""
_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")
_POINT = re.compile(r"\s*[+-]?\d*\.\d+(?:[eE][+-]?\d+)?\s*")
_WHOLE = re.compile(r"\s*[+-]?\d+\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_ROWS_TO_TRY = 20  # when the separator is looked for


@dataclass(frozen=True)
class Row:
    """The values of a row, and its place in the file."""

    place: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Table:
    """A file's column names and rows.

    `has_names` is true if the header surely holds names; the first line of a text file may hold values.
    `separator` is that of a text file.
    """

    path: Path
    header: tuple[str, ...]
    rows: list[Row]
    has_names: bool = False
    separator: str = ""

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each column, by its name; the first of those without a name."""
        return {name: place for place, name in reversed(list(enumerate(self.header)))}

    @cached_property
    def _with_commas(self) -> dict[int, bool]:
        """What is known so far of which columns have decimal commas."""
        return {}

    def number(self, row: Row, column: int) -> float:
        """Return the number in a cell; for anything else, raise an error with the place, not the value."""
        number = self.parsed(row, column)
        if math.isnan(number):
            shown = "is not a number" if text_of(row.values[column]).strip() else "is missing"
            raise self.error(row, column, shown)
        return number

    def optional_number(self, row: Row, column: int) -> float | None:
        """Return the number in a cell, or None if it is missing."""
        return None if is_missing(row.values[column]) else self.number(row, column)

    def parsed(self, row: Row, column: int) -> float:
        """Return the number in a cell, NaN if it has none; the column may have decimal commas."""
        return to_number(self.with_point(row, column))

    def with_point(self, row: Row, column: int) -> Any:
        """Return the value of a cell, a number with a decimal comma as text with a point."""
        value = row.values[column]
        if not isinstance(value, str) or "," not in value:
            return value
        has_comma = _COMMA.fullmatch(value) and self._has_commas(column)
        return value.replace(",", ".") if has_comma else value

    def texts(self, column: int) -> list[str]:
        """Return a column as text; numbers with decimal commas, if it has no others, get points."""
        texts = [text_of(row.values[column]) for row in self.rows]
        if self.separator != ";" or not any(_COMMA.fullmatch(text) for text in texts):
            return texts
        are_numbers = all(
            _COMMA.fullmatch(text) or _WHOLE.fullmatch(text) or is_missing(text) for text in texts
        )
        return [text.replace(",", ".") for text in texts] if are_numbers else texts

    def error(self, row: Row, column: int, problem: str) -> FileError:
        """Return an error about the value of a cell."""
        return FileError(self.path, f"the value of column '{self.header[column]}' {problem}", place=row.place)

    def _has_commas(self, column: int) -> bool:
        """Return whether a column has decimal commas; refuse one that mixes them with points."""
        if column not in self._with_commas:
            texts = [(row, row.values[column]) for row in self.rows if isinstance(row.values[column], str)]
            commas = [(row, text) for row, text in texts if _COMMA.fullmatch(text)]
            points = [row for row, text in texts if _POINT.fullmatch(text)]
            if commas and points:
                first, other = sorted((commas[0][0], points[0]), key=self.rows.index)
                raise self.error(
                    other, column, f"has another decimal sign than that of {first.place}; use one of , and ."
                )
            if commas and self.separator != ";" and all(_THOUSANDS.fullmatch(text) for _, text in commas):
                raise self.error(
                    commas[0][0],
                    column,
                    "has a comma that may be for decimals or for thousands; write numbers with a point for "
                    "decimals and nothing for thousands",
                )
            self._with_commas[column] = bool(commas)
        return self._with_commas[column]


def read_table(path: str | Path, *, has_header: bool = True, sheet: str | None = None) -> Table:
    """Read a table: text with separators, a sheet of Excel or OpenDocument, or Parquet, by its content.

    The separator of text is a tab if the first line has one, else whichever of , and ; gives all rows the
    same number of fields, or the more frequent one. `sheet` names a sheet, by default the first. Columns of a
    file without a header are named by their number, from 1. Blank rows are skipped.
    """
    path = Path(path)
    with track(f"reading {path.name}", 0):
        if is_workbook(path):
            return _read_workbook(path, sheet, has_header=has_header)
        if sheet is not None:
            raise FileError(path, f"is not a workbook and has no sheets; leave out {option('sheet')}")
        if is_parquet(path):
            return frame_table(read_parquet(path), path)
        return _read_delimited(path, has_header=has_header)


def text_of(value: object) -> str:
    """Return a cell as text, empty if it has no value."""
    return "" if value is None else str(value)


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


def _read_workbook(path: Path, sheet: str | None, *, has_header: bool) -> Table:
    read = read_sheet(path, sheet)
    rows = [
        Row(f"sheet '{read.name}', row {number}", tuple("" if cell is None else cell for cell in cells))
        for number, cells in read.rows
    ]
    return _with_header(path, rows, has_header=has_header)


def _read_delimited(path: Path, *, has_header: bool) -> Table:
    text = read_any_text(path)
    separator = _separator(text)
    try:
        rows = list(_split(path, text, separator, csv.QUOTE_MINIMAL))
    except FileError:
        if separator != "\t":
            raise
        rows = list(_split(path, text, separator, csv.QUOTE_NONE))  # quotes in a TSV are often literal
    return _with_header(path, rows, has_header=has_header, separator=separator)


def _separator(text: str) -> str:
    """Find the separator of a text, without regard to blank lines at its beginning."""
    text = text.lstrip("\r\n")
    first_line = _LINE_END.split(text, maxsplit=1)[0]
    if "\t" in first_line:
        return "\t"
    fitting = [one for one in ",;" if one in first_line and _is_even(text, one)]
    return fitting[0] if len(fitting) == 1 else max(",;", key=first_line.count)


def _is_even(text: str, separator: str) -> bool:
    """Return whether a separator gives the first rows of a text the same number of fields."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        counts = {len(values) for values in islice(reader, _ROWS_TO_TRY) if values}
    except csv.Error:
        return False
    return len(counts) == 1


def _with_header(path: Path, rows: list[Row], *, has_header: bool, separator: str = "") -> Table:
    """Make a table of rows, of which the first may be the header."""
    if not rows:
        raise FileError(path, "the file has no rows")
    if has_header:
        first = rows.pop(0)
        header = tuple(name.strip() for name in first.values)
        _check_names(path, header, first.place)
    else:
        header = tuple(str(number) for number in range(1, len(rows[0].values) + 1))
    for row in rows:
        if len(row.values) != len(header):
            raise FileError(
                path,
                f"the row has {len(row.values)} fields, but {len(header)} are expected",
                place=row.place,
            )
    return Table(path, header, rows, separator=separator)


def _check_names(path: Path, header: Sequence[str], place: str) -> None:
    """Refuse a name that two columns have."""
    seen: dict[str, int] = {}
    for number, name in enumerate(header, 1):
        if name and seen.setdefault(name, number) != number:
            raise FileError(path, f"columns {seen[name]} and {number} have the same name", place=place)


def _split(path: Path, text: str, separator: str, quoting: Literal[0, 3]) -> Iterator[Row]:
    """Split a text into rows without blank ones, and restore what was protected from spreadsheets."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting, strict=True)
    is_for_people = separator != "\t"
    line = 1
    try:
        for values in reader:
            cells = tuple(map(unprotected, values) if is_for_people else values)
            if any(cell and not cell.isspace() for cell in cells):
                yield Row(f"line {line}", cells)
            line = reader.line_num + 1
    except csv.Error as error:
        problem = (
            "a quote is opened but not closed" if "end of data" in str(error) else "a quote is misplaced"
        )
        raise FileError(path, f"{problem} ({error})", place=f"line {line}") from error
