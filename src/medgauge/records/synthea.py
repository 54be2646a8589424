"""Records in Synthea's CSV: conditions, the reasons of encounters and, if wanted, observations."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from medgauge.records.engine import Engine
from medgauge.records.recorded import (
    COMPLAINT,
    DIAGNOSIS,
    OBSERVATION,
    Recorded,
    RecordForm,
    compacted,
    first_projection,
)
from medgauge.records.table_files import RecordTables

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class _Part:
    """A table of Synthea's: where it has the date, code and term of an event, and its usual code system."""

    date: str
    code: str
    term: str
    category: str
    system: str


PARTS = {
    "conditions": _Part("start", "code", "description", DIAGNOSIS, "snomed"),
    "encounters": _Part("start", "reasoncode", "reasondescription", COMPLAINT, "snomed"),
    "observations": _Part("date", "code", "description", OBSERVATION, "loinc"),
}


@dataclass(frozen=True)
class SyntheaRecords:
    """Synthea's tables; those that are missing are left out, but conditions must be there."""

    tables: RecordTables
    form: ClassVar[RecordForm] = "synthea"

    def read(self, engine: Engine, categories: Collection[str]) -> Recorded:
        """Return the events."""
        import ibis

        there = {
            name: part
            for name, part in PARTS.items()
            if name == "conditions" or (name in self.tables.names and part.category in categories)
        }
        columns = {name: ["patient", part.date, part.code, part.term] for name, part in there.items()}
        events = [self._events(engine, name, columns[name]) for name in there]
        every = events[0] if len(events) == 1 else ibis.union(*events)
        rows, kinds = compacted(engine, every)
        return Recorded("synthea", rows, kinds, columns)

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of the files that are read, by their names."""
        return self.tables.digests(PARTS)

    def _events(self, engine: Engine, name: str, columns: list[str]) -> "ir.Table":
        import ibis

        part = PARTS[name]
        table = self.tables.table(engine, name, columns)
        if name == "encounters":  # most have no reason
            table = table.filter(table[part.code].strip().fill_null("") != "")
        system = table.system if "system" in table.columns else ibis.literal(part.system)
        projected = first_projection(
            engine,
            table,
            {
                "patient": table.patient,
                "code": table[part.code],
                "system": system,
                "term": table[part.term],
                "category": ibis.literal(part.category),
                "date": table[part.date],
            },
        )
        return engine.kept(projected, "reading the events") if self.tables.once else projected
