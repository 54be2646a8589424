"""What the compiled code computes, written out: walks over edges, sets, and the formulas of the papers.

A hierarchy is a number of concepts and its edges, (child, parent) each; concepts may have several parents.
"""

import math

import polars as pl
from hypothesis import strategies as st

from medgauge.models.ontology.is_a_graph import IsAGraph
from medgauge.terminology.model import Terminology

Edges = list[tuple[int, int]]


def terminology(count: int, edges: Edges, *, retired: tuple[int, ...] = ()) -> Terminology:
    """Make a terminology of concepts c0, c1, …, of which some are retired."""
    ids = [f"c{number}" for number in range(count)]
    concepts = pl.DataFrame(
        {
            "id": ids,
            "name": [f"name {one}" for one in ids],
            "label": [f"name {one}" for one in ids],
            "active": [number not in retired for number in range(count)],
            "is_metadata": [False] * count,
        }
    )
    synonyms = pl.DataFrame({"concept": [], "term": []}, schema={"concept": pl.UInt32, "term": pl.String})
    parents = pl.DataFrame(edges, schema={"child": pl.UInt32, "parent": pl.UInt32}, orient="row")
    return Terminology("obo", "made up", "", {}, concepts, synonyms, synonyms, parents, {}, ())


def graph_of(count: int, edges: Edges, *, retired: tuple[int, ...] = ()) -> IsAGraph:
    return IsAGraph.of(terminology(count, edges, retired=retired), "made-up.obo")


@st.composite
def hierarchies(draw: st.DrawFn) -> tuple[int, Edges]:
    """Draw concepts and edges without a cycle, with several roots, parents and ways between two concepts."""
    count = draw(st.integers(2, 9))
    names = draw(st.permutations(range(count)))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    chosen = draw(
        st.lists(pairs.filter(lambda pair: pair[0] > pair[1]), unique=True, min_size=1, max_size=16)
    )
    return count, [(names[child], names[parent]) for child, parent in chosen]


def ancestors(edges: Edges, concept: int) -> set[int]:
    """Return the ancestors of a concept, with itself."""
    found = {concept}
    for child, parent in edges:
        if child == concept:
            found |= ancestors(edges, parent)
    return found


def descendants(count: int, edges: Edges, concept: int) -> set[int]:
    return {other for other in range(count) if concept in ancestors(edges, other)}


def steps(edges: Edges, concept: int, ancestor: int) -> float:
    """Try every way up, and return the length of the shortest."""
    if concept == ancestor:
        return 0
    ways = [1 + steps(edges, parent, ancestor) for child, parent in edges if child == concept]
    return min(ways, default=math.inf)


def depth(edges: Edges, concept: int) -> int:
    """Count the concepts on the longest of all ways up."""
    return 1 + max((depth(edges, parent) for child, parent in edges if child == concept), default=0)


def leaves(count: int, edges: Edges) -> set[int]:
    return set(range(count)) - {parent for _, parent in edges}


def intrinsic(count: int, edges: Edges, concept: int) -> float:
    return -math.log(len(descendants(count, edges, concept)) / count)


def seco(count: int, edges: Edges, concept: int) -> float:
    return 1 - math.log(len(descendants(count, edges, concept))) / math.log(count)


def sanchez(count: int, edges: Edges, concept: int) -> float:
    own = leaves(count, edges) & descendants(count, edges, concept)
    share = len(own) / len(ancestors(edges, concept)) + 1
    return -math.log(share / (len(leaves(count, edges)) + 1))


def counted(count: int, edges: Edges, concept: int, counts: list[float]) -> float:
    seen = sum(counts[other] for other in descendants(count, edges, concept))
    return -math.log(seen / sum(counts)) if seen else math.nan


def similarity(measure: str, count: int, edges: Edges, a: int, b: int, ic: list[float]) -> float:
    """Compute a measure by trying every common ancestor; NaN where it is undefined."""
    common = ancestors(edges, a) & ancestors(edges, b)
    if not common:
        return math.nan
    apart = min(steps(edges, a, c) + steps(edges, b, c) for c in common)
    if measure == "path":
        return 1 / (apart + 1)
    if measure == "wup":
        return max(
            2 * depth(edges, c) / (2 * depth(edges, c) + steps(edges, a, c) + steps(edges, b, c))
            for c in common
        )
    if measure == "lch":
        return -math.log((apart + 1) / (2 * max(depth(edges, c) for c in range(count))))
    if math.isnan(ic[a]) or math.isnan(ic[b]):
        return math.nan
    shared = max(ic[c] for c in common)
    if measure in ("resnik", "sanchez"):
        return shared
    if measure == "lin":
        if ic[a] + ic[b] == 0:
            return 1 if a == b else math.nan
        return 2 * shared / (ic[a] + ic[b])
    return 1 / (1 + ic[a] + ic[b] - 2 * shared)
