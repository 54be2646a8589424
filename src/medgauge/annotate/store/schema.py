"""The tables of a study, as numbered steps from one version of the store to the next.

A released step is never changed: any change is a new step at the end.
"""

import sqlite3

APPLICATION = 0x6D656467
"""The number in the header of a database that marks it as a study of medgauge ("medg")."""

# Types are enforced from SQLite 3.37 on; RHEL 9 has an older one.
_STRICT = "STRICT" if sqlite3.sqlite_version_info >= (3, 37) else ""

_FIRST = (
    f"PRAGMA application_id = {APPLICATION}",
    f"""CREATE TABLE study (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT NOT NULL,
        created TEXT NOT NULL,
        protocol TEXT NOT NULL,
        seed INTEGER NOT NULL,
        design TEXT NOT NULL,
        paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1))
    ) {_STRICT}""",
    f"""CREATE TABLE pair (
        number INTEGER PRIMARY KEY,
        pair_id TEXT NOT NULL UNIQUE,
        term_1 TEXT NOT NULL,
        term_2 TEXT NOT NULL,
        set_name TEXT NOT NULL,
        label INTEGER CHECK (label IN (0, 1)),
        further TEXT NOT NULL
    ) {_STRICT}""",
    f"""CREATE TABLE annotator (
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        coordinator INTEGER NOT NULL CHECK (coordinator IN (0, 1)),
        link_hash BLOB UNIQUE,
        revoked_at TEXT,
        instructed_at TEXT,
        practised_at TEXT
    ) {_STRICT}""",
    f"""CREATE TABLE page (
        annotator INTEGER NOT NULL REFERENCES annotator,
        page INTEGER NOT NULL CHECK (page >= 1),
        submitted_at TEXT,
        PRIMARY KEY (annotator, page)
    ) {_STRICT}""",
    f"""CREATE TABLE task (
        annotator INTEGER NOT NULL,
        place INTEGER NOT NULL CHECK (place >= 0),
        page INTEGER NOT NULL,
        pair INTEGER NOT NULL REFERENCES pair,
        role TEXT NOT NULL CHECK (role IN ('own', 'consistency', 'duplicate')),
        flipped INTEGER NOT NULL CHECK (flipped IN (0, 1)),
        PRIMARY KEY (annotator, place),
        FOREIGN KEY (annotator, page) REFERENCES page
    ) {_STRICT}""",
    f"""CREATE TABLE rating (
        annotator INTEGER NOT NULL,
        place INTEGER NOT NULL,
        value REAL,
        unsure INTEGER NOT NULL CHECK (unsure IN (0, 1)),
        at TEXT NOT NULL,
        seconds REAL NOT NULL CHECK (seconds >= 0),
        PRIMARY KEY (annotator, place),
        FOREIGN KEY (annotator, place) REFERENCES task,
        CHECK ((value IS NULL) = unsure)
    ) {_STRICT}""",
    f"""CREATE TABLE rating_log (
        number INTEGER PRIMARY KEY,
        annotator INTEGER NOT NULL,
        place INTEGER NOT NULL,
        action TEXT NOT NULL CHECK (action IN ('rate', 'undo')),
        value REAL,
        unsure INTEGER NOT NULL CHECK (unsure IN (0, 1)),
        at TEXT NOT NULL,
        seconds REAL CHECK (seconds >= 0),
        key TEXT NOT NULL,
        UNIQUE (annotator, key),
        FOREIGN KEY (annotator, place) REFERENCES task,
        CHECK (CASE action
            WHEN 'rate' THEN (value IS NULL) = unsure AND seconds IS NOT NULL
            ELSE value IS NULL AND unsure = 0 AND seconds IS NULL
        END)
    ) {_STRICT}""",
    # The index ends with the row's number, so that the last entry of an annotator is found at once.
    "CREATE INDEX rating_log_annotator ON rating_log (annotator)",
    """CREATE TRIGGER rating_log_is_not_changed BEFORE UPDATE ON rating_log
        BEGIN SELECT RAISE(ABORT, 'the log of ratings is only added to'); END""",
    """CREATE TRIGGER rating_log_is_not_shortened BEFORE DELETE ON rating_log
        BEGIN SELECT RAISE(ABORT, 'the log of ratings is only added to'); END""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (_FIRST,)
"""The statements that lead to version 1, to version 2, …"""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a database; 0 is an empty one."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a database to the newest version, all steps or none.

    Foreign keys are off throughout and only checked before the commit, as a step may have to recreate a
    table.
    """
    if version_of(connection) >= len(MIGRATIONS):
        return
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Read again: another process may have been first.
        for number, step in enumerate(MIGRATIONS[version_of(connection) :], version_of(connection) + 1):
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError("a row refers to one that does not exist")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
