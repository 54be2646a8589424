"""OntologyScorer: scores pairs of terms by the concepts that they name."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Integers
from medgauge.models.base import ModelCard
from medgauge.models.ontology.is_a_graph import IsAGraph
from medgauge.models.ontology.ontology_measures import OntologyMeasure, similarities
from medgauge.pairs import KeyKind, Pairs
from medgauge.progress import remark, track
from medgauge.terminology.concept_lookup import AMBIGUOUS, NOT_FOUND, ConceptLookup
from medgauge.terminology.model import Terminology

SEVERAL = "a term of several concepts"
NONE = "a term of no concept"
APART = "no common ancestor"
UNINFORMED = "a concept without information content"
NO_DIFFERENCE = "only concepts with an information content of 0"
"""Why a pair has no score; no reason names a term."""


@dataclass(frozen=True, eq=False)
class OntologySource:
    """A terminology with its hierarchy, as all models of one source share it."""

    terminology: Terminology
    graph: IsAGraph

    @cached_property
    def lookup(self) -> ConceptLookup:
        """Finds concepts by ids and terms."""
        return ConceptLookup(self.terminology)


@dataclass(frozen=True, eq=False)
class OntologyScorer:
    """Scores pairs by a measure in a terminology's hierarchy.

    A term stands for the concept with the id that the set has for it, else for the only concept that it is a
    name or synonym of. A pair without two such concepts is not covered. `information` has the information
    content of each node of the hierarchy, if the measure needs it.
    """

    card: ModelCard
    source: OntologySource
    measure: OntologyMeasure
    information: Doubles | None = None

    def facts(self) -> dict[str, object]:
        """Return what the model is, without scoring anything."""
        graph = self.source.graph
        return {
            "name": self.card.name,
            **self.card.parameters,
            "concepts": len(graph),
            "roots": int((graph.depths == 1).sum()),
            "depth": graph.depth,
            "cite": self.measure.citation,
            "licence": self.card.licence,
            "sha256": self.card.digest,
        }

    def score(self, pairs: Pairs) -> Doubles:
        """Return the score of each pair, NaN where it has none."""
        return self.explained(pairs)[0]

    def explained(self, pairs: Pairs) -> tuple[Doubles, list[str | None]]:
        """Return the scores, and for each pair without one the reason."""
        with track(f"looking up concepts, {self.card.name}", 0):
            first, second = self._concepts(pairs)
        values = np.full(len(pairs), np.nan)
        known = (first >= 0) & (second >= 0)
        nodes = self.source.graph.nodes
        one, two = nodes[first[known]], nodes[second[known]]
        values[known] = similarities(self.measure, self.source.graph, one, two, self.information)
        failures: list[str | None] = [None] * len(pairs)
        for row in np.flatnonzero(np.isnan(values)).tolist():
            failures[row] = self._reason(int(first[row]), int(second[row]))
        return values, failures

    def _concepts(self, pairs: Pairs) -> tuple[Integers, Integers]:
        """Return the numbers of the concepts of both sides, and remark how many terms name several."""
        terms, ids = _both_sides(pairs, "term"), None
        if pairs.has_keys("id"):
            ids = _both_sides(pairs, "id").str.strip_chars()
        found = self.source.lookup.find(ids, terms)
        several = terms.filter(found == AMBIGUOUS).n_unique()
        if several:
            remark(
                f"{self.card.name} does not score pairs of {pairs.card.name} with "
                f"{several:,} {'term that names' if several == 1 else 'terms that each name'} "
                f"several concepts of {self.source.terminology.title}: none is guessed"
            )
        first, second = np.split(found, 2)
        return first, second

    def _reason(self, first: int, second: int) -> str:
        """Return why a pair of concepts, or of what was found in place of one, has no score."""
        if AMBIGUOUS in (first, second):
            return SEVERAL
        if NOT_FOUND in (first, second):
            return NONE
        graph = self.source.graph
        one, two = (int(graph.nodes[concept]) for concept in (first, second))
        above, other = (graph.ancestors[graph.starts[node] : graph.starts[node + 1]] for node in (one, two))
        if not np.intersect1d(above, other, assume_unique=True).size:
            return APART
        assert self.information is not None
        return UNINFORMED if np.isnan(self.information[[one, two]]).any() else NO_DIFFERENCE


def _both_sides(pairs: Pairs, kind: KeyKind) -> pl.Series:
    """Return the first keys of all pairs, and then the second ones."""
    return pl.concat([pairs.frame[f"{kind}_{side}"].cast(pl.String).rename("key") for side in (1, 2)])
