"""Kinds of health records, and of the files that say what to do with them."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl

import medgauge
from medgauge.build.records.code_mapping import read_mapping
from medgauge.build.records.concept_filter import read_concepts
from medgauge.records.fhir_events import FhirReader
from tests.fuzz.examples_tables import TERMS
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import NESTED, RAW, TABLE
from tests.fuzz.structures import JSON, PARQUET, ZIP
from tests.support.recorded_patients import Event, some_events, write_synthea, zip_omop

CODES = ("444814009", "195662009", "10509002", "38341003")
_COLUMNS = {name: name for name in ("patient", "code", "term", "category", "date")}


def _rows() -> Iterator[tuple[str, str, str, str, str]]:
    for patient in range(6):
        for number, code in enumerate(CODES):
            if (patient + number) % 5:
                yield f"{SECRET}-{patient}", code, TERMS[number], "diagnosis", f"2020-01-{number + 1:02}"


def _table() -> pl.DataFrame:
    return pl.DataFrame(list(_rows()), schema=list(_COLUMNS), orient="row")


def _bundle() -> bytes:
    entries = [
        {
            "resource": {
                "resourceType": "Condition",
                "subject": {"reference": f"Patient/{patient}"},
                "code": {"coding": [{"system": "http://snomed.info/sct", "code": code, "display": term}]},
                "onsetDateTime": day,
            }
        }
        for patient, code, term, _, day in _rows()
    ]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def _ndjson() -> bytes:
    resources = [entry["resource"] for entry in json.loads(_bundle())["entry"]]
    return "".join(f"{json.dumps(one)}\n" for one in resources).encode()


def _few() -> list[Event]:
    return [event._replace(term=f"{SECRET} {event.term}") for event in some_events(12)]


def _written(content: Mapping[str, Callable[[], bytes]]) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        for name, made in content.items():
            (folder / name).write_bytes(made())

    return make


def _parquet(folder: Path) -> None:
    _table().write_parquet(folder / "events.parquet")


def _counted(name: str, **columns: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        os.environ["XDG_CACHE_HOME"] = str(folder.parent / "cache")
        sheet = medgauge.build_records(folder / name, min_patients=5, memory="200MB", **columns)
        return [step.model_dump() for step in sheet.found.steps]

    return read


def _read(name: str) -> Callable[[Path], object]:
    """Return the reader of FHIR alone, which is fast."""

    def read(folder: Path) -> object:
        reader = FhirReader(folder / name, hash, categories=["diagnosis"])
        return [batch.drop_columns(["term", "patient"]).to_pydict() for batch in reader.batches()]

    return read


def _mapped(folder: Path) -> object:
    return read_mapping(folder / "map.csv").rows.height


def _listed(folder: Path) -> object:
    return len(read_concepts(folder / "ids.txt").ids)


_CSV = {"events.csv": lambda: _table().write_csv().encode()}
_MAP = {"map.csv": lambda: ("code,concept\n" + "".join(f"{code},{code}1\n" for code in CODES)).encode()}
_IDS = {"ids.txt": lambda: f"{CODES[0]} {TERMS[0]}\n{CODES[1]}\n".encode()}

KINDS = (
    Kind(
        *("records-table", _written(_CSV), ("events.csv",), _counted("events.csv", **_COLUMNS), TABLE),
        is_file=False,
        optional=True,
    ),
    Kind(
        *("records-parquet", _parquet, ("events.parquet",), _counted("events.parquet"), (*RAW, PARQUET)),
        is_file=False,
        optional=True,
    ),
    Kind(
        *(
            "records-bundle",
            _written({"one.json": _bundle}),
            ("one.json",),
            _read("one.json"),
            (*NESTED, JSON),
        ),
        is_file=False,
        optional=True,
    ),
    Kind(
        *("records-ndjson", _written({"c.ndjson": _ndjson}), ("c.ndjson",), _read("c.ndjson"), NESTED),
        is_file=False,
        optional=True,
    ),
    Kind(
        "records-omop",
        lambda folder: zip_omop(folder / "omop.zip", _few()) and None,
        ("omop.zip",),
        _counted("omop.zip"),
        (*RAW, *ZIP),
        is_file=False,
        optional=True,
    ),
    Kind(
        "records-synthea",
        lambda folder: write_synthea(folder / "synthea", _few()) and None,
        ("synthea/conditions.csv", "synthea/encounters.csv"),
        _counted("synthea"),
        TABLE,
        is_file=False,
        optional=True,
    ),
    Kind("records-mapping", _written(_MAP), ("map.csv",), _mapped, TABLE),
    Kind("records-excluded", _written(_IDS), ("ids.txt",), _listed, RAW),
)
