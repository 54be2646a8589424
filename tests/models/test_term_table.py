import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.term_table import ParquetTable, ZippedTable

TERMS = ["heart attack", "Œdème", "kidney"]
VALUES = [[0.5, -1.0], [2.0, 0.25], [3.0, 4.0]]


def parquet(path: Path, **columns: Any) -> ParquetTable:
    pl.DataFrame(columns).write_parquet(path)
    table = recognise(path)
    assert isinstance(table, ParquetTable)
    return table


def zipped(path: Path, **arrays: Any) -> ZippedTable:
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    table = recognise(path)
    assert isinstance(table, ZippedTable)
    return table


@pytest.mark.parametrize(
    "kind",
    [pl.List(pl.Float64), pl.List(pl.Float32), pl.Array(pl.Float32, 2), pl.Array(pl.Float64, 2)],
    ids=str,
)
def test_a_list_column_of_parquet_holds_the_vectors(tmp_path: Path, kind: pl.DataType) -> None:
    terms, vectors = parquet(tmp_path / "t", term=TERMS, vector=pl.Series(VALUES, dtype=kind)).content
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == VALUES


def test_a_list_column_of_whole_numbers_holds_vectors(tmp_path: Path) -> None:
    assert parquet(tmp_path / "t", term=["a"], vector=[[1, 2]]).content[1].tolist() == [[1.0, 2.0]]


def test_the_number_columns_of_parquet_are_dimensions(tmp_path: Path) -> None:
    table = parquet(tmp_path / "t", term=TERMS, x=[0.5, 2.0, 3.0], y=[-1.0, 0.25, 4.0], z=[1, 2, 3])
    terms, vectors = table.content
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[0.5, -1.0, 1.0], [2.0, 0.25, 2.0], [3.0, 4.0, 3.0]]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_the_arrays_of_npz_hold_terms_and_vectors(tmp_path: Path, kind: type) -> None:
    terms, vectors = zipped(tmp_path / "t", terms=np.array(TERMS), vectors=np.array(VALUES, kind)).content
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == VALUES


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
        _ = parquet(tmp_path / "t.parquet", **columns).content


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
        _ = parquet(tmp_path / "t", **columns).content


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
        _ = parquet(tmp_path / "t", **columns).content


def test_empty_vectors_are_refused(tmp_path: Path) -> None:
    vector = pl.Series([[], []], dtype=pl.List(pl.Float32))
    with pytest.raises(FileError, match=r"t(, row 1)?: the (table|vector) "):
        _ = parquet(tmp_path / "t", term=["a", "b"], vector=vector).content


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t"
    pl.DataFrame({"term": TERMS, "vector": VALUES}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FileError, match="t: cannot be read as Parquet"):
        _ = recognise(path).content


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        (
            {"terms": np.array(TERMS)},
            "has no array 'vectors'; a table of vectors needs 'terms' and 'vectors'",
        ),
        ({"vectors": np.ones((3, 2))}, "has no array 'terms'"),
        (
            {"terms": np.array([1, 2]), "vectors": np.ones((2, 2))},
            "the array 'terms' is not a list of strings",
        ),
        (
            {"terms": np.array([TERMS]), "vectors": np.ones((1, 2))},
            "the array 'terms' is not a list of strings",
        ),
        (
            {"terms": np.array(TERMS), "vectors": np.ones((2, 2))},
            r"has shape \(2, 2\); it needs a row for each of the 3 terms",
        ),
        ({"terms": np.array(TERMS), "vectors": np.ones(3)}, r"the array 'vectors' has shape \(3,\)"),
        ({"terms": np.array(TERMS), "vectors": np.ones((3, 2), complex)}, "the array 'vectors'"),
        ({"terms": np.array([], str), "vectors": np.ones((0, 2))}, "the table is empty"),
        ({"terms": np.array(TERMS), "vectors": np.ones((3, 0))}, "the table is empty"),
    ],
)
def test_an_npz_without_what_is_needed_is_refused(
    tmp_path: Path, arrays: dict[str, Any], problem: str
) -> None:
    with pytest.raises(FileError, match=rf"t\.npz: .*{problem}"):
        _ = zipped(tmp_path / "t.npz", **arrays).content


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_vector_of_npz_that_is_not_finite_is_named(tmp_path: Path, value: float) -> None:
    vectors = np.array(VALUES)
    vectors[1, 0] = value
    with pytest.raises(FileError, match=r"t, row 2: the vector has a value that is missing, infinite or not"):
        _ = zipped(tmp_path / "t", terms=np.array(TERMS), vectors=vectors).content


@pytest.mark.parametrize("name", ["terms", "vectors"])
def test_arrays_of_python_objects_are_refused(tmp_path: Path, name: str) -> None:
    arrays = {"terms": np.array(TERMS), "vectors": np.array(VALUES)}
    arrays[name] = arrays[name].astype(object)
    with pytest.raises(FileError, match=r"t: cannot be read as \.npz without pickle"):
        _ = zipped(tmp_path / "t", **arrays).content


def test_a_zip_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("wiki.vec", "2 2\na 1 2\nb 3 4\n")
    with pytest.raises(FileError, match=r"vectors\.zip: has no array 'terms'"):
        _ = recognise(path).content


def test_a_zip_whose_members_are_no_arrays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("terms", "a\nb\n")
        archive.writestr("vectors", "1 2\n3 4\n")
    with pytest.raises(FileError, match=r"t\.npz"):
        _ = recognise(path).content


@pytest.mark.parametrize("name", ["terms", "vectors"])
def test_an_npz_with_a_damaged_stream_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.npz"
    zipped(path, terms=np.array(TERMS), vectors=np.array(VALUES))
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo(f"{name}.npy").header_offset
    name_length, extra_length = struct.unpack_from("<2H", content, start + 26)
    content[start + 30 + name_length + extra_length] = 0b111  # a block of a type that deflate lacks
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"t\.npz: cannot be read as \.npz"):
        _ = recognise(path).content


def test_the_error_of_a_damaged_npz_repeated_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    np.savez(path, terms=np.array(TERMS), vectors=np.array(VALUES))
    content = bytearray(path.read_bytes())
    struct.pack_into("<H", content, 26, 300)  # the length of the first member's name
    path.write_bytes(content)
    with pytest.raises(FileError) as raised:
        _ = recognise(path).content
    assert "\\x" not in str(raised.value)
