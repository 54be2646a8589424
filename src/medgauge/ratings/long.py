"""Long tables of ratings: a row for each rating."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from medgauge.arrays import Flags
from medgauge.catalog.columns import find_by_name, listed_columns, term_of
from medgauge.errors import FileError, option
from medgauge.ratings.cells import Answers, Cells, Reading, read_cells, read_flags
from medgauge.ratings.pair_columns import (
    ANNOTATOR,
    NOT_TERMS,
    PAIR,
    TERMS,
    describe_pairs,
    pair_columns,
    pair_id_of,
)
from medgauge.ratings.ratings import RATER, annotator_name
from medgauge.tables import Row, Table, text_of

_ALIASES: dict[str, tuple[str, ...]] = {
    "annotator": ANNOTATOR,
    "rating": ("rating", "score", "value", "verdict", "answer"),
    **PAIR,
    "pair_id": (*PAIR["pair_id"], "item", "itemid", "unit", "unitid"),
}
_ONE_FOR_A_PAIR = (*TERMS, "set", "label")


def read_long(table: Table, reading: Reading, given: Mapping[str, str]) -> Answers:
    """Read a table with a row for each rating; pairs and annotators are in the order of their first rows.

    `given` has columns that need no search. Other columns are kept if all rows of a pair agree on them. Rows
    for which a column `repeat` is true are skipped: there an annotator was shown a pair again, as a check of
    consistency.
    """
    table = _first_showings(table)
    found = pair_columns(table, _ALIASES, given)
    columns = dict(found)
    if not {"annotator", "rating"} <= columns.keys() or not columns.keys() & {"pair_id", "term_1"}:
        raise FileError(
            table.path,
            f"no ratings were found: no column begins with {RATER} among {listed_columns(table, NOT_TERMS)}; "
            f"name the annotators' columns with {option('annotators')}, or those of pair, annotator and "
            f"rating with {option('pair_id')}, {option('annotator')} and {option('rating')}",
        )
    annotator, rating = (table.places[columns.pop(name)] for name in ("annotator", "rating"))
    cells = read_cells(table, [rating], reading)
    pairs, firsts = _pairs_of_rows(table, columns)
    who, annotators = _annotators_of_rows(table, annotator)
    _check_once(table, cells, pairs, who)
    kept = {
        ours: name
        for ours, name in columns.items()
        if _is_one_for_a_pair(table, table.places[name], pairs, firsts, needed=ours in _ONE_FOR_A_PAIR)
    }
    shape = len(firsts), len(annotators)
    values, unsure = np.full(shape, np.nan), np.zeros(shape, np.bool_)
    answered = _answered(cells)
    at = np.array(pairs)[answered], np.array(who)[answered]
    values[at], unsure[at] = cells.values[answered, 0], cells.unsure[answered, 0]
    first_rows = replace(table, rows=[table.rows[first] for first in firsts])
    ratings = Cells(values, unsure, cells.verdicts)
    return Answers(describe_pairs(first_rows, kept), tuple(annotators), ratings, found)


def _first_showings(table: Table) -> Table:
    """Leave out the rows of pairs that were shown again."""
    column = find_by_name(table.header, {"repeat": ("repeat",)}, {}).get("repeat")
    if column is None:
        return table
    again = read_flags(table, table.places[column])
    rows = [row for row, is_again in zip(table.rows, again.tolist(), strict=True) if not is_again]
    if not rows:
        raise FileError(table.path, f"all rows are repeats, by column '{column}'")
    return replace(table, rows=rows)


def _pairs_of_rows(table: Table, columns: Mapping[str, str]) -> tuple[list[int], list[int]]:
    """Return the number of each row's pair, and the first row of each pair."""
    numbers: dict[tuple[str, ...], int] = {}
    firsts: list[int] = []
    pairs = []
    places = {ours: table.places[name] for ours, name in columns.items()}
    for number, row in enumerate(table.rows):
        key: tuple[str, ...]
        if "pair_id" in columns:
            key = (pair_id_of(table, row, places["pair_id"]),)
        else:
            key = tuple(term_of(table, row, places[ours]) for ours in TERMS)
        if key not in numbers:
            numbers[key] = len(firsts)
            firsts.append(number)
        pairs.append(numbers[key])
    return pairs, firsts


def _annotators_of_rows(table: Table, column: int) -> tuple[list[int], list[str]]:
    """Return the number of each row's annotator, and the annotators' names."""
    written: dict[str, tuple[str, Row]] = {}
    names: list[str] = []
    for row in table.rows:
        text = text_of(row.values[column]).strip()
        name = annotator_name(text)
        if not name:
            raise FileError(table.path, "the annotator's name is blank", place=row.place)
        as_before, before = written.setdefault(name, (text, row))
        if text != as_before:
            raise FileError(
                table.path,
                f"the annotator's name is written differently than at {before.place}",
                place=row.place,
            )
        names.append(name)
    numbers = {name: number for number, name in enumerate(written)}
    return [numbers[name] for name in names], list(written)


def _answered(cells: Cells) -> Flags:
    """Return which rows have a rating or a "don't know" answer."""
    return (cells.unsure | ~np.isnan(cells.values))[:, 0]


def _check_once(table: Table, cells: Cells, pairs: Sequence[int], who: Sequence[int]) -> None:
    """Refuse a second answer by an annotator to a pair."""
    before: dict[tuple[int, int], Row] = {}
    for row, pair, annotator, answered in zip(table.rows, pairs, who, _answered(cells), strict=True):
        if answered and before.setdefault((pair, annotator), row) is not row:
            place = before[pair, annotator].place
            raise FileError(table.path, f"the annotator already rated this pair, at {place}", place=row.place)


def _is_one_for_a_pair(
    table: Table, column: int, pairs: Sequence[int], firsts: Sequence[int], *, needed: bool
) -> bool:
    """Return whether a column has one value for each pair; if it must, several are an error."""
    values = [text_of(row.values[column]).strip() for row in table.rows]
    for number, pair in enumerate(pairs):
        if values[number] != values[firsts[pair]]:
            if not needed:
                return False
            raise FileError(
                table.path,
                f"the value of column '{table.header[column]}' differs from that of the same pair at "
                f"{table.rows[firsts[pair]].place}",
                place=table.rows[number].place,
            )
    return True
