"""The engine that computes on records: DuckDB on this machine, or the database that holds them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medgauge.engines.ibis_engine import IbisEngine, opened
from medgauge.records.patient_key import PatientKey

if TYPE_CHECKING:
    import ibis.expr.types as ir

_EXACT = 1 << 53  # below which a float holds every whole number


@dataclass
class Engine(IbisEngine):
    """An open engine with records; `patients` replaces their ids."""

    patients: PatientKey = field(default_factory=PatientKey)


@contextmanager
def open_engine(connect: str | None = None, *, memory: str = "4GB") -> Iterator[Engine]:
    """Open DuckDB within some memory, which spills to a private folder, or connect to a database."""
    with opened(Engine, connect, memory=memory, scratch="records", extra="records") as engine:
        yield engine


def as_text(column: "ir.Value") -> "ir.Value":
    """Return a column as text; ids stored as floats, as R and pandas do, read as whole numbers.

    Not a number is null, as no id is called so.
    """
    import ibis

    kind = column.type()
    text = column.cast("string")
    if not (kind.is_floating() or kind.is_decimal()):
        return text
    is_whole = (column.abs() < _EXACT) & (column % 1 == 0)
    text = ibis.ifelse(is_whole, column.cast("int64").cast("string"), text)
    return ibis.ifelse(column.isnan(), ibis.null("string"), text) if kind.is_floating() else text


def lowered(table: "ir.Table") -> "ir.Table":
    """Return a table with its column names in lower case, where that keeps them apart."""
    lower = [name.lower() for name in table.columns]
    names = {low: name for low, name in zip(lower, table.columns, strict=True) if lower.count(low) == 1}
    return table.rename({low: name for low, name in names.items() if low != name})
