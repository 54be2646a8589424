"""A grid of texts, as every table of a result is made of; how its texts are written; rows as CSV."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from medgauge.files.spreadsheets import csv_text

ColumnTypes = dict[str, Any]
"""The columns of rows: the type of each by its name."""

_NAME = 40  # characters of a name in a list of names


@dataclass(frozen=True)
class Cell:
    """A figure or another text, possibly in bold or with a superscript, its interval, and what follows."""

    figure: str
    bold: bool = False
    raised: str = ""
    interval: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The figure with its interval and what follows, on one line."""
        return " ".join(filter(None, (self.figure, self.interval, self.after)))

    @property
    def plain(self) -> str:
        """The text for output without superscripts."""
        return f"{self.text} {self.raised}" if self.raised else self.text


@dataclass(frozen=True)
class Grid:
    """A table: its title, column names, rows, the notes below it, and what is said above it (`lead`).

    The first `labels` columns name a row and are left-aligned, the others right-aligned. `turned` is the
    number of label columns once rows and columns are swapped, if that makes sense. `interval_note` says what
    the intervals of cells are.
    """

    title: str
    header: list[str]
    rows: list[list[Cell]]
    notes: list[str] = field(default_factory=list)
    labels: int = 1
    lead: list[str] = field(default_factory=list)
    turned: int | None = None
    interval_note: str = ""

    @property
    def all_notes(self) -> list[str]:
        """The notes, after the one on intervals if any cell has one."""
        has_interval = any(cell.interval for row in self.rows for cell in row)
        return [self.interval_note, *self.notes] if has_interval and self.interval_note else self.notes

    def without_intervals(self) -> "Grid":
        """Leave out the intervals, and columns of nothing else."""
        columns = [[row[column] for row in self.rows] for column in range(len(self.header))]
        kept = [
            number
            for number, cells in enumerate(columns)
            if any(cell.figure for cell in cells) or not any(cell.interval for cell in cells)
        ]
        rows = [[replace(row[column], interval="") for column in kept] for row in self.rows]
        return replace(self, header=[self.header[column] for column in kept], rows=rows)

    def transposed(self) -> "Grid":
        """Swap rows and columns; only for a grid with one row for each name in its first column."""
        header = [self.header[0], *(row[0].plain for row in self.rows)]
        rows = [
            [Cell(name), *(row[column] for row in self.rows)]
            for column, name in enumerate(self.header)
            if column
        ]
        return replace(self, header=header, rows=rows, labels=self.turned or 1, turned=self.labels)


def number_text(value: float, digits: int = 3) -> str:
    """Format a figure; NaN is "undefined".

    >>> number_text(0.61549), number_text(-0.0001), number_text(math.nan)
    ('0.615', '0.000', 'undefined')
    """
    return "undefined" if math.isnan(value) else f"{value:z.{digits}f}"


def interval_text(low: float, high: float) -> str:
    """Format an interval; NaN is empty.

    >>> interval_text(-0.1, 0.25), interval_text(math.nan, math.nan)
    ('[-0.100, 0.250]', '')
    """
    return "" if math.isnan(low) else f"[{low:z.3f}, {high:z.3f}]"


def figure_text(value: float, low: float, high: float) -> str:
    """Format a figure with its interval, if it has one.

    >>> figure_text(0.615, 0.57, 0.66)
    '0.615 [0.570, 0.660]'
    """
    return f"{number_text(value)} {interval_text(low, high)}".rstrip()


def short_name(name: str) -> str:
    """Shorten a name that would fill a line.

    >>> short_name("glove"), len(short_name("g" * 300))
    ('glove', 40)
    """
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def listed(names: Sequence[str], most: int = 4) -> str:
    """List the first names and the number of the rest.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d"], most=2)
    ('a, b', 'a, b and 2 more')
    """
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(map(short_name, names[:most])) + more


def counted(count: int, what: str) -> str:
    """Format a count with its noun.

    >>> counted(1, "set"), counted(1200, "pair")
    ('1 set', '1,200 pairs')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def first_lines(lines: Iterable[str], what: str, most: int = 5) -> list[str]:
    """Keep the first lines of a summary, and say how many more there are.

    >>> first_lines(["a", "b", "c"], "set", most=1)
    ['a', '… and 2 more sets']
    """
    lines = list(lines)
    return lines[:most] + (
        [f"… and {counted(len(lines) - most, f'more {what}')}"] if len(lines) > most else []
    )


def columns_of(model: type[BaseModel]) -> ColumnTypes:
    """Return the fields of a model as columns."""
    return {name: _type_of(field.annotation) for name, field in model.model_fields.items()}


def _type_of(annotation: Any) -> Any:
    """Return the type of the values in a column, without limits and None; names of a choice are text.

    >>> _type_of(Literal["auc"]), _type_of(Annotated[float, "positive"] | None)
    (<class 'str'>, <class 'float'>)
    """
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return str
    if origin is Annotated:
        return _type_of(inner[0])
    if origin in (Union, UnionType):
        return _type_of(next(one for one in inner if one is not NoneType))
    return annotation


def to_csv(header: Iterable[str], rows: list[list[object]], *, bom: bool = False) -> str:
    r"""Write rows as CSV, in which no text is a formula for spreadsheets.

    >>> to_csv(["a", "b"], [["x,y", 1]])
    'a,b\n"x,y",1\n'
    """
    return csv_text(header, rows, bom=bom)
