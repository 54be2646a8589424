"""The tables hold what the rules promise, and older studies are brought up to date."""

import runpy
import sqlite3
from contextlib import closing

import pytest

from medgauge.annotate.store import schema
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.errors import FileError
from tests.annotate.studies import ANN, beside, make, rate

WIDER = (
    "ALTER TABLE annotator ADD COLUMN note TEXT",
    "UPDATE annotator SET note = 'from ' || name",
)
# What SQLite's manual advises where a table cannot be altered: create it again, fill it, rename it.
ANEW = (
    "CREATE TABLE new_page (annotator INTEGER NOT NULL REFERENCES annotator, page INTEGER NOT NULL,"
    " submitted_at TEXT, opened_at TEXT, PRIMARY KEY (annotator, page))",
    "INSERT INTO new_page SELECT annotator, page, submitted_at, NULL FROM page",
    "DROP TABLE page",
    "ALTER TABLE new_page RENAME TO page",
)


def version(folder) -> int:
    with beside(folder) as connection:
        return schema.version_of(connection)


def columns(folder, table: str) -> set[str]:
    with beside(folder) as connection:
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}


@pytest.fixture
def older(tmp_path):
    """Give the folder of a study of version 1 with a rating."""
    with make(tmp_path) as store:
        rate(store, ANN, 0, 3.0)
    assert version(tmp_path) == 1
    return tmp_path


def test_an_older_study_is_brought_up_to_date_and_keeps_its_ratings(older, monkeypatch):
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, WIDER, ANEW))
    for _ in range(2):
        with Store.open(older) as store:
            assert [(rated.place, rated.value) for rated in store.ratings()] == [(0, 3.0)]
            assert store.current_page(ANN) == 1
        assert version(older) == 3
    with beside(older) as connection:
        assert connection.execute("SELECT note FROM annotator LIMIT 1").fetchone() == ("from Ann",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert "opened_at" in columns(older, "page")


def test_foreign_keys_hold_after_a_migration(older, monkeypatch):
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ANEW))
    with (
        Store.open(older) as store,
        pytest.raises(FileError, match="CONSTRAINT_FOREIGNKEY"),
        store._database.writing() as connection,
    ):
        connection.execute("INSERT INTO page (annotator, page) VALUES (99, 1)")


@pytest.mark.parametrize(
    "bad", [("ALTER TABLE nothing ADD COLUMN x TEXT",), ("DELETE FROM pair WHERE number = 4",)]
)
def test_a_migration_that_fails_changes_nothing(older, monkeypatch, bad):
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, WIDER, bad))
    with pytest.raises(FileError, match=DATABASE):
        Store.open(older)
    assert version(older) == 1
    assert "note" not in columns(older, "annotator")
    monkeypatch.undo()
    with Store.open(older) as store:
        assert len(store.ratings()) == 1
        assert len(store.pairs()) == 5


def test_a_newer_study_is_refused_and_left_as_it_is(older):
    with beside(older) as connection:
        connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    with pytest.raises(FileError, match="made by a newer medgauge; upgrade medgauge to open it"):
        Store.open(older)
    assert version(older) == len(schema.MIGRATIONS) + 1


def test_types_are_enforced_where_sqlite_can():
    tables = [step for step in schema.MIGRATIONS[0] if step.startswith("CREATE TABLE")]
    strict = [table.endswith(") STRICT") for table in tables]
    assert strict == [sqlite3.sqlite_version_info >= (3, 37)] * 7


def test_the_tables_are_the_same_without_strict_types(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 34, 1))
    older_sqlite = runpy.run_path(schema.__file__)
    assert "STRICT" not in str(older_sqlite["MIGRATIONS"])
    monkeypatch.undo()
    monkeypatch.setattr(schema, "MIGRATIONS", older_sqlite["MIGRATIONS"])
    with make(tmp_path) as store:
        rate(store, ANN, 0, None)
        assert [rated.unsure for rated in store.ratings()] == [True]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO rating VALUES (1, 1, NULL, 0, 'now', 1)",  # neither a value nor unsure
        "INSERT INTO rating VALUES (1, 1, 2.0, 1, 'now', 1)",  # both
        "INSERT INTO rating VALUES (2, 4, 2.0, 0, 'now', 1)",  # a task that Béa does not have
        "INSERT INTO rating VALUES (1, 1, 2.0, 0, 'now', -1)",
        "INSERT INTO task VALUES (1, 9, 3, 0, 'own', 0)",  # a page that Ann does not have
        "INSERT INTO task VALUES (1, 9, 1, 5, 'own', 0)",  # a pair that is not there
        "INSERT INTO task VALUES (1, 9, 1, 0, 'other', 0)",
        "INSERT INTO study SELECT 2, name, created, protocol, seed, design, paused FROM study",
        "UPDATE rating_log SET value = 0",
        "DELETE FROM rating_log",
        "INSERT INTO rating_log SELECT NULL, annotator, place, action, value, unsure, at, seconds, key"
        " FROM rating_log",  # a key twice
    ],
)
def test_the_tables_refuse_by_themselves(older, statement):
    with (
        Store.open(older) as store,
        pytest.raises(FileError, match="SQLITE_CONSTRAINT"),
        store._database.writing() as connection,
    ):
        connection.execute(statement)


def test_a_study_is_durable_and_checked(tmp_path):
    with make(tmp_path) as store, store._database.reading() as connection:
        found = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "trusted_schema")
        }
    assert found.pop("busy_timeout") > 0
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0}


def test_another_database_is_not_a_study(tmp_path):
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        connection.execute("CREATE TABLE study (name TEXT)")
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(FileError, match="is not an annotation study of medgauge"):
        Store.open(tmp_path)
    assert (tmp_path / DATABASE).read_bytes() == before


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"pair_id,term_1\n" * 99, "is not an annotation study"),
        (b"x", "is not an annotation study"),
    ],
)
def test_a_file_of_another_kind_is_not_a_study(tmp_path, content, problem):
    (tmp_path / DATABASE).write_bytes(content)
    with pytest.raises(FileError, match=problem):
        Store.open(tmp_path)


def test_a_damaged_study_is_reported(older):
    path = older / DATABASE
    content = bytearray(path.read_bytes())
    content[100:200] = b"\xff" * 100  # the root page of the schema, after the header
    path.write_bytes(content)
    with pytest.raises(FileError, match="damaged"):
        Store.open(older)


def test_a_folder_without_a_study_is_reported_and_stays_empty(tmp_path):
    with pytest.raises(FileError, match="no such study"):
        Store.open(tmp_path)
    with pytest.raises(FileError, match="no such study"):
        Store.open(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
