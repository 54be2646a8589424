"""The scale as users write it."""

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from medgauge.cli.options.rating_options import named_columns, parse_rescaling, parse_scale


@pytest.mark.parametrize(
    ("given_scale", "scale"),
    [
        ("0-6", (0, 6)),
        ("1-4", (1, 4)),
        (" 0 - 1600 ", (0, 1600)),
        ("0.5-2.25", (0.5, 2.25)),
        (".5-1.", (0.5, 1)),
        ("-3-3", (-3, 3)),
        ("-3.5--1", (-3.5, -1)),
        ("-1-+1", (-1, 1)),
        ("0–10", (0, 10)),
    ],
)
def test_a_scale_has_two_ends(given_scale, scale):
    assert parse_scale(given_scale) == scale


NUMBERS = st.integers(-500, 500) | st.decimals(-500, 500, places=2)


@given(NUMBERS, NUMBERS)
def test_what_is_written_is_read(low, high):
    if low < high:
        assert parse_scale(f"{low}-{high}") == (float(low), float(high))
    else:
        with pytest.raises(typer.BadParameter, match="must rise"):
            parse_scale(f"{low}-{high}")


@pytest.mark.parametrize(
    "bad",
    ["", "6", "-6", "0-", "-", "0:6", "a-b", "0-6-10", "0,5-1", "nan-1", "0-inf", "1e3-2e3", "0--"],
)
def test_what_is_no_scale_is_refused(bad):
    with pytest.raises(typer.BadParameter, match="is not a scale such as 0-6"):
        parse_scale(bad)


@pytest.mark.parametrize("bad", ["6-0", "3-3", "0--1"])
def test_a_scale_rises(bad):
    with pytest.raises(typer.BadParameter, match="must rise from a lowest to a highest number"):
        parse_scale(bad)


def test_a_second_scale_follows_a_colon():
    assert parse_rescaling("0-6:0-10") == ((0, 6), (0, 10))
    assert parse_rescaling("-3-3 : -1-1") == ((-3, 3), (-1, 1))
    assert parse_rescaling("0-6") == ((0, 6), None)
    assert parse_rescaling(None) == (None, None)
    assert parse_scale(None) is None


@pytest.mark.parametrize("bad", ["0-6:", ":0-10", "0-6:0-10:0-1", "0-6:10-0", ":"])
def test_both_scales_are_needed_around_a_colon(bad):
    with pytest.raises(typer.BadParameter):
        parse_rescaling(bad)


def test_columns_come_with_commas_or_one_by_one():
    assert named_columns(["Ada,José-María", " C 3 ", "d:f"]) == ["Ada", "José-María", "C 3", "d:f"]
    assert named_columns(None) is None


@pytest.mark.parametrize(
    "scale", ["1" * 10**6, "\x1b[31m", "0-" + "x" * 10**5], ids=["digits", "escape", "text"]
)
def test_what_is_no_scale_is_cut_in_the_message(scale):
    """A million digits took minutes to match, and were repeated."""
    with pytest.raises(typer.BadParameter, match="is not a scale such as 0-6") as caught:
        parse_scale(scale)
    assert len(str(caught.value)) < 120
    assert str(caught.value).isprintable()
