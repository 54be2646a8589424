"""Variance components by REML: against lme4, the analysis of variance, and the likelihood written out."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.stats.raters.variance.variance_components import (
    CrossedRatings,
    VarianceComponents,
    variance_components,
)
from tests.stats.raters import references

NAN = math.nan
SMALL = np.array(
    [
        [1, 2, NAN, 4],
        [3, NAN, 5, 4],
        [2, 2, 3, NAN],
        [5, 6, NAN, 6],
        [NAN, 4, 5, 7],
        [1, NAN, 2, NAN],
        [4, NAN, NAN, 6],
        [NAN, 3, NAN, NAN],
    ]
)
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(2, 12), st.integers(2, 5)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)


def fitted(ratings) -> VarianceComponents:
    listed = CrossedRatings.of(ratings)
    assert listed.why_undefined() is None
    return variance_components(listed)


def test_the_components_of_ratings_with_gaps_are_those_of_lme4():
    """lme4 1.1-31 (R 4.2.2): lmer(y ~ 1 + (1|pair) + (1|rater), REML = TRUE), bobyqa with rhoend 1e-12."""
    found = fitted(SMALL)
    assert found.pair == pytest.approx(1.896601, abs=1e-6)
    assert found.rater == pytest.approx(0.698619, abs=1e-6)
    assert found.residual == pytest.approx(0.490087, abs=1e-6)


def simulated(pairs: int, raters: int, *, offsets: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    of_raters = offsets * rng.normal(size=raters)
    return rng.normal(size=(pairs, 1)) + of_raters + 0.7 * rng.normal(size=(pairs, raters))


@given(st.integers(3, 30), st.integers(2, 6), st.integers(0, 999))
@settings(max_examples=20, deadline=None)
def test_without_gaps_they_are_those_of_the_analysis_of_variance(pairs, raters, seed):
    ratings = simulated(pairs, raters, offsets=1.0, seed=seed)
    of_pairs, of_raters = ratings.mean(axis=1, keepdims=True), ratings.mean(axis=0)
    r = raters * of_pairs.var(ddof=1)
    c = pairs * of_raters.var(ddof=1)
    left = ratings - of_pairs - of_raters + ratings.mean()
    e = (left**2).sum() / ((pairs - 1) * (raters - 1))
    assume(min(r, c) > 1.01 * e)
    found = fitted(ratings)
    expected = ((r - e) / raters, (c - e) / pairs, e)
    assert (found.pair, found.rater, found.residual) == pytest.approx(expected, rel=1e-7)


@given(RATINGS)
@settings(max_examples=40, deadline=None)
def test_no_components_are_more_likely(ratings):
    """The slow reference inverts the whole matrix, and looks around the estimate."""
    listed = CrossedRatings.of(ratings)
    assume(listed.why_undefined() is None)
    found = variance_components(listed)
    assume(found.residual > 1e-6)
    best = references.restricted_deviance(ratings, found.pair, found.rater, found.residual)
    for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2.0):
        for place in range(3):
            other = [found.pair, found.rater, found.residual]
            other[place] *= factor
            assert references.restricted_deviance(ratings, *other) >= best - 1e-8
    for place in range(2):
        other = [found.pair, found.rater, found.residual]
        other[place] += 0.01
        assert references.restricted_deviance(ratings, *other) >= best - 1e-8


def test_many_raters_of_few_pairs_and_few_of_many_give_the_same_components():
    ratings = simulated(9, 40, offsets=0.5, seed=1)
    ratings[np.random.default_rng(2).random(ratings.shape) < 0.6] = NAN
    one, other = fitted(ratings), fitted(ratings.T)
    expected = (other.rater, other.pair, other.residual)
    assert (one.pair, one.rater, one.residual) == pytest.approx(expected, rel=1e-7)


def test_groups_who_share_no_pair_are_solved_together():
    """The likelihood of both groups is not that of one, so the slow reference decides."""
    ratings = np.full((96, 48), NAN)
    for group in range(12):
        block = simulated(8, 4, offsets=0.5, seed=group)
        ratings[group * 8 : group * 8 + 8, group * 4 : group * 4 + 4] = block
    found = fitted(ratings)
    best = references.restricted_deviance(ratings, found.pair, found.rater, found.residual)
    for step in (0.99, 1.01):
        assert references.restricted_deviance(ratings, found.pair * step, found.rater, found.residual) > best
        assert references.restricted_deviance(ratings, found.pair, found.rater * step, found.residual) > best


def test_offsets_that_are_too_alike_have_no_variance():
    ratings = simulated(40, 3, offsets=0.0, seed=3)
    ratings -= ratings.mean(axis=0)
    assert fitted(ratings).rater == 0.0


def test_pairs_that_are_too_alike_have_no_variance():
    assert fitted(np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [2.0, 1.0]])).pair == 0.0


def test_ratings_that_fit_exactly_leave_no_residual():
    true, offsets = np.arange(6.0), np.array([0.0, 1.0, 3.0])
    found = fitted(true[:, None] + offsets)
    assert found.residual == 0.0
    assert found.pair == pytest.approx(true.var(ddof=1))
    assert found.rater == pytest.approx(offsets.var(ddof=1))


def test_a_search_from_nearby_finds_the_same():
    ratings = simulated(60, 5, offsets=0.5, seed=4)
    ratings[np.random.default_rng(5).random(ratings.shape) < 0.4] = NAN
    near = fitted(ratings)
    one, other = variance_components(CrossedRatings.of(ratings[3:]), near=near), fitted(ratings[3:])
    expected = (other.pair, other.rater, other.residual)
    assert (one.pair, one.rater, one.residual) == pytest.approx(expected, rel=1e-6)


def test_a_pair_drawn_twice_counts_as_two_pairs():
    drawn = CrossedRatings.of(SMALL).drawn(np.array([2, 1, 0, 1, 1, 0, 3, 1]))
    written_out = SMALL[[0, 0, 1, 3, 4, 6, 6, 6, 7]]
    one, other = variance_components(drawn), fitted(written_out)
    assert (one.pair, one.rater, one.residual) == pytest.approx((other.pair, other.rater, other.residual))


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[NAN, NAN]], "no pair has two ratings"),
        ([[1, NAN], [NAN, 2], [3, NAN]], "no pair has two ratings"),
        ([[2, 2], [2, 2]], "all 4 ratings are equal"),
        ([[1, 2, 3]], "only 1 pair was rated"),
        ([[1, 2, NAN, NAN], [NAN, NAN, 3, 5]], "no annotator rated two pairs"),
        ([[1, 2, NAN], [NAN, 3, 5]], "too few pairs were rated by the same annotators"),
        ([[1, 2, 3], [1, 2, 3]], "all 2 pairs have the same ratings"),
    ],
)
def test_why_components_are_undefined(ratings, reason):
    assert CrossedRatings.of(np.array(ratings, float)).why_undefined() == reason
