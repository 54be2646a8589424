"""Finds the concepts of sets in a terminology: by id, over UMLS, by cross-reference, or by name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from medgauge.composition.set_keys import Key
from medgauge.mapping.concept_systems import UMLS, concept_system
from medgauge.pairs import Pairs
from medgauge.terminology.concept_lookup import AMBIGUOUS, NOT_FOUND, ConceptLookup

Way = Literal["id", "UMLS", "cross-reference", "name", "ambiguous name", "not found"]
"""How a concept was found in a terminology, or why it was not."""

SNOMED = concept_system("snomed")
"""The code system of ids without a prefix, to which ontologies refer with one."""


class ConceptKeys(NamedTuple):
    """What a set says of the concept on one side of a pair."""

    id: Key
    cui: Key
    term: str


@dataclass(frozen=True)
class Found:
    """The numbers of the concepts of a terminology that one of a set may be, and how they were found."""

    concepts: tuple[int, ...]
    way: Way


@dataclass(frozen=True)
class ConceptFinder:
    """Finds concepts in a terminology.

    A concept is the one with its id; or else those with the `codes` that UMLS has for its CUI; or else those
    with a cross-reference to its id or CUI; or else the only one that its term names. A term of several
    concepts finds none.
    """

    lookup: ConceptLookup
    codes: Mapping[str, Sequence[str]]

    def find(self, wanted: Iterable[ConceptKeys]) -> dict[ConceptKeys, Found]:
        """Find concepts."""
        wanted = list(dict.fromkeys(wanted))
        ids = {one for keys in wanted for one in self._ids(keys)}
        numbers = self.lookup.numbers_of(ids.union(*self.codes.values()))
        found: dict[ConceptKeys, Found] = {}
        rest = []
        for keys in wanted:
            ways: dict[Way, Iterable[int]] = {
                "id": [numbers[one] for one in self._ids(keys)],
                "UMLS": [numbers[code] for code in self.codes.get(keys.cui or "", ())],
                "cross-reference": self._referring(keys),
            }
            for way, some in ways.items():
                concepts = sorted({*some} - {NOT_FOUND})
                if concepts:
                    found[keys] = Found(tuple(concepts), way)
                    break
            else:
                rest.append(keys)
        named = self.lookup.by_terms([keys.term for keys in rest]).tolist() if rest else []
        failed: dict[int, Way] = {NOT_FOUND: "not found", AMBIGUOUS: "ambiguous name"}
        for keys, concept in zip(rest, named, strict=True):
            found[keys] = Found(() if concept in failed else (concept,), failed.get(concept, "name"))
        return found

    def _ids(self, keys: ConceptKeys) -> Iterator[str]:
        """Yield an id as the set has it, or, for SNOMED CT, without the prefix that it may have there."""
        written = SNOMED.id_of(keys.id or "") if self.lookup.terminology.form == "rf2" else keys.id
        if written:
            yield written

    def _referring(self, keys: ConceptKeys) -> Iterator[int]:
        """Yield the concepts with a cross-reference to an id or CUI."""
        if keys.id:
            yield from self._by_xref.get(("", keys.id), ())
            yield from self._by_xref.get((SNOMED.name, SNOMED.id_of(keys.id) or ""), ())
        if keys.cui:
            yield from self._by_xref.get((UMLS.name, keys.cui), ())

    @cached_property
    def _by_xref(self) -> dict[tuple[str, str], list[int]]:
        """The concepts that refer to a code of a system, or, with "" as the system, to what is written so."""
        xrefs = self.lookup.terminology.xrefs
        found: dict[tuple[str, str], list[int]] = {}
        for concept, xref in () if xrefs is None else xrefs.select("concept", "xref").iter_rows():
            found.setdefault(("", xref), []).append(concept)
            for system in (SNOMED, UMLS) if ":" in xref else ():
                if code := system.id_of(xref):
                    found.setdefault((system.name, code), []).append(concept)
        return found


def concept_keys(pairs: Pairs) -> tuple[list[ConceptKeys], list[ConceptKeys]]:
    """Return what a set says of the concepts on its first and on its second side."""
    sides: list[list[ConceptKeys]] = []
    nothing: list[Key] = [None] * len(pairs)
    for side in (0, 1):
        ids, cuis = (pairs.keys(kind)[side] if pairs.has_keys(kind) else nothing for kind in ("id", "cui"))
        terms = map(str, pairs.keys("term")[side])
        sides.append([ConceptKeys(*keys) for keys in zip(ids, cuis, terms, strict=True)])
    return sides[0], sides[1]
