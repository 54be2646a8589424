"""Spans against the transforms that they stand for, and what must hold."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.stats.resampling.span import BELOW_ONE, CORRELATION, POSITIVE, SHARE, Span

SPANS = {
    "correlation": CORRELATION,
    "share": SHARE,
    "below one": BELOW_ONE,
    "positive": POSITIVE,
    "one of five ratings": Span(-1 / 4, 1),
    "line": Span(),
}


@pytest.mark.parametrize(
    ("span", "transform"),
    [
        (CORRELATION, lambda x: 2 * math.atanh(x)),
        (SHARE, lambda x: math.log(x / (1 - x))),
        (BELOW_ONE, lambda x: -math.log(1 - x)),
        (POSITIVE, math.log),
        (Span(-1 / 4, 1), lambda x: math.log((1 + 4 * x) / (1 - x)) - math.log(4)),
        (Span(), lambda x: x),
    ],
    ids=["atanh", "logit", "ln(1 − x)", "ln x", "Fisher's for k = 5", "the value"],
)
@pytest.mark.parametrize("value", [0.01, 0.5, 0.99])
def test_places_are_those_of_the_transform(span, transform, value):
    assert span.place(value) == pytest.approx(transform(value))


@pytest.mark.parametrize("span", SPANS.values(), ids=SPANS)
@given(place=st.floats(-12, 12))
def test_a_value_is_found_again_and_the_slope_is_the_derivative(span, place):
    value = span.value(place)
    assert span.contains(value)
    assert span.place(value) == pytest.approx(place, abs=1e-6)
    step = 1e-7 / span.slope(value)
    assert span.place(value + step) - span.place(value - step) == pytest.approx(2e-7, rel=0.1)


@pytest.mark.parametrize("span", SPANS.values(), ids=SPANS)
@given(place=st.floats(-1e6, 1e6))
def test_no_place_is_outside_the_span(span, place):
    assert span.lowest <= span.value(place) <= span.highest


@pytest.mark.parametrize("end", [-1, 1, 1 - 1e-15, -1.5])
def test_an_end_is_not_inside_not_even_up_to_rounding(end):
    assert not CORRELATION.contains(end)


def test_spans_are_described_in_words():
    texts = [str(span) for span in SPANS.values()]
    assert texts == [
        "between −1 and 1",
        "between 0 and 1",
        "below 1",
        "above 0",
        "between −0.25 and 1",
        "a number",
    ]
