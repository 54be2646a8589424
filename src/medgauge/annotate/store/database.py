"""One SQLite database that several threads use: what is committed is on disk, what fails leaves nothing."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from medgauge.annotate.store import schema
from medgauge.errors import FileError, InputError
from medgauge.files import require_file, writing

_PATIENCE = 10.0  # seconds to wait for another process that writes

_PROBLEMS = {
    sqlite3.SQLITE_FULL: "the disk is full and nothing of this was stored; make room and try again",
    sqlite3.SQLITE_READONLY: "may not be written by this user; nothing of this was stored",
    sqlite3.SQLITE_PERM: "may not be opened by this user",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; its folder must be there and writable for this user",
    sqlite3.SQLITE_BUSY: "another process is writing to the study; nothing of this was stored, try again",
    sqlite3.SQLITE_LOCKED: "another process is writing to the study; nothing of this was stored, try again",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written; nothing of this was stored, try again",
    sqlite3.SQLITE_NOTADB: "is no annotation study of medgauge",
    sqlite3.SQLITE_CORRUPT: "is damaged, or made by a newer SQLite; restore the study from a copy",
}


class Database:
    """The one connection to a study's database, and the lock by which threads take turns at it.

    A commit returns when the data is on disk: the journal is a write-ahead log, flushed at each commit.
    Nothing is written to files that are no longer in their place, where nobody would find it. A database
    that is `read_only` is not brought up to date, as another process may be serving it.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = require_file(path)
        self._lock = Lock()
        self._closed = False
        self._files: list[tuple[Path, os.stat_result]] = []
        with clear_errors(path):
            self._connection = connect(path)
            try:
                self._check()
                if read_only:
                    self._only_read()
                else:
                    self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _check(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        if application != schema.APPLICATION:
            raise FileError(self.path, "is no annotation study of medgauge")
        if schema.version_of(self._connection) > len(schema.MIGRATIONS):
            raise FileError(self.path, "the study was made by a newer medgauge; upgrade medgauge to open it")

    def _only_read(self) -> None:
        if schema.version_of(self._connection) < len(schema.MIGRATIONS):
            raise FileError(
                self.path,
                "the study was made by an older medgauge; serve it once, which brings it up to date",
            )
        # Opened to be only read, SQLite would leave its log behind.
        self._connection.execute("PRAGMA query_only = ON")

    def _prepare(self) -> None:
        log_ahead(self._connection, self.path)
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA fullfsync = ON")  # on macOS, fsync alone does not reach the disk
        schema.migrate(self._connection)
        self._connection.execute("PRAGMA foreign_keys = ON")
        # What may not be written is told now, and not to the first who rates.
        self._connection.execute("UPDATE study SET paused = paused WHERE false")
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        self._files = [(file, file.stat()) for file in files]

    def _require_in_place(self) -> None:
        """Refuse to write to files that were moved or removed: on most systems that would succeed."""
        for file, state in self._files:
            if not file.exists() or not os.path.samestat(file.stat(), state):
                raise FileError(
                    self.path,
                    "the study was moved or removed while it is in use, and nothing of this was stored; put "
                    "it back, or serve it where it is now",
                )

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read from one state of the database, whatever others write meanwhile."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Change the database: all that is done in the block is on disk after it, or nothing is."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            self._require_in_place()
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, clear_errors(self.path):
            if self._closed:
                raise FileError(self.path, "the study was closed; open it again")
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # SQLite itself takes some failed ones back
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connection, after what is under way."""
        with self._lock, clear_errors(self.path):
            self._closed = True
            self._connection.close()


def create_database(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a database with what `fill` writes to it, whole or not at all; a study that is there stays.

    The folder is the caller's: no other process makes a study there meanwhile.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A log that was left behind would be taken for that of the new database.
        if any(path.with_name(path.name + end).exists() for end in ("", "-wal", "-shm", "-journal")):
            raise InputError(f"{path.parent} holds a study already; choose another folder")
        with writing(path) as temporary, clear_errors(path):
            temporary.touch(exist_ok=False)
            with closing(connect(temporary)) as connection:
                schema.migrate(connection)
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("BEGIN")
                fill(connection)
                connection.execute("COMMIT")
                log_ahead(connection, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror})") from error


def connect(path: Path) -> sqlite3.Connection:
    """Connect to a database that is there, without a transaction that Python begins by itself."""
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=rw",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA trusted_schema = OFF")  # a study may come from someone else
    return connection


def log_ahead(connection: sqlite3.Connection, path: Path) -> None:
    """Have the database keep a write-ahead log, from now on and for all that open it."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise FileError(path, "this file system cannot keep ratings safe; put the study on a local disk")


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn an error of SQLite into one sentence, which repeats nothing that is stored."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a fault of the program, not of the file
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
        # The lowest byte is the kind; the rest tells where in SQLite it arose.
        problem = _PROBLEMS.get(code & 0xFF, "cannot be used as an annotation study")
        raise FileError(path, f"{problem} ({name})") from error
    except (UnicodeDecodeError, json.JSONDecodeError):  # which would repeat the text
        raise FileError(path, "is damaged; restore the study from a copy") from None
    except OverflowError as error:
        raise InputError("a number is too large to be one of the study") from error
    except UnicodeEncodeError:  # which would repeat the text
        raise InputError("a name or term has characters that cannot be written as UTF-8") from None
