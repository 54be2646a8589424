"""Associations against plain loops, and by hand."""

import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.records.associations import lift, numbered, pmi
from tests.build.records.counted import IDS, SCHEMA, counted, counted_pairs

TOTALS = st.integers(40, 10**7)


def slow_lifts(frame, total):
    """Divide the share of the patients with both by what it would be if the concepts were independent."""
    return [
        Fraction(both, total) / (Fraction(first, total) * Fraction(second, total))
        for _, _, both, first, second in frame.iter_rows()
    ]


@given(counted_pairs(), TOTALS)
def test_lift_is_the_exact_quotient_rounded_once(frame, total):
    assert lift(frame, total).tolist() == [float(one) for one in slow_lifts(frame, total)]


@given(counted_pairs(), TOTALS)
def test_pmi_is_the_logarithm_of_lift(frame, total):
    slow = [math.log(one) for one in slow_lifts(frame, total)]
    assert pmi(frame, total) == pytest.approx(slow, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("both", "first", "second", "value"),
    [
        (2, 10, 20, 1.0),  # 2 of 10 and 20 of 100: independent
        (10, 10, 20, 5.0),  # whoever has the first has the second: 1 / (20 / 100)
        (1, 10, 20, 0.5),  # half of what would be expected
        (10, 10, 10, 10.0),
    ],
)
def test_lift_by_hand(both, first, second, value):
    frame = counted({("a", "b"): both}, {"a": first, "b": second})
    assert lift(frame, 100).tolist() == [value]
    assert pmi(frame, 100) == pytest.approx([math.log(value)])


def test_equal_lifts_are_equal_numbers():
    # 3 / 7 in three ways, of which logarithms of shares make three numbers.
    frame = counted(
        {("a", "b"): 3, ("a", "c"): 9, ("d", "e"): 12}, {"a": 7, "b": 100, "c": 300, "d": 28, "e": 100}
    )
    assert len(set(lift(frame, 1000).tolist())) == 1


def test_lift_does_not_depend_on_which_concept_is_first():
    frame = counted({("a", "b"): 5, ("b", "c"): 7}, {"a": 11, "b": 13, "c": 17})
    swapped = frame.rename({"patients_1": "patients_2", "patients_2": "patients_1"})
    assert lift(frame, 91).tolist() == lift(swapped, 91).tolist()


def test_counts_of_many_patients_do_not_overflow():
    frame = counted({("a", "b"): 10**8}, {"a": 3 * 10**9, "b": 4 * 10**9})
    assert lift(frame, 8 * 10**9).tolist() == [1 / 15]


@given(counted_pairs())
def test_concepts_are_numbered_by_code_points(frame):
    found = numbered(frame)
    ids = sorted({*frame["id_1"], *frame["id_2"]})
    assert found.ids.to_list() == ids
    assert [ids[number] for number in found.first.tolist()] == frame["id_1"].to_list()
    assert [ids[number] for number in found.second.tolist()] == frame["id_2"].to_list()
    assert found.first.dtype == found.second.dtype == np.int64


def test_a_concept_that_is_only_second_is_numbered():
    found = numbered(counted(dict.fromkeys([(one, IDS[-1]) for one in IDS[:-1]], 1), 1))
    assert found.second.tolist() == [len(IDS) - 1] * (len(IDS) - 1)


def test_no_pairs_have_no_associations():
    empty = pl.DataFrame(schema=SCHEMA)
    assert lift(empty, 10).tolist() == pmi(empty, 10).tolist() == []
    assert numbered(empty).ids.to_list() == []
