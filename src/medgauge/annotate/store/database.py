"""One SQLite database for several threads: a commit is on disk, and a failure leaves nothing behind."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock

from medgauge.annotate.store import schema
from medgauge.annotate.store.stored_rows import DamagedRowError
from medgauge.errors import FileError, InputError
from medgauge.files.opening import require_file
from medgauge.files.writing import writing

_PATIENCE = 10.0  # seconds to wait for another process that is writing

_PROBLEMS = {
    sqlite3.SQLITE_FULL: "the disk is full and nothing was stored; free some space and try again",
    sqlite3.SQLITE_READONLY: "cannot be written by this user; nothing was stored",
    sqlite3.SQLITE_PERM: "cannot be opened by this user",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; its folder must exist and be writable by this user",
    sqlite3.SQLITE_BUSY: "another process is writing to the study; nothing was stored, try again",
    sqlite3.SQLITE_LOCKED: "another process is writing to the study; nothing was stored, try again",
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written; nothing was stored, try again",
    sqlite3.SQLITE_NOTADB: "is not an annotation study of medgauge",
    sqlite3.SQLITE_CORRUPT: "is damaged, or was made by a newer SQLite; restore the study from a backup",
}


class Database:
    """The single connection to a study's database, with a lock by which threads take turns.

    A commit returns when the data is on disk: the journal is a write-ahead log, flushed at each commit.
    Nothing is written to files that were moved or removed, where nobody would find it. A `read_only` database
    is not migrated to the newest version, as another process may be serving it.
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
            raise FileError(self.path, "is not an annotation study of medgauge")
        if schema.version_of(self._connection) > len(schema.MIGRATIONS):
            raise FileError(self.path, "the study was made by a newer medgauge; upgrade medgauge to open it")

    def _only_read(self) -> None:
        if schema.version_of(self._connection) < len(schema.MIGRATIONS):
            raise FileError(
                self.path,
                "the study was made by an older medgauge; serve it once to bring it up to date",
            )
        # If the file were opened in read-only mode, SQLite would leave its log behind.
        self._connection.execute("PRAGMA query_only = ON")

    def _prepare(self) -> None:
        log_ahead(self._connection, self.path)
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA fullfsync = ON")  # on macOS, fsync alone does not reach the disk
        schema.migrate(self._connection)
        self._connection.execute("PRAGMA foreign_keys = ON")
        # Report a database that cannot be written now, not to the first annotator who rates.
        self._connection.execute("UPDATE study SET paused = paused WHERE false")
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        self._files = [(file, file.stat()) for file in files]

    def _require_in_place(self) -> None:
        """Refuse to write to files that were moved or removed: on most systems that would succeed."""
        for file, state in self._files:
            if not file.exists() or not os.path.samestat(file.stat(), state):
                raise FileError(
                    self.path,
                    "the study was moved or removed while in use, and nothing was stored; move it back, or "
                    "serve it from its new place",
                )

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Read from a single state of the database, whatever others write in the meantime."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Change the database: after the block, either all of its changes are on disk or none."""
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
                if self._connection.in_transaction:  # SQLite rolls some failed ones back by itself
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connection once the current transaction has ended."""
        with self._lock, clear_errors(self.path):
            self._closed = True
            self._connection.close()


def create_database(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a database with what `fill` writes to it, whole or not at all; never replace an existing study.

    The caller must make sure that no other process creates a study in the same folder at the same time.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A log that was left behind would be mistaken for that of the new database.
        if any(path.with_name(path.name + end).exists() for end in ("", "-wal", "-shm", "-journal")):
            raise InputError(f"{path.parent} already holds a study; choose another folder")
        with (
            writing(path) as temporary,
            clear_errors(path),
            closing(connect(temporary)) as connection,
        ):
            schema.migrate(connection)
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN")
            fill(connection)
            connection.execute("COMMIT")
            log_ahead(connection, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror})") from error


def connect(path: Path) -> sqlite3.Connection:
    """Connect to an existing database, without transactions that Python begins by itself."""
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
    """Switch the database to a write-ahead log, permanently and for every process that opens it."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise FileError(path, "this file system cannot store ratings safely; put the study on a local disk")


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn an SQLite error into one sentence, which never quotes stored data."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a bug in the program, not a problem with the file
        raise
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
        # The lowest byte is the kind; the rest says where in SQLite it arose.
        problem = _PROBLEMS.get(code & 0xFF, "cannot be used as an annotation study")
        raise FileError(path, f"{problem} ({name})") from error
    except (UnicodeDecodeError, DamagedRowError):  # the text of the first would quote the data
        raise FileError(path, "is damaged; restore the study from a backup") from None
    except OverflowError as error:
        raise InputError("a number is too large for the study") from error
    except UnicodeEncodeError:  # its text would quote the data
        raise InputError("a name or term has characters that cannot be written as UTF-8") from None
