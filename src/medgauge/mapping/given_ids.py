"""The ids that are to be mapped: from a list, a file or a set, each once, and the terms that a set has."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from medgauge.catalog.aliases import ALIASES, bare_name
from medgauge.catalog.cards import published_name
from medgauge.catalog.columns import find_by_name
from medgauge.catalog.datasets import check_sources, load_pairs
from medgauge.errors import FileError, InputError, option, quoted
from medgauge.files.opening import require_file
from medgauge.files.parquet import is_parquet
from medgauge.files.workbooks import is_workbook
from medgauge.pairs import KeyKind, Pairs, has_card
from medgauge.tables import Row, Table, read_table, text_of

_HEADINGS = ("id", "ids", "code", "concept", "conceptid", "cui", "snomedid", "sctid", "conceptcode")
_LONGEST = 200  # characters of an id
_EXACT = 2**53  # up to which whole numbers are exact

IdSource = str | Path | Pairs | Iterable[str]
"""Ids: a list of them, a file with one a line, a table, or a set of pairs."""


@dataclass
class GivenIds:
    """Ids in the order in which they were given, each once, and the terms that a set has for some of them."""

    ids: dict[str, None] = field(default_factory=dict)
    names: dict[str, set[str]] = field(default_factory=dict)

    def add(self, written: str, term: str = "") -> None:
        """Add an id, unless it is blank, and what it is called."""
        if one := written.strip():
            self.ids[one] = None
            if term:
                self.names.setdefault(one, set()).add(term)


def given_ids(source: IdSource, kind: KeyKind = "id", *, column: str | None = None) -> GivenIds:
    """Return the ids in a list, a file or a set; `kind` says which those of a set are: ids or CUIs.

    A file has one id a line, or is a table with a column of ids, which `column` names if it is not called id,
    code or the like, or with the columns of a set.

    >>> list(given_ids(["22298006", " 386661006", "22298006", ""]).ids)
    ['22298006', '386661006']
    """
    if isinstance(source, Pairs):
        return ids_of_pairs(source, kind)
    if isinstance(source, str | Path):
        if column is None and (published_name(source) is not None or has_pairs(Path(source))):
            [pairs] = load_pairs([source], missing="ignore")
            return ids_of_pairs(pairs, kind)
        check_sources([source])
        return _ids_in(require_file(source), kind, column)
    found = GivenIds()
    for number, one in enumerate(source, 1):
        if not isinstance(one, str):
            raise InputError(f"id {number} of the list is {type(one).__name__}, not text; write it as text")
        _check(one, f"id {number} of the list")
        found.add(one)
    return found


def ids_of_pairs(pairs: Pairs, kind: KeyKind) -> GivenIds:
    """Return the ids or CUIs of a set's terms, with the terms."""
    if not pairs.has_keys(kind):
        raise InputError(
            f"the set {quoted(pairs.card.name)} has no ids to map: it needs the columns {kind}_1 and {kind}_2"
        )
    found = GivenIds()
    for keys, terms in zip(pairs.keys(kind), pairs.keys("term"), strict=True):
        for key, term in zip(keys, terms, strict=True):
            if key is not None:
                found.add(key, term or "")
    if not found.ids:
        raise InputError(
            f"the set {quoted(pairs.card.name)} has no ids to map: {kind}_1 and {kind}_2 are blank"
        )
    return found


def has_pairs(path: Path) -> bool:
    """Return whether a file is a set of pairs that medgauge wrote."""
    return path.is_file() and path.stat().st_size > 0 and is_parquet(path) and has_card(path)


def _ids_in(path: Path, kind: KeyKind, column: str | None) -> GivenIds:
    table = read_table(path)
    if not table.header:
        raise FileError(path, "has no ids")
    if column is not None:
        if column not in table.places:
            raise FileError(path, f"there is no column {quoted(column)}; check its name")
        return _from_columns(table, {column: None})
    by_name = find_by_name(table.header, ALIASES, {})
    if {f"{kind}_1", f"{kind}_2"} <= by_name.keys():
        return _from_columns(
            table, {by_name[f"{kind}_{side}"]: by_name.get(f"term_{side}") for side in (1, 2)}
        )
    if {"term_1", "term_2"} <= by_name.keys():
        raise FileError(path, f"has no ids to map: it needs the columns {kind}_1 and {kind}_2")
    named = [name for name in table.header if bare_name(name) in _HEADINGS]
    if len(named) == 1:
        terms = [name for name in table.header if bare_name(name) in ("term", "name", "label")]
        return _from_columns(table, {named[0]: terms[0] if len(terms) == 1 else None})
    if len(table.header) > 1:
        advice = f"name the column of ids with {option('column', 'COLUMN')}"
        raise FileError(
            path, f"has {len(table.header)} columns, and it is not known which holds ids; {advice}"
        )
    # One column without a heading: its first line is an id.
    whole = table if is_parquet(path) or is_workbook(path) else read_table(path, has_header=False)
    return _from_columns(whole, {whole.header[0]: None})


def _from_columns(table: Table, columns: dict[str, str | None]) -> GivenIds:
    """Return the ids in some columns, each with the column that has the terms."""
    found = GivenIds()
    for name, terms in columns.items():
        place = table.places[name]
        for row in table.rows:
            term = text_of(row.values[table.places[terms]]) if terms else ""
            found.add(_written(table, row, place), term.strip())
    if not found.ids:
        raise FileError(table.path, "has no ids")
    return found


def _written(table: Table, row: Row, place: int) -> str:
    """Return an id as text; a floating-point number is one only if it has all of its digits."""
    value = row.values[place]
    if isinstance(value, float):
        if not value.is_integer() or abs(value) >= _EXACT:
            raise table.error(row, place, "is a number that may have lost digits; store ids as text")
        value = int(value)
    written = "" if value is None else str(value)
    _check(written, f"{table.path}, {row.place}: the id")
    return written


def _check(written: str, what: str) -> None:
    if len(written) > _LONGEST or any(unicodedata.category(sign) in ("Cc", "Zl") for sign in written.strip()):
        raise InputError(f"{what} is not one id: it has more than {_LONGEST} characters, or a line break")
