"""Which pairs of a set share a concept, a term or a stratum: numbers instead of the values.

Stored with the scores, so that groups of pairs can be distinguished later without storing terms in a run.
"""

import polars as pl

from medgauge.pairs import TARGETS, Pairs

_COUNTABLE = (pl.String, pl.Boolean, pl.Categorical, pl.Enum)

CONCEPTS = ("concept 1", "concept 2")
"""Columns that number the concepts of both sides jointly, which those of single columns do not."""


def groups_frame(pairs: Pairs) -> pl.DataFrame:
    """Assign numbers to the distinct values of each column of a set, from 1; a missing value stays missing.

    Two more columns number the concepts of both sides: a concept is known by its id, else its CUI, else its
    term.

    >>> from medgauge.pairs import Card, PairSet
    >>> rows = [("flu", "asthma", 1.0), ("flu", "angina", 2.0), ("gout", "angina", 0.0)]
    >>> groups_frame(PairSet.of(rows, card=Card(name="x", title="X"))).drop("pair_id").rows()
    [(1, 2, 3, 2), (1, 1, 3, 1), (2, 1, 4, 1)]
    """
    columns = [
        column.cast(pl.String).rank("dense").cast(pl.UInt32).alias(column.name)
        for column in pairs.frame.drop("pair_id", *TARGETS, strict=False)
        if column.dtype.is_numeric() or column.dtype in _COUNTABLE
    ]
    frame = pl.DataFrame([pairs.frame["pair_id"], *columns])
    return frame.drop(CONCEPTS, strict=False).with_columns(_concepts(pairs.frame))


def _concepts(frame: pl.DataFrame) -> list[pl.Series]:
    """Return numbers for the concepts of both sides; the kind of key keeps an id from meeting a term."""
    sides = []
    for side in (1, 2):
        names = [name for kind in ("id", "cui", "term") if (name := f"{kind}_{side}") in frame.columns]
        known = [pl.col(name).cast(pl.String).replace("", None) for name in names]
        keys = [pl.concat_str(pl.lit(name[:-1]), one) for name, one in zip(names, known, strict=True)]
        sides.append(frame.select(pl.coalesce(keys)).to_series())
    both = pl.concat(sides).rank("dense").cast(pl.UInt32)
    return [both.slice(side * frame.height, frame.height).alias(name) for side, name in enumerate(CONCEPTS)]
