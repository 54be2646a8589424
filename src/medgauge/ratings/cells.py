"""The cells of a table of ratings: a number, a verdict, "don't know", or nothing."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Flags
from medgauge.catalog.aliases import bare_name
from medgauge.errors import FileError
from medgauge.ratings.ratings import Scale
from medgauge.stats.settings import LARGEST
from medgauge.tables import Table, is_missing, text_of, to_number

_VERDICTS = {
    "same": 1.0,
    "yes": 1.0,
    "true": 1.0,
    "notsame": 0.0,
    "different": 0.0,
    "no": 0.0,
    "false": 0.0,
}
_UNSURE = ("dontknow", "dk", "unclear", "unsure", "?")


class _Kind(IntEnum):
    NOTHING = 0
    NUMBER = 1
    VERDICT = 2
    UNSURE = 3
    NO_RATING = 4


@dataclass(frozen=True)
class Cells:
    """Ratings, NaN where missing; the "don't know" answers; whether the ratings are verdicts."""

    values: Doubles
    unsure: Flags
    verdicts: bool


@dataclass(frozen=True)
class Reading:
    """How cells are read: the numbers that mean no rating, and the scale of the others."""

    not_rated: tuple[float, ...]
    scale: Scale | None


@dataclass(frozen=True)
class Answers:
    """The content of a table: a row of `pairs` for each pair, and cells of pairs × annotators.

    `columns` maps our names to the columns of the table that hold them.
    """

    pairs: pl.DataFrame
    annotators: tuple[str, ...]
    cells: Cells
    columns: Mapping[str, str]


def read_cells(table: Table, columns: Sequence[int], reading: Reading) -> Cells:
    """Read columns of ratings, rows × columns; the first invalid cell is an error that names its place.

    A table has numbers or verdicts (same, not same); "don't know" may occur among either.
    """
    texts = [str(row.values[column]) for row in table.rows for column in columns]
    # A table has few distinct cells, and each is parsed once.
    if any("," in text for text in dict.fromkeys(texts)):
        texts = [str(table.with_point(row, column)) for row in table.rows for column in columns]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    meanings = [_meaning(text, reading.not_rated) for text in numbers]
    codes = np.fromiter(map(numbers.__getitem__, texts), np.intp, len(texts))
    codes = codes.reshape(len(table.rows), len(columns))
    kinds = np.array([kind for kind, _ in meanings], np.int8)[codes]
    values = np.array([value for _, value in meanings], np.float64)[codes]
    names = [table.header[column] for column in columns]
    where = _Where(table.path, names, lambda row: table.rows[row].place)
    has_numbers = bool((kinds == _Kind.NUMBER).any())
    are_verdicts = not has_numbers and bool((kinds == _Kind.VERDICT).any())
    wrong = (kinds == _Kind.NO_RATING) | (has_numbers & (kinds == _Kind.VERDICT))
    expected = "verdict (same, not same or don't know)" if are_verdicts else "number"
    _refuse(wrong, where, "value", f"is not a {expected}")
    _check_range(values, where, reading)
    return Cells(values, kinds == _Kind.UNSURE, are_verdicts)


def are_numbers(frame: pl.DataFrame) -> bool:
    """Return whether `number_cells` can read a frame: it has only numbers, or only booleans."""
    types = frame.dtypes
    return all(one == pl.Boolean for one in types) or all(one.is_integer() or one.is_float() for one in types)


def number_cells(frame: pl.DataFrame, path: Path, reading: Reading) -> Cells:
    """Read a frame of only ratings, whose columns have numbers or booleans; NaN and null mean no rating.

    The result is the same as that of `read_cells`, without converting each cell to text.
    """
    where = _Where(path, frame.columns, lambda row: f"row {row + 1}")
    values = frame.cast(pl.Float64).fill_null(np.nan).to_numpy(order="c", writable=True)
    are_booleans = frame.dtypes[0] == pl.Boolean
    if not are_booleans:
        _refuse(np.isinf(values), where, "value", "is not a number")
        values[np.isin(values, reading.not_rated)] = np.nan
    _check_range(values, where, reading)
    is_verdict = are_booleans and not np.isnan(values).all()
    return Cells(values, np.zeros(values.shape, np.bool_), is_verdict)


def read_flags(table: Table, column: int) -> Flags:
    """Read a column of true and false; missing means false."""
    flags = np.zeros(len(table.rows), np.bool_)
    for number, row in enumerate(table.rows):
        value = row.values[column]
        word = bare_name(text_of(value))
        if word not in ("true", "false") and not is_missing(value):
            raise FileError(
                table.path,
                f"the value of column '{table.header[column]}' is neither true nor false",
                place=row.place,
            )
        flags[number] = word == "true"
    return flags


def _meaning(text: str, not_rated: Collection[float]) -> tuple[_Kind, float]:
    if is_missing(text):
        return _Kind.NOTHING, math.nan
    number = to_number(text)
    if not math.isnan(number):
        return (_Kind.NOTHING, math.nan) if number in not_rated else (_Kind.NUMBER, number)
    word = bare_name(text) or text.strip()
    if word in _UNSURE:
        return _Kind.UNSURE, math.nan
    if word in _VERDICTS:
        return _Kind.VERDICT, _VERDICTS[word]
    return _Kind.NO_RATING, math.nan


@dataclass(frozen=True)
class _Where:
    """What error messages name: the source, its columns, and the place of a row."""

    path: Path
    columns: Sequence[str]
    place: Callable[[int], str]


def _check_range(values: Doubles, where: _Where, reading: Reading) -> None:
    """Refuse ratings that are too large, or outside the scale."""
    _refuse(np.abs(values) > LARGEST, where, "value", f"is not a rating: it is beyond ±{LARGEST:g}")
    if reading.scale is not None:
        low, high = reading.scale
        outside = (values < low) | (values > high)
        _refuse(outside, where, "rating", f"is outside the scale {low:g} to {high:g}")


def _refuse(wrong: Flags, where: _Where, what: str, problem: str) -> None:
    """Raise an error for the first wrong cell, row by row."""
    if wrong.any():
        row, column = np.unravel_index(int(wrong.argmax()), wrong.shape)
        name = where.columns[int(column)]
        raise FileError(where.path, f"the {what} of column '{name}' {problem}", place=where.place(int(row)))
