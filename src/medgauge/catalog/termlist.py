"""Lists of terms: a text file with one term per line, a table with a column `term`, or terms in memory."""

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from medgauge.errors import FileError, InputError, option
from medgauge.files.decoding import read_any_text
from medgauge.files.parquet import is_parquet
from medgauge.files.workbooks import is_workbook
from medgauge.frames import Frame, as_frame, is_frame
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
    if term is not None or is_workbook(path) or is_parquet(path):
        found = _column(path, term, sheet)
    elif sheet is not None:
        raise FileError(path, f"is not a workbook and has no sheets; leave out {option('sheet')}")
    else:
        text = read_any_text(path)
        lines = text.lstrip("\r\n").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        names = _fields(lines[0])
        is_table = len(names) > 1 and _COLUMN in names
        found = _column(path, term, sheet) if is_table else lines[names == [_COLUMN] :]
    terms = clean_terms(found)
    if not terms:
        raise FileError(path, "has no terms")
    if problem := problem_of_length(max(map(len, terms))):
        raise FileError(path, problem)
    return terms


def clean_terms(terms: Iterable[str]) -> list[str]:
    r"""Put single spaces between words, and leave out blank terms.

    >>> clean_terms([" heart\tattack ", "", "flu"])
    ['heart attack', 'flu']
    """
    return [term for term in (" ".join(given.split()) for given in terms) if term]


def same_term(term: str) -> str:
    """Return a key that is equal for all spellings of a term: accents composed, case ignored.

    >>> same_term("Ménière's") == same_term("MÉNIÈRE'S")
    True
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", term).casefold())


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
    """Split a line as a header; a name after a space is not a header field ('pregnancy, term')."""
    separator = next((mark for mark in "\t,;" if mark in line), None)
    return [field.strip('"').lower() for field in line.split(separator)]


def _column(path: Path, term: str | None, sheet: str | None) -> list[str]:
    table = read_table(path, sheet=sheet)
    named = [name for name in table.header if name == term or (term is None and name.lower() == _COLUMN)]
    if len(named) != 1:
        advice = (
            f"name the column of terms with {option('term', 'COLUMN')}" if term is None else "check its name"
        )
        raise FileError(path, f"needs one column '{term or _COLUMN}'; {advice}")
    column = table.places[named[0]]
    terms = []
    for row in table.rows:
        value = row.values[column]
        if value is not None and not isinstance(value, str):
            raise table.error(row, column, "is not text")
        terms.append(value or "")
    return terms
