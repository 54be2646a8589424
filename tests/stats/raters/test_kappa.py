"""Cohen's κ against scikit-learn, R's psych and what must hold."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score

from medgauge.errors import UnknownNameError
from medgauge.stats.raters.kappa import cohen_kappa

SKLEARN = {"plain": None, "linear": "linear", "quadratic": "quadratic"}
RATINGS = arrays(np.float64, 12, elements=st.sampled_from([math.nan, 0.0, 1.0, 2.0, 3.0]))


@given(RATINGS, RATINGS, st.sampled_from(list(SKLEARN)))
def test_kappa_is_that_of_scikit_learn(first, second, weights):
    both = ~np.isnan(first) & ~np.isnan(second)
    assume(len(np.unique(np.concatenate([first[both], second[both]]))) > 1)
    expected = cohen_kappa_score(
        first[both].astype(int), second[both].astype(int), labels=range(4), weights=SKLEARN[weights]
    )
    found = cohen_kappa(first, second, weights=weights).value
    assert found == pytest.approx(expected, abs=1e-12)
    assert cohen_kappa(second, first, weights=weights).value == pytest.approx(found, abs=1e-12)


def test_weights_go_by_the_values_and_not_by_their_order():
    first, second = np.array([0.0, 2.0, 10.0, 0.0]), np.array([0.0, 10.0, 10.0, 2.0])
    # The costs are 8 and 2 over four pairs; by chance, the mean over all twos of a rating each.
    chance = np.abs(first[:, None] - second).mean()
    assert cohen_kappa(first, second, weights="linear").value == pytest.approx(1 - (10 / 4) / chance)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([math.nan, 1.0], [1.0, math.nan], "no pair has both ratings"),
        ([2.0, 2.0], [2.0, 2.0], "all 4 ratings are equal"),
    ],
)
def test_undefined_is_nan_with_a_reason(first, second, reason):
    found = cohen_kappa(np.array(first), np.array(second))
    assert math.isnan(found.value)
    assert found.undefined == reason


def test_unknown_weights_are_named():
    with pytest.raises(UnknownNameError, match="there is no weights 'square'"):
        cohen_kappa(np.zeros(2), np.zeros(2), weights="square")


# R 4.2.2, psych 2.2.9: cohen.kappa(cbind(UNEQUAL...)), quadratic by default; linear with
# w = 1 - abs(outer(1:5, 1:5, "-"))/4. irr's kappa2 takes the same categories.
UNEQUAL = (
    np.array([0, 0, 1, 2, 2, 5, 10, 10, 5, 1, 0, 10, 2, 5], float),
    np.array([0, 1, 1, 2, 5, 5, 10, 5, 2, 0, 0, 10, 2, 10], float),
)
# 1 is rated by neither, 10 by the second alone.
GAP = np.array([0, 0, 3, 3, 5, 5, 0, 3], float), np.array([0, 3, 3, 5, 5, 10, 0, 0], float)


@pytest.mark.parametrize(
    ("weights", "value"),
    [("plain", 0.461538461538), ("linear", 0.735849056604), ("quadratic", 0.896296296296)],
)
def test_by_category_index_kappa_is_that_of_psych(weights, value):
    found = cohen_kappa(*UNEQUAL, weights=weights, distance="index").value
    assert found == pytest.approx(value, abs=1e-11)


def test_categories_that_neither_used_count_if_they_are_given_as_levels_of_psych_do():
    """psych: 0.719298245614 without levels, 0.666666666667 with levels = c(0, 1, 3, 5, 10)."""
    found = cohen_kappa(*GAP, weights="quadratic", distance="index")
    assert found.value == pytest.approx(0.719298245614, abs=1e-11)
    levels = np.array([0.0, 1.0, 3.0, 5.0, 10.0])
    given = cohen_kappa(*GAP, weights="quadratic", distance="index", categories=levels)
    assert given.value == pytest.approx(2 / 3, abs=1e-11)


@given(RATINGS, RATINGS, st.sampled_from(list(SKLEARN)))
def test_by_index_kappa_is_that_of_the_numbers_of_the_categories(first, second, weights):
    """A slow version: put the number of its category in the place of each rating."""
    both = ~np.isnan(first) & ~np.isnan(second)
    used = sorted({*first[both], *second[both]})
    numbered = [
        np.array(
            [
                used.index(one) if one in used and rated else math.nan
                for one, rated in zip(given, both, strict=True)
            ]
        )
        for given in (first, second)
    ]
    by_index = cohen_kappa(first, second, weights=weights, distance="index").value
    assert by_index == pytest.approx(cohen_kappa(*numbered, weights=weights).value, abs=1e-12, nan_ok=True)


def test_an_unknown_distance_is_named():
    with pytest.raises(UnknownNameError, match="there is no distance 'rank'"):
        cohen_kappa(np.zeros(2), np.zeros(2), distance="rank")
