"""The measures of closeness in an is-a hierarchy: declared with formula and citation, and computed.

For concepts a and b, C are their common ancestors, which include a or b where one is the other's ancestor:

- edges(a, c) are the fewest is-a edges from a up to c, and edges(a, b) the least edges(a, c) + edges(b, c) of
  any c ∈ C;
- depth(c) is the number of concepts on the longest path from a root to c, 1 for a root, and D the greatest;
- IC is an information content (`information`), and IC(C) the highest of any c ∈ C.

Where a concept has several parents, the best common ancestor is thus the one that gives the highest value.
All measures are undefined without a common ancestor, and those with IC also where a or b has none.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.models.ontology.ancestor_kernels import best_in_common
from medgauge.models.ontology.is_a_graph import IsAGraph

_DECIMALS = 12  # so that equal values are equal, by whichever sums they were found


@dataclass(frozen=True)
class InCommon:
    """What pairs of concepts have in common, an element for each pair; NaN without a common ancestor.

    `edges` are the fewest between them, `share` the highest 2·depth(c) / (2·depth(c) + edges(a, c) +
    edges(b, c)), and `shared` is IC(C). `first` and `second` are the IC of each of the two, and `depth` is D.
    """

    edges: Doubles
    share: Doubles
    shared: Doubles
    first: Doubles
    second: Doubles
    depth: int


@dataclass(frozen=True)
class OntologyMeasure:
    """A measure: how it is computed, whether it needs an information content, and what to cite."""

    compute: Callable[[InCommon], Doubles]
    needs_information: bool
    citation: str


def path_similarity(found: InCommon) -> Doubles:
    """Return 1 / (edges(a, b) + 1), in (0, 1]: the concepts on the shortest path, counted and inverted."""
    return 1 / (found.edges + 1)


def wu_palmer_similarity(found: InCommon) -> Doubles:
    """Return the highest 2·depth(c) / (2·depth(c) + edges(a, c) + edges(b, c)) of c ∈ C, in (0, 1]."""
    return found.share


def leacock_chodorow_similarity(found: InCommon) -> Doubles:
    """Return −ln((edges(a, b) + 1) / (2·D)), in (0, ln(2·D)]."""
    return -np.log((found.edges + 1) / (2 * found.depth))


def resnik_similarity(found: InCommon) -> Doubles:
    """Return IC(C), without a normalisation: from 0 up to the IC of the concept, for a concept and itself."""
    return np.where(np.isnan(found.first + found.second), np.nan, found.shared)


def lin_similarity(found: InCommon) -> Doubles:
    """Return 2·IC(C) / (IC(a) + IC(b)), in [0, 1]; 1 for a root and itself, where that is 0 / 0."""
    total = found.first + found.second
    with np.errstate(invalid="ignore", divide="ignore"):
        values = 2 * found.shared / total
    return np.where((total == 0) & (found.edges == 0), 1.0, values)


def jiang_conrath_similarity(found: InCommon) -> Doubles:
    """Return 1 / (1 + d) with the distance d = IC(a) + IC(b) − 2·IC(C), in (0, 1].

    Others invert d without the 1 (WordNet::Similarity and UMLS::Similarity; infinite for d = 0) or take
    1 − d/2 with the IC of Seco et al. All put pairs in the same order.
    """
    return 1 / (1 + found.first + found.second - 2 * found.shared)


MEASURES_OF_ONTOLOGIES: MappingProxyType[str, OntologyMeasure] = MappingProxyType(
    {
        "path": OntologyMeasure(
            path_similarity,
            False,
            "Rada, Mili, Bicknell and Blettner (1989). Development and application of a metric on semantic "
            "nets",
        ),
        "wup": OntologyMeasure(
            wu_palmer_similarity, False, "Wu and Palmer (1994). Verb semantics and lexical selection"
        ),
        "lch": OntologyMeasure(
            leacock_chodorow_similarity,
            False,
            "Leacock and Chodorow (1998). Combining local context and WordNet similarity for word sense "
            "identification",
        ),
        "resnik": OntologyMeasure(
            resnik_similarity,
            True,
            "Resnik (1995). Using information content to evaluate semantic similarity in a taxonomy",
        ),
        "lin": OntologyMeasure(
            lin_similarity, True, "Lin (1998). An information-theoretic definition of similarity"
        ),
        "jcn": OntologyMeasure(
            jiang_conrath_similarity,
            True,
            "Jiang and Conrath (1997). Semantic similarity based on corpus statistics and lexical taxonomy",
        ),
        "sanchez": OntologyMeasure(
            resnik_similarity,
            True,
            "Sánchez, Batet and Isern (2011). Ontology-based information content computation",
        ),
    }
)
"""The measures by name; `sanchez` is `resnik` with the information content of Sánchez et al."""


def similarities(
    measure: OntologyMeasure, graph: IsAGraph, first: Integers, second: Integers, information: Doubles | None
) -> Doubles:
    """Compute a measure for pairs of nodes; `information` has the IC of each node, if the measure needs it.

    >>> from medgauge.models.ontology.information import intrinsic_information, small_graph
    >>> graph = small_graph()  # thing, tool, vessel, hammer, pan
    >>> hammer, tool, pan = np.array([3]), np.array([1]), np.array([4])
    >>> def of(name, one, other):
    ...     ic = intrinsic_information(graph)
    ...     return float(similarities(MEASURES_OF_ONTOLOGIES[name], graph, one, other, ic)[0].round(3))
    >>> of("path", hammer, pan), of("wup", hammer, pan), of("lch", hammer, pan)
    (0.333, 0.667, 0.693)
    >>> of("resnik", hammer, pan), of("lin", hammer, pan), of("jcn", hammer, pan)
    (0.511, 0.317, 0.313)
    >>> of("lin", tool, pan), of("lin", pan, pan)
    (0.482, 1.0)
    """
    known = np.zeros(len(graph)) if information is None else information
    edges, share, shared = best_in_common(
        first, second, graph.starts, graph.ancestors, graph.steps, graph.depths, known
    )
    apart = edges < 0
    found = InCommon(
        edges=np.where(apart, math.nan, edges),
        share=share,
        shared=shared,
        first=known[first],
        second=known[second],
        depth=graph.depth,
    )
    return np.where(apart, math.nan, measure.compute(found)).round(_DECIMALS) + 0.0
