"""Which form a source of records has: recognised by the names of its tables and by its content."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from medgauge.errors import FileError, InputError, option, quoted
from medgauge.records.bundles import TRIED, fhir_files, is_fhir
from medgauge.records.engine import Engine
from medgauge.records.event_table import TableRecords
from medgauge.records.fhir import FhirRecords
from medgauge.records.omop import NEEDED, OmopRecords
from medgauge.records.recorded import WANTED, Recorded, RecordForm
from medgauge.records.synthea import SyntheaRecords
from medgauge.records.table_files import RecordTables, is_table_file, tables_in, tables_of

_FORMS = (
    "an OMOP CDM (CONDITION_OCCURRENCE, CONCEPT and CONCEPT_RELATIONSHIP, in a folder or zip of CSV or "
    "Parquet, or in a DuckDB file), FHIR bundles (.json) or NDJSON, Synthea CSV (conditions.csv), or a table "
    "of events (CSV or Parquet)"
)


class RecordSource(Protocol):
    """Records of a recognised form, which an engine can read."""

    @property
    def form(self) -> RecordForm:
        """The form."""

    def read(self, engine: Engine, categories: Collection[str]) -> Recorded:
        """Read the events into an engine."""

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of the files that are read, by names that say nothing about patients."""


@dataclass(frozen=True)
class RecordReading:
    """How records are read.

    `columns` maps patient, code, system, term, category and date to the columns of a table of events;
    `table` and `schema` name that table in a database. `mapped` says of a system and code whether a mapping
    has it, to choose among several codings in FHIR. `strict` makes an unreadable FHIR resource an error.
    """

    categories: tuple[str, ...] = WANTED
    columns: Mapping[str, str] = field(default_factory=dict)
    table: str | None = None
    schema: str | None = None
    mapped: Callable[[str, str], bool] | None = None
    strict: bool = False


def recognise_records(source: Path | None, engine: Engine, reading: RecordReading) -> RecordSource:
    """Recognise the form of records in a file or folder; without one, in the database of the engine."""
    if source is None:
        return _among(tables_of(engine, reading.schema), reading)
    if not source.exists():
        raise FileError(source, "there is no such file or folder")
    if source.is_dir() and not any(source.iterdir()):
        raise FileError(source, f"the folder is empty; records are {_FORMS}")
    if source.is_file() and source.stat().st_size == 0:
        raise FileError(source, "the file is empty")
    if not is_table_file(source) and is_fhir(source):
        return FhirRecords(source, reading.mapped, reading.strict)
    if source.is_file() and fhir_files(source):  # whose name may be that of a patient
        raise InputError("the file holds no FHIR resource that can be read; check that it is whole")
    if source.is_file() and not is_table_file(source) and not _holds_tables(source):
        raise FileError(source, f"has no form of records that medgauge knows: {_FORMS}")
    tables = tables_in(source)
    if not tables.names and (found := len(fhir_files(source))):
        looked_at = f"the first {TRIED} of its {found:,}" if found > TRIED else f"its {found}"
        files = "file; check that it is" if found == 1 else "files; check that they are"
        raise FileError(source, f"no FHIR resource can be read in {looked_at} JSON {files} whole")
    return _among(tables, reading)


def _holds_tables(path: Path) -> bool:
    from medgauge.files.parquet import is_parquet
    from medgauge.records.table_files import is_duckdb, is_zip

    return is_zip(path) or is_duckdb(path) or is_parquet(path)


def _among(tables: RecordTables, reading: RecordReading) -> RecordSource:
    """Choose the form by the tables that are there; a named table or named columns mean a table of events."""
    names = set(tables.names)
    if reading.table is not None:
        name = reading.table.strip().lower()
        if name not in names:
            raise FileError(tables.path, f"has no table {quoted(reading.table)} among its {len(names)}")
        return TableRecords(tables, name, reading.columns)
    if not reading.columns:
        if names >= NEEDED:
            return OmopRecords(tables)
        if "condition_occurrence" in names:
            lacking = ", ".join(sorted(name.upper() for name in NEEDED - names))
            raise FileError(tables.path, f"is an OMOP CDM without {lacking}; add the vocabulary to it")
        if "conditions" in names:
            return SyntheaRecords(tables)
    single = names - tables.doubled  # files such as README.txt may be in each folder
    if len(single) == 1:
        return TableRecords(tables, single.pop(), reading.columns)
    if not single:
        raise FileError(tables.path, f"has no records in a form that medgauge knows: {_FORMS}")
    raise FileError(
        tables.path,
        f"has {len(single)} tables that are neither an OMOP CDM nor Synthea's; name the table of events "
        f"with {option('table', 'NAME')}, or add what is missing: records are {_FORMS}",
    )
