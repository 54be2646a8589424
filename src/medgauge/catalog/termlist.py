"""Lists of terms: a text file with one term per line, a table with a column `term`, or terms in memory."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from medgauge.errors import FileError, InputError, option
from medgauge.files.decoding import read_any_text
from medgauge.files.file_names import plain_name
from medgauge.files.parquet import is_parquet
from medgauge.files.workbooks import is_workbook
from medgauge.frames import Frame, as_frame, is_frame
from medgauge.pairs import Card, has_card, read_card
from medgauge.tables import is_missing, read_table
from medgauge.term_length import problem_of_length

TermList = str | Path | Iterable[str] | Frame
"""A file of terms, or terms: a list, a Series, an array, or a frame with a column `term`."""

_COLUMN = "term"


def as_terms(source: TermList, *, term: str | None = None, sheet: str | None = None) -> list[str]:
    """Return the terms of a file or of a column in memory, in their order, without blank ones.

    `term` is the name of the column, by default `term`.

    >>> import polars as pl
    >>> as_terms(pl.Series([" heart  attack", None, "flu"]))
    ['heart attack', 'flu']
    """
    if isinstance(source, str | Path):
        return read_terms(source, term=term, sheet=sheet)
    terms = []
    for number, value in enumerate(_values(source, term), 1):
        if not isinstance(value, str) and not is_missing(value):
            raise InputError(f"row {number} of a list of terms is not text but {type(value).__name__}")
        terms.append(value if isinstance(value, str) else "")
    return clean_terms(terms)


def read_terms(path: str | Path, *, term: str | None = None, sheet: str | None = None) -> list[str]:
    """Read the terms of a file in their order, without blank ones.

    The file is text, optionally compressed, with one term per line (a first line `term` is a header); or a
    table (CSV, TSV, Excel, OpenDocument or Parquet) with a column `term`, or the one that is named.
    """
    path = Path(path)
    terms = clean_terms(given for _, given in _written(path, term, sheet))
    if not terms:
        raise FileError(path, "has no terms")
    if problem := problem_of_length(max(map(len, terms))):
        raise FileError(path, problem)
    return terms


def distinct_terms(path: str | Path, *, term: str | None = None, sheet: str | None = None) -> list[str]:
    """Read the terms of a file as `read_terms` does, each once and as it is written; a blank one is refused.

    White space around a term is left out, as in sets of pairs.
    """
    path = Path(path)
    terms: dict[str, None] = {}
    for place, given in _written(path, term, sheet):
        if not given.strip():
            raise FileError(path, "the term is blank; remove the line, or fill it in", place=place)
        if problem := problem_of_length(len(given)):
            raise FileError(path, problem, place=place)
        terms[given.strip()] = None
    if not terms:
        raise FileError(path, "has no terms")
    return list(terms)


def card_of_list(path: str | Path) -> Card:
    """Return the card of the set that a list was taken from, or one that has no more than the file's name."""
    name = plain_name(Path(path))
    return (read_card(path) if has_card(path) else None) or Card(name=name, title=name)


def _written(path: Path, term: str | None, sheet: str | None) -> Iterator[tuple[str, str]]:
    """Yield what is written in each line or cell, with its place; blank lines at the end are not counted."""
    if term is not None or is_workbook(path) or is_parquet(path):
        yield from _column(path, term, sheet)
        return
    if sheet is not None:
        raise FileError(path, f"is not a workbook and has no sheets; leave out {option('sheet')}")
    text = read_any_text(path).rstrip()
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if text else []
    first = next((number for number, line in enumerate(lines) if line), 0)
    names = _fields(lines[first]) if lines else []
    if len(names) > 1 and _COLUMN in names:
        yield from _column(path, term, sheet)
        return
    if len(names) > 1 and {"term_1", "term_2"} <= set(names):
        raise FileError(
            path, f"has pairs of terms; name one of its columns of terms with {option('term', 'COLUMN')}"
        )
    start = first + 1 if names == [_COLUMN] else 0
    for number, line in enumerate(lines[start:], start + 1):
        yield f"line {number}", line


def clean_terms(terms: Iterable[str]) -> list[str]:
    r"""Put single spaces between words, and leave out blank terms.

    >>> clean_terms([" heart\tattack ", "", "flu"])
    ['heart attack', 'flu']
    """
    return [term for term in (" ".join(given.split()) for given in terms) if term]


def _values(source: Frame, term: str | None) -> Iterable[object]:
    if hasattr(source, "to_pylist") and not hasattr(source, "columns"):  # an Arrow array
        return list(source.to_pylist())
    if not is_frame(source):
        return list(source)
    frame = as_frame(source)
    named = [name for name in frame.columns if name == term or (term is None and name.lower() == _COLUMN)]
    if len(named) != 1 and (frame.width != 1 or term is not None):
        raise InputError(f"a frame of terms needs one column '{term or _COLUMN}'")
    return frame[named[0] if named else frame.columns[0]].to_list()


def _fields(line: str) -> list[str]:
    """Split a line as a header.

    A name after a space is not a field of a header, as in 'pregnancy, term' and 'term birth'.
    """
    separator = next((mark for mark in "\t,;" if mark in line), None)
    fields = [line.strip()] if separator is None else line.split(separator)
    return [field.strip('"').lower() for field in fields]


def _column(path: Path, term: str | None, sheet: str | None) -> Iterator[tuple[str, str]]:
    """Yield the cells of the column of terms, with the place of each."""
    table = read_table(path, sheet=sheet)
    named = [name for name in table.header if name == term or (term is None and name.lower() == _COLUMN)]
    if len(named) != 1:
        advice = (
            f"name the column of terms with {option('term', 'COLUMN')}" if term is None else "check its name"
        )
        raise FileError(path, f"needs one column '{term or _COLUMN}'; {advice}")
    column = table.places[named[0]]
    for row in table.rows:
        value = row.values[column]
        if value is not None and not isinstance(value, str):
            raise table.error(row, column, "is not text")
        yield row.place, value or ""
