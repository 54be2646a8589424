"""The engine: what it may use, what it leaves behind, and addresses of databases."""

import stat
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from medgauge.engines.ibis_engine import IbisEngine, check_address, opened, place_of
from medgauge.errors import EngineError, InputError
from tests.support.recorded_patients import some_events, write_omop_duckdb


def open_engine(connect: str | None = None, *, memory: str = "4GB") -> AbstractContextManager[IbisEngine]:
    return opened(IbisEngine, connect, memory=memory, scratch="records", extra="records")


@pytest.mark.parametrize("text", ["1GB", "500 mb", "1.5GiB", "2tb"])
def test_amounts_of_memory_are_understood(text):
    with open_engine(memory=text) as engine:
        assert engine.title.startswith("duckdb ")


@pytest.mark.parametrize("text", ["", "lots", "4", "-1GB", "0GB", "4GB; DROP TABLE x"])
def test_other_amounts_of_memory_are_refused(text):
    with (
        pytest.raises(InputError, match="is not an amount of memory, such as 4GB or 500MB"),
        open_engine(memory=text),
    ):
        pass


def test_what_does_not_fit_into_memory_spills_into_a_private_folder_that_is_removed():
    with open_engine(memory="60MB") as engine:
        [setting] = engine.backend.con.execute("SELECT current_setting('temp_directory')").fetchone()
        folder = Path(setting)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        engine.backend.con.execute(
            "CREATE TEMP TABLE t AS SELECT hash(range) AS a, range AS b FROM range(6000000)"
        )
        spilt = [path.name for path in folder.iterdir()]
    assert any(name.startswith("duckdb_temp") for name in spilt)
    assert not folder.exists()


def test_a_duckdb_database_that_is_connected_to_does_not_spill_in_the_clear_next_to_itself(tmp_path):
    path = write_omop_duckdb(tmp_path / "cdm.duckdb", some_events())
    with open_engine(f"duckdb://{path}", memory="60MB") as engine:
        settings = ("temp_directory", "temp_file_encryption", "autoinstall_known_extensions")
        read = [
            engine.backend.con.execute(f"SELECT current_setting('{name}')").fetchone()[0] for name in settings
        ]
        assert read[1:] == [True, False]
        assert stat.S_IMODE(Path(read[0]).stat().st_mode) == 0o700
        engine.backend.con.execute(
            "CREATE TEMP TABLE t AS SELECT hash(range) AS a, range AS b FROM range(6000000)"
        )
        assert any(Path(read[0]).iterdir())
    assert not Path(read[0]).exists()
    assert [one.name for one in tmp_path.iterdir()] == ["cdm.duckdb"]


def test_a_misspelt_duckdb_database_is_not_made(tmp_path):
    with pytest.raises(EngineError, match="cannot be connected to"):
        open_engine(f"duckdb://{tmp_path / 'cmd.duckdb'}").__enter__()
    assert not list(tmp_path.iterdir())


def test_an_engine_fetches_nothing_from_the_network():
    with open_engine() as engine:
        for name in ("autoinstall_known_extensions", "allow_community_extensions"):
            value = engine.backend.con.execute(f"SELECT current_setting('{name}')").fetchone()
            assert value == (False,)


@pytest.mark.parametrize(
    "address",
    [
        *("postgres://ann:hunter2@host/cdm", "postgres://ann@host/cdm?password=hunter2"),
        *("snowflake://ann@host/cdm?private_key=hunter2", "bigquery://p/d?access_token=hunter2"),
    ],
)
def test_an_address_with_a_password_is_refused_without_repeating_it(address):
    with pytest.raises(
        InputError, match="set the environment variable MEDGAUGE_DB_PASSWORD instead"
    ) as caught:
        check_address(address)
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("address", ["", "cdm", "host:5432/cdm", "postgres//host", "postgres://[::1"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(InputError, match="is not a URL, such as postgres://user@host/name"):
        check_address(address)


def test_the_place_of_a_database_says_nothing_of_who_connects():
    assert place_of("postgres://ann@db.example:5432/cdm?sslmode=require") == "postgres://db.example:5432/cdm"
