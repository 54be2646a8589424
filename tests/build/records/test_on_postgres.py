"""The same build in a PostgreSQL server that these tests start, and a server that goes away half way."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from medgauge.build.records.from_records import build_records
from medgauge.engines.ibis_engine import PASSWORD
from medgauge.errors import EngineError
from medgauge.records.engine import Engine
from tests.build.records.built_pairs import same_on_both
from tests.prerequisites import NEEDS_POSTGRES, is_there, postgres_programs
from tests.support.processes import free_port, run
from tests.support.recorded_patients import CONCEPTS, Event, omop_tables, some_events, write_omop, write_table

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_there(NEEDS_POSTGRES), reason=NEEDS_POSTGRES),
    pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ibis leaves its connections open
]
SECRET = "hunter2-of-the-database"
COUGH, EMPLOYED = "49727002", "224363007"


class Server(NamedTuple):
    """A server: what runs its programs, its folder and its port."""

    programs: Path
    folder: Path
    port: int
    account: dict[str, object]

    @property
    def address(self) -> str:
        return f"postgres://ann@127.0.0.1:{self.port}/postgres"

    def control(self, *words: str) -> None:
        command = [self.programs / "pg_ctl", "-D", self.folder / "data", "-w", *words]
        done = run(command, cwd=self.folder, capture_output=False, **self.account)
        assert done.returncode == 0

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -h 127.0.0.1 -c fsync=off"
        self.control("-l", str(self.folder / "log"), "-o", options, "start")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    programs = postgres_programs()
    assert programs is not None
    account: dict[str, object] = {"user": "postgres"} if os.geteuid() == 0 else {}  # it refuses root
    with tempfile.TemporaryDirectory() as place:
        made = Server(programs, Path(place), free_port(), account)
        (made.folder / "password").write_text(SECRET)
        if account:
            for path in (made.folder, made.folder / "password"):
                shutil.chown(path, "postgres")
        initial = [programs / "initdb", "-D", made.folder / "data", "-U", "ann", "-A", "scram-sha-256", "-N"]
        done = run([*initial, "--pwfile", made.folder / "password"], cwd=made.folder, **account)
        assert done.returncode == 0, done.stderr
        made.start()
        yield made
        made.control("-m", "immediate", "stop")


@pytest.fixture
def connect(server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(PASSWORD, SECRET)
    return server.address


def store(address: str, tables: dict[str, pl.DataFrame], schema: str) -> None:
    import ibis

    backend = ibis.connect(address, password=SECRET)
    backend.create_database(schema, force=True)
    for name, table in tables.items():
        backend.create_table(name.lower(), table.to_arrow(), database=schema, overwrite=True)
    backend.disconnect()


def test_postgres_and_duckdb_find_the_same_pairs_and_counts(connect, tmp_path, capfd):
    events = some_events()
    events.append(Event("", COUGH, "Cough", "diagnosis", "2020-01-01"))
    days = ("2021-02-29", "2020-02-29", "2020-13-01", "soon", "")
    events += [Event(events[0].patient, COUGH, "Cough", "diagnosis", day) for day in days]
    table = write_table(tmp_path / "events.csv", events)
    written = pl.DataFrame(list(events), schema=list(Event._fields), orient="row")
    store(connect, {"events": written}, "plain")
    mapping = tmp_path / "mapping.csv"
    own = [f"{concept.code},{concept.code}" for concept in CONCEPTS]
    mapping.write_text("\n".join(["code,concept", *own, f"10509002,{COUGH}"]))
    options = {"table": "events", "mapping": mapping, "max_concepts": 5}
    sources = {"source": table}, {"connect": connect, "schema": "plain"}
    assert same_on_both("postgres", tmp_path / "mapped", *sources, **options).found.cut > 10
    sheet = same_on_both("postgres", tmp_path / "within-a-month", *sources, **options, window=30)
    assert sheet.found.left_out == {"without a date": 4}

    folder = write_omop(tmp_path / "omop", events[:-6], non_standard=True, unmapped=3)
    store(connect, omop_tables(events[:-6], non_standard=True, unmapped=3), "cdm")
    (tmp_path / "administrative.txt").write_text(EMPLOYED)
    given = {"exclude": tmp_path / "administrative.txt", "exclude_linked": True}
    sources = {"source": folder}, {"connect": connect, "schema": "cdm"}
    sheet = same_on_both("postgres", tmp_path / "of-omop", *sources, **given)
    assert sheet.found.steps[4].concepts < sheet.found.steps[3].concepts
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept
    assert SECRET not in "".join(capfd.readouterr())


def test_a_server_that_goes_away_half_way_is_one_sentence_and_leaves_nothing(
    server, connect, tmp_path, monkeypatch
):
    store(connect, omop_tables(some_events()), "cdm")
    fetch, left = Engine.fetch, iter(range(6))

    def fetch_some(engine: Engine, table: object, what: str) -> pl.DataFrame:
        if next(left, None) is None:
            server.control("-m", "immediate", "stop")
        return fetch(engine, table, what)

    monkeypatch.setattr(Engine, "fetch", fetch_some)
    with pytest.raises(EngineError) as caught:
        build_records(out=tmp_path / "pairs", connect=connect, schema="cdm")
    server.start()
    said = str(caught.value)
    assert "the engine postgres failed (" in said
    assert said.endswith("look in its log, and run the same command again once it is back")
    assert len(said.splitlines()) == 1
    assert SECRET not in said
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setenv(PASSWORD, SECRET)
    assert build_records(out=tmp_path / "pairs", connect=connect, schema="cdm").written is not None
