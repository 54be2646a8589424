"""Finds the concepts of a terminology by their ids, or by what they are called."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.spellings import same_term
from medgauge.terminology.classes import curie
from medgauge.terminology.model import Terminology

NOT_FOUND = -1
"""In place of a concept's number: no active concept has that id or is called that."""
AMBIGUOUS = -2
"""In place of a concept's number: several active concepts are called that, and none is guessed."""


@dataclass(frozen=True)
class ConceptLookup:
    """Looks up the active concepts of a terminology.

    A term finds a concept that has it as its name, as its name without the semantic tag, or as a synonym;
    case, runs of white space and the composition of accents do not matter. A term of several concepts is
    AMBIGUOUS, whichever of them has it as its name.

    >>> from medgauge.terminology.model import Terminology
    >>> concepts = pl.DataFrame({"id": ["1", "2"], "name": ["Cold (disorder)", "Cold (finding)"],
    ...     "label": ["Cold", "Cold"], "active": [True, True], "is_metadata": [False, False]})
    >>> synonyms = pl.DataFrame({"concept": [0], "term": ["Common cold"]})
    >>> lookup = ConceptLookup(Terminology("rf2", "", "", {}, concepts, synonyms, synonyms, None, {}, ()))
    >>> lookup.by_ids(["2", "3", None]).tolist()
    [1, -1, -1]
    >>> lookup.by_terms(["common  COLD", "cold (finding)", "cold", "flu"]).tolist()
    [0, 1, -2, -1]
    """

    terminology: Terminology

    def by_ids(self, ids: Sequence[str | None] | pl.Series) -> Integers:
        """Return the number of the active concept with each id, or NOT_FOUND; an id may be an IRI."""
        found = self._with_ids(pl.Series("id", ids, pl.String))
        rest = np.flatnonzero(found == NOT_FOUND)
        if rest.size:
            iris = pl.Series("id", [curie(one or "") for one in pl.Series(ids)[rest]], pl.String)
            found[rest] = self._with_ids(iris)
        return found

    def numbers_of(self, ids: Collection[str]) -> dict[str, int]:
        """Return what `by_ids` does for each of some ids, which it looks up together."""
        listed = list(ids)
        return dict(zip(listed, self.by_ids(listed).tolist(), strict=True))

    def by_terms(self, terms: Sequence[str] | pl.Series) -> Integers:
        """Return the number of the only active concept that each term names, NOT_FOUND or AMBIGUOUS."""
        known = {term: self._by_term.get(_key(term), NOT_FOUND) for term in set(terms)}
        return np.array([known[term] for term in terms], np.int64)

    def find(
        self, ids: Sequence[str | None] | pl.Series | None, terms: Sequence[str] | pl.Series | None
    ) -> Integers:
        """Return the number of the concept with each id, else of the one that the term names.

        Without ids only terms are looked up, and without terms only ids; one of the two is needed.
        """
        if ids is None:
            return self.by_terms(() if terms is None else terms)
        found = self.by_ids(ids)
        rest = np.flatnonzero(found == NOT_FOUND)
        if terms is not None and rest.size:  # as terms are indexed only when they are needed
            found[rest] = self.by_terms(pl.Series(terms)[rest])
        return found

    def _with_ids(self, ids: pl.Series) -> Integers:
        joined = ids.to_frame().join(self._ids, on="id", how="left", maintain_order="left")
        found: Integers = joined["concept"].cast(pl.Int64).fill_null(NOT_FOUND).to_numpy().copy()
        return found

    @cached_property
    def _ids(self) -> pl.DataFrame:
        active = self.terminology.concepts.with_row_index("concept").filter("active")
        return active.select(pl.col("id").cast(pl.String), "concept")

    @cached_property
    def _by_term(self) -> dict[str, int]:
        """The concept of each term, or AMBIGUOUS."""
        active = self.terminology.concepts.with_row_index("concept").filter("active", ~pl.col("is_metadata"))
        known = self.terminology.synonyms.join(active.select("concept"), on="concept", how="semi")
        found: dict[str, int] = {}
        for frame, column in ((active, "label"), (active, "name"), (known, "term")):
            for concept, term in frame.select("concept", column).drop_nulls().iter_rows():
                key = _key(term)
                if found.setdefault(key, concept) != concept:
                    found[key] = AMBIGUOUS
        return found


def _key(term: str) -> str:
    return same_term(" ".join(term.split()))
