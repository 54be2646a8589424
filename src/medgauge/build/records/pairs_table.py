"""The tables that leave the records: pairs, concepts and unmapped codes, with their numbers in bands."""

import polars as pl

from medgauge.build.records.count_bands import banded
from medgauge.build.records.data_sheet import SamplingParameters

_NUMBERS = ("patients", "patients_1", "patients_2")


def pairs_table(
    drawn: pl.DataFrame, concepts: pl.DataFrame, asked: SamplingParameters, *, least: int
) -> pl.DataFrame:
    """Return sampled pairs with their terms, and with bands in place of the numbers of patients.

    Frequent pairs are sorted by band and ids: an order by patients would tell more than the bands do.
    """
    named = dict(concepts.select("id", "term").iter_rows())
    exact = asked.exact_counts
    if asked.sample == "frequent" and not exact:
        drawn = drawn.sort(_lowest(least), "id_1", "id_2", descending=[True, False, False])
    counts = drawn.select(pl.col(name) if exact else _band(name, least) for name in _NUMBERS)
    return pl.DataFrame(
        [
            pl.Series("pair_id", [str(number) for number in range(1, drawn.height + 1)], pl.String),
            drawn["id_1"],
            pl.Series("term_1", [named[one] for one in drawn["id_1"]], pl.String),
            drawn["id_2"],
            pl.Series("term_2", [named[one] for one in drawn["id_2"]], pl.String),
            *counts.get_columns(),
            *([drawn["stratum"]] if "stratum" in drawn.columns else []),
        ]
    )


def unmapped_table(unmapped: pl.DataFrame, *, least: int) -> pl.DataFrame:
    """Return the codes without a concept, by name, with their numbers of events in bands."""
    return unmapped.sort(
        pl.col("events").min().over(banded(pl.col("events"), least)),
        "system",
        "code",
        descending=[True, False, False],
    ).select(_in_one_line("system", "code", "term"), _band("events", least))


def concepts_table(concepts: pl.DataFrame, *, least: int) -> pl.DataFrame:
    """Return the concepts for a person to flag, commonest first, in the form that `exclude` reads."""
    listed = concepts.sort(_lowest(least), "id", descending=[True, False])
    return listed.select(
        _in_one_line("id", "term"), _band("patients", least), exclude=pl.lit(None, pl.String)
    )


def _in_one_line(*names: str) -> pl.Expr:
    """Return texts without tabs and line breaks, which would be read as further cells and rows."""
    return pl.col(names).str.replace_all(r"\s+", " ")


def _lowest(least: int) -> pl.Expr:
    """Return the lowest number of patients in the band of each row."""
    return pl.col("patients").min().over(banded(pl.col("patients"), least))


def _band(name: str, least: int) -> pl.Expr:
    return banded(pl.col(name), least).alias(name)
