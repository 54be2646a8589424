import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.terminology.branches import NO_BRANCH, branches
from tests.terminology.test_hierarchy import frame, slow_descendants


@st.composite
def trees(draw):
    """Concepts below one root; each has one to three parents among those before it."""
    count = draw(st.integers(2, 14))
    edges = {
        (child, parent)
        for child in range(1, count)
        for parent in draw(st.lists(st.integers(0, child - 1), min_size=1, max_size=3))
    }
    return count, sorted(edges)


def slow_branches(count, edges):
    """Open the largest branch while it has over nine tenths of the concepts."""
    below = {one: slow_descendants(edges, one) | {one} for one in range(count)}
    opened, closed, current = [], {}, [0]
    while current:
        largest = max(current, key=lambda one: len(below[one]))
        opens = len(below[largest]) > 0.9 * count and len(below[largest]) > 1
        closed |= {one: len(opened) for one in current if not (opens and one == largest)}
        if not opens:
            break
        opened.append(largest)
        current = sorted({child for child, parent in edges if parent == largest} - {*opened})
    of = []
    for concept in range(count):
        mine = [one for one in closed if concept in below[one]]
        if concept in opened:
            of.append(concept)
        elif len(mine) == 1:
            of.append(mine[0])
        else:
            of.append(opened[min(closed[one] for one in mine) - 1])
    return opened, of


@given(trees())
@settings(max_examples=200, deadline=None)
def test_branches_are_found_by_opening_the_largest(tree):
    count, edges = tree
    found = branches(frame(edges), count)
    assert (found.opened, found.of.tolist()) == slow_branches(count, edges)


def test_concepts_have_the_branch_in_common_that_is_above_them_all():
    """0 has 1 and 2; 1 has 3 and 4, each with eight of its own and 5 in common; 22 is apart.

    20 of the 22 concepts in the hierarchy are 1 and those below it, which is over nine tenths.
    """
    edges = [(1, 0), (2, 0), (3, 1), (4, 1), (5, 3), (5, 4)]
    edges += [(number, 3) for number in range(6, 14)] + [(number, 4) for number in range(14, 22)]
    found = branches(frame(edges), 23)
    assert found.opened == [0, 1]
    assert found.level == {2: 1, 3: 2, 4: 2}
    assert found.of[[0, 1, 2, 6, 14, 5, 22]].tolist() == [0, 1, 2, 3, 4, 1, NO_BRANCH]
    assert found.common([6, 7]) == 3
    assert found.common([6, 14]) == 1
    assert found.common([6, 2]) == 0
    assert found.common([6, 5]) == 1
    assert found.common([22]) == NO_BRANCH
    assert found.common([]) == NO_BRANCH


def test_a_branch_with_nine_tenths_or_fewer_is_not_opened():
    """Below 1 are 18 of the 20 concepts, itself among them: just nine tenths."""
    edges = [(1, 0), (2, 0), *((number, 1) for number in range(3, 20))]
    assert branches(frame(edges), 20).opened == [0]


def test_several_roots_are_branches_with_nothing_in_common():
    found = branches(frame([(1, 0), (2, 0), (4, 3), (5, 3), (6, 3), (6, 0)]), 7)
    assert found.opened == []
    assert found.of.tolist() == [0, 0, 0, 3, 3, 3, NO_BRANCH]
    assert found.common([1, 4]) == NO_BRANCH


def test_without_a_hierarchy_there_are_no_branches():
    found = branches(pl.DataFrame(schema={"child": pl.UInt32, "parent": pl.UInt32}), 2)
    assert (found.opened, found.of.tolist()) == ([], [NO_BRANCH, NO_BRANCH])
