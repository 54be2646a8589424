"""Mutations that know a format: JSON, zip, Parquet, SQLite, and numbers at known places of a header."""

import io
import json
import sqlite3
import struct
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

from tests.fuzz.mutations import Mutation

_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, 10**30, float("nan"), float("inf"), "", " ", "x" * 2_000, "\x1b[31m", "\0"),
    *("\ud800", [], {}, [[]], [None], {"": None}, "1e999", 0.1, 2**63, "../../etc"),
)
_KINDS = (pl.String, pl.Float64, pl.Int8, pl.Binary, pl.Categorical, pl.Boolean, pl.Date, pl.Null)
_INTEGERS = (0, 1, -1, 2, 18, 127, 255, 65_536, 999_999, 2**31 - 1, -(2**31))
_CELLS: tuple[Any, ...] = (
    None,
    "",
    "\0",
    b"\xff\xfe",
    0,
    -1,
    2**62,
    1e308,
    0.5,
    "x" * 5_000,
    "not json",
    "{}",
    "[]",
)


def edit_json(content: bytes, random: Random) -> bytes:
    """Change one value of a JSON document, or remove, rename or repeat it."""
    document = json.loads(content)
    places = list(_places(document))
    if not places:
        return content
    holder, key = random.choice(places)
    match random.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice(("", "extra", str(key).upper()))] = holder.pop(key)
        case 1 | 2 if isinstance(holder, list):
            holder.insert(key, holder[key])
        case 3:
            other, where = random.choice(places)
            holder[key] = json.loads(json.dumps(other[where]))
        case _:
            holder[key] = random.choice(_VALUES)
    return json.dumps(document).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in (
        list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    ):
        yield value, key
        yield from _places(value[key])


def edit_zip(content: bytes, random: Random) -> bytes:
    """Drop, rename, repeat, empty or exchange members of a zip, or compress them otherwise."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(one.filename, archive.read(one)) for one in archive.infolist()]
    if not members:
        return content
    place, other = random.randrange(len(members)), random.randrange(len(members))
    name, data = members[place]
    match random.randrange(6):
        case 0:
            del members[place]
        case 1:
            members[place] = (
                random.choice(("../" + name, "/" + name, name + "\0", "x", name.upper(), "")),
                data,
            )
        case 2:
            members.append(members[place])
        case 3:
            members[place] = (name, b"")
        case 4:
            members[place], members[other] = (name, members[other][1]), (members[other][0], data)
        case _:
            members[place] = (
                (name, data + b"\0" * 200_000_000) if random.randrange(50) == 0 else (name, data * 2)
            )
    made = io.BytesIO()
    method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
    with zipfile.ZipFile(made, "w", method) as archive, warnings.catch_warnings(action="ignore"):
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return made.getvalue()


def rename_in_directory(content: bytes, random: Random) -> bytes:
    """Change one letter of a member's name in the directory of a zip, but not in front of the member."""
    places = [place for place in range(len(content) - 46) if content[place : place + 4] == b"PK\x01\x02"]
    if not places:
        return content
    place = random.choice(places)
    (length,) = struct.unpack_from("<H", content, place + 28)
    changed = bytearray(content)
    where = place + 46 + random.randrange(max(1, length))
    if where < len(changed):
        changed[where] ^= 1 << random.randrange(5)
    return bytes(changed)


def edit_parquet(content: bytes, random: Random) -> bytes:
    """Drop, rename, empty or convert a column of a Parquet file, or repeat its rows."""
    frame = pl.read_parquet(io.BytesIO(content))
    if not frame.columns:
        return content
    name = random.choice(frame.columns)
    metadata = pl.read_parquet_metadata(io.BytesIO(content))
    kept = {key: value for key, value in metadata.items() if key.startswith("medgauge")}
    made = io.BytesIO()
    try:
        _with_column(frame, name, random).write_parquet(made, metadata=kept)
    except pl.exceptions.PolarsError:  # what cannot be converted or written stays as it is
        return content
    return made.getvalue()


def _with_column(frame: pl.DataFrame, name: str, random: Random) -> pl.DataFrame:
    match random.randrange(7):
        case 0:
            return frame.drop(name)
        case 1:
            return frame.rename({name: random.choice(("", "x", "\x1b[31m", "term", "gold", "\0"))})
        case 2:
            return frame.with_columns(pl.lit(None).alias(name))
        case 3:
            return frame.with_columns(pl.col(name).cast(random.choice(_KINDS), strict=False))
        case 4:
            return pl.concat([frame, frame])
        case 5:
            return frame.clear()
        case _:
            return frame.with_columns(pl.struct(name).alias(name))


def edit_database(content: bytes, random: Random) -> bytes:
    """Change a cell, remove rows or drop a table of a SQLite database, against its own rules."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        Path(file.name).write_bytes(content)
        with closing(sqlite3.connect(file.name, isolation_level=None)) as connection, suppress(sqlite3.Error):
            _edit_tables(connection, random)
        return Path(file.name).read_bytes()


def _edit_tables(connection: sqlite3.Connection, random: Random) -> None:
    for pragma in ("journal_mode = DELETE", "ignore_check_constraints = 1", "foreign_keys = 0"):
        connection.execute(f"PRAGMA {pragma}")
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        if not name.startswith("sqlite_")
    ]
    if not tables:  # an edit before this one dropped the last
        return
    table = random.choice(tables)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info('{table}')")]
    column, value = random.choice(columns), random.choice(_CELLS)
    rows = [row for (row,) in connection.execute(f"SELECT rowid FROM '{table}' ORDER BY rowid")] or [0]
    row = random.choice(rows)
    match random.randrange(8):
        case 0:
            connection.execute(f"DROP TABLE '{table}'")
        case 1:
            connection.execute(f"DELETE FROM '{table}'")
        case 2:
            connection.execute(f"DELETE FROM '{table}' WHERE rowid = {row}")
        case 3:
            connection.execute(f"ALTER TABLE '{table}' RENAME COLUMN '{column}' TO 'x'")
        case 4:
            connection.execute(f"PRAGMA user_version = {random.choice((0, 1, 99, -1))}")
        case _:
            connection.execute(f"UPDATE '{table}' SET '{column}' = ? WHERE rowid = {row}", (value,))


def header_numbers(*places: tuple[int, str], from_end: bool = False) -> Mutation:
    """Return a mutation that changes one of the numbers at given places, which the rest then contradicts."""

    def contradict_header(content: bytes, random: Random) -> bytes:
        place, form = random.choice(places)
        start = len(content) - place if from_end else place
        if not 0 <= start <= len(content) - struct.calcsize(form):
            return content
        changed = bytearray(content)
        (before,) = struct.unpack_from(form, content, start)
        value = random.choice((*_INTEGERS, before + 1, before - 1, before ^ 1 << random.randrange(16)))
        struct.pack_into(form, changed, start, value)
        return bytes(changed)

    return Mutation("contradict_header", contradict_header, "contradiction")


JSON = Mutation("edit_json", edit_json, needs_valid=True)
ZIP = (
    Mutation("edit_zip", edit_zip, needs_valid=True),
    Mutation("rename_in_directory", rename_in_directory, "damage"),
)
PARQUET = Mutation("edit_parquet", edit_parquet, needs_valid=True)
DATABASE = Mutation("edit_database", edit_database, needs_valid=True)
