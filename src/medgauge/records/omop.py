"""Records in the OMOP common data model, versions 5.3 and 5.4, with the concepts of its vocabulary."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from medgauge.records.engine import Engine, as_text
from medgauge.records.omop_vocabulary import Vocabulary
from medgauge.records.recorded import (
    COMPLAINT,
    DIAGNOSIS,
    OBSERVATION,
    Recorded,
    RecordForm,
    compacted,
    first_projection,
    short_systems,
)
from medgauge.records.table_files import RecordTables

if TYPE_CHECKING:
    import ibis.expr.types as ir

_EVENTS = "condition_occurrence"
_TYPE, _CHIEF_COMPLAINT = "condition_type_concept_id", "42894222"
"""Where OMOP says how a condition came to be recorded, and the type called EHR Chief Complaint."""
_VOCABULARY = ("concept", "concept_relationship", "concept_ancestor")
NEEDED = frozenset({_EVENTS, *_VOCABULARY[:2]})


@dataclass(frozen=True)
class OmopRecords:
    """Tables of the common data model.

    Conditions are diagnoses, or presenting complaints if that is their type; observations are read if they
    are wanted.
    """

    tables: RecordTables
    form: ClassVar[RecordForm] = "omop"

    def read(self, engine: Engine, categories: Collection[str]) -> Recorded:
        """Return the events with the concepts that they are mapped to.

        A standard concept stands for itself, another for those that a valid "Maps to" names; concept 0 and
        concepts that the vocabulary lacks stand for none.
        """
        columns = {_EVENTS: ["person_id", "condition_concept_id", "condition_start_date"]}
        if OBSERVATION in categories and "observation" in self.tables.names:
            columns["observation"] = ["person_id", "observation_concept_id", "observation_date"]
        tables = {name: self.tables.table(engine, name, read) for name, read in columns.items()}
        if _TYPE in tables[_EVENTS].columns:
            columns[_EVENTS].append(_TYPE)
        events = [self._events(engine, table, columns[name]) for name, table in tables.items()]
        import ibis

        every = events[0] if len(events) == 1 else ibis.union(*events)
        rows, kinds = compacted(engine, every)
        vocabulary = Vocabulary.of(engine, self.tables)
        named = engine.kept(_named(kinds, vocabulary.concepts), "looking concepts up")
        columns["concept"] = [
            "concept_id",
            "concept_code",
            "concept_name",
            "vocabulary_id",
            "standard_concept",
        ]
        columns["concept_relationship"] = [
            "concept_id_1",
            "concept_id_2",
            "relationship_id",
            "invalid_reason",
        ]
        return Recorded(
            "omop",
            rows,
            named.mutate(system=short_systems(engine, named)),
            columns,
            targets=engine.kept(vocabulary.standard(kinds), "mapping concepts"),
            vocabulary=vocabulary,
        )

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of the files that are read, by their names."""
        return self.tables.digests([_EVENTS, "observation", *_VOCABULARY])

    def _events(self, engine: Engine, table: "ir.Table", columns: list[str]) -> "ir.Table":
        import ibis

        person, concept, date, *kind = columns
        category: ir.Value = ibis.literal(OBSERVATION if concept == "observation_concept_id" else DIAGNOSIS)
        if kind:
            is_complaint = as_text(table[kind[0]]).strip() == _CHIEF_COMPLAINT
            category = ibis.ifelse(is_complaint, COMPLAINT, DIAGNOSIS)  # null is not true
        projected = first_projection(
            engine,
            table,
            {"patient": table[person], "code": table[concept], "category": category, "date": table[date]},
        )
        return engine.kept(projected, "reading the events") if self.tables.once else projected


def _named(kinds: "ir.Table", concepts: "ir.Table") -> "ir.Table":
    """Return kinds whose codes are concept ids with the codes, systems and names of these concepts."""
    joined = kinds.left_join(concepts, kinds.code == concepts.id)
    return joined.select(
        "kind",
        "written",
        "category",
        code=joined.code_right.fill_null(kinds.code),
        system=joined.vocabulary.fill_null(""),
        term=joined.name.fill_null(""),
    )
