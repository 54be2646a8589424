"""Tables of records in files: CSV and Parquet in a folder or a zip, or a DuckDB file, by their names."""

import csv
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from medgauge.errors import FileError, InputError
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import open_bytes, packed_form
from medgauge.files.parquet import is_parquet
from medgauge.records.engine import Engine, lowered

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".csv.gz", ".tsv.gz", ".txt.gz")
_DUCKDB_MAGIC = b"DUCK"  # at byte 8
_LONGEST_HEADER = 1 << 20
_LONGEST_NAME = 1_000  # characters
_MOST_COLUMNS = 2_000  # Ibis takes minutes for a hundred thousand
_ATTACHED = "source"
_BATCH = 1 << 22  # bytes of a member of a zip that are parsed at a time


@dataclass(frozen=True)
class RecordTables:
    """The tables of a source, by their names in lower case; `read` puts one into the engine.

    `files` has the files of each table, none for a database. `doubled` has the names that several files
    share, none of which is read. `once` says that what was put into the engine can be read only once, since
    it is streamed from a zip.
    """

    path: Path
    names: tuple[str, ...]
    read: Callable[[Engine, str], "ir.Table"]
    files: Mapping[str, Sequence[Path]] = field(default_factory=dict)
    doubled: frozenset[str] = frozenset()
    once: bool = False

    def digests(self, names: Iterable[str]) -> dict[str, str]:
        """Return the SHA-256 of each file with one of these tables, by its name; a database has none."""
        paths = {path for name in names for path in self.files.get(name, ())}
        return {self._label(path): remembered_sha256(path) for path in sorted(paths)}

    def _label(self, path: Path) -> str:
        """Return a name that no other file has: those that Spark writes have the same in each folder."""
        is_part = path.name.startswith("part-") and path != self.path
        return path.relative_to(self.path).as_posix() if is_part else path.name

    def table(self, engine: Engine, name: str, needed: Iterable[str] = ()) -> Any:
        """Return a table with its column names in lower case; it must be there, with the needed columns."""
        if name not in self.names:
            raise FileError(self.path, f"has no table {name.upper()}, which this form of records needs")
        if name in self.doubled:
            raise FileError(
                self.path, f"has several files for the table {name.upper()}; leave only one of them"
            )
        table = lowered(self.read(engine, name))
        for column in needed:
            if column not in table.columns:
                raise FileError(self.path, f"the table {name.upper()} has no column {column}")
        return table


def is_table_file(path: Path) -> bool:
    """Return whether a file is CSV or Parquet, by its name."""
    return path.name.lower().endswith(_ENDINGS)


def is_zip(path: Path) -> bool:
    """Return whether a file is a zip; one that is cut off has no end by which to tell, but its name."""
    return zipfile.is_zipfile(path) or path.suffix.lower() == ".zip"


def is_duckdb(path: Path) -> bool:
    """Return whether a file is a DuckDB database."""
    with path.open("rb") as stream:
        return stream.read(12)[8:] == _DUCKDB_MAGIC


def table_name(name: str) -> str:
    """Return the name of the table in a file.

    >>> table_name("OMOP/CONCEPT.csv"), table_name("conditions.csv.gz")
    ('concept', 'conditions')
    """
    return PurePosixPath(name).name.lower().partition(".")[0]


def tables_in(path: Path) -> RecordTables:
    """Find the tables in a folder, a zip, a DuckDB file, or a file that is one table.

    A folder without tables may hold one zip, as it was downloaded.
    """
    if path.is_dir():
        tables = _in_folder(path)
        packed = [one for one in path.glob("*.zip") if zipfile.is_zipfile(one)]
        return _in_zip(packed[0]) if not tables.names and len(packed) == 1 else tables
    if is_zip(path):
        return _in_zip(path)
    if is_duckdb(path):
        return _in_duckdb(path)
    return _of_files(path, {table_name(path.name): [path]})


def _in_folder(folder: Path) -> RecordTables:
    """Find tables in a folder; one may be a folder of Parquet files, as Spark writes them."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if any(part.startswith((".", "_")) for part in inside.parts) or not path.is_file():
            continue
        if is_table_file(path):
            in_parts = path.suffix == ".parquet" and path.name.startswith("part-")
            found.setdefault(table_name(path.parent.name if in_parts else path.name), []).append(path)
    return _of_files(folder, found)


def _of_files(source: Path, files: dict[str, list[Path]]) -> RecordTables:
    def read(engine: Engine, name: str) -> "ir.Table":
        for path in files[name]:
            engine.files[str(path)] = path
        first = files[name][0]
        if is_parquet(first):
            with engine.computing(f"opening {first.name}"):
                return engine.backend.read_parquet([str(one) for one in files[name]])
        return _csv_table(engine, first)

    doubled = (
        name
        for name, paths in files.items()
        if len(paths) > 1 and not all(one.name.startswith("part-") for one in paths)
    )
    return RecordTables(source, tuple(files), read, files, frozenset(doubled))


def _csv_table(engine: Engine, path: Path) -> "ir.Table":
    with open_bytes(path) as stream:
        header, separator = _header(path, stream)
    # What is quoted is not left to guessing: the first lines of a table may have no quotes.
    quote = "" if separator == "\t" else '"'
    with engine.computing(f"opening {path.name}"):
        return engine.backend.read_csv(
            str(path),
            columns=dict.fromkeys(header, "VARCHAR"),
            auto_detect=False,
            header=True,
            delim=separator,
            quote=quote,
            escape=quote,
            compression=packed_form(path) or "none",
        )


def _header(path: Path, stream: Any, inside: str | None = None) -> tuple[list[str], str]:
    """Read the names of the columns of a CSV, and what separates them."""
    line = stream.readline(_LONGEST_HEADER)
    try:
        text = line.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise FileError(path, "the header is not UTF-8", place=inside) from error
    separator = "\t" if "\t" in text else max(",;|", key=text.count)
    header: list[str] | None = None
    with suppress(csv.Error):  # of a line break of an old Mac, say
        header = [name.strip() for name in next(csv.reader([text], delimiter=separator), [])]
    # csv's own limit of a field is one for the whole process, and may have been raised.
    if header is None or max(map(len, header), default=0) > _LONGEST_NAME:
        raise FileError(path, "does not begin with a line of column names", place=inside)
    if len(header) > _MOST_COLUMNS:
        raise FileError(
            path, f"has {len(header):,} columns; records have at most {_MOST_COLUMNS:,}", place=inside
        )
    if not any(header):
        raise FileError(path, "has no header with the names of its columns", place=inside)
    lower = [name.lower() for name in header]  # the engine tells no cases apart
    if len(set(lower)) < len(header):
        twice = next(name for name in lower if lower.count(name) > 1)
        first, second = [number for number, name in enumerate(lower, 1) if name == twice][:2]
        raise FileError(path, f"columns {first} and {second} have the same name", place=inside)
    return [name or f"column {number}" for number, name in enumerate(header, 1)], separator


def _in_zip(path: Path) -> RecordTables:
    """Find tables in a zip; they are streamed, so that nothing is unpacked to disk."""
    with _opened_zip(path) as archive:
        members: dict[str, str] = {}
        doubled = set()
        for name in sorted(archive.namelist()):
            parts = PurePosixPath(name).parts
            if any(part.startswith((".", "__MACOSX")) for part in parts) or name.endswith("/"):
                continue
            if name.lower().endswith((".csv", ".tsv", ".txt", ".parquet")):
                if table_name(name) in members:
                    doubled.add(table_name(name))
                members[table_name(name)] = name

    def read(engine: Engine, name: str) -> "ir.Table":
        engine.files[str(path)] = path
        return engine.streamed(f"member_{name}", *_batches(path, members[name]))

    files = {name: [path] for name in members}
    return RecordTables(path, tuple(members), read, files, frozenset(doubled), once=True)


@contextmanager
def _opened_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        raise FileError(path, "the zip is damaged or encrypted; download or pack it again") from error


def _batches(path: Path, member: str) -> tuple[Any, Iterable[Any]]:
    """Return the columns of a table in a zip, those of a CSV as text, and its batches."""
    import pyarrow as pa

    if member.lower().endswith(".parquet"):
        return _parquet_batches(path, member)
    with _opened_zip(path) as archive, archive.open(member) as stream:
        header, separator = _header(path, stream, PurePosixPath(member).name)
    schema = pa.schema([(name, pa.string()) for name in header])
    return schema, _csv_batches(path, member, header, separator)


def _csv_batches(path: Path, member: str, header: list[str], separator: str) -> Iterator[Any]:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    quoting: Any = False if separator == "\t" else '"'
    with _opened_zip(path) as archive, archive.open(member) as stream:
        stream.readline(_LONGEST_HEADER)
        if not stream.read(1):  # Arrow refuses a table without rows
            return
    with _opened_zip(path) as archive, archive.open(member) as stream:
        stream.readline(_LONGEST_HEADER)
        try:
            yield from arrow_csv.open_csv(
                stream,
                read_options=arrow_csv.ReadOptions(column_names=header, block_size=_BATCH),
                parse_options=arrow_csv.ParseOptions(
                    delimiter=separator, quote_char=quoting, newlines_in_values=bool(quoting)
                ),
                convert_options=arrow_csv.ConvertOptions(
                    column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False
                ),
            )
        except (pa.ArrowException, UnicodeError):
            problem = "has a row with another number of fields than its header, or is not UTF-8"
            raise FileError(path, problem, place=PurePosixPath(member).name) from None


def _parquet_batches(path: Path, member: str) -> tuple[Any, Iterable[Any]]:
    import pyarrow as pa
    from pyarrow import parquet

    with _opened_zip(path) as archive:
        content = archive.read(member)
    try:
        opened = parquet.ParquetFile(io.BytesIO(content))
        return opened.schema_arrow, opened.iter_batches()
    except pa.ArrowException:
        inside = PurePosixPath(member).name
        raise FileError(path, "cannot be read as Parquet", place=inside) from None


def _in_duckdb(path: Path) -> RecordTables:
    """Find tables in a DuckDB file, which is opened for reading only."""
    import duckdb
    import ibis

    try:
        opened = ibis.duckdb.connect(str(path), read_only=True, autoinstall_known_extensions=False)
        schemas = {
            name.lower(): (schema, name)
            for schema in sorted(opened.list_databases(), reverse=True)
            if schema not in ("information_schema", "pg_catalog")
            for name in opened.list_tables(database=schema)
        }
        opened.disconnect()
    except duckdb.Error as error:
        raise FileError(
            path,
            f"cannot be opened as a DuckDB database ({type(error).__name__}); close other programs that "
            "write to it, or export it with this version of DuckDB",
        ) from None

    def read(engine: Engine, name: str) -> "ir.Table":
        engine.files[str(path)] = path
        schema, written = schemas[name]
        with engine.computing(f"opening {path.name}"):
            if _ATTACHED not in engine.backend.list_catalogs():
                # Ibis puts the path between single quotes as it is.
                quoted = str(path).replace("'", "''")
                engine.backend.attach(quoted, _ATTACHED, read_only=True)
            return engine.backend.table(written, database=(_ATTACHED, schema))

    return RecordTables(path, tuple(schemas), read, {name: [path] for name in schemas})


def tables_of(engine: Engine, schema: str | None) -> RecordTables:
    """Find the tables of the database that is connected to, in a schema if one is named."""
    database: Any = tuple(schema.split(".")) if schema else None
    if isinstance(database, tuple) and len(database) == 1:
        database = database[0]
    with engine.computing("listing tables"):
        listed = engine.backend.list_tables(database=database)
    names = {name.lower(): name for name in listed}

    def read(engine: Engine, name: str) -> "ir.Table":
        with engine.computing(f"opening {name}"):
            return engine.backend.table(names[name], database=database)

    if not names:
        raise InputError("the database has no tables that this user can see; name their schema")
    return RecordTables(Path(f"the database ({engine.backend.name})"), tuple(names), read)
