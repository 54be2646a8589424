"""Krippendorff's α against the package krippendorff, a printed example and what must hold."""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.errors import InputError, UnknownNameError
from medgauge.stats.raters.alpha import krippendorff_alpha
from tests.stats.raters import references

LEVELS = ("nominal", "ordinal", "interval", "ratio")
NAN = math.nan
SOME = st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0, 7.5])
RATINGS = arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 5)), elements=SOME)


def is_defined(ratings) -> bool:
    rated = ~np.isnan(ratings)
    several = rated.sum(axis=1) > 1
    return len(np.unique(ratings[several][rated[several]])) > 1


@given(RATINGS, st.sampled_from(LEVELS))
def test_alpha_is_that_of_the_package_krippendorff(ratings, level):
    assume(is_defined(ratings))
    expected = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=level)
    assert krippendorff_alpha(ratings, level=level).value == pytest.approx(expected, abs=1e-12)


@given(RATINGS, st.sampled_from(LEVELS))
def test_alpha_does_not_depend_on_who_the_raters_are(ratings, level):
    assume(is_defined(ratings))
    turned = ratings[:, ::-1]
    expected = krippendorff_alpha(ratings, level=level).value
    assert krippendorff_alpha(turned, level=level).value == pytest.approx(expected)


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_agreement_is_one(level):
    ratings = np.repeat([[0.0], [1.0], [3.0]], 4, axis=1)
    assert krippendorff_alpha(ratings, level=level).value == 1.0


@pytest.mark.parametrize(
    ("level", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_example_with_missing_data_of_krippendorff(level, printed):
    """Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: four observers, twelve units."""
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    assert round(krippendorff_alpha(np.array(observers).T, level=level).value, 3) == printed


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1.0], [2.0]], "no pair has two ratings"),
        ([[1.0, NAN], [NAN, 2.0]], "no pair has two ratings"),
        ([[1.0, 1.0], [1.0, 1.0]], "all 4 ratings are equal"),
        ([[1.0, 1.0], [2.0, NAN]], "all 2 ratings of pairs with several are equal"),
        (np.empty((0, 2)), "no pair has two ratings"),
    ],
)
def test_undefined_is_nan_with_a_reason(ratings, reason):
    found = krippendorff_alpha(np.array(ratings), level="ordinal")
    assert math.isnan(found.value)
    assert found.undefined == reason


def test_it_rests_on_the_pairs_with_two_ratings():
    ratings = np.array([[1.0, 2.0, NAN], [1.0, NAN, NAN], [3.0, 3.0, 3.0]])
    found = krippendorff_alpha(ratings, level="interval")
    assert (found.n, found.undefined) == (2, None)


@given(RATINGS, st.sampled_from(LEVELS))
def test_alpha_is_that_of_its_definition_in_loops(ratings, level):
    found = krippendorff_alpha(ratings, level=level).value
    assert found == pytest.approx(references.alpha(ratings, level), abs=1e-12, nan_ok=True)


def test_an_unknown_level_is_named():
    with pytest.raises(UnknownNameError, match="there is no level 'ordnal'; did you mean 'ordinal'"):
        krippendorff_alpha(np.zeros((2, 2)), level="ordnal")


def test_ratios_of_numbers_under_zero_are_refused():
    """(x − y)/(x + y) of −2 and 2 has no value."""
    with pytest.raises(InputError, match="no ratios"):
        krippendorff_alpha(np.array([[-2.0, 2.0], [1.0, 0.0]]), level="ratio")


@pytest.mark.parametrize("level", LEVELS)
def test_thousands_of_different_values_take_no_table_of_them(level):
    ratings = np.random.default_rng(0).random((3000, 3)).cumsum(axis=1)
    expected = krippendorff.alpha(reliability_data=ratings[:40].T, level_of_measurement=level)
    assert krippendorff_alpha(ratings[:40], level=level).value == pytest.approx(expected, abs=1e-9)
    assert -1 < krippendorff_alpha(ratings, level=level).value < 1
