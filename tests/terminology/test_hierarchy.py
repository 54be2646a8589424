import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from medgauge.errors import MedgaugeWarning
from medgauge.terminology.hierarchy import depth, descendants, roots, specificity, with_descendants


def frame(edges: list[tuple[int, int]]) -> pl.DataFrame:
    return pl.DataFrame(edges, schema={"child": pl.UInt32, "parent": pl.UInt32}, orient="row")


def slow_depth(edges: list[tuple[int, int]], concept: int) -> int:
    """Try every way up."""
    return max((1 + slow_depth(edges, parent) for child, parent in edges if child == concept), default=0)


def slow_descendants(edges: list[tuple[int, int]], root: int) -> set[int]:
    """Take in the children of what is there until nothing is new."""
    found = {root}
    while new := {child for child, parent in edges if parent in found} - found:
        found |= new
    return found - {root}


@st.composite
def graphs(draw: st.DrawFn, *, circles: bool) -> tuple[int, list[tuple[int, int]]]:
    count = draw(st.integers(1, 8))
    number = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(number, number), unique=True, max_size=12))
    if circles:
        return count, edges
    names = draw(st.permutations(range(count)))
    return count, [(names[child], names[parent]) for child, parent in edges if parent < child]


@given(graphs(circles=False))
def test_depth_is_the_longest_of_all_ways(graph):
    count, edges = graph
    assert depth(frame(edges), count) == max(slow_depth(edges, concept) for concept in range(count))


@given(graphs(circles=True), st.data())
def test_descendants_are_what_can_be_reached(graph, data):
    count, edges = graph
    root = data.draw(st.integers(0, count - 1))
    assert descendants(frame(edges), root).tolist() == sorted(slow_descendants(edges, root))


def test_a_circle_and_what_is_below_it_have_no_depth():
    circle = [(1, 2), (2, 1), (3, 2), (4, 0), (5, 4), (6, 5), (3, 6)]
    with pytest.warns(MedgaugeWarning, match="has a cycle: 3 concepts"):
        assert depth(frame(circle), 7) == 3


def test_a_concept_that_is_its_own_parent_is_a_circle():
    with pytest.warns(MedgaugeWarning, match="1 concepts"):
        assert depth(frame([(0, 0)]), 1) == 0


def test_a_hierarchy_of_nothing_has_no_depth():
    assert depth(frame([]), 0) == 0
    assert depth(frame([]), 3) == 0
    assert descendants(frame([]), 2).size == 0


def test_a_long_chain_is_no_trouble():
    chain = [(number + 1, number) for number in range(3000)]
    assert depth(frame(chain), 3001) == 3000
    assert np.array_equal(descendants(frame(chain), 1000), np.arange(1001, 3001))


@given(graphs(circles=True), st.data())
def test_several_concepts_come_with_all_below_any_of_them(graph, data):
    count, edges = graph
    roots = data.draw(st.lists(st.integers(0, count - 1), min_size=1))
    expected = {*roots, *(one for root in roots for one in slow_descendants(edges, root))}
    assert with_descendants(frame(edges), roots).tolist() == sorted(expected)


@given(graphs(circles=True))
def test_specificity_is_the_shortest_path_from_a_root(graph):
    count, edges = graph
    children, parents = ({edge[side] for edge in edges} for side in (0, 1))
    tops = sorted(parents - children)
    down = np.zeros((count, count))
    for child, parent in edges:
        down[parent, child] = 1
    lengths = shortest_path(down, unweighted=True)[tops]
    expected = [-1 if np.isinf(one) else int(one) for one in lengths.min(axis=0, initial=np.inf)]
    assert roots(frame(edges)).tolist() == tops
    assert specificity(frame(edges), count).tolist() == expected


def test_specificity_takes_the_shorter_of_two_ways_up():
    """By hand: 4 is three edges away over 1 and 3, and two over 2; 5 has neither parents nor children."""
    edges = [(1, 0), (2, 0), (3, 1), (4, 3), (4, 2)]
    assert specificity(frame(edges), 6).tolist() == [0, 1, 1, 2, 2, -1]


def test_a_hierarchy_of_nothing_has_no_specificity():
    assert specificity(frame([]), 2).tolist() == [-1, -1]
    assert roots(frame([])).size == 0
