"""Cohen's κ against scikit-learn and what must hold."""

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
