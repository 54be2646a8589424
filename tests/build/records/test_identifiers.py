"""No identifier of a patient is in anything that is written or printed, whichever stage fails.

Ids, names, names of files and rare codes hold a mark. Each stage fails once, with an error that quotes the
mark as the errors of engines quote rows; then everything that was written or printed is searched for it.
"""

import errno
import gzip
import json
import os
import re
import signal
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from medgauge.build.records import from_records
from medgauge.files.parquet import parquet_metadata
from medgauge.records.engine import Engine
from tests.support.processes import run
from tests.support.recorded_patients import (
    DIAGNOSIS,
    TERMS,
    Event,
    some_events,
    write_omop,
    write_synthea,
    write_table,
)

MARK = "Zebediah-Quux"
OPTIONS = {
    "table": ["--map", "{folder}/map.csv"],
    "Synthea": ["--window", "100"],
    "OMOP": ["--exclude", "{folder}/flags.txt"],
    "bundles": ["--max-concepts", "8"],
    "lines": ["--categories", "diagnosis,observation"],
}


class Place(NamedTuple):
    """A folder with marked records in it, and another that all is written to."""

    records: Path
    written: Path


def unmarked() -> list[Event]:
    """Return events of the tests' patients, a fifth of whom have two concepts that no other has.

    Some concepts must occur together more often than by chance, for vectors.
    """
    events = some_events()
    patients = list(dict.fromkeys(event.patient for event in events))[:12]
    together = ("64572001", "404684003")
    own = [Event(one, code, TERMS[code], DIAGNOSIS, "2020-01-01") for one in patients for code in together]
    return events + own


def marked() -> list[Event]:
    """Return the events with marks, and two rare codes whose texts are about one patient."""
    events = [event._replace(patient=f"{MARK}-{event.patient}") for event in unmarked()]
    rare = [
        Event(event.patient, f"{MARK}-{number % 2}", f"seen by {MARK}", "diagnosis", event.date)
        for number, event in enumerate(events[:9])
    ]
    return events + rare


def resources() -> Iterator[dict[str, Any]]:
    for patient in {event.patient: None for event in marked()}:
        yield {"resourceType": "Patient", "id": patient, "name": [{"family": MARK}]}
    for event in marked():
        coding = {"system": "http://snomed.info/sct", "code": event.code, "display": event.term}
        yield {
            "resourceType": "Condition",
            "subject": {"reference": f"Patient/{event.patient}", "display": MARK},
            "code": {"coding": [coding], "text": f"{MARK} says so"},
            "note": [{"text": MARK}],
            "onsetDateTime": event.date,
        }


def write_bundles(folder: Path) -> None:
    """Write a bundle for each patient in a file with the patient's name, and some that are damaged."""
    own: dict[str, list[dict[str, Any]]] = {}
    for one in resources():
        patient = one["subject"]["reference"] if "subject" in one else f"Patient/{one['id']}"
        own.setdefault(patient, []).append(one)
    for number, found in enumerate(own.values()):
        bundle = {"resourceType": "Bundle", "entry": [{"resource": one} for one in found]}
        (folder / f"{MARK}_{number}.json").write_text(json.dumps(bundle), "utf-8")
    (folder / f"{MARK}_cut.json").write_text(f'{{"resourceType": "{MARK}', "utf-8")
    (folder / f"{MARK}_cut.json.gz").write_bytes(gzip.compress(MARK.encode())[:-9])


def write_lines(folder: Path) -> None:
    lines = [*map(json.dumps, resources()), f'{{"{MARK}', json.dumps({"resourceType": [MARK]})]
    (folder / f"{MARK}.ndjson").write_text("\n".join(lines), "utf-8")


def write_marked_synthea(folder: Path) -> None:
    write_synthea(folder, unmarked())
    for path in folder.iterdir():
        ids = re.sub(r"(?<=[,\n])(?=[0-9a-f]{8}-[0-9a-f]{4}-4)", f"{MARK}-", path.read_text("utf-8"))
        path.write_text(ids, "utf-8")


def write_marked_omop(folder: Path) -> None:
    write_omop(folder, unmarked())
    for path in folder.iterdir():
        frame = pl.read_csv(path, infer_schema=False)
        if "person_id" in frame.columns:
            frame.with_columns(f"{MARK}-" + pl.col("person_id")).write_csv(path)


WRITERS: dict[str, Callable[[Path], object]] = {
    "table": lambda folder: write_table(folder / "events.csv", marked()),
    "Synthea": write_marked_synthea,
    "OMOP": write_marked_omop,
    "bundles": write_bundles,
    "lines": write_lines,
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Make the folders; whatever is cached or temporary goes into the second."""
    made = Place(tmp_path / "records", tmp_path / "written")
    for folder in (*made, made.written / "temporary"):
        folder.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(made.written / "cache"))
    monkeypatch.setenv("TMPDIR", str(made.written / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    codes = {event.code for event in unmarked()}
    (tmp_path / "map.csv").write_text("\n".join(["code,concept", *(f"{one},{one}" for one in codes)]))
    (tmp_path / "flags.txt").write_text("224363007")
    return made


def everything_in(folder: Path) -> str:
    """Return all that the files of a folder hold, with their names; Parquet is unpacked."""
    held = []
    for path in folder.rglob("*"):
        held.append(str(path.relative_to(folder)))
        if path.is_file():
            held.append(path.read_bytes().decode("utf-8", "replace"))
            if path.suffix == ".parquet":
                held += [repr(pl.read_parquet(path).rows()), repr(parquet_metadata(path))]
    return "\n".join(held)


@pytest.fixture
def build(medgauge, place: Place, caplog: pytest.LogCaptureFixture) -> Callable[..., int]:
    """Build pairs, search all that is written or printed for the mark, and return the exit code."""
    runs = iter(range(1000))

    def building(form: str, *options: str) -> int:
        out = place.written / f"run {next(runs)}"
        out.mkdir()
        files = [
            "--out",
            out / "pairs",
            "--list-concepts",
            out / "list.tsv",
            "--vectors",
            out / "vectors.parquet",
        ]
        given = [one.format(folder=place.records.parent) for one in OPTIONS[form]]
        done = medgauge("build", "records", place.records, *files, *given, *options)
        said = done.out + done.err + caplog.text
        assert MARK not in said.replace("\n", ""), said
        assert MARK not in everything_in(place.written)
        return done.code

    return building


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, stage: str) -> Iterator[list[str]]:
    """Make the engine fail at a stage, by an error that quotes a row; yield the stages that were begun."""
    computing, begun = Engine.computing, []

    @contextmanager
    def quoting(engine: Engine, what: str) -> Iterator[None]:
        with computing(engine, what):
            begun.append(re.sub(r"[\d,]+", "N", what))
            if begun[-1] == stage:
                raise RuntimeError(f"Conversion Error: could not cast '{MARK}' in SELECT '{MARK}'")
            yield

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "computing", quoting)
        yield begun


@pytest.mark.slow
def test_no_identifier_is_written_or_printed_whichever_stage_of_the_engine_fails(place, build, monkeypatch):
    """Each stage fails once, and in every form those before which the engine has no hashes yet."""
    failed: set[str] = set()
    for form, write in WRITERS.items():
        for path in place.records.iterdir():
            path.unlink()
        write(place.records)
        assert MARK in everything_in(place.records)
        with failing(monkeypatch, "none") as begun:
            assert build(form) == 0
        stages = list(dict.fromkeys(begun))
        first = stages[: stages.index("reading the events") + 1]
        for stage in stages:
            if stage in first or stage not in failed:
                with failing(monkeypatch, stage) as begun:
                    assert build(form) == 1
                assert begun[-1] == stage
        failed.update(stages)
    assert len(failed) > 15
    assert not list(place.written.rglob("*.partial"))


STAGES_OF_PYTHON = (
    *("RecordsFolder.keep_counts", "sampled", "card_of_pairs", "pairs_table", "concept_vectors"),
    *("RecordsFolder.finish", "write_table", "save_vectors"),
)


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES_OF_PYTHON)
def test_no_identifier_is_written_or_printed_whichever_stage_after_the_engine_fails(
    stage, place, build, monkeypatch
):
    WRITERS["bundles"](place.records)
    owner = from_records
    for name in stage.split(".")[:-1]:
        owner = getattr(owner, name)
    work = getattr(owner, stage.rpartition(".")[2])

    def failing_at_its_end(*given: Any, **options: Any) -> None:
        work(*given, **options)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(owner, stage.rpartition(".")[2], failing_at_its_end)
        assert build("bundles") == 1
    assert build("bundles") == 0


@pytest.mark.parametrize(
    ("form", "name", "content", "sentence"),
    [
        ("table", "events.csv", f"patient,code\n{MARK},1,{MARK}\n".encode(), "line 2: the row has another"),
        ("table", "events.csv", f"patient,code\n{MARK},\xe9\n".encode("latin-1"), "is not UTF-8"),
        ("table", "events.csv", f"{MARK},1\n{MARK},2\n".encode(), "has no column patient among its 2"),
        ("table", "events.csv", f"{MARK},{MARK}\n{MARK},2\n".encode(), "columns 1 and 2 have the same name"),
        ("table", "events.parquet", b"PAR1" + MARK.encode() * 20 + b"PAR1", "cannot be read while"),
        ("Synthea", "conditions.csv.gz", gzip.compress(MARK.encode() * 99)[:-9], "damaged"),
        ("bundles", f"{MARK}.json", b"[" + MARK.encode(), "--strict"),
    ],
)
def test_what_a_damaged_file_holds_is_not_repeated(form, name, content, sentence, place, medgauge):
    if form == "bundles":
        write_bundles(place.records)
    (place.records / name).write_bytes(content)
    source = place.records / name if form == "table" else place.records
    done = medgauge("build", "records", source, "--out", place.written / "pairs", "--strict")
    assert done.code == 1
    assert sentence in " ".join(done.err.split())
    assert done.err.count("medgauge: ") == 1
    assert MARK not in done.out + done.err
    assert MARK not in everything_in(place.written)
    assert not (place.written / "pairs").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from medgauge.build.records.from_records import build_records
from medgauge.records.engine import Engine

fetch = Engine.fetch

def killing(engine, table, what):
    if what == "counting concepts":
        os.kill(os.getpid(), signal.SIGKILL)
    return fetch(engine, table, what)

Engine.fetch = killing
build_records(sys.argv[1], sys.argv[2], memory="70MB")
"""


@pytest.mark.slow
def test_no_identifier_is_in_what_a_killed_build_has_spilt(place, medgauge):
    """The folder is private, what was spilt does not hold the mark, and the next start removes it."""
    patients = pl.int_range(150_000, eager=True)
    codes = pl.Series(["386661006", "49727002", "25064002", "267036007", "10509002", "15777000"])
    rows = pl.DataFrame(
        {
            "patient": (f"{MARK}-{MARK}-{MARK}-" + patients.cast(pl.String)).gather(patients.to_list() * 6),
            "code": pl.concat([codes[[number] * len(patients)] for number in range(6)]),
        }
    )
    rows.with_columns(term=f"as {MARK} " + pl.col("patient").str.slice(-3)).write_parquet(
        place.records / "events.parquet"
    )
    source, out = place.records / "events.parquet", place.written / "pairs"
    done = run([sys.executable, "-c", KILLED, source, out])
    assert done.returncode == -signal.SIGKILL, done.stderr
    [folder] = (place.written / "cache" / "medgauge" / "records").iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert sum(path.stat().st_size for path in folder.iterdir()) > 1_000_000
    assert MARK not in everything_in(place.written)
    assert not out.exists()
    assert medgauge("build", "records", source, "--dry-run").code == 0
    assert not folder.exists()
