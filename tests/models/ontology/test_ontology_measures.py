"""Every measure is held to a slow reading of its formula, and to what all of them promise."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.models.ontology.information import INTRINSIC, counted_information
from medgauge.models.ontology.ontology_measures import MEASURES_OF_ONTOLOGIES, similarities
from tests.models.ontology import slow_hierarchy as slow
from tests.models.ontology.slow_hierarchy import graph_of, hierarchies

MEASURES = list(MEASURES_OF_ONTOLOGIES)
# The lowest and the highest value, where they do not depend on the hierarchy.
RANGES = {"path": (0, 1), "wup": (0, 1), "lch": (0, math.inf), "lin": (0, 1), "jcn": (0, 1)}


def all_pairs(name, graph, information):
    """Return the measure of every concept with every other, by concept."""
    count = graph.nodes.size
    first, second = np.divmod(np.arange(count * count), count)
    measure = MEASURES_OF_ONTOLOGIES[name]
    return similarities(measure, graph, graph.nodes[first], graph.nodes[second], information).reshape(
        count, count
    )


@pytest.mark.parametrize("name", MEASURES)
@given(hierarchy=hierarchies(), data=st.data())
@settings(max_examples=30)
def test_a_measure_is_that_of_the_best_common_ancestor(name, hierarchy, data):
    count, edges = hierarchy
    graph = graph_of(count, edges)
    kind = data.draw(st.sampled_from(["intrinsic", "sanchez", "counts"]))
    if kind == "counts":
        counts = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count).filter(any))
        information = counted_information(graph, graph.of_nodes(np.array(counts, float)))
    else:
        information = INTRINSIC[kind](graph)
    found = all_pairs(name, graph, information)
    ic = information[graph.nodes].tolist()
    expected = [[slow.similarity(name, count, edges, a, b, ic) for b in range(count)] for a in range(count)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@pytest.mark.parametrize("name", MEASURES)
@given(hierarchy=hierarchies())
@settings(max_examples=20)
def test_a_measure_is_symmetric_in_its_range_and_highest_for_a_concept_and_itself(name, hierarchy):
    count, edges = hierarchy
    graph = graph_of(count, edges)
    found = all_pairs(name, graph, INTRINSIC["intrinsic"](graph))
    assert np.array_equal(found, found.T, equal_nan=True)
    low, high = RANGES.get(name, (0, math.log(count)))
    assert ((found >= low) & (found <= high + 1e-12) | np.isnan(found)).all()
    own = np.diag(found)
    assert (own[:, None] + 1e-12 >= np.nan_to_num(found)).all()
    apart = [
        [not slow.ancestors(edges, a) & slow.ancestors(edges, b) for b in range(count)] for a in range(count)
    ]
    assert np.array_equal(np.isnan(found), apart)


def test_the_best_of_two_common_ancestors_counts():
    # 5 and 6 meet in 3, deep and on a long way, and in 0, which both are a child of.
    edges = [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 3), (5, 0), (6, 0)]
    graph = graph_of(7, edges)
    ic = INTRINSIC["intrinsic"](graph)
    assert all_pairs("path", graph, ic)[5, 6] == pytest.approx(1 / 3)  # by way of 0
    assert all_pairs("wup", graph, ic)[5, 6] == pytest.approx(8 / 11)  # 3 is the fourth from the top
    assert all_pairs("resnik", graph, ic)[5, 6] == pytest.approx(-math.log(4 / 7))  # 3, 4, 5 and 6


@pytest.mark.parametrize("name", ["resnik", "lin", "jcn"])
def test_a_concept_that_was_never_counted_has_no_score(name):
    graph = graph_of(4, [(1, 0), (2, 0), (3, 1)])
    information = counted_information(graph, graph.of_nodes(np.array([0.0, 5, 0, 0])))
    found = all_pairs(name, graph, information)
    assert np.isnan(found[2]).all()
    assert np.isnan(found[:, 3]).all()
    assert found[1, 1] == (0 if name == "resnik" else 1)


def test_lin_of_two_concepts_without_information_is_undefined_unless_they_are_one():
    graph = graph_of(2, [(1, 0)])
    found = all_pairs("lin", graph, counted_information(graph, graph.of_nodes(np.array([0.0, 5]))))
    assert np.isnan(found[0, 1])
    assert (found[0, 0], found[1, 1]) == (1, 1)


def test_path_wup_and_lch_need_no_information():
    graph = graph_of(3, [(1, 0), (2, 0)])
    for name, measure in MEASURES_OF_ONTOLOGIES.items():
        if not measure.needs_information:
            first, second = graph.nodes[[1]], graph.nodes[[2]]
            without = similarities(measure, graph, first, second, None)
            assert without == all_pairs(name, graph, INTRINSIC["sanchez"](graph))[1, 2]
