"""Text that spreadsheets would take for a formula: marked when written to CSV, and restored when read.

A spreadsheet runs a cell that begins with = + - @, a tab or a carriage return. Such a text is written with
an apostrophe in front, and so is one that already begins with apostrophes and one of these, so that reading
takes exactly one away again. Numbers are left alone. Parquet and TSV, which are for programs, keep the exact
text.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

BOM = "\ufeff"
"""With this at its beginning, Excel reads CSV as UTF-8."""
_RISKY = re.compile(r"'*[=+\-@\t\r]")
_MARKED = re.compile(r"'+[=+\-@\t\r]")
_TO_QUOTE = re.compile(r"[,\"\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def protected(cell: Any) -> Any:
    """Return a cell as it is written to CSV: a text that could be a formula with an apostrophe in front.

    >>> protected("=1+1"), protected("'-OH"), protected("-0.5"), protected(-0.5), protected("flu")
    ("'=1+1", "''-OH", '-0.5', -0.5, 'flu')
    """
    is_risky = isinstance(cell, str) and _RISKY.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_risky else cell


def unprotected(text: str) -> str:
    """Return a text as it was before `protected` changed it.

    >>> unprotected("'=1+1"), unprotected("''-OH"), unprotected("'tis")
    ('=1+1', "'-OH", "'tis")
    """
    return text[1:] if text.startswith("'") and _MARKED.match(text) else text


def csv_text(header: Iterable[str], rows: Iterable[Sequence[object]], *, bom: bool = False) -> str:
    r"""Write rows as CSV for people, with every text protected.

    >>> csv_text(["term", "score"], [["-OH, alcohol", -1.5]])
    'term,score\n"\'-OH, alcohol",-1.5\n'
    """
    lines = (",".join(map(_field, row)) or '""' for row in (list(header), *rows))
    return (BOM if bom else "") + "".join(f"{line}\n" for line in lines)


def _field(cell: object) -> str:
    """Return a field of CSV; unlike the csv module, this quotes a carriage return."""
    text = "" if cell is None else str(protected(cell))
    return '"' + text.replace('"', '""') + '"' if _TO_QUOTE.search(text) else text


def frame_csv(frame: "pl.DataFrame", *, bom: bool = False) -> str:
    """Write a frame as CSV for people, with every text protected."""
    import polars as pl

    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    columns = [pl.Series(name, [protected(one) for one in frame[name]], pl.String) for name in texts]
    safe = frame.with_columns(columns).rename({name: protected(name) for name in frame.columns})
    return safe.write_csv(include_bom=bom)
