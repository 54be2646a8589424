"""Figures under weights against the slow references on rows that are really repeated."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.catalog.datasets import load_dataset
from medgauge.stats.raters.agreement_statistics import FIGURES, prepare
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.resampled_agreement import resample_agreement
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from tests.stats.raters import references

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(2, 14), st.integers(1, 5)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)
LEVELS = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])


def check(found, slow):
    """Compare figures with the references'; those from REML are found by a search, to about 8 digits."""
    for name, value in zip(FIGURES, found, strict=True):
        tolerance = 1e-6 if name in MeanReliability.names else 1e-9
        assert value == pytest.approx(slow[name], abs=tolerance, nan_ok=True), name


def resampled(ratings, level, resamples, rng, **options):
    return resample_agreement(prepare(ratings, level), len(ratings), resamples=resamples, rng=rng, **options)


@given(RATINGS, LEVELS, st.integers(0, 2**32 - 1))
@example(np.array([[3.5, 0, 0], [0, 0, 0], [0, 0, 0]]), "nominal", 0)  # the first resample is all equal
@example(np.array([[0, 3.5, 2, 2, 2], [2, 2, 2, 2, 2], [2, 2, 2, 2, 2]]), "interval", 0)  # and so here
@settings(max_examples=150, deadline=None)
def test_resamples_are_those_of_repeated_rows(ratings, level, seed):
    found = resampled(ratings, level, 3, np.random.default_rng(seed))
    draws = np.random.default_rng(seed).spawn(1)[0].integers(0, len(ratings), (3, len(ratings)), np.uint16)
    for row, drawn in zip(found.resamples, draws, strict=True):
        slow = references.figures(ratings, drawn.tolist(), level)
        check(row, slow)


@given(RATINGS, LEVELS)
@settings(max_examples=60, deadline=None)
def test_the_jackknife_leaves_out_each_pair_and_the_whole_none(ratings, level):
    assume(len(ratings) > 1)
    found = resampled(ratings, level, 1, np.random.default_rng(0))
    every = list(range(len(ratings)))
    whole = references.figures(ratings, every, level)
    check(found.whole, whole)
    for row in every:
        slow = references.figures(ratings, [one for one in every if one != row], level)
        check(found.jackknife[row], slow)


@given(RATINGS, LEVELS)
@settings(max_examples=60, deadline=None)
def test_the_whole_is_the_plain_figure_to_the_bit(ratings, level):
    found = resampled(ratings, level, 1, np.random.default_rng(0))
    plain = [
        one.value
        for kernel in prepare(ratings, level)
        for one in plain_estimates(kernel, len(ratings)).values()
    ]
    assert found.whole.tobytes() == np.array(plain).tobytes()


def test_the_number_of_threads_changes_no_byte():
    ratings = np.random.default_rng(3).integers(0, 4, (60, 5)).astype(float)
    ratings[np.random.default_rng(4).random(ratings.shape) < 0.3] = NAN
    one, three = (
        resampled(ratings, "ordinal", 1500, np.random.default_rng(1), workers=workers) for workers in (1, 3)
    )
    assert one.resamples.tobytes() == three.resamples.tobytes()
    assert one.jackknife.tobytes() == three.jackknife.tobytes()


def test_the_whole_of_ehr_rel_b_is_that_of_the_slow_references(real_data):
    real_data("published/EHR-RelB.tsv")
    ratings = load_dataset("ehr-rel-b").ratings
    found = resampled(ratings, "ordinal", 1, np.random.default_rng(0))
    slow = references.figures(ratings, list(range(len(ratings))), "ordinal")
    assert dict(zip(FIGURES, found.whole.tolist(), strict=True)) == pytest.approx(slow, abs=1e-12)
