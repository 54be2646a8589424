"""A build from records that is killed: nothing has its final name, and the next one goes on where it was."""

import signal
import sys

import polars as pl
import pytest

from medgauge.build.records.from_records import build_records
from medgauge.errors import InputError
from medgauge.progress import hearing
from medgauge.records.synthea import SyntheaRecords
from tests.build.records.built_pairs import built
from tests.support.processes import run
from tests.support.recorded_patients import some_events, write_synthea

KILLED = """
import os, signal, sys
from medgauge.build.records import from_records

def kill(*given, **options):
    os.kill(os.getpid(), signal.SIGKILL)

{stage} = kill
from_records.build_records(sys.argv[1], sys.argv[2], sample="random", pairs=20)
"""
STAGES = {
    "counted": "from_records.sampled",
    "written": "from_records.RecordsFolder._take_name",
}


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_a_killed_build_goes_on_from_its_counts(stage, tmp_path, monkeypatch):
    source, out = write_synthea(tmp_path / "synthea", some_events()), tmp_path / "pairs"
    done = run([sys.executable, "-W", "ignore", "-c", KILLED.format(stage=STAGES[stage]), source, out])
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not out.exists()
    kept = pl.read_parquet(tmp_path / "pairs.partial" / "counted.parquet")
    assert kept["patients"].min() >= 10

    with monkeypatch.context() as patch:
        patch.setattr(SyntheaRecords, "read", None)  # what was counted is not counted again
        said: list[str] = []
        with hearing(said.append):
            built(source, out, sample="random", pairs=20, exact_counts=False)
    assert "resuming: what was counted in the records is kept" in said
    assert not (tmp_path / "pairs.partial").exists()
    built(source, tmp_path / "at once", sample="random", pairs=20, exact_counts=False)
    names = {"pairs.parquet", "data-sheet.json", "unmapped.tsv", "README.md"}
    assert {path.name for path in out.iterdir()} == names
    for name in names:
        assert (out / name).read_bytes() == (tmp_path / "at once" / name).read_bytes()


def interrupt(monkeypatch, source, out):
    """Interrupt a build after it has counted."""
    with monkeypatch.context() as patch:
        patch.setattr("medgauge.build.records.from_records.sampled", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            built(source, out)


def test_counts_of_other_records_are_not_resumed(tmp_path, monkeypatch):
    """The records changed, or what is asked for, after the build was interrupted."""
    events = some_events()
    source, out = write_synthea(tmp_path / "synthea", events), tmp_path / "pairs"
    interrupt(monkeypatch, source, out)
    assert not out.exists()
    more = write_synthea(tmp_path / "synthea", events * 2 + some_events(40, seed=8))
    _, pairs = built(more, out)
    assert pairs.equals(built(more, tmp_path / "at once")[1])
    interrupt(monkeypatch, more, tmp_path / "wide")
    _, narrow = built(more, tmp_path / "wide", window=0)
    assert narrow.equals(built(more, tmp_path / "narrow", window=0)[1])


@pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")
def test_vectors_that_cannot_be_made_leave_no_pairs(tmp_path, monkeypatch):
    source = write_synthea(tmp_path / "synthea", some_events())
    monkeypatch.setattr("medgauge.build.records.from_records.concept_vectors", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        build_records(source, tmp_path / "pairs", vectors=tmp_path / "vectors.parquet")
    assert not (tmp_path / "pairs").exists()
    assert not (tmp_path / "vectors.parquet").exists()


def test_records_without_a_pair_leave_nothing(tmp_path):
    source = write_synthea(tmp_path / "synthea", some_events(8))
    with pytest.raises(InputError, match="no two concepts have 10 or more patients in common"):
        built(source, tmp_path / "pairs")
    assert [path.name for path in tmp_path.iterdir()] == ["synthea"]


def _interrupt(*_given: object, **_options: object) -> None:
    raise KeyboardInterrupt
