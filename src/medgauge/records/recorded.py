"""Recorded events as an engine holds them: who, what kind of event, which day; nothing names a patient."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from medgauge.errors import InputError, option
from medgauge.records.code_systems import short_system
from medgauge.records.engine import Engine, as_text
from medgauge.records.omop_vocabulary import Vocabulary

if TYPE_CHECKING:
    import ibis.expr.types as ir

RecordForm = Literal["omop", "fhir", "synthea", "table"]
"""The forms of health records that can be read."""

DIAGNOSIS, SYMPTOM, COMPLAINT, OBSERVATION = "diagnosis", "symptom", "presenting complaint", "observation"
WANTED = (SYMPTOM, DIAGNOSIS, COMPLAINT)
"""The categories of events that count unless others are chosen (EHR-Rel, section 3.1)."""

_READING = "reading the events"
_LEAP = "([0-9]{2}([2468][048]|0[48]|[13579][26])|([2468][048]|0[48]|[13579][26])00)"
_MONTHS = (
    "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
)
_DAY = rf"^([0-9]{{3}}[1-9]|[0-9]{{2}}[1-9]0|[0-9][1-9]00|[1-9]000)-({_MONTHS})$|^{_LEAP}-02-29$"
"""A day of the calendar from 0001-01-01 on, as a regular expression that every engine knows."""
_MOST_SYSTEMS = 200

COLUMNS = ("patient", "code", "system", "term", "category", "date")


@dataclass(frozen=True)
class Recorded:
    """What was recorded, in an engine.

    `events` has `patient` (a salted hash, null if the event names none), `kind` and `day` (a date or null).
    `kinds` has `kind`, `written` (equal for kinds with the same code of the same system), `code`, `system`,
    `term` and `category` (texts, empty if not given). `targets` has the concepts that the records themselves
    map kinds to (`kind`, `concept`, `term`), if they do, and `vocabulary` the vocabulary by which they do it.
    """

    form: RecordForm
    events: "ir.Table"
    kinds: "ir.Table"
    read: Mapping[str, list[str]]
    """The columns that were read, by the name of their table."""
    has_categories: bool = True
    """Whether the records say of what category an event is; if not, all events count."""
    targets: "ir.Table | None" = None
    vocabulary: Vocabulary | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many entries were not read as events, by the reason."""


def first_projection(
    engine: Engine, table: "ir.Table", columns: Mapping[str, "ir.Value | None"]
) -> "ir.Table":
    """Return events with the columns of COLUMNS, patients as salted hashes and the rest as texts.

    This is the first thing that happens to a table of records, so that no engine ever stores an id. Texts are
    as they were written; `compacted` cleans them.
    """
    import ibis

    def text(name: str) -> "ir.Value":
        column = columns.get(name)
        return ibis.literal("") if column is None else as_text(column).fill_null("")

    date = columns.get("date")
    day = ibis.null("date") if date is None else _day(date, engine)
    return table.select(
        patient=engine.patients.column(as_text(columns["patient"]), engine.backend),
        code=text("code"),
        system=text("system"),
        term=text("term"),
        category=text("category"),
        day=day,
    )


def _day(column: "ir.Value", engine: Engine) -> "ir.Value":
    """Return the day of a column of dates, times, or texts or numbers that are a date; null if there is none.

    Texts begin with a date as in 2020-01-31, or are one as in 20200131, which OMOP's files may have.
    """
    import ibis
    import ibis.expr.operations as ops

    if column.type().is_numeric():
        column = as_text(column)
    if not column.type().is_string():
        return column.cast("date")
    text = column.strip().substr(0, 10)
    parts = [text.substr(start, length) for start, length in ((0, 4), (4, 2), (6, 2))]
    is_packed = (text.length() == 8) & text.re_search("^[0-9]{8}$")
    text = ibis.ifelse(is_packed, ibis.literal("-").join(parts), text)
    # A cast that fails would fail the whole query.
    if engine.backend.name == "postgres" or not engine.backend.has_operation(ops.TryCast):
        return ibis.ifelse(text.re_search(_DAY), text, ibis.null("string")).cast("date")
    return text.try_cast("date")


def compacted(engine: Engine, events: "ir.Table", *, once: bool = False) -> tuple["ir.Table", "ir.Table"]:
    """Return the events by the numbers of their kinds, and the different kinds.

    Numbers are quicker to join and smaller to keep than texts. `once` says that the events can be read only
    once, so that they are kept first.
    """
    import ibis

    if once:
        events = engine.kept(events, _READING)
    texts = ("code", "system", "term", "category")
    finding = "finding what was recorded"
    different = engine.kept(events.select(*texts).distinct(), finding)
    # Texts are cleaned only here: there are many events, but few different texts.
    cleaned = different.select(**{f"raw_{name}": name for name in texts}, **_cleaned(different, texts))
    cleaned = cleaned.mutate(short=short_systems(engine, cleaned))
    numbered = cleaned.mutate(
        kind=ibis.dense_rank().over(order_by=texts),
        written=ibis.dense_rank().over(order_by=("code", "short")),
    )
    numbered = engine.kept(numbered, finding)
    kinds = numbered.select("kind", "written", "code", "term", "category", system="short").distinct()
    joined = events.join(numbered, [events[name] == numbered[f"raw_{name}"] for name in texts])
    return engine.kept(joined.select("patient", "kind", "day"), _READING), engine.kept(kinds, finding)


def _cleaned(table: "ir.Table", texts: Iterable[str]) -> dict[str, "ir.Value"]:
    """Return the texts of a table without the white space around them, categories in lower case."""
    clean = {name: table[name].strip() for name in texts}
    return clean | {"category": clean["category"].lower()}


def short_systems(engine: Engine, kinds: "ir.Table") -> "ir.Column":
    """Return the short names of the code systems of kinds, as a column."""
    found = engine.fetch(kinds.select("system").distinct().limit(_MOST_SYSTEMS + 1), "finding code systems")
    names = found["system"].to_list()
    if len(names) > _MOST_SYSTEMS:
        raise InputError(
            f"the records have more than {_MOST_SYSTEMS} code systems; name the column that has them with "
            f"{option('system', 'COLUMN')}"
        )
    changed = [(name, short_system(name)) for name in names if short_system(name) != name]
    return kinds.system.cases(*changed, else_=kinds.system) if changed else kinds.system
