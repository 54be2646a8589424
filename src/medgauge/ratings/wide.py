"""Wide tables of ratings: a column for each annotator."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.catalog.aliases import bare_name
from medgauge.catalog.columns import listed_columns
from medgauge.errors import FileError, InputError
from medgauge.files.file_names import clean_name
from medgauge.ratings.cells import Answers, Cells, Reading, number_cells, read_cells, read_flags
from medgauge.ratings.pair_columns import NOT_TERMS, PAIR, describe_pairs, numbered_ids, pair_columns
from medgauge.ratings.ratings import RATER, annotator_name
from medgauge.tables import Table, frame_table

_UNSURE = "unsure_"
_ROOM = 100  # characters for the colon and white space of a range


def rater_columns(table: Table) -> list[str]:
    """Return the columns that begin with rater_, except rater_id and rater_name of long tables."""
    found = [name for name in table.header if name.strip().lower().startswith(RATER)]
    return [name for name in found if annotator_name(name).lower() not in ("id", "name")]


def named_columns(table: Table, asked: Sequence[str]) -> list[str]:
    """Return the requested columns: each by its name, or a range FIRST:LAST of neighbours."""
    chosen = [name for one in asked for name in _named(table, one)]
    name, times = Counter(chosen).most_common(1)[0] if chosen else ("", 0)
    if times > 1:
        raise InputError(f"the column '{name}' is named twice among the annotators")
    return chosen


def read_wide(table: Table, columns: Sequence[str], reading: Reading, given: Mapping[str, str]) -> Answers:
    """Read a table with a column for each annotator; `given` has columns that need no search."""
    annotators = _annotators(table, columns)
    cells = read_cells(table, [table.places[name] for name in columns], reading)
    return _with_pairs(table, columns, annotators, cells, given)


def read_wide_numbers(
    frame: pl.DataFrame, path: Path, columns: Sequence[str], reading: Reading, given: Mapping[str, str]
) -> Answers:
    """Read a frame whose annotators' columns have numbers or booleans, without converting them to rows."""
    annotators = _annotators(Table(path, tuple(frame.columns), []), columns)
    cells = number_cells(frame.select(columns), path, reading)
    rest = frame.drop(columns)
    if not rest.columns:
        return Answers(pl.DataFrame([numbered_ids(frame.height)]), annotators, cells, {})
    return _with_pairs(frame_table(rest, path), columns, annotators, cells, given)


def _with_pairs(
    table: Table,
    columns: Sequence[str],
    annotators: tuple[str, ...],
    cells: Cells,
    given: Mapping[str, str],
) -> Answers:
    """Add what other columns say about the pairs, and their "don't know" flags, to ratings."""
    raters = {*columns, *rater_columns(table)}  # those not requested do not describe pairs either
    flags = _flags(table, {annotator_name(name) for name in raters})
    for number, name in enumerate(annotators):
        if name in flags:
            _add_flags(table, cells, number, flags[name])
    found = pair_columns(table, PAIR, given, without={*raters, *flags.values()})
    return Answers(describe_pairs(table, found), annotators, cells, found)


def _named(table: Table, asked: str) -> Sequence[str]:
    header = table.header
    if asked in header:
        return [asked]
    # What is longer than any two names is not a range of columns, and may have very many colons.
    pieces = asked.split(":") if len(asked) <= 2 * max(map(len, header)) + _ROOM else []
    for cut in range(1, len(pieces)):  # names may have colons
        first, last = ":".join(pieces[:cut]).strip(), ":".join(pieces[cut:]).strip()
        if first in header and last in header:
            found = header[header.index(first) : header.index(last) + 1]
            if not found:
                raise FileError(table.path, f"the column '{last}' comes before '{first}'")
            flags = _flags(table, {annotator_name(name) for name in found}).values()
            return [name for name in found if name not in flags]
    known = (*NOT_TERMS, *(bare_name(name) for name in rater_columns(table)))
    raise FileError(
        table.path,
        f"there is no column or range of columns '{asked}'; there are: {listed_columns(table, known)}",
    )


def _annotators(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the annotators of columns; each needs a distinct name."""
    places: dict[str, int] = {}
    for column in map(table.places.__getitem__, columns):
        name = annotator_name(table.header[column])
        if not name:
            raise FileError(table.path, f"column {column + 1} has ratings but no annotator's name")
        if name in places:
            raise FileError(
                table.path, f"columns {places[name] + 1} and {column + 1} belong to the same annotator"
            )
        places[name] = column
    return tuple(places)


def _flags(table: Table, annotators: Collection[str]) -> dict[str, str]:
    """Find the columns that flag annotators' "don't know" answers."""
    flags = {
        clean_name(name.strip()[len(_UNSURE) :].strip()): name
        for name in table.header
        if name.strip().lower().startswith(_UNSURE)
    }
    return {who: name for who, name in flags.items() if who in annotators}


def _add_flags(table: Table, cells: Cells, annotator: int, name: str) -> None:
    """Add the "don't know" flags of the column of that name to an annotator's cells."""
    flags = read_flags(table, table.places[name])
    both = flags & ~np.isnan(cells.values[:, annotator])
    if both.any():
        raise FileError(
            table.path,
            f"column '{name}' says that the annotator did not know, but there is a rating",
            place=table.rows[int(both.argmax())].place,
        )
    cells.unsure[:, annotator] |= flags
