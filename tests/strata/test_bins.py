import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import InputError
from medgauge.strata.bins import Bins, given_bins, quantile_bins

NUMBERS = st.one_of(
    st.lists(st.integers(0, 12).map(float), min_size=1, max_size=30),
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=30),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8),
)


def reads(name, value):
    """Say whether a value is in the interval that a name writes."""
    low, high = name[1:-1].split(", ")
    above = value > float(low) if name[0] == "(" else value >= float(low)
    return above and (value < float(high) if name[-1] == ")" else value <= float(high))


def slow_bins(values, count):
    """Cut where the number of values below is nearest to each equal share (of two, the lower)."""
    different = sorted(set(values))
    cuts = {}
    for share in range(1, count):
        goal = len(values) * share / count
        possible = [(abs(sum(x < value for x in values) - goal), value) for value in different[1:]]
        if possible:
            cuts[min(possible)[1]] = True
    return [sum(value >= cut for cut in cuts) for value in values]


@given(NUMBERS, st.integers(2, 5))
@settings(max_examples=200, deadline=None)
def test_every_value_is_in_the_one_bin_whose_name_says_so(values, count):
    bins = quantile_bins(np.array(values), count)
    assert len(set(bins.names)) == len(bins.names) <= count
    for value, place in zip(values, bins.of(np.array(values)).tolist(), strict=True):
        assert [reads(name, value) for name in bins.names] == [k == place for k in range(len(bins.names))]


@given(NUMBERS, st.integers(2, 5))
@settings(max_examples=200, deadline=None)
def test_bins_are_as_equal_as_ties_allow(values, count):
    assert quantile_bins(np.array(values), count).of(np.array(values)).tolist() == slow_bins(values, count)


def test_without_ties_bins_are_those_of_numpy():
    values = np.random.default_rng(0).permutation(np.linspace(-3, 7, 60))
    places = quantile_bins(values, 4).of(values)
    for place, members in enumerate(np.array_split(np.sort(values), 4)):
        assert np.array_equal(np.sort(values[places == place]), members)


def test_edges_are_short_and_whole_numbers_stay_whole():
    assert quantile_bins(np.array([1.0, 57, 58, 1_240_000]), 2).names == ["[1, 58)", "[58, 1240000]"]
    assert quantile_bins(np.array([0.123456, 0.5, 99.2, 105.7]), 2).names == ["[0.123, 99)", "[99, 106]"]
    assert quantile_bins(np.array([-0.123456, -0.1]), 2).names == ["[-0.124, -0.1)", "[-0.1, -0.1]"]


def test_equal_values_make_one_bin_and_missing_ones_none():
    bins = quantile_bins(np.array([3.0, 3.0, np.nan, np.inf]), 3)
    assert bins.names == ["[3, 3]"]
    assert bins.of(np.array([3.0, np.nan, np.inf, 4.0])).tolist() == [0, -1, -1, -1]


def test_given_edges_can_be_open():
    bins = given_bins([-math.inf, 0, math.inf])
    assert bins.names == ["(-inf, 0)", "[0, inf)"]
    assert bins.of(np.array([-1e300, 0.0, 1e300, np.nan])).tolist() == [0, 1, 1, -1]


def test_what_lies_outside_given_edges_is_in_no_bin():
    assert Bins((0.0, 1.0)).of(np.array([-0.1, 0.0, 1.0, 1.1])).tolist() == [-1, 0, 0, -1]


@pytest.mark.parametrize("edges", [[], [1], [1, 1], [2, 1], [0, math.nan], [math.nan, 1]])
def test_edges_that_do_not_rise_are_refused(edges):
    with pytest.raises(InputError, match="increasing numbers"):
        given_bins(edges)


def test_fewer_than_two_bins_are_refused():
    with pytest.raises(InputError, match="at least 2 bins, not 1"):
        quantile_bins(np.array([1.0]), 1)
