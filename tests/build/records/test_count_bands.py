"""Bands against their definition, edge by edge."""

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.records.count_bands import band_of, banded

LARGEST = 2**63 - 1
LEAST = st.integers(1, 30) | st.integers(1, 2_000_000)
COUNTS = st.integers(0, 60) | st.integers(0, 10**7) | st.integers(0, LARGEST)


def slow_band(count, least):
    """Go from edge to edge until the count is passed; the first edge is the least that may be shown."""
    low, edge = least, 1
    while True:
        for high in (edge, 2 * edge, 5 * edge):
            if high - 1 <= low:  # a band of one number, or none, goes on to the next edge
                continue
            if count < high:
                return low, high - 1
            low = high
        edge *= 10


def ends(band):
    low, high = re.fullmatch(r"([\d,]+)–([\d,]+)", band).groups()
    return int(low.replace(",", "")), int(high.replace(",", ""))


@given(COUNTS, LEAST)
def test_bands_are_those_of_the_definition(count, least):
    assert ends(band_of(least + count, least)) == slow_band(least + count, least)


@given(LEAST)
def test_every_count_is_in_exactly_one_band_and_no_band_is_a_single_number(least):
    low = least
    for _ in range(12):
        band = band_of(low, least)
        first, last = ends(band)
        assert first == low
        assert last > first
        assert band_of(last, least) == band
        low = last + 1


@given(st.lists(st.none() | COUNTS), LEAST)
def test_a_column_has_the_bands_of_its_counts(counts, least):
    column = pl.Series("patients", counts, dtype=pl.Int64)
    slow = [None if count is None or count < least else band_of(count, least) for count in counts]
    found = banded(column, least)
    assert found.to_list() == slow
    assert (found.name, found.dtype) == ("patients", pl.String)
    assert column.to_frame().select(banded(pl.col("patients"), least))["patients"].equals(found)


@pytest.mark.parametrize("kind", [pl.Int32, pl.UInt32, pl.Int64, pl.UInt64])
def test_counts_of_any_whole_type_have_bands(kind):
    column = pl.Series("n", [4, 5, 19, 1500], dtype=kind)
    assert banded(column, 5).to_list() == [None, "5–9", "10–19", "1,000–1,999"]


def test_an_expression_can_be_used_in_a_lazy_frame_and_by_group():
    frame = pl.DataFrame({"n": [10, 12, 20], "g": ["x", "y", "x"]})
    band = banded(pl.col("n"), 10).alias("band")
    assert frame.lazy().with_columns(band).collect()["band"].to_list() == ["10–19", "10–19", "20–49"]
    assert frame.group_by(band, maintain_order=True).len()["len"].to_list() == [2, 1]
    assert frame.with_columns(banded(pl.col("n").sum().over("g"), 10))["n"].to_list() == [
        "20–49",
        "10–19",
        "20–49",
    ]


@pytest.mark.parametrize(
    ("least", "bands"),
    [
        (1, ["1–4", "5–9", "10–19", "20–49", "50–99", "100–199", "200–499", "500–999", "1,000–1,999"]),
        (4, ["4–9", "10–19"]),
        (5, ["5–9", "10–19"]),
        (9, ["9–19", "20–49"]),
        (10, ["10–19", "20–49"]),
        (11, ["11–19", "20–49"]),
        (18, ["18–19", "20–49"]),
        (19, ["19–49", "50–99"]),
        (999, ["999–1,999", "2,000–4,999"]),
    ],
)
def test_bands_by_hand(least, bands):
    found = dict.fromkeys(band_of(count, least) for count in range(least, ends(bands[-1])[1] + 1))
    assert list(found) == bands


def test_the_largest_count_has_a_band():
    assert band_of(LARGEST, 10) == "5,000,000,000,000,000,000–9,999,999,999,999,999,999"
    assert banded(pl.Series([LARGEST]), 10).to_list() == [band_of(LARGEST, 10)]


def test_a_count_that_may_not_be_shown_has_no_band():
    with pytest.raises(ValueError, match="a count below 10 has no band"):
        band_of(9, 10)
    assert banded(pl.Series([9, 0]), 10).to_list() == [None, None]


def test_an_empty_column_has_no_bands():
    assert banded(pl.Series("n", [], dtype=pl.Int64), 10).dtype == pl.String
