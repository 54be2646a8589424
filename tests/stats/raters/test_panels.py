"""Packing and panels, worked by hand and in loops."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.errors import UndefinedWarning
from medgauge.stats.raters.panels import averaged, packed, panels_of, reliability

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(0, 9), st.integers(0, 4)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0]),
)


@given(RATINGS)
def test_packing_keeps_the_ratings_of_the_commonest_number(ratings):
    given = [[value for value in row if not math.isnan(value)] for row in ratings.tolist()]
    sizes = [len(row) for row in given if len(row) > 1]
    k = max(sizes, key=lambda size: (sizes.count(size), size), default=0)
    expected = [row for row in given if len(row) == k and k]
    found = packed(ratings)
    assert found.ratings.tolist() == expected
    assert [given[row] for row in found.rows] == expected


@given(RATINGS, st.sampled_from([1, 20]))
def test_a_panel_has_the_pairs_of_the_same_raters(ratings, times):
    ratings = np.repeat(ratings, times, axis=0)
    by: dict[tuple[int, ...], list[int]] = {}
    for row, values in enumerate(ratings.tolist()):
        by.setdefault(tuple(k for k, value in enumerate(values) if not math.isnan(value)), []).append(row)
    several = {raters: rows for raters, rows in by.items() if len(raters) > 1 and len(rows) > 1}
    expected = several
    if len(several) > 1:
        expected = {raters: rows for raters, rows in several.items() if len(rows) >= 30}
    found = panels_of(ratings)
    assert [panel.rows.tolist() for panel in found] == list(expected.values())
    for panel, (raters, rows) in zip(found, expected.items(), strict=True):
        assert panel.ratings.tolist() == ratings[rows][:, list(raters)].tolist()


def test_packed_ratings_of_a_complete_table_are_the_table():
    ratings = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    found = reliability(packed(ratings.astype(float)))
    # Shrout and Fleiss (1979), table 4: ICC(3,1) and ICC(3,k), which are ICC(C,1) and ICC(C,k).
    assert (round(found.icc.consistency_one, 2), round(found.icc.consistency_mean, 2)) == (0.71, 0.91)
    [panel] = panels_of(ratings.astype(float))
    assert reliability(panel) == found


def test_averages_weigh_panels_by_their_pairs_where_defined():
    figures = np.array([[0.2, NAN], [0.8, 0.5], [NAN, 0.1]])
    assert averaged(figures, np.array([10.0, 30.0, 10.0])).tolist() == pytest.approx([0.65, 0.4])
    assert np.isnan(averaged(np.empty((0, 3)), np.empty(0))).all()


def test_nothing_to_pack_is_undefined():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = reliability(packed(np.array([[1.0, NAN], [NAN, 2.0]])))
    assert np.isnan(found.figures).all()
    assert {warning.category for warning in caught} == {UndefinedWarning}
