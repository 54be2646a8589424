"""ICC against pingouin and an analysis of variance written out, Kendall's W against Friedman's test."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare

from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.reliability import ByPanel, Packed, packed, panels_of
from tests.stats.raters import references

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(3, 9), st.integers(2, 5)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.5]),
)


GAPS = arrays(
    np.float64,
    st.tuples(st.integers(0, 9), st.integers(0, 4)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0]),
)


def of_packed(ratings) -> dict[str, float]:
    kernel = Packed(np.asarray(ratings, float), "interval")
    return {name: one.value for name, one in plain_estimates(kernel, len(ratings)).items()}


def of_panels(ratings) -> dict[str, float]:
    kernel = ByPanel(np.asarray(ratings, float), "interval")
    return {name: one.value for name, one in plain_estimates(kernel, len(ratings)).items()}


def by_pingouin(ratings) -> dict[str, float]:
    import pingouin

    pairs, raters = ratings.shape
    table = pd.DataFrame(
        {
            "pair": np.repeat(np.arange(pairs), raters),
            "rater": np.tile(np.arange(raters), pairs),
            "rating": ratings.ravel(),
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pingouin.intraclass_corr(table, targets="pair", raters="rater", ratings="rating")
    return dict(zip(found["Type"], found["ICC"], strict=True))


def test_icc_is_that_of_pingouin():
    rng = np.random.default_rng(0)
    for _ in range(10):
        ratings = rng.integers(0, 5, (12, 4)) + rng.normal(0, 0.2, (12, 4)) + np.arange(12)[:, None] / 4
        found, theirs = of_packed(ratings), list(by_pingouin(ratings).values())
        ours = [found[name] for name in ("icc_1", "icc_a1", "icc_c1", "icc_k", "icc_ak", "icc_ck")]
        assert ours == pytest.approx(theirs, abs=1e-9)


@given(RATINGS)
@settings(max_examples=50)
def test_icc_is_that_of_an_analysis_of_variance_written_out(ratings):
    assume(np.ptp(ratings) > 0)
    pairs, raters = ratings.shape
    mean = sum(map(sum, ratings.tolist())) / ratings.size
    rows = sum((sum(row) / raters - mean) ** 2 for row in ratings.tolist()) * raters
    columns = sum((sum(column) / pairs - mean) ** 2 for column in ratings.T.tolist()) * pairs
    total = sum((value - mean) ** 2 for row in ratings.tolist() for value in row)
    r, e = rows / (pairs - 1), (total - rows - columns) / ((pairs - 1) * (raters - 1))
    assume(r > 1e-9)
    found = of_packed(ratings)
    assert found["icc_ck"] == pytest.approx((r - e) / r, abs=1e-6)
    assert found["icc_c1"] == pytest.approx((r - e) / (r + (raters - 1) * e), abs=1e-6)


def test_the_example_of_shrout_and_fleiss():
    """Shrout and Fleiss (1979), Intraclass correlations, table 4: six targets, four judges."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = of_packed(ratings)
    assert [round(found[name], 2) for name in ("icc_1", "icc_a1", "icc_c1")] == [0.17, 0.29, 0.71]
    assert [round(found[name], 2) for name in ("icc_k", "icc_ak", "icc_ck")] == [0.44, 0.62, 0.91]
    assert of_panels(ratings) == found


@given(RATINGS)
def test_w_is_that_of_friedmans_statistic(ratings):
    """Friedman's χ², raters as blocks and pairs as treatments, is m (n − 1) W; scipy corrects it for ties."""
    assume(all(np.ptp(column) > 0 for column in ratings.T))
    statistic = friedmanchisquare(*ratings).statistic
    pairs, raters = ratings.shape
    assert of_packed(ratings)["kendall_w"] == pytest.approx(statistic / (raters * (pairs - 1)), abs=1e-9)


@given(RATINGS)
def test_w_lies_between_0_and_1(ratings):
    assume(any(np.ptp(column) > 0 for column in ratings.T))
    assert -1e-12 <= of_packed(ratings)["kendall_w"] <= 1 + 1e-12


@given(RATINGS)
def test_a_complete_panel_is_that_of_the_slow_reference(ratings):
    slow = dict(zip(references.RELIABILITY, references.reliability(packed(ratings)), strict=True))
    assert of_packed(ratings) == pytest.approx(slow, abs=1e-9, nan_ok=True)


@given(GAPS)
def test_packing_keeps_the_ratings_of_the_commonest_number(ratings):
    given = [[value for value in row if not math.isnan(value)] for row in ratings.tolist()]
    sizes = [len(row) for row in given if len(row) > 1]
    k = max(sizes, key=lambda size: (sizes.count(size), size), default=0)
    expected = [row for row in given if len(row) == k and k]
    found = packed(ratings)
    assert found.ratings.tolist() == expected
    assert [given[row] for row in found.rows] == expected
    kernel = Packed(ratings, "interval")
    panels = {tuple(np.isnan(ratings[row])) for row in found.rows}
    assert (kernel.pairs, kernel.raters, kernel.packed_panels) == (len(expected), k, len(panels))


@given(GAPS, st.sampled_from([1, 20]))
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


def test_averages_weigh_panels_by_their_pairs_where_defined():
    """Thirty pairs of raters 0 and 1, sixty of 1 and 2, and thirty of 0 and 2, whose pairs do not differ."""
    rng = np.random.default_rng(3)
    ratings = np.full((120, 3), NAN)
    ratings[:30, :2] = rng.integers(0, 5, (30, 2))
    ratings[30:90, 1:] = rng.integers(0, 5, (60, 2))
    ratings[90:, [0, 2]] = [1.0, 2.0]
    first, second = of_packed(ratings[:30, :2]), of_packed(ratings[30:90, 1:])
    found = of_panels(ratings)
    for name in ("kendall_w", "icc_k", "icc_c1", "icc_ck"):
        assert found[name] == pytest.approx((first[name] + 2 * second[name]) / 3), name
    # Two raters who differ throughout agree less than by chance: ICC(1) is −1.
    assert found["icc_1"] == pytest.approx((first["icc_1"] + 2 * second["icc_1"] - 1) / 4)
    kernel = ByPanel(ratings, "interval")
    assert (kernel.pairs, len(kernel.panels), kernel.raters) == (120, 3, 2)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (np.array([[1.0], [2.0]]), "no pair has two ratings"),
        (np.array([[1.0, NAN], [NAN, 2.0]]), "no pair has two ratings"),
        (np.array([[1.0, 2.0, 3.0], [1.0, NAN, NAN]]), "only 1 pair has 3 ratings"),
        (np.ones((3, 2)), "all 6 ratings are equal"),
        (np.array([[1.0, 1.0, NAN]] * 2 + [[1.0, 2.0, 3.0]]), "all 4 ratings of its 2 pairs are equal"),
        (np.tile([1.0, 2.0], (3, 1)), "all 3 pairs have the same ratings"),
    ],
)
def test_what_leaves_w_and_icc_undefined_is_said(ratings, reason):
    found = plain_estimates(Packed(ratings, "interval"), len(ratings))
    for name in ("kendall_w", "icc_k", "icc_c1", "icc_ck"):
        assert math.isnan(found[name].value)
        assert found[name].undefined == reason


def test_one_form_can_be_undefined_alone():
    """All pairs have the mean 1.5: their means do not differ, and yet their ratings do."""
    found = plain_estimates(Packed(np.array([[1.0, 2.0], [2.0, 1.0], [0.0, 3.0]]), "interval"), 3)
    assert found["icc_ck"].undefined == found["icc_k"].undefined == "all 3 pairs have the same mean rating"
    assert found["icc_c1"].value == pytest.approx(-1)
    assert found["kendall_w"].value == pytest.approx(0)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1.0, 2.0, NAN], [NAN, 1.0, 2.0]], "no two pairs were rated by the same annotators"),
        ([[1.0, NAN], [NAN, 2.0]], "no two pairs were rated by the same annotators"),
        ([[1.0, 2.0, NAN]] * 3 + [[NAN, 1.0, 2.0]] * 3, "no panel has 30 pairs"),
        ([[1.0, 1.0]] * 3, "all 6 ratings are equal"),
        ([[1.0, 1.0, NAN]] * 30 + [[NAN, 1.0, 1.0]] * 30, "it is undefined in each of the 2 panels"),
    ],
)
def test_what_leaves_panels_undefined_is_said(ratings, reason):
    found = plain_estimates(ByPanel(np.array(ratings), "interval"), len(ratings))
    assert {one.undefined for one in found.values()} == {reason}
