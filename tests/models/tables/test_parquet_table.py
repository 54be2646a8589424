from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.tables.concept_keys import COLUMNS
from medgauge.models.tables.parquet_table import ParquetTable

TERMS = ["heart attack", "Œdème", "kidney"]
VALUES = [[0.5, -1.0], [2.0, 0.25], [3.0, 4.0]]


def parquet(path: Path, **columns: Any) -> ParquetTable:
    pl.DataFrame(columns).write_parquet(path)
    table = recognise(path)
    assert isinstance(table, ParquetTable)
    return table


@pytest.mark.parametrize(
    "kind",
    [pl.List(pl.Float64), pl.List(pl.Float32), pl.Array(pl.Float32, 2), pl.Array(pl.Float64, 2)],
    ids=str,
)
def test_a_list_column_of_parquet_holds_the_vectors(tmp_path: Path, kind: pl.DataType) -> None:
    terms, vectors = parquet(tmp_path / "t", term=TERMS, vector=pl.Series(VALUES, dtype=kind)).load()
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == VALUES


def test_a_list_column_of_whole_numbers_holds_vectors(tmp_path: Path) -> None:
    assert parquet(tmp_path / "t", term=["a"], vector=[[1, 2]]).load()[1].tolist() == [[1.0, 2.0]]


def test_the_number_columns_of_parquet_are_dimensions(tmp_path: Path) -> None:
    table = parquet(tmp_path / "t", term=TERMS, x=[0.5, 2.0, 3.0], y=[-1.0, 0.25, 4.0], z=[1, 2, 3])
    terms, vectors = table.load()
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0.5, -1.0, 1.0], [2.0, 0.25, 2.0], [3.0, 4.0, 3.0]]


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"word": TERMS, "vector": VALUES}, "has no text column 'term'; its columns are word, vector"),
        ({"term": [1, 2, 3], "vector": VALUES}, "has no text column 'term'"),
        ({"term": TERMS}, "needs a list column 'vector', or only numeric columns besides 'term'"),
        ({"term": TERMS, "x": TERMS}, "needs a list column 'vector', or only numeric columns besides 'term'"),
        ({"term": TERMS, "vector": [1.0, 2.0, 3.0]}, "the column 'vector' does not hold lists of numbers"),
        ({"term": TERMS, "vector": [["a"], ["b"], ["c"]]}, "does not hold lists of numbers"),
    ],
)
def test_parquet_that_lacks_a_column_is_refused(
    tmp_path: Path, columns: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FileError, match=f"t\\.parquet: .*{problem}"):
        parquet(tmp_path / "t.parquet", **columns).load()


@pytest.mark.parametrize(
    ("columns", "row", "problem"),
    [
        ({"term": TERMS, "vector": [[1.0], [2.0], [3.0, 4.0]]}, 3, "2 numbers, but the first has 1"),
        ({"term": TERMS, "vector": [[1.0], None, [3.0]]}, 2, "the vector is missing"),
        ({"term": TERMS, "vector": [None, [2.0], [3.0]]}, 1, "the vector"),
        ({"term": ["a", None, "b"], "vector": VALUES}, 2, "the term is missing"),
        ({"term": TERMS, "vector": [[1.0], [2.0], [float("nan")]]}, 3, "missing, infinite or not a number"),
        ({"term": TERMS, "vector": [[1.0], [None], [3.0]]}, 2, "missing, infinite or not a number"),
        ({"term": TERMS, "x": [1.0, float("inf"), 2.0]}, 2, "missing, infinite or not a number"),
        ({"term": TERMS, "x": [None, 1.0, 2.0]}, 1, "missing, infinite or not a number"),
        ({"term": TERMS, "x": [1.0, 1e300, 2.0]}, 2, "missing, infinite or not a number"),
    ],
)
def test_a_bad_row_of_parquet_is_named(
    tmp_path: Path, columns: dict[str, Any], row: int, problem: str
) -> None:
    with pytest.raises(FileError, match=f"t, row {row}: .*{problem}"):
        parquet(tmp_path / "t", **columns).load()


@pytest.mark.parametrize(
    "columns",
    [
        {"term": pl.Series([], dtype=pl.String), "vector": pl.Series([], dtype=pl.List(pl.Float32))},
        {"term": pl.Series([], dtype=pl.String), "x": pl.Series([], dtype=pl.Float32)},
    ],
    ids=["a list column", "number columns"],
)
def test_an_empty_parquet_table_is_refused(tmp_path: Path, columns: dict[str, pl.Series]) -> None:
    with pytest.raises(FileError, match="t: the table is empty"):
        parquet(tmp_path / "t", **columns).load()


def test_empty_vectors_are_refused(tmp_path: Path) -> None:
    vector = pl.Series([[], []], dtype=pl.List(pl.Float32))
    with pytest.raises(FileError, match=r"t(, row 1)?: the (table|vector) "):
        parquet(tmp_path / "t", term=["a", "b"], vector=vector).load()


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t"
    pl.DataFrame({"term": TERMS, "vector": VALUES}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FileError, match="t: cannot be read as Parquet"):
        recognise(path).load()


def concepts(path: Path, **columns: Any) -> ParquetTable:
    pl.DataFrame(columns).write_parquet(path)
    return ParquetTable(path, COLUMNS["id"])


@pytest.mark.parametrize("name", ["id", "CUI", "Code", "concept", "key"])
def test_the_keys_of_concepts_have_several_names(tmp_path: Path, name: str) -> None:
    table = concepts(tmp_path / "t", **{name: ["1", " 2", "3"], "vector": VALUES})
    keys, vectors = table.load()
    assert keys == ["1", "2", "3"]
    assert vectors.tolist() == VALUES
    assert table.format == "concept vectors (Parquet)"


@pytest.mark.parametrize("kind", [pl.Int64, pl.UInt32, pl.String, pl.Categorical], ids=str)
def test_ids_of_any_type_become_text(tmp_path: Path, kind: Any) -> None:
    ids = pl.Series(["22298006", "138875005", "7"]).cast(pl.Int64, strict=False)
    ids = ids.cast(pl.String).cast(kind) if kind == pl.Categorical else ids.cast(kind)
    assert concepts(tmp_path / "t", id=ids, vector=VALUES).load()[0] == ["22298006", "138875005", "7"]


@pytest.mark.parametrize("kind", [pl.Boolean, pl.Date], ids=str)
def test_what_is_no_id_is_refused(tmp_path: Path, kind: Any) -> None:
    with pytest.raises(FileError, match="the ids in column 'id' are neither text nor whole numbers"):
        concepts(tmp_path / "t", id=pl.Series([1, 0, 1]).cast(kind), vector=VALUES).load()


def test_a_missing_id_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="t, row 2: the id is missing"):
        concepts(tmp_path / "t", id=[1, None, 3], vector=VALUES).load()


def test_a_table_of_concepts_without_the_prefix_is_advised(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="for vectors of concepts, write concepts:FILE"):
        parquet(tmp_path / "t", cui=TERMS, vector=VALUES).load()
