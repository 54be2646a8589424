"""Builds from records for tests, and their pairs as a dictionary."""

import warnings
from pathlib import Path
from typing import Any

import polars as pl

from medgauge.build.records.data_sheet import DataSheet
from medgauge.build.records.from_records import build_records

TABLE = {name: name for name in ("patient", "code", "term", "category", "date")}
"""The columns of `write_table`, named as options."""


def columns_for(form: str) -> dict[str, str]:
    """Return the columns that a form of the tests' records needs as options."""
    return TABLE if form.startswith("table") else {}


def built(source: Path, out: Path, **options: object) -> tuple[DataSheet, pl.DataFrame]:
    """Build pairs with exact counts without warnings; return the data sheet and the pairs."""
    given = {"exact_counts": True} | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sheet = build_records(source, out, **given)
    return sheet, pl.read_parquet(out / "pairs.parquet")


def same_on_both(
    engine: str, folder: Path, on_duckdb: dict[str, object], on_other: dict[str, object], **options: object
) -> DataSheet:
    """Build from the same records with DuckDB and another engine; hold all that is found to be equal."""
    every: dict[str, object] = {"pairs": 1000, "per_concept": 100, "min_patients": 5, "exact_counts": True}
    sheets, pairs, unmapped = [], [], []
    for name, source in {"duckdb": on_duckdb, engine: on_other}.items():
        given: dict[str, Any] = source | options | every
        sheets.append(build_records(out=folder / name, **given))
        pairs.append(pl.read_parquet(folder / name / "pairs.parquet"))
        unmapped.append((folder / name / "unmapped.tsv").read_text("utf-8"))
    assert [sheet.found.engine.partition(" ")[0] for sheet in sheets] == ["duckdb", engine]
    found, found_by_other = (sheet.found.model_copy(update={"engine": ""}) for sheet in sheets)
    assert found_by_other == found
    assert pairs[1].equals(pairs[0])
    assert sheets[1].written == sheets[0].written
    assert unmapped[1] == unmapped[0]
    return sheets[1]


def patients_of(pairs: pl.DataFrame) -> dict[tuple[str, str], int]:
    """Return the number of patients of each pair by its ids."""
    return {(row["id_1"], row["id_2"]): row["patients"] for row in pairs.iter_rows(named=True)}


def every_pair(source: Path, out: Path, **options: object) -> dict[tuple[str, str], int]:
    """Build all pairs of enough patients, and return the number of patients of each."""
    return patients_of(built(source, out, sample="random", pairs=100_000, **options)[1])
