"""How much information a concept carries: much if it is specific, none if it is the root.

Every function returns the information content (IC) of each node of a graph, in nats, or NaN where it is not
defined. IC never decreases from a concept to its descendants.

The examples share this hierarchy, in which a pan is both a tool and a vessel:

    thing ─┬─ tool ────┬─ hammer
           │           └─ pan
           └─ vessel ──┴─ (pan)

    >>> graph = small_graph()
    >>> len(graph), graph.depth
    (5, 3)
"""

import math
from collections.abc import Callable
from types import MappingProxyType

import numpy as np
import polars as pl

from medgauge.arrays import Doubles
from medgauge.models.ontology.is_a_graph import IsAGraph
from medgauge.terminology.model import Terminology

Information = Callable[[IsAGraph], Doubles]
"""Computes the information content of each node from the hierarchy alone."""


def intrinsic_information(graph: IsAGraph) -> Doubles:
    """Return −ln(|D(c)| / N): N concepts in all, of which D(c) are c and its descendants.

    That is Resnik's −ln p(c) where every concept is seen once. A concept alone at the top has 0.

    Reference: Resnik (1995). Using information content to evaluate semantic similarity in a taxonomy. IJCAI.

    >>> intrinsic_information(small_graph()).round(3).tolist()  # thing, tool, vessel, hammer, pan
    [0.0, 0.511, 0.916, 1.609, 1.609]
    """
    return _negative_log(graph.below(np.ones(len(graph))) / len(graph))


def seco_information(graph: IsAGraph) -> Doubles:
    """Return 1 − ln|D(c)| / ln N, the intrinsic information content divided by its maximum.

    Reference: Seco, Veale and Hayes (2004). An intrinsic information content metric for semantic similarity
    in WordNet. ECAI.

    >>> seco_information(small_graph()).round(3).tolist()
    [0.0, 0.317, 0.569, 1.0, 1.0]
    """
    return intrinsic_information(graph) / math.log(len(graph))


def sanchez_information(graph: IsAGraph) -> Doubles:
    """Return −ln((|leaves(c)| / |ancestors(c)| + 1) / (L + 1)), where L is the number of leaves in all.

    leaves(c) are the leaves at or below c, so that a leaf has one, and ancestors(c) include c itself. 0 for a
    concept alone at the top.

    Reference: Sánchez, Batet and Isern (2011). Ontology-based information content computation.
    Knowledge-Based Systems 24(2), equation 10.

    >>> sanchez_information(small_graph()).round(3).tolist()
    [0.0, 0.405, 0.693, 0.811, 0.875]
    """
    leaves = graph.below(graph.is_leaf.astype(np.float64))
    return _negative_log((leaves / graph.ancestor_counts + 1) / (graph.is_leaf.sum() + 1))


INTRINSIC: MappingProxyType[str, Information] = MappingProxyType(
    {"intrinsic": intrinsic_information, "seco": seco_information, "sanchez": sanchez_information}
)
"""What can be computed from the hierarchy alone, by the name that a spec has for it."""


def counted_information(graph: IsAGraph, counts: Doubles, *, smooth: bool = False) -> Doubles:
    """Return −ln(f(c) / F): f(c) counts c and its descendants, each once, and F all concepts.

    `counts` has the count of each node itself. A concept that was never counted, nor any of its descendants,
    has no information content, except with `smooth`, which adds one to the count of each concept (Laplace).

    Reference: Resnik (1995), as above.

    >>> counted_information(small_graph(), np.array([0, 0, 0, 3.0, 1])).round(3).tolist()
    [0.0, 0.0, 1.386, 0.288, 1.386]
    >>> counted_information(small_graph(), np.array([0, 0, 0, 4.0, 0])).round(3).tolist()
    [0.0, 0.0, nan, 0.0, nan]
    """
    own = counts + 1.0 if smooth else np.asarray(counts, np.float64)
    return _negative_log(graph.below(own) / own.sum())


def _negative_log(shares: Doubles) -> Doubles:
    """Return −ln, NaN for 0, and 0 for shares that are 1 up to rounding."""
    with np.errstate(divide="ignore"):
        values: Doubles = -np.log(shares)
    return np.where(np.isinf(values), np.nan, values.round(14)) + 0.0  # no -0.0


def small_graph() -> IsAGraph:
    """Return the hierarchy of the examples: thing, tool, vessel, hammer and pan, in this order."""
    names = ["thing", "tool", "vessel", "hammer", "pan"]
    concepts = pl.DataFrame({"id": names, "active": [True] * len(names)})
    parents = pl.DataFrame({"child": [1, 2, 3, 4, 4], "parent": [0, 0, 1, 1, 2]})
    nothing = pl.DataFrame()
    return IsAGraph.of(Terminology("obo", "", "", {}, concepts, nothing, nothing, parents, {}, ()), "example")
