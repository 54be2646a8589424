"""Mapping by the xrefs of an ontology: between its classes and what they refer to, or two such ids."""

from collections import defaultdict
from itertools import product
from pathlib import Path

from medgauge.errors import FileError
from medgauge.mapping.concept_systems import ConceptSystem
from medgauge.mapping.routes import PairsRoute
from medgauge.terminology.model import Terminology
from medgauge.terminology.obo import read_ontology


def read_xrefs(path: str | Path, source: ConceptSystem, target: ConceptSystem) -> PairsRoute:
    """Read an ontology in OBO or OBO Graphs, and pair the ids of two systems that belong to one class.

    A class has its own id and those of its xrefs; an xref does not say whether it means the same concept or a
    similar one. Classes that are obsolete do not count.
    """
    ontology = read_ontology(path, hierarchy=False)
    pairs = pairs_of_classes(ontology, source, target)
    if not pairs:
        raise FileError(path, f"has no class with an id of {source.title} and one of {target.title}")
    return PairsRoute(f"xrefs of {ontology.title}", ontology.files, pairs)


def pairs_of_classes(
    ontology: Terminology, source: ConceptSystem, target: ConceptSystem
) -> set[tuple[str, str]]:
    """Return the pairs of an id of one system and an id of the other that are of the same class."""
    active = ontology.concepts.with_row_index("concept").filter("active")
    ids: dict[int, list[str]] = defaultdict(list)
    for concept, own in active.select("concept", "id").iter_rows():
        ids[concept].append(own)
    if ontology.xrefs is not None:
        for concept, xref in ontology.xrefs.iter_rows():
            ids[concept].append(xref)
    found: set[tuple[str, str]] = set()
    for of_class in ids.values():
        prefixed = [one for one in of_class if ":" in one]
        codes = filter(None, map(source.id_of, prefixed))
        found |= set(product(codes, [code for code in map(target.id_of, prefixed) if code]))
    return found
