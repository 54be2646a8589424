"""From a table to pairs: its columns are found by name, or given."""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from medgauge.errors import FileError, InputError, option
from medgauge.pairs import TARGETS, Card, Pairs, PairSet
from medgauge.tables import Row, Table
from medgauge.term_length import problem_of_length

Columns = Mapping[str, str | list[str]]
"""Maps medgauge's column names to the file's; a list of columns means their average."""

ALIASES: dict[str, tuple[str, ...]] = {
    "pair_id": ("pairid",),
    "term_1": (
        "term1",
        "word1",
        "text1",
        "string1",
        "sentence1",
        "name1",
        "concept1",
        "snomedlabel1",
    ),
    "term_2": (
        "term2",
        "word2",
        "text2",
        "string2",
        "sentence2",
        "name2",
        "concept2",
        "snomedlabel2",
    ),
    "gold": (
        "gold",
        "goldscore",
        "score",
        "mean",
        "meanrating",
        "rating",
        "similarity",
        "relatedness",
    ),
    "label": ("label", "class", "same", "synonym", "issynonym"),
    "id_1": ("id1", "snomedid1", "code1", "conceptid1"),
    "id_2": ("id2", "snomedid2", "code2", "conceptid2"),
    "cui_1": ("cui1",),
    "cui_2": ("cui2",),
}


def find_columns(table: Table, given: Mapping[str, str | None]) -> Columns:
    """Find the columns that hold the terms and the gold: those the user gave, or else by name.

    Names are compared ignoring case, spaces and punctuation; columns that medgauge does not know are kept as
    strata under their own names.
    """
    columns = {ours: name for ours, name in given.items() if name is not None}
    for name in columns.values():
        if name not in table.header:
            raise FileError(table.path, f"there is no column '{name}'; choose from: {listed_columns(table)}")
    if "gold" in columns and "label" in columns:
        both = f"{option('gold')} for graded scores or {option('label')} for 0/1 labels"
        raise InputError(f"give {both}, not both")
    twice = [name for name in columns.values() if list(columns.values()).count(name) > 1]
    if twice:
        raise InputError(f"the column '{twice[0]}' is given twice; terms and gold need a column each")
    columns |= find_by_name(table.header, ALIASES, columns)
    for ours in ("term_1", "term_2"):
        if ours not in columns:
            advice = f"name it with {option(ours, 'COLUMN')}"
            if not table.has_names:
                advice += f", or add {option('header', False)} if the first line is not a header"
            raise FileError(table.path, f"found no column for {ours} among {listed_columns(table)}; {advice}")
    if given.get("label"):
        columns.pop("gold", None)
    elif "gold" in columns:
        columns.pop("label", None)
    used = {"", *columns.values()}
    strata = {name: name for name in table.header if name not in used and name not in ALIASES}
    return {ours: columns[ours] for ours in ALIASES if ours in columns} | strata


def numbered_columns(given: Mapping[str, str | None], header: Sequence[str]) -> dict[str, str | None]:
    """Complete the given columns by number: terms in columns 1 and 2, the gold in 3.

    >>> numbered_columns({"term_1": None, "term_2": "5", "gold": None, "label": None}, "12345")
    {'term_1': '1', 'term_2': '5', 'gold': '3', 'label': None}
    """
    usual = {"term_1": "1", "term_2": "2"} | ({} if given["label"] or "3" not in header else {"gold": "3"})
    return {ours: name or usual.get(ours) for ours, name in given.items()}


def find_by_name(
    header: Iterable[str], aliases: Mapping[str, Sequence[str]], known: Mapping[str, str]
) -> dict[str, str]:
    """Find each column not yet known by the first of its aliases in the header.

    >>> find_by_name(["Word 1", "WORD-2", "score"], ALIASES, {"gold": "score"})
    {'term_1': 'Word 1', 'term_2': 'WORD-2'}
    """
    names = {bare_name(name): name for name in reversed(list(header))}
    taken = {"", *known.values()}
    found: dict[str, str] = {}
    for ours, spellings in aliases.items():
        free = [names[one] for one in spellings if names.get(one, "") not in taken]
        if ours not in known and free:
            found[ours] = free[0]
            taken.add(free[0])
    return found


def to_pairs(table: Table, columns: Columns, card: Card) -> Pairs:
    """Convert a table to pairs, a PairSet if it has gold; an error names the place of the first bad value.

    Gold scores that are all 0 or 1 become labels.
    """
    if not table.rows:
        raise FileError(table.path, "the file has a header but no pairs")
    values: dict[str, Sequence[Any]] = {}
    for ours, name in columns.items():
        names = [name] if isinstance(name, str) else name
        absent = [one for one in names if one not in table.header]
        if absent:
            raise FileError(
                table.path, f"there is no column '{absent[0]}'; choose from: {listed_columns(table)}"
            )
        places = [table.header.index(one) for one in names]
        if ours in TARGETS:
            values[ours] = [_mean(table, row, places) for row in table.rows]
        elif ours.startswith("rater_"):
            values[ours] = [table.optional_number(row, places[0]) for row in table.rows]
        elif ours in ("term_1", "term_2"):
            values[ours] = [term_of(table, row, places[0]) for row in table.rows]
        else:
            values[ours] = [text_of(row.values[places[0]]) for row in table.rows]
    if "pair_id" not in values:
        values = {"pair_id": [str(number) for number in range(1, len(table.rows) + 1)], **values}
    if "label" in values:
        check_labels(table, values["label"])
    elif set(values.get("gold", ())) == {0.0, 1.0}:
        values["label"] = values.pop("gold")
    types = {name: pl.Float64 for name in values if name == "gold" or name.startswith("rater_")}
    frame = pl.DataFrame(values, schema_overrides=types | {"label": pl.Int8}, strict=False)
    check_ids(table, frame["pair_id"])
    return Pairs(frame, card) if values.keys().isdisjoint(TARGETS) else PairSet(frame, card)


def text_of(value: object) -> str:
    """Return a cell as text, empty if it has no value."""
    return "" if value is None else str(value)


def term_of(table: Table, row: Row, place: int) -> str:
    """Return the term in a cell; if it is blank or not text, raise an error that names its place."""
    value = row.values[place]
    if value is not None and not isinstance(value, str):
        raise FileError(
            table.path, f"the term in column '{table.header[place]}' is not text", place=row.place
        )
    if value is None or not value.strip():
        raise FileError(table.path, f"the term in column '{table.header[place]}' is blank", place=row.place)
    if problem := problem_of_length(len(value)):
        raise FileError(table.path, problem, place=row.place)
    return value.strip()


def listed_columns(table: Table, also: Collection[str] = ()) -> str:
    """List the columns, unless the first line may be a pair: terms and ids must not appear in messages.

    The first line is a header if it has one of the aliases, or one of the bare names in `also`.
    """
    known = {*also, *(alias for aliases in ALIASES.values() for alias in aliases)}
    if table.has_names or known & {bare_name(name) for name in table.header}:
        return ", ".join(table.header)
    return f"the {len(table.header)} columns of the first line"


def bare_name(name: str) -> str:
    """Return a name as it is compared: its letters and digits, in lower case.

    >>> bare_name("Snomed_Label 1")
    'snomedlabel1'
    """
    return re.sub(r"[\W_]", "", name).lower()


def check_labels(table: Table, labels: Iterable[float | None]) -> None:
    """Raise an error for a label other than 0 and 1; None means missing."""
    for row, label in zip(table.rows, labels, strict=True):
        if label not in (0.0, 1.0, None):
            raise FileError(table.path, "the label is neither 0 nor 1", place=row.place)


def check_ids(table: Table, ids: pl.Series) -> None:
    """Raise an error for a repeated pair id."""
    repeated = ~ids.is_first_distinct()
    if repeated.any():
        place = table.rows[int(repeated.arg_max() or 0)].place
        raise FileError(table.path, "the pair_id is repeated", place=place)


def _mean(table: Table, row: Row, places: list[int]) -> float:
    return math.fsum(table.number(row, place) for place in places) / len(places)
