"""Numbers of patients as bands, such as 20–49, so that no exact number leaves the site."""

from bisect import bisect_right
from functools import cache
from itertools import pairwise
from typing import TypeVar

import polars as pl

_STEPS = (1, 2, 5)
_POWERS = 19  # of ten, which is more than a count of 64 bits holds

Column = TypeVar("Column", pl.Series, pl.Expr)


def band_of(count: int, least: int) -> str:
    """Return the band of a count: from 1, 2 or 5 times a power of ten to just below the next of these.

    The first band begins at `least`, the fewest patients that may be shown. Where it would be a single
    number, which is the exact count, it reaches to the end of the next band.

    >>> band_of(12, least=10), band_of(7, least=7), band_of(17, least=15), band_of(1234, least=5)
    ('10–19', '7–9', '15–19', '1,000–1,999')
    >>> band_of(9, least=9)
    '9–19'
    """
    if count < least:
        raise ValueError(f"a count below {least} has no band")
    edges, bands = _bands(least)
    return bands[bisect_right(edges, count) - 1]


def banded(column: Column, least: int) -> Column:
    """Return the bands of a column of counts, as `band_of` has them; a count below `least` becomes null.

    >>> banded(pl.Series("patients", [3, 12, 50]), least=10).to_list()
    [None, '10–19', '50–99']
    """
    if isinstance(column, pl.Series):
        return _banded(column, least)
    return column.map_batches(
        lambda counts: _banded(counts, least), return_dtype=pl.String, is_elementwise=True
    )


def _banded(counts: pl.Series, least: int) -> pl.Series:
    edges, bands = _bands(least)
    places = pl.Series(edges, dtype=pl.Int64).search_sorted(counts.cast(pl.Int64), side="right")
    return pl.Series(counts.name, [None, *bands], dtype=pl.String).gather(places)


@cache
def _bands(least: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return where the bands begin, and the bands."""
    steps = (step * 10**power for power in range(_POWERS) for step in _STEPS)
    edges = (least, *(edge for edge in steps if edge > least + 1))
    bands = (f"{low:,}–{high - 1:,}" for low, high in pairwise((*edges, 10**_POWERS)))
    return edges, tuple(bands)
