import math
import statistics

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.composition.specificity_counts import set_specificity

LEVELS = st.one_of(st.just(math.nan), st.integers(0, 6).map(float))
CONCEPTS = st.sampled_from(["a", "b", "c", "d"])


@given(st.dictionaries(CONCEPTS, LEVELS), st.lists(st.tuples(CONCEPTS, CONCEPTS), max_size=12))
@settings(max_examples=150, deadline=None)
def test_counts_are_those_of_going_through_the_pairs(levels, pairs):
    sides = [[levels.get(pair[side], math.nan) for pair in pairs] for side in (0, 1)]
    first, second = (np.array(side, float) for side in sides)
    found = set_specificity(first, second, pairs, source="x")
    known = [
        pair
        for pair in pairs
        if all(levels.get(one) == levels.get(one) for one in pair) and {*pair} <= {*levels}
    ]
    expected: dict[tuple[int, int], int] = {}
    for pair in known:
        low, high = sorted(int(levels[one]) for one in pair)
        expected[low, high] = expected.get((low, high), 0) + 1
    assert {(one.low, one.high): one.pairs for one in found.counts} == expected
    concepts = [int(levels[one]) for one in {one for pair in known for one in pair}]
    assert (found.pairs, found.concepts) == (len(known), len(concepts))
    assert (found.shallowest, found.deepest) == (min(concepts, default=None), max(concepts, default=None))
    if concepts:
        assert found.median == statistics.median(concepts)
        assert found.commonest.pairs == max(expected.values())
    else:
        assert math.isnan(found.median)
        assert found.commonest is None
