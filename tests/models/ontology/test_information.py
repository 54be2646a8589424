import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.models.ontology.information import INTRINSIC, counted_information, intrinsic_information
from tests.models.ontology import slow_hierarchy as slow
from tests.models.ontology.slow_hierarchy import graph_of, hierarchies


@pytest.mark.parametrize("name", INTRINSIC)
@given(hierarchy=hierarchies())
@settings(max_examples=30)
def test_intrinsic_information_is_that_of_the_formula(name, hierarchy):
    count, edges = hierarchy
    graph = graph_of(count, edges)
    found = INTRINSIC[name](graph)[graph.nodes]
    expected = [getattr(slow, name)(count, edges, concept) for concept in range(count)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    assert (found >= 0).all()


@given(hierarchy=hierarchies(), data=st.data())
@settings(max_examples=40)
def test_counts_are_propagated_once_to_each_ancestor(hierarchy, data):
    count, edges = hierarchy
    counts = data.draw(st.lists(st.integers(0, 3), min_size=count, max_size=count).filter(any))
    graph = graph_of(count, edges)
    found = counted_information(graph, graph.of_nodes(np.array(counts, float)))[graph.nodes]
    expected = [slow.counted(count, edges, concept, counts) for concept in range(count)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    smooth = counted_information(graph, graph.of_nodes(np.array(counts, float)), smooth=True)[graph.nodes]
    added = [slow.counted(count, edges, concept, [one + 1 for one in counts]) for concept in range(count)]
    np.testing.assert_allclose(smooth, added, rtol=0, atol=1e-12)


def test_smoothed_counts_of_nothing_are_the_hierarchy_alone():
    graph = graph_of(4, [(1, 0), (2, 0), (3, 1), (3, 2)])
    assert np.array_equal(counted_information(graph, np.zeros(4), smooth=True), intrinsic_information(graph))


def test_a_root_above_everything_has_exactly_no_information():
    graph = graph_of(3, [(1, 0), (2, 0)])
    for information in (*(one(graph) for one in INTRINSIC.values()), counted_information(graph, np.ones(3))):
        root = information[graph.nodes[0]]
        assert root == 0
        assert math.copysign(1, root) == 1
