"""The overall figures and their intervals: which there are, and what holds for every statistic."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.ratings.findings import HEADLINES
from medgauge.ratings.overall import estimate_agreement, overall_figures
from medgauge.stats.raters.agreement_statistics import FIGURES, STATISTICS
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from tests.stats.raters import references

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(2, 25), st.integers(2, 4)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)
LEVELS = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])


def many_groups(size: int = 8) -> np.ndarray:
    """Annotators in many small groups who agree closely, where resampling shifts the figures."""
    rng = np.random.default_rng(2)
    ratings = np.full((40 * size, 40 * 3), NAN)
    for group in range(40):
        true = rng.permutation(size)[:, None]
        block = true + rng.choice([0, 0, 0, 0, 1], (size, 3))
        ratings[group * size : (group + 1) * size, group * 3 : group * 3 + 3] = block
    return ratings


@given(RATINGS, LEVELS)
@settings(max_examples=40, deadline=None)
def test_overall_figures_are_those_of_the_slow_references(ratings, level):
    slow = references.figures(ratings, list(range(len(ratings))), level)
    found = overall_figures(ratings, level)
    for name in HEADLINES:
        expected = slow[STATISTICS[name].figure]
        assert found.figure(name) == pytest.approx(expected, abs=1e-9, nan_ok=True), name


@given(RATINGS, LEVELS, st.sampled_from([0.5, 0.9, 0.95, 0.995]))
@settings(max_examples=60, deadline=None)
def test_an_interval_stays_in_the_range_of_its_statistic_or_has_a_reason(ratings, level, confidence):
    overall = estimate_agreement(ratings, level, resamples=99, seed=0, confidence=confidence)
    assert list(overall.estimates) == list(FIGURES)
    for name, one in overall.estimates.items():
        assert one.confidence == confidence
        if math.isnan(one.low):
            assert math.isnan(one.high)
            assert (name in overall.no_interval) == one.is_defined, name
            continue
        assert FIGURES[name].lowest - 1e-9 <= one.low <= one.high <= FIGURES[name].highest + 1e-9, name


@pytest.fixture(scope="module")
def after_one_slip():
    """Five panels of three annotators who agree on all of 150 pairs but one: the jackknife's case."""
    ratings = np.full((150, 15), NAN)
    for panel in range(5):
        order = np.random.default_rng(panel).permutation(30)
        ratings[panel * 30 : panel * 30 + 30, panel * 3 : panel * 3 + 3] = order[:, None]
    ratings[0, 0] = 0.0  # and not 2
    return estimate_agreement(ratings, "ordinal", resamples=199, seed=0)


JACKKNIFED = [
    name
    for name, one in FIGURES.items()
    if name not in MeanReliability.names
    and not one.is_maximum
    and (math.isfinite(one.lowest) or math.isfinite(one.highest))
]


@pytest.mark.parametrize("name", JACKKNIFED)
def test_after_one_slip_intervals_are_the_jackknifes(after_one_slip, name):
    assert name in after_one_slip.jackknifed


@pytest.mark.parametrize("name", JACKKNIFED)
def test_a_jackknifed_interval_stays_in_the_range_of_its_statistic(after_one_slip, name):
    one = after_one_slip.estimates[name]
    assert FIGURES[name].lowest - 1e-9 <= one.low <= one.high <= FIGURES[name].highest + 1e-9


@pytest.mark.parametrize("name", MeanReliability.names)
def test_figures_of_all_ratings_have_intervals_in_their_range(after_one_slip, name):
    assert name not in after_one_slip.jackknifed
    one = after_one_slip.estimates[name]
    assert math.isnan(one.low) or 0 <= one.low <= one.value <= one.high <= 1


def test_in_many_small_groups_some_intervals_are_the_jackknifes():
    overall = estimate_agreement(many_groups(), "ordinal", resamples=199, seed=0)
    assert "iaa_2" in overall.jackknifed
    assert not {name for name in overall.jackknifed if FIGURES[name].is_maximum}
    for name in ("human_upper_bound", "human_upper_bound_excluding_self"):
        assert math.isnan(overall.estimates[name].low)


def test_an_undefined_figure_has_no_interval_and_a_reason():
    overall = estimate_agreement(np.full((12, 3), 2.0), "ordinal", resamples=9, seed=0)
    assert overall.jackknifed == []
    assert overall.no_interval == {"mean_sd": "it is the same on every resample"}
    for name, one in overall.estimates.items():
        assert math.isnan(one.low)
        assert (one.undefined is None) == (name == "mean_sd"), name


def twelve_pairs() -> np.ndarray:
    """Three annotators who agree on all of twelve pairs but one."""
    ratings = np.repeat(np.arange(12.0)[:, None], 3, axis=1)
    ratings[11, 2] = 3.0
    return ratings


def test_on_twelve_pairs_no_interval_leaves_its_range():
    """The estimate ± z s reached from 0.4 to beyond 1 here."""
    overall = estimate_agreement(twelve_pairs(), "interval", resamples=499, seed=0)
    for name in ("alpha", "packed_icc_1", "packed_icc_k", "packed_icc_c1", "packed_icc_a1", "packed_icc_ak"):
        one = overall.estimates[name]
        assert name in overall.jackknifed
        assert FIGURES[name].lowest < one.low < one.value < one.high < 1, name
