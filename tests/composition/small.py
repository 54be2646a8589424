"""A small set with ids, CUIs, types and specificity, and the sources that say the same of its concepts."""

import polars as pl

from medgauge.pairs import Card, PairSet

FEVER, PLIMMER, PLIMMER_KNEE, ACHE, OEDEMA = "C0000001", "C0000002", "C0000003", "C0000004", "C0000007"
"""CUIs of `every_case` in tests/support/umls_releases.py."""


def pair_set(rows, *, name="mine", scale=None, **columns):
    """Make a set of (term, term, gold) rows with further columns."""
    frame = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(1, len(rows) + 1)],
            "term_1": [row[0] for row in rows],
            "term_2": [row[1] for row in rows],
            "gold": [float(row[2]) for row in rows],
            **columns,
        },
        schema_overrides={"gold": pl.Float64},
    )
    return PairSet(frame, Card(name=name, title=name, scale=scale))
