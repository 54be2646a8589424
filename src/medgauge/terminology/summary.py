"""Counts of what a terminology contains."""

from collections.abc import Mapping
from dataclasses import dataclass

from medgauge.terminology.hierarchy import depth
from medgauge.terminology.model import Terminology, TerminologyForm


@dataclass(frozen=True)
class Summary:
    """The size of a terminology, by its components."""

    form: TerminologyForm
    title: str
    version: str
    active_concepts: int
    inactive_concepts: int
    active_terms: int
    terms: Mapping[str, int]
    """Active terms of each type."""
    synonyms: int
    """Synonyms that pairs are made of; for an ontology, those with the requested scopes."""
    associations: Mapping[str, int]
    """Active associations of each kind, in the order of the files."""
    depth: int | None
    """Steps in the longest path down; None if the hierarchy was not read."""
    nameless: int
    """Active concepts without a name."""
    files: Mapping[str, str]
    """The SHA-256 of each file."""


def summarise(terminology: Terminology) -> Summary:
    """Count what a terminology contains."""
    concepts, parents = terminology.concepts, terminology.parents
    active = int(concepts["active"].sum())
    kinds = terminology.associations.filter("active").group_by("kind", maintain_order=True).len()
    return Summary(
        form=terminology.form,
        title=terminology.title,
        version=terminology.version,
        active_concepts=active,
        inactive_concepts=concepts.height - active,
        active_terms=sum(terminology.terms.values()),
        terms=dict(terminology.terms),
        synonyms=terminology.synonyms.height,
        associations=dict(kinds.iter_rows()),
        depth=None if parents is None else depth(parents, concepts.height),
        nameless=len(terminology.nameless),
        files=dict(terminology.files),
    )
