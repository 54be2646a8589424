import numpy as np
import pytest
from hypothesis import given, settings

from medgauge.errors import FileError
from medgauge.models.ontology import is_a_graph
from medgauge.models.ontology.is_a_graph import OUTSIDE, IsAGraph
from tests.models.ontology import slow_hierarchy as slow
from tests.models.ontology.slow_hierarchy import graph_of, hierarchies, terminology


def by_concept(graph: IsAGraph, concept: int) -> dict[int, int]:
    """Return the ancestors of a concept with the fewest steps to each."""
    node = graph.nodes[concept]
    concept_of = {node: concept for concept, node in enumerate(graph.nodes.tolist())}
    part = slice(graph.starts[node], graph.starts[node + 1])
    assert graph.ancestors[part][-1] == node
    assert (np.diff(graph.ancestors[part]) > 0).all()
    return {
        concept_of[one]: step
        for one, step in zip(graph.ancestors[part].tolist(), graph.steps[part].tolist(), strict=True)
    }


@given(hierarchies())
@settings(max_examples=60)
def test_ancestors_steps_depths_and_sums_are_those_of_all_ways_up(hierarchy):
    count, edges = hierarchy
    graph = graph_of(count, edges)
    for concept in range(count):
        above = slow.ancestors(edges, concept)
        assert by_concept(graph, concept) == {one: slow.steps(edges, concept, one) for one in above}
    depths = [slow.depth(edges, concept) for concept in range(count)]
    assert graph.depths[graph.nodes].tolist() == depths
    assert graph.depth == max(depths)
    weights = np.arange(1.0, count + 1)
    below = graph.below(graph.of_nodes(weights))
    expected = [sum(weights[list(slow.descendants(count, edges, one))]) for one in range(count)]
    assert below[graph.nodes].tolist() == expected
    assert set(np.flatnonzero(graph.is_leaf[graph.nodes]).tolist()) == slow.leaves(count, edges)


def test_a_concept_below_two_parents_counts_once_for_their_common_ancestor():
    diamond = graph_of(4, [(1, 0), (2, 0), (3, 1), (3, 2)])
    assert diamond.below(np.ones(4))[diamond.nodes].tolist() == [4, 2, 2, 1]


def test_retired_concepts_are_outside_and_so_are_their_relations():
    graph = graph_of(5, [(1, 0), (2, 1), (3, 2), (4, 0)], retired=(2,))
    assert len(graph) == 4
    assert (graph.nodes == OUTSIDE).tolist() == [False, False, True, False, False]
    assert by_concept(graph, 3) == {3: 0}
    assert graph.of_nodes(np.array([1.0, 2, 3, 4, 5]))[graph.nodes[[0, 1, 3, 4]]].tolist() == [1, 2, 4, 5]


def test_a_relation_in_two_rows_is_one():
    assert by_concept(graph_of(2, [(1, 0), (1, 0)]), 1) == {1: 0, 0: 1}


def test_a_long_chain_grows_past_what_was_reserved():
    graph = graph_of(200, [(number + 1, number) for number in range(199)])
    assert (graph.depth, graph.ancestors.size) == (200, 200 * 201 // 2)
    assert by_concept(graph, 199)[0] == 199


@pytest.mark.parametrize(
    ("edges", "named"),
    [
        ([(0, 1), (1, 0), (2, 1)], "'c0' is a 'c1' is a 'c0'"),
        ([(3, 3), (1, 0)], "'c3' is a 'c3'"),
        # Neither what is below the cycle nor what is above it is named.
        ([(2, 4), (4, 1), (1, 2), (0, 1), (4, 3)], "'c1' is a 'c2' is a 'c4' is a 'c1'"),
        (
            [(number, (number + 1) % 9) for number in range(9)],
            "'c0' is a 'c1' is a 'c2' is a 'c3' is a 'c4' is a 'c5' is a … (3 more) … is a 'c0'",
        ),
    ],
)
def test_a_cycle_is_refused_and_named_by_ids(edges, named):
    with pytest.raises(FileError) as refused:
        graph_of(9, edges)
    assert str(refused.value) == f"made-up.obo: the is-a hierarchy has a cycle: {named}"


@pytest.mark.parametrize("retired", [(), (0,)])
def test_a_source_without_relations_is_refused(retired):
    edges = [(1, 0)] if retired else []
    with pytest.raises(FileError, match="has no is-a relations between active concepts"):
        graph_of(2, edges, retired=retired)


def test_more_ancestors_than_memory_allows_are_refused(monkeypatch):
    monkeypatch.setattr(is_a_graph, "MOST_ANCESTORS", 5)
    assert len(graph_of(3, [(1, 0), (2, 0)])) == 3
    with pytest.raises(FileError, match="more than 5 ancestors together"):
        IsAGraph.of(terminology(3, [(1, 0), (2, 1)]), "x.obo")
