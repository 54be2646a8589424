"""The engine: what it may use, what its errors say, and databases in place of files."""

import pytest

from medgauge.build.records.from_records import build_records
from medgauge.errors import EngineError, InputError, MissingExtraError
from medgauge.records.engine import Engine, open_engine
from tests.build.records.built_pairs import TABLE, built, every_pair
from tests.support.recorded_patients import some_events, write_omop_duckdb, write_table

EVENTS = some_events()


def test_a_database_in_place_of_files_gives_the_same_pairs(tmp_path):
    path = write_omop_duckdb(tmp_path / "cdm.duckdb", EVENTS)
    from_file = every_pair(path, tmp_path / "file")
    connected = every_pair(None, tmp_path / "database", connect=f"duckdb://{path}")
    assert connected == from_file
    table = write_table(tmp_path / "events.parquet", EVENTS)
    assert every_pair(table, tmp_path / "table", **TABLE) == from_file


def test_a_database_that_cannot_hash_is_named(tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "events.db") as database:
        database.execute("CREATE TABLE events (patient text, code text)")
    database.close()
    with pytest.raises(EngineError, match="the engine sqlite lacks an operation that this needs; export the"):
        build_records(connect=f"sqlite:///{tmp_path / 'events.db'}", table="events")


def test_a_build_from_a_database_names_it_and_is_never_taken_for_unchanged(tmp_path):
    path = write_omop_duckdb(tmp_path / "cdm.duckdb", EVENTS)
    sheet, _ = built(None, tmp_path / "pairs", connect=f"duckdb://{path}")
    assert sheet.files == {}
    assert sheet.origin.startswith("records-")
    with pytest.raises(InputError, match="has a build; add replace=True, or choose another folder"):
        built(None, tmp_path / "pairs", connect=f"duckdb://{path}")


@pytest.mark.parametrize("calls", [0, 1, 4, 8, 12])
def test_a_database_that_goes_away_half_way_is_one_sentence_and_leaves_nothing(tmp_path, monkeypatch, calls):
    path = write_omop_duckdb(tmp_path / "cdm.duckdb", EVENTS)
    left = iter(range(calls))
    fetch = Engine.fetch

    def fetch_some(engine, table, what):
        if next(left, None) is None:
            engine.backend.con.close()
        return fetch(engine, table, what)

    monkeypatch.setattr(Engine, "fetch", fetch_some)
    with pytest.raises(
        EngineError, match=r"if it is a database, look in its log, and run the same"
    ) as caught:
        build_records(None, tmp_path / "pairs", connect=f"duckdb://{path}")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert len(str(caught.value).splitlines()) == 1
    assert not (tmp_path / "pairs").exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("duckdb:///no/such/folder/cdm.duckdb", "the database (duckdb) cannot be connected to"),
        ("nothing://host/cdm", "the database (nothing) cannot be connected to"),
    ],
)
def test_a_database_that_is_not_there_is_named(address, sentence, tmp_path):
    with pytest.raises(EngineError) as caught:
        build_records(None, tmp_path / "pairs", connect=address)
    assert str(caught.value).startswith(sentence)


def test_without_the_extra_what_to_install_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ibis", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[records\]"), open_engine():
        pass
