"""Ibis on an engine: DuckDB on this machine, which spills to disk, or a database that is connected to."""

import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from medgauge.engines.scratch import scratch_folder
from medgauge.errors import (
    EngineError,
    FileError,
    InputError,
    MedgaugeError,
    MissingExtraError,
    option,
    quoted,
)
from medgauge.files.opening import open_bytes
from medgauge.files.parquet import is_parquet
from medgauge.progress import track

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import polars as pl
    import pyarrow as pa
    from ibis.backends import BaseBackend

PASSWORD = "MEDGAUGE_DB_PASSWORD"
"""The environment variable with the password of the database that is connected to."""

_MEMORY = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]i?B)\s*", re.IGNORECASE)
_CSV_LINE = re.compile(r"CSV Error on Line: (\d+)")
_CONFIDENTIAL = re.compile(
    r"(pass(?!file)|pwd|token|secret|credential|(api|access|account|encryption|private)_?key)[\w-]*=|://[^/@:?]*:[^@?]+@",
    re.IGNORECASE,
)


@dataclass
class IbisEngine:
    """An open engine, whose tables are Ibis expressions. Only `fetch` lets anything out of it.

    `files` has the files that tables are read from, by the name under which an error may mention them.
    """

    backend: "BaseBackend"
    files: dict[str, Path] = field(default_factory=dict)
    _raised: list[BaseException] = field(default_factory=list)
    _kept: list[Any] = field(default_factory=list)

    @property
    def title(self) -> str:
        """The engine and its version, for the data sheet."""
        with suppress(Exception):
            return f"{self.backend.name} {self.backend.version}"
        return str(self.backend.name)

    def kept(self, table: "ir.Table", what: str) -> "ir.Table":
        """Compute a table once and keep it in the engine, until this engine is closed."""
        with self.computing(what):
            cached = table.cache()
        self._kept.append(cached)
        return cached

    def forget(self) -> None:
        """Remove what is kept; Ibis would otherwise try it after the engine is closed."""
        for table in self._kept:
            with suppress(Exception):
                table.release()
        self._kept.clear()

    def fetch(self, table: "ir.Table", what: str) -> "pl.DataFrame":
        """Return the rows of a table. Callers fetch only what has been counted and thresholded."""
        with self.computing(what):
            frame: pl.DataFrame = table.to_polars()
        return frame

    def given(self, frame: "pl.DataFrame") -> "ir.Table":
        """Put a small frame into the engine."""
        import ibis

        table = ibis.memtable(frame)
        if self.backend.name == "pyspark":
            self.backend.execute(table.limit(0))  # registers it, which its cache() omits
        return table

    def streamed(self, name: str, schema: "pa.Schema", batches: "Iterable[pa.RecordBatch]") -> "ir.Table":
        """Return a table of batches that can be read once, as they come; only DuckDB has them."""
        import pyarrow as pa

        context = copy_context()  # the engine reads in a thread of its own, which shows no progress

        def passed_on() -> "Iterator[pa.RecordBatch]":
            left = iter(batches)
            try:
                while (batch := context.run(next, left, None)) is not None:
                    yield batch
            except (Exception, KeyboardInterrupt, SystemExit) as error:
                self._raised.append(error)  # the engine would make a text of it
                raise

        reader = pa.RecordBatchReader.from_batches(schema, passed_on())
        self.backend.con.register(name, reader)
        return self.backend.table(name)

    @contextmanager
    def computing(self, what: str) -> Iterator[None]:
        """Show a stage of the work, and turn whatever the engine raises into a sentence without its message.

        Messages of engines quote rows, queries and addresses.
        """
        with track(what, 0):
            try:
                yield
            except MedgaugeError:
                raise
            except Exception as error:
                # DuckDB makes an error of its own out of an interrupt too.
                raised = self._raised[0] if self._raised else error.__cause__
                if isinstance(raised, MedgaugeError | KeyboardInterrupt | SystemExit):
                    raise raised from None
                raise self._described(error, what) from None

    def _described(self, error: Exception, what: str) -> MedgaugeError:
        """Return an error that says what failed and where, but repeats nothing of the records."""
        text = str(error)
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryException":
            return EngineError(
                f"{what}: the engine needs more memory or temporary disk space; allow it more with "
                f"{option('memory', '8GB')}, and free space where the user's cache is"
            )
        named = [path for name, path in self.files.items() if name in text]
        line = _CSV_LINE.search(text)
        if line and named:
            problem = (
                "is not UTF-8"
                if "unicode" in text.lower()
                else "has another number of fields than the header, or a quote that is not closed"
            )
            return FileError(named[0], f"the row {problem}", place=f"line {int(line[1]):,}")
        # DuckDB fails at its own message about a row that is not UTF-8 if it reads some columns only.
        for path in self.files.values() if type(error).__name__ == "InternalException" else ():
            if number := _first_undecodable(path):
                return FileError(path, "the row is not UTF-8", place=f"line {number:,}")
        # DuckDB does not name a Parquet file whose pages are damaged.
        unnamed = type(error).__name__ in ("Error", "InvalidInputException") and not named
        pages = [path for path in self.files.values() if is_parquet(path)] if unnamed else []
        if len(pages) > 1:
            return EngineError(
                f"{what}: one of the {len(pages)} Parquet files that are read is damaged; copy or export "
                "them again"
            )
        if named := named or pages:
            return FileError(named[0], f"cannot be read while {what} ({type(error).__name__})")
        lacking = ("OperationNotDefinedError", "UnsupportedOperationError")
        if type(error).__name__ in lacking or "no such function" in text:
            return EngineError(
                f"{what}: the engine {self.backend.name} lacks an operation that this needs; export the "
                "tables to Parquet or CSV, and build from these"
            )
        return EngineError(
            f"{what}: the engine {self.backend.name} failed ({type(error).__name__}); if it is a database, "
            "look in its log, and run the same command again once it is back"
        )


def _first_undecodable(path: Path) -> int:
    """Return the number of the first line of a CSV that is not UTF-8, 0 if there is none."""
    if is_parquet(path) or path.suffix.lower() not in (".csv", ".tsv", ".txt", ".gz"):
        return 0
    with suppress(FileError, OSError), open_bytes(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                return number
    return 0


AnyEngine = TypeVar("AnyEngine", bound=IbisEngine)


@contextmanager
def opened(
    make: "Callable[[BaseBackend], AnyEngine]",
    connect: str | None = None,
    *,
    memory: str = "4GB",
    scratch: str,
    extra: str,
) -> Iterator[AnyEngine]:
    """Open DuckDB within some memory, which spills to a private folder, or connect to a database.

    `scratch` names the folder, and `extra` what to install if Ibis is missing.
    """
    if connect is not None and not connect.lower().startswith("duckdb:"):
        password = os.environ.get(PASSWORD)
        engine = make(_connected(connect, {} if password is None else {"password": password}, extra))
        with _without_printed_queries(engine.backend):
            try:
                yield engine
            finally:
                engine.forget()
        return
    limit = _memory(memory)
    try:
        import duckdb
        import ibis
    except ImportError as error:
        raise MissingExtraError("ibis", extra=extra) from error
    with scratch_folder(scratch) as folder:
        settings: dict[str, Any] = {
            "memory_limit": limit,
            "temp_directory": str(folder),
            # Blocks that spill have remains of what was read, ids included. The key is in memory only;
            # "unsafe" is what DuckDB calls its own encryption, as others are extensions to be fetched.
            "temp_file_encryption": "true",
            "force_mbedtls_unsafe": "true",
            "threads": os.cpu_count() or 1,
            "preserve_insertion_order": False,
            "autoinstall_known_extensions": False,  # it would fetch them from the network
            "allow_community_extensions": False,
        }
        if connect is None:
            backend = ibis.duckdb.connect(**settings)
        else:  # which would otherwise be made if it is not there, and spill next to itself
            backend = _connected(connect, {"read_only": True, **settings}, extra)
        engine = make(backend)
        try:
            yield engine
        finally:
            engine.forget()
            with suppress(duckdb.Error):
                backend.disconnect()


@contextmanager
def _without_printed_queries(backend: "BaseBackend") -> Iterator[None]:
    """Keep PySpark 4 from printing each query that fails: it holds the salt of the patients' hashes."""
    loggers = []
    if backend.name == "pyspark":
        with suppress(ImportError):
            from pyspark.logger import PySparkLogger

            loggers = [PySparkLogger.getLogger(f"{kind}QueryContextLogger") for kind in ("SQL", "DataFrame")]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def _memory(text: str) -> str:
    """Check an amount of memory.

    >>> _memory("4gb"), _memory("512 MB")
    ('4GB', '512MB')
    """
    found = _MEMORY.fullmatch(text)
    if found is None or float(found[1]) <= 0:
        raise InputError(f"{quoted(text)} is not an amount of memory, such as 4GB or 500MB")
    return f"{found[1]}{found[2].upper().replace('I', 'i')}"


def _connected(address: str, options: dict[str, Any], extra: str) -> "BaseBackend":
    """Connect to the database at an address, which says nothing of how (`options`)."""
    try:
        import ibis
    except ImportError as error:
        raise MissingExtraError("ibis", extra=extra) from error
    check_address(address)
    scheme = address.partition("://")[0]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they may quote the address
            return ibis.connect(address, **options)
    except ImportError as error:
        needed = getattr(error, "name", None) or scheme
        raise InputError(
            f"a database of the kind {quoted(scheme)} needs the package {quoted(needed)}; install it with "
            f"pip install 'ibis-framework[{scheme}]'"
        ) from None
    except Exception as error:
        raise EngineError(
            f"the database ({scheme}) cannot be connected to ({type(error).__name__}); check the address, "
            f"and that the environment variable {PASSWORD} has the password if it needs one"
        ) from None


def check_address(address: str) -> None:
    """Refuse what is not an address, or one with a password: lists of processes would show it."""
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(address)
    except ValueError:
        raise InputError(
            "the address of the database is not a URL, such as postgres://user@host/name"
        ) from None
    if not parts.scheme or "://" not in address:
        raise InputError("the address of the database is not a URL, such as postgres://user@host/name")
    if _CONFIDENTIAL.search(unquote(address)):  # wherever it is: drivers have notations of their own
        raise InputError(
            f"the address of the database holds a password; leave it out, and set the environment variable "
            f"{PASSWORD} instead"
        )


def place_of(address: str) -> str:
    """Return what the address of a database says of where it is, without who connects to it.

    >>> place_of("postgres://ann@db.example:5432/cdm")
    'postgres://db.example:5432/cdm'
    """
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
