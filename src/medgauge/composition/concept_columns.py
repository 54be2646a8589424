"""Columns that say what the concepts of sets are: CUIs, semantic types and specificity."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import get_args

import numpy as np
import polars as pl

from medgauge.composition.concept_finding import (
    SNOMED,
    ConceptFinder,
    ConceptKeys,
    Found,
    Way,
    concept_keys,
)
from medgauge.composition.set_keys import Key, concept_kinds, keys_of_concepts
from medgauge.files.file_names import clean_name
from medgauge.mapping.added_columns import with_added
from medgauge.mapping.concept_systems import UMLS
from medgauge.mapping.given_ids import GivenIds
from medgauge.mapping.map_concepts import mapped_by
from medgauge.mapping.umls_routes import ReleaseRoute
from medgauge.pairs import Pairs
from medgauge.strata.values import SPECIFICITY, TYPES
from medgauge.terminology.branches import NO_BRANCH, branches
from medgauge.terminology.concept_lookup import NOT_FOUND, ConceptLookup
from medgauge.terminology.hierarchy import specificity
from medgauge.terminology.model import Terminology
from medgauge.terminology.umls.semantic_types import read_semantic_types
from medgauge.terminology.umls.source_codes import codes_of_cuis
from medgauge.terminology.umls.umls_release import UmlsRelease

CUIS = ("cui_1", "cui_2")


@dataclass(frozen=True)
class Described:
    """A set with the columns that were computed for it, and where they are from.

    `steps` counts the set's different CUIs by how UMLS gave them a type, and `ways` its different concepts by
    how they were found in the terminology; one with several terms counts once.
    """

    pairs: Pairs
    types_from: str | None = None
    specificity_from: str | None = None
    steps: Mapping[str, int] = field(default_factory=dict)
    ways: Mapping[str, int] = field(default_factory=dict)


def described_sets(
    sets: Mapping[str, Pairs],
    *,
    umls: UmlsRelease | None = None,
    terminology: Terminology | None = None,
) -> dict[str, Described]:
    """Add what the sources say of the sets' concepts, reading each file of a release once for all sets.

    With UMLS, sets with ids and no CUIs get CUIs by algorithm 1 of Schulz et al. (2020), and all get the
    semantic types of their CUIs. With a terminology, they get specificity: the fewest is-a edges from any of
    the concepts that one of a set may be to the root; and, without UMLS, types: the semantic tags of SNOMED
    CT, or the branches of an ontology.
    """
    found = {name: Described(pairs) for name, pairs in sets.items()}
    if umls is not None:
        found = _with_types(_with_cuis(found, umls), umls)
    if terminology is not None:
        found = _with_hierarchy(found, umls, terminology)
    return found


def _with_cuis(sets: dict[str, Described], umls: UmlsRelease) -> dict[str, Described]:
    lacking = {name: one for name, one in sets.items() if concept_kinds(one.pairs) == ["id"]}
    if not lacking:
        return sets
    ids = {key for one in lacking.values() for side in one.pairs.keys("id") for key in side if key}
    route = ReleaseRoute(umls, SNOMED.sab, UMLS.sab)
    found = mapped_by(route, GivenIds(dict.fromkeys(sorted(ids))), SNOMED, UMLS)
    cuis = {key: to[0] for key, to in found.mapped.items()}
    step_of = {one.id: one.step for one in found.concepts}

    def mapped(pairs: Pairs) -> Pairs:
        of_set = {key for side in pairs.keys("id") for key in side if key}
        steps = _counts(step_of[key] for key in of_set)
        said = {"by": umls.title, "steps": steps, "files": dict(found.files)}
        sides = ([cuis.get(key or "") for key in side] for side in pairs.keys("id"))
        return with_added(pairs, "cui", CUIS, sides, said)

    return sets | {name: replace(one, pairs=mapped(one.pairs)) for name, one in lacking.items()}


def _with_types(sets: dict[str, Described], umls: UmlsRelease) -> dict[str, Described]:
    sides = {name: one.pairs.keys("cui") for name, one in sets.items() if one.pairs.has_keys("cui")}
    cuis = {cui for both in sides.values() for side in both for cui in side if cui}
    if not cuis:
        return sets
    types = read_semantic_types(umls, cuis)
    of = {cui: types.of(cui) for cui in cuis}
    found = dict(sets)
    for name, both in sides.items():
        names = [[None if cui is None else of[cui].name for cui in side] for side in both]
        steps = _counts(of[cui].step for cui in {cui for side in both for cui in side if cui})
        said = {"by": umls.title, "steps": steps, "files": dict(types.files)}
        typed = with_added(sets[name].pairs, "semantic-types", TYPES, names, said)
        found[name] = replace(sets[name], pairs=typed, types_from=umls.title, steps=steps)
    return found


def _with_hierarchy(
    sets: dict[str, Described],
    umls: UmlsRelease | None,
    terminology: Terminology,
) -> dict[str, Described]:
    keys = {name: concept_keys(one.pairs) for name, one in sets.items()}
    wanted = {one for both in keys.values() for side in both for one in side}
    lookup = ConceptLookup(terminology)
    codes = _codes(wanted, lookup, umls) if umls is not None and terminology.form == "rf2" else {}
    concepts = ConceptFinder(lookup, codes).find(wanted)
    edges = _specificity_of(terminology)
    type_of = _types_of(terminology)
    found = {}
    for name, both in keys.items():
        ways = _ways(sets[name].pairs, both, concepts)
        said = {"by": terminology.title, "ways": ways, "files": dict(terminology.files)}
        levels = [[edges(concepts[one]) for one in side] for side in both]
        pairs = with_added(sets[name].pairs, "specificity", SPECIFICITY, levels, said, kind=pl.Int64)
        types_from = sets[name].types_from
        if types_from is None:
            kind = "semantic tags" if terminology.form == "rf2" else "branches"
            types_from = f"{kind} of {terminology.title}"
            types = [[type_of(concepts[key]) for key in side] for side in both]
            pairs = with_added(pairs, "semantic-types", TYPES, types, said | {"by": types_from})
        found[name] = replace(
            sets[name],
            pairs=pairs,
            types_from=types_from,
            specificity_from=terminology.title,
            ways=ways,
        )
    return found


def _ways(
    pairs: Pairs, both: tuple[list[ConceptKeys], list[ConceptKeys]], found: Mapping[ConceptKeys, Found]
) -> dict[str, int]:
    """Count the different concepts by how they were found: the first way, if they have several terms."""
    ways: dict[Key, set[Way]] = {}
    for concepts, looked_up in zip(keys_of_concepts(pairs), zip(*both, strict=True), strict=True):
        for concept, keys in zip(concepts, looked_up, strict=True):
            ways.setdefault(concept, set()).add(found[keys].way)
    order = get_args(Way)
    return _counts(min(some, key=order.index) for some in ways.values())


def _counts(outcomes: Iterable[str]) -> dict[str, int]:
    """Count outcomes, the most frequent first; those of a set come in another order each time.

    >>> _counts(["not found", "name", "id", "name"])
    {'name': 2, 'id': 1, 'not found': 1}
    """
    return dict(sorted(Counter(outcomes).items(), key=lambda item: (-item[1], item[0])))


def _codes(
    wanted: Collection[ConceptKeys], lookup: ConceptLookup, umls: UmlsRelease
) -> dict[str, tuple[str, ...]]:
    """Return the SNOMED CT ids of each CUI that is needed, by section 5.3 of Schulz et al. (2020)."""
    names: dict[str, set[str]] = {}
    numbers = lookup.numbers_of({keys.id for keys in wanted if keys.id})
    for keys in wanted:
        if keys.cui and numbers.get(keys.id or "", NOT_FOUND) == NOT_FOUND:
            names.setdefault(keys.cui, set()).add(keys.term)
    if not names:
        return {}
    return {cui: one.codes for cui, one in codes_of_cuis(umls, names, names=names).found.items()}


def _specificity_of(terminology: Terminology) -> Callable[[Found], int | None]:
    assert terminology.parents is not None, "the hierarchy was read"
    edges = specificity(terminology.parents, terminology.concepts.height)

    def of(found: Found) -> int | None:
        known = [level for level in edges[np.array(found.concepts, np.int64)].tolist() if level >= 0]
        return min(known, default=None)

    return of


def _types_of(terminology: Terminology) -> Callable[[Found], str | None]:
    assert terminology.parents is not None, "the hierarchy was read"
    if terminology.form == "rf2":
        tags = terminology.concepts["tag"]

        def tag_of(found: Found) -> str | None:
            different = {tags[one] for one in found.concepts} - {None}
            return different.pop() if len(different) == 1 else None

        return tag_of
    labels = terminology.concepts["label"]
    known = branches(terminology.parents, terminology.concepts.height)

    def branch_of(found: Found) -> str | None:
        branch = known.common(found.concepts)
        return None if branch == NO_BRANCH else clean_name(labels[branch] or "") or None

    return branch_of
