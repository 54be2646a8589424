"""Which pairs of a set share a concept, a term or a stratum: numbers instead of the values.

Stored with the scores, so that groups of pairs can be distinguished later without storing terms in a run.
"""

import polars as pl

from medgauge.pairs import TARGETS, Pairs

_COUNTABLE = (pl.String, pl.Boolean, pl.Categorical, pl.Enum)


def groups_frame(pairs: Pairs) -> pl.DataFrame:
    """Assign numbers to the distinct values of each column of a set, from 1; a missing value stays missing.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "asthma", 1.0), ("flu", "angina", 2.0), ("gout", "angina", 0.0)]
    >>> groups_frame(PairSet.of(rows, card=Card(name="x", title="X"))).drop("pair_id").rows()
    [(1, 2), (1, 1), (2, 1)]
    """
    columns = [
        column.cast(pl.String).rank("dense").cast(pl.UInt32).alias(column.name)
        for column in pairs.frame.drop("pair_id", *TARGETS, strict=False)
        if column.dtype.is_numeric() or column.dtype in _COUNTABLE
    ]
    return pl.DataFrame([pairs.frame["pair_id"], *columns])
