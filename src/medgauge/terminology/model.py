"""What medgauge reads from any terminology, as tables with rows in the order of its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import polars as pl

TerminologyForm = Literal["rf2", "obo"]
"""The formats a terminology can be read from; `read_terminology` calls the reader of each."""
LICENCES: dict[TerminologyForm, str] = {
    "rf2": "that of SNOMED CT: the terms may not be passed on without a licence",
    "obo": "that of the ontology",
}
"""The licence of the terms in each format, as written in cards."""
TERMS_STAY: frozenset[TerminologyForm] = frozenset({"rf2"})
"""The formats whose licence forbids giving the terms to others."""


def origin_name(form: TerminologyForm, title: str) -> str:
    """Return the name of a terminology among origins: SNOMED CT, or the id with which the title begins.

    >>> origin_name("rf2", "SNOMED CT International"), origin_name("obo", "hp (2025-01-16)")
    ('snomed-ct', 'hp')
    """
    return "snomed-ct" if form == "rf2" else title.partition(" (")[0].lower()


@dataclass(frozen=True)
class Terminology:
    """A terminology's concepts, synonyms, associations and hierarchy, in their current state.

    Concepts are numbered by their row, from 0; the other tables refer to them by that number (UInt32).

    `concepts`: `id`; `name`, as in the source, null if there is none; `label`, what pairs are made of: an FSN
    without its semantic tag, an obsolete class's label without "obsolete "; `tag`, the semantic tag of an FSN
    or the namespace of a class, null if there is none (all String); `active` and `is_metadata` (Boolean),
    the latter true for SNOMED CT's model component module.

    `synonyms`: `concept`, `term` (String): the current synonyms of active concepts, each description at the
    place of its first row.

    `associations`: `kind` (String: possibly-equivalent-to, replaced-by, same-as, or the id of another
    reference set), `source`, `target`, `active` (Boolean): each (source, target, kind) once, at the place of
    its first row and in the state of its latest.

    `parents`: `child`, `parent`: the active is-a relations of active concepts; None if the hierarchy was
    not requested.
    """

    form: TerminologyForm
    title: str
    version: str
    files: Mapping[str, str]
    """The SHA-256 of each file that was read, by its name."""
    concepts: pl.DataFrame
    synonyms: pl.DataFrame
    associations: pl.DataFrame
    parents: pl.DataFrame | None
    terms: Mapping[str, int]
    """The number of active terms of each type; the types are in words."""
    nameless: tuple[str, ...]
    """The ids of the active concepts that have no name in the requested language."""
    appeared: pl.Series | None = None
    """When each concept first appeared (Date, null if not known); None if the source does not say it.

    A Snapshot of a release does not: it has only the date of each concept's last change.
    """
    xrefs: pl.DataFrame | None = None
    """The ids (`xref`, such as UMLS:C0000001) that active concepts (`concept`) have elsewhere; None for a
    release, which has none."""
    preferred: pl.DataFrame | None = None
    """`concept`, `term`: the synonyms that a language reference set prefers; None if the source has none.

    An ontology has no others than its labels.
    """
    lacks_associations: bool = False
    """Whether the source has no association file at all, as can happen with part of a release."""
