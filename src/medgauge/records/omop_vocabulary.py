"""The vocabulary of the OMOP common data model: its concepts, what they map to, and which are below which."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medgauge.records.engine import Engine, as_text
from medgauge.records.table_files import RecordTables

if TYPE_CHECKING:
    import ibis.expr.types as ir

_MAPS_TO, _IS_A = "Maps to", "Is a"
_SNOMED = "SNOMED"
_READING = "reading the vocabulary"


@dataclass(frozen=True)
class Vocabulary:
    """The concepts of the common data model and their relationships, as tables of an engine.

    `concepts` has `id`, `code`, `name`, `vocabulary` and `standard`; `related` has `id_1`, `id_2` and
    `relation` of the valid relationships; ids are texts. A code that standard concepts of several
    vocabularies have follows the name of the vocabulary, as in LOINC:8480, unless it is SNOMED CT's.
    """

    engine: Engine
    tables: RecordTables
    concepts: "ir.Table"
    related: "ir.Table"

    @classmethod
    def of(cls, engine: Engine, tables: RecordTables) -> "Vocabulary":
        """Find the vocabulary among the tables."""
        wanted = ["concept_id", "concept_code", "concept_name", "vocabulary_id", "standard_concept"]
        concept = tables.table(engine, "concept", wanted)
        concepts = concept.select(
            **{
                name: _text(concept[column])
                for name, column in zip(("id", "code", "name", "vocabulary", "standard"), wanted, strict=True)
            }
        )
        if tables.once:
            concepts = engine.kept(concepts, _READING)
        concepts = _with_own_codes(engine, concepts)
        wanted = ["concept_id_1", "concept_id_2", "relationship_id", "invalid_reason"]
        link = tables.table(engine, "concept_relationship", wanted)
        related = link.select(
            id_1=_text(link.concept_id_1),
            id_2=_text(link.concept_id_2),
            relation=_text(link.relationship_id),
            invalid=_text(link.invalid_reason),
        )
        related = related.filter(related.relation.isin([_MAPS_TO, _IS_A]), related.invalid == "").drop(
            "invalid"
        )
        return cls(engine, tables, concepts, engine.kept(related, _READING))

    def standard(self, kinds: "ir.Table") -> "ir.Table":
        """Return the standard concepts of kinds whose codes are concept ids: `kind`, `concept`, `term`."""
        import ibis

        standard = self.concepts.filter(self.concepts.standard == "S", self.concepts.code != "")
        own = kinds.select("kind", id="code").filter(ibis._.id != "0")
        maps = self.related.filter(self.related.relation == _MAPS_TO).select("id_1", "id_2")
        mapped = own.join(maps, own.id == maps.id_1).select("kind", id="id_2")
        every = ibis.union(own, mapped)
        return every.join(standard, "id").select("kind", concept="code", term="name").distinct()

    def below(self, codes: list[str]) -> "ir.Table":
        """Return the codes of the concepts below some concepts, by CONCEPT_ANCESTOR: `concept`."""
        above = self.tables.table(
            self.engine, "concept_ancestor", ["ancestor_concept_id", "descendant_concept_id"]
        )
        steps = above.select(upper=_text(above.ancestor_concept_id), lower=_text(above.descendant_concept_id))
        roots = self.concepts.filter(self.concepts.code.isin(codes)).select(upper="id")
        lower = steps.join(roots, "upper").select(id="lower").distinct()
        return lower.join(self.concepts, "id").select(concept="code").distinct()

    def known(self, codes: list[str]) -> "ir.Table":
        """Return which of some codes the vocabulary has: `concept`."""
        return self.concepts.filter(self.concepts.code.isin(codes)).select(concept="code").distinct()

    def has_ancestors(self) -> bool:
        """Return whether CONCEPT_ANCESTOR is there and has rows."""
        if "concept_ancestor" not in self.tables.names:
            return False
        rows = self.engine.fetch(
            self.tables.table(self.engine, "concept_ancestor").limit(1).count().as_table(),
            "reading the hierarchy",
        )
        return bool(rows.item())

    def has_parents(self) -> bool:
        """Return whether any of the relationships is one of child and parent."""
        steps = self.related.filter(self.related.relation == _IS_A).limit(1).count().as_table()
        return bool(self.engine.fetch(steps, "reading the hierarchy").item())

    def parents(self, codes: "ir.Table") -> "ir.Table":
        """Return which of some concepts (`concept`) are children of which others: `child`, `parent`."""
        import ibis

        ids = codes.join(self.concepts, codes.concept == self.concepts.code).select("id", "code")
        steps = self.related.filter(self.related.relation == _IS_A)
        lower = steps.join(ids, steps.id_1 == ids.id).select("id_2", child="code")
        upper = ids.view()
        return lower.join(upper, lower.id_2 == upper.id).select("child", parent=ibis._.code).distinct()


def _with_own_codes(engine: Engine, concepts: "ir.Table") -> "ir.Table":
    """Return concepts of which no two standard ones of different vocabularies have the same code."""
    import ibis

    standard = concepts.filter(concepts.standard == "S", concepts.code != "")
    counted = standard.group_by("code").agg(vocabularies=standard.vocabulary.nunique())
    several = engine.kept(counted.filter(counted.vocabularies > 1).select(shared="code"), _READING)
    joined = concepts.left_join(several, concepts.code == several.shared)
    is_other = joined.shared.notnull() & (joined.standard == "S") & (joined.vocabulary != _SNOMED)
    code = ibis.ifelse(is_other, joined.vocabulary + ":" + joined.code, joined.code)
    return joined.mutate(code=code).drop("shared")


def _text(column: Any) -> Any:
    return as_text(column).strip().fill_null("")
