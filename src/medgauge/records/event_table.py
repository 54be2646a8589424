"""Records in any table that has a row for each event, with columns that the user names."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from medgauge.errors import FileError, option, quoted
from medgauge.records.engine import Engine
from medgauge.records.recorded import COLUMNS, Recorded, RecordForm, compacted, first_projection
from medgauge.records.table_files import RecordTables

if TYPE_CHECKING:
    import ibis.expr.types as ir


@dataclass(frozen=True)
class TableRecords:
    """A table of events. `columns` maps COLUMNS to its own; those not given are found by their name."""

    tables: RecordTables
    name: str
    columns: Mapping[str, str]
    form: ClassVar[RecordForm] = "table"

    def read(self, engine: Engine, categories: Collection[str]) -> Recorded:  # noqa: ARG002 - as other forms
        """Return the events."""
        table = self.tables.table(engine, self.name)
        found = self._found(table)
        values: dict[str, ir.Value | None] = {ours: table[theirs] for ours, theirs in found.items()}
        events = first_projection(engine, table, values)
        rows, kinds = compacted(engine, events, once=self.tables.once)
        return Recorded(
            "table", rows, kinds, {self.name: list(found.values())}, has_categories="category" in found
        )

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of the file that is read, by its name."""
        return self.tables.digests([self.name])

    def _found(self, table: "ir.Table") -> dict[str, str]:
        """Return the columns of the table by our names for them."""
        found = {}
        many = len(table.columns)  # which are not listed: a file without a header has a patient there
        for ours in COLUMNS:
            given = self.columns.get(ours)
            theirs = (given or ours).strip().lower()
            if theirs in table.columns:
                found[ours] = theirs
            elif given is not None:
                raise FileError(self.tables.path, f"has no column {quoted(given)} among its {many}")
            elif ours in ("patient", "code"):
                raise FileError(
                    self.tables.path,
                    f"has no column {ours} among its {many}; name it with {option(ours, 'COLUMN')}",
                )
        return found
