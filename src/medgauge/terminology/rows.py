"""Rows of RF2 files: the columns that are needed, each value checked, and the resulting state."""

import codecs
import io
import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import polars as pl

from medgauge.errors import FileError
from medgauge.term_length import LONGEST_TERM, problem_of_length
from medgauge.terminology.even_rows import has_even_rows
from medgauge.terminology.release import Kind, ReleaseFile
from medgauge.terminology.sctid import valid_sctids

_NEEDED: dict[Kind, tuple[str, ...]] = {
    "concept": ("id", "moduleId"),
    "description": ("id", "conceptId", "languageCode", "typeId", "term"),
    "association": ("id", "moduleId", "refsetId", "referencedComponentId", "targetComponentId"),
    "relationship": ("id", "sourceId", "destinationId", "typeId"),
    "language": ("refsetId", "referencedComponentId", "acceptabilityId"),
}
_TEXTS = {"languageCode", "term"}
_MEMBERS = {"association", "language"}  # rows of reference sets, whose ids are UUIDs
_NUMBERS = {
    "effectiveTime": (re.compile(rb"[1-9]\d{7}"), "not a date of 8 digits"),
    "active": (re.compile(rb"[01]"), "neither 0 nor 1"),
}
_SCTID = (re.compile(rb"[1-9]\d{0,17}"), "not a whole number of up to 18 digits")

Types = dict[str, type[pl.DataType]]


def read_rows(
    files: Iterable[ReleaseFile], kind: Kind, *, check_ids: bool, advance: Callable[[int], None]
) -> pl.DataFrame:
    """Read the files of a kind one after another; ids and dates are integers, a blank term is null."""
    types = _types(kind)
    frames = [pl.DataFrame(schema=types)]
    for file in files:
        if file.kind == kind:
            frames.append(_read_file(file, types, check_ids=check_ids))
            advance(1)
    return pl.concat(frames).with_columns(pl.col("active").cast(pl.Boolean))


def latest(rows: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Return the row with the latest effectiveTime for each key; of several with that time the last.

    Rows are in the order of each key's first row; the new column `row` has their original places.
    """
    # Time and row in one number: the greatest is the latest.
    moment = pl.col("effectiveTime").cast(pl.Int64) * 2**32 + pl.col("row")
    numbered = rows.with_row_index("row")
    found = numbered.group_by(keys).agg(pl.col("row").min(), moment.max().alias("moment"))
    return numbered[found.sort("row").select(pl.col("moment") % 2**32).to_series()]


def _types(kind: Kind) -> Types:
    types: Types = {"effectiveTime": pl.Int32, "active": pl.Int8}
    for name in _NEEDED[kind]:
        is_text = name in _TEXTS or (name == "id" and kind in _MEMBERS)
        types[name] = pl.String if is_text else pl.Int64
    return types


def _read_file(file: ReleaseFile, types: Types, *, check_ids: bool) -> pl.DataFrame:
    content = file.read().removeprefix(codecs.BOM_UTF8)
    if content.endswith((b"\n\n", b"\n\r\n")):
        content = content.rstrip(b"\r\n")
    header = _header(file, content, types)
    try:
        frame = pl.read_csv(
            content,
            separator="\t",
            quote_char=None,
            columns=list(types),
            schema_overrides=types,
            infer_schema=False,
        ).select(*types)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
        frame = None  # its message is dropped, since it may quote a term
    if frame is None or not _is_sound(frame) or not has_even_rows(content, b"\t", len(header)):
        raise _fault(file, content, header, types)
    if "term" in types:
        _check_lengths(file, frame["term"])
    if "id" in types:
        _check_unique(file, frame)
    if check_ids and types.get("id") == pl.Int64:
        wrong = np.flatnonzero(~valid_sctids(frame["id"].to_numpy()))
        if wrong.size:
            row = int(wrong[0])
            problem = f"{frame['id'][row]} is not a SNOMED CT identifier: its length or check digit is wrong"
            raise FileError(file.path, problem, place=_line(row))
    return frame


def _line(row: int) -> str:
    return f"line {row + 2}"


def _header(file: ReleaseFile, content: bytes, wanted: Iterable[str]) -> list[str]:
    """Read the names of the columns, and check that each needed one is there once."""
    first_line = next(io.BytesIO(content), b"").rstrip(b"\r\n")
    if b"\r" in first_line:
        raise FileError(file.path, "its lines end in CR only; get the release again", place="line 1")
    header = first_line.decode("utf-8", "replace").split("\t")
    missing = [name for name in wanted if header.count(name) != 1]
    if missing:
        raise FileError(
            file.path, f"needs the columns {', '.join(missing)}, once each, in its first line", place="line 1"
        )
    return header


def _is_sound(frame: pl.DataFrame) -> bool:
    """Return whether numbers are numbers, dates have 8 digits and `active` is 0 or 1."""
    numbers = frame.select(pl.selectors.integer())
    limits = {"effectiveTime": (10_000_000, 99_999_999), "active": (0, 1)}
    checks = [
        pl.col(name).is_between(*limits.get(name, (1, 10**18 - 1))).fill_null(value=False).all()
        for name in numbers.columns
    ]
    return all(numbers.select(checks).row(0))


def _fault(file: ReleaseFile, content: bytes, header: Sequence[str], types: Types) -> FileError:
    """Find the first bad line, and return an error that says what is wrong with it."""
    numbers = [name for name, kind in types.items() if kind != pl.String]
    for number, line in enumerate(io.BytesIO(content), 1):
        fields = line.removesuffix(b"\n").removesuffix(b"\r").split(b"\t")
        problem = None
        if len(fields) != len(header):
            problem = f"the row has {len(fields)} fields, but {len(header)} are expected"
        elif not _is_utf8(line):
            problem = "is not UTF-8; get the release again"
        elif number > 1:
            for name in numbers:
                pattern, flaw = _NUMBERS.get(name, _SCTID)
                if not pattern.fullmatch(fields[header.index(name)]):
                    problem = f"the value of column '{name}' is {flaw}"
                    break
        if problem:
            return FileError(file.path, problem, place=f"line {number}")
    return FileError(
        file.path, "cannot be read, although no line looks wrong; check that there is enough memory"
    )


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _check_lengths(file: ReleaseFile, terms: pl.Series) -> None:
    # In bytes first, which needs no decoding.
    long = terms.is_not_null() & (terms.str.len_bytes() > LONGEST_TERM)
    for row in long.arg_true():
        if problem := problem_of_length(len(terms[row])):
            raise FileError(file.path, problem, place=_line(row))


def _check_unique(file: ReleaseFile, frame: pl.DataFrame) -> None:
    """Raise an error for two rows of a component with the same date: either could be its state."""
    keys = frame.select("id", "effectiveTime")
    step, later = pl.col("id").diff(), pl.col("effectiveTime").diff() > 0
    # Sorted rows, as most are, need only a comparison of neighbours.
    is_sorted = frame["id"].dtype == pl.Int64 and keys.select(((step > 0) | (step == 0) & later).all()).item()
    if is_sorted or keys.n_unique() == keys.height:
        return
    numbered = keys.with_row_index("row")
    first, second = (
        numbered.filter(keys.is_duplicated())
        .group_by("id", "effectiveTime")
        .agg(pl.col("row").min().alias("first"), pl.col("row").bottom_k(2).max().alias("second"))
        .sort("second")
        .select("first", "second")
        .row(0)
    )
    raise FileError(
        file.path,
        f"has the same id and effectiveTime as {_line(first)}; get the release again",
        place=_line(second),
    )
