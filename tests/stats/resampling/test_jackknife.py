"""The jackknife's interval against Student's t, a slow version, and the span that it may not leave."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.resampling.jackknife import jackknife_interval
from medgauge.stats.resampling.span import BELOW_ONE, CORRELATION, POSITIVE, SHARE, Span

SAMPLES = st.lists(st.floats(0.001, 0.999), min_size=5, max_size=20, unique=True).map(np.array)


def without_each(sample: np.ndarray) -> np.ndarray:
    """The mean without each value."""
    return np.array([np.delete(sample, place).mean() for place in range(sample.size)])


@given(SAMPLES, st.sampled_from([0.5, 0.1, 0.05, 0.005]))
def test_the_interval_of_a_mean_is_students(sample, level):
    """scipy's one-sample t; the jackknife's standard error of a mean is that of the textbook."""
    expected = stats.ttest_1samp(sample, 0).confidence_interval(1 - level)
    found = jackknife_interval(sample.mean(), without_each(sample), level)
    if found.reason is None:
        assert found.ends == pytest.approx((expected.low, expected.high), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("span", "there", "back"),
    [
        (CORRELATION, np.arctanh, np.tanh),
        (SHARE, lambda x: np.log(x / (1 - x)), lambda y: 1 / (1 + np.exp(-y))),
        (BELOW_ONE, lambda x: np.log(1 - x), lambda y: 1 - np.exp(y)),
        (POSITIVE, np.log, np.exp),
    ],
)
def test_on_a_stretched_line_the_standard_error_is_carried_over_by_the_slope(span, there, back):
    """A slow version, with the slope by a difference of two values."""
    sample = np.array([0.1, 0.3, 0.35, 0.6, 0.9, 0.95])
    mean, n = sample.mean(), sample.size
    error = math.sqrt((n - 1) / n * ((without_each(sample) - without_each(sample).mean()) ** 2).sum())
    slope = abs(there(mean + 1e-6) - there(mean - 1e-6)) / 2e-6
    half = stats.t.ppf(0.975, n - 1) * error * slope
    expected = sorted((back(there(mean) - half), back(there(mean) + half)))
    assert jackknife_interval(mean, without_each(sample), 0.05, span=span).ends == pytest.approx(expected)


@given(SAMPLES, st.sampled_from([CORRELATION, SHARE, BELOW_ONE, POSITIVE, Span(-0.25, 1)]))
def test_an_interval_never_leaves_its_span_and_has_the_estimate_inside(sample, span):
    found = jackknife_interval(sample.mean(), without_each(sample), 0.005, span=span)
    if found.reason is None:
        assert span.lowest <= found.low <= sample.mean() <= found.high <= span.highest


def test_a_value_at_the_end_without_one_unit_does_no_harm():
    """One slip among thirty: without it agreement is perfect, and infinitely far away on the line."""
    found = jackknife_interval(0.99, np.array([1.0, *[0.99] * 29]), 0.05, span=BELOW_ONE)
    # s = 0.01 · 29/30, so that ln(1 − x) moves by t = 2.045 times 29/30.
    assert found.ends == pytest.approx((1 - 0.01 * math.exp(1.977), 1 - 0.01 * math.exp(-1.977)), abs=1e-4)


@pytest.mark.parametrize(
    ("estimate", "without", "reason"),
    [
        (0.5, [0.4, 0.5, 0.6, 0.5], "fewer than 5 annotators"),
        (0.5, [0.4, 0.5, math.nan, 0.5, 0.6], "it is undefined without one of the annotators"),
        (1.0, [0.9, 1.0, 1.0, 1.0, 1.0], "it is not between −1 and 1"),
        (-1.0, [-0.9, -1.0, -1.0, -1.0, -1.0], "it is not between −1 and 1"),
        (0.5, [0.5] * 5, "it is the same without each annotator"),
    ],
)
def test_there_is_a_reason_where_there_is_no_interval(estimate, without, reason):
    found = jackknife_interval(estimate, np.array(without), 0.05, span=CORRELATION, unit="annotator")
    assert found.reason == reason
    assert all(map(math.isnan, found.ends))


def test_an_interval_without_an_end_is_none():
    found = jackknife_interval(-2.0, np.array([-5e5, -1.0, -1.0, -1.0, -1.0]), 0.05, span=BELOW_ONE)
    assert found.reason == "its interval would be unlimited"
