import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.tables.concept_keys import ARRAYS
from medgauge.models.tables.zipped_table import ZippedTable

TERMS = ["heart attack", "Œdème", "kidney"]
VALUES = [[0.5, -1.0], [2.0, 0.25], [3.0, 4.0]]


def zipped(path: Path, **arrays: Any) -> ZippedTable:
    with path.open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    table = recognise(path)
    assert isinstance(table, ZippedTable)
    return table


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_the_arrays_of_npz_hold_terms_and_vectors(tmp_path: Path, kind: type) -> None:
    terms, vectors = zipped(tmp_path / "t", terms=np.array(TERMS), vectors=np.array(VALUES, kind)).load()
    assert terms == TERMS
    assert vectors.dtype == np.float32
    assert vectors.tolist() == VALUES


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
        zipped(tmp_path / "t.npz", **arrays).load()


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300])
def test_a_vector_of_npz_that_is_not_finite_is_named(tmp_path: Path, value: float) -> None:
    vectors = np.array(VALUES)
    vectors[1, 0] = value
    with pytest.raises(FileError, match=r"t, row 2: the vector has a value that is missing, infinite or not"):
        zipped(tmp_path / "t", terms=np.array(TERMS), vectors=vectors).load()


@pytest.mark.parametrize("name", ["terms", "vectors"])
def test_arrays_of_python_objects_are_refused(tmp_path: Path, name: str) -> None:
    arrays = {"terms": np.array(TERMS), "vectors": np.array(VALUES)}
    arrays[name] = arrays[name].astype(object)
    with pytest.raises(FileError, match=r"t: cannot be read as \.npz without pickle"):
        zipped(tmp_path / "t", **arrays).load()


def test_a_zip_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "vectors.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("wiki.vec", "2 2\na 1 2\nb 3 4\n")
    with pytest.raises(FileError, match=r"vectors\.zip: has no array 'terms'"):
        recognise(path).load()


def test_a_zip_whose_members_are_no_arrays_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("terms", "a\nb\n")
        archive.writestr("vectors", "1 2\n3 4\n")
    with pytest.raises(FileError, match=r"t\.npz"):
        recognise(path).load()


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
        recognise(path).load()


def test_the_error_of_a_damaged_npz_repeated_bytes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.npz"
    np.savez(path, terms=np.array(TERMS), vectors=np.array(VALUES))
    content = bytearray(path.read_bytes())
    struct.pack_into("<H", content, 26, 300)  # the length of the first member's name
    path.write_bytes(content)
    with pytest.raises(FileError) as raised:
        recognise(path).load()
    assert "\\x" not in str(raised.value)


@pytest.mark.parametrize("name", ["keys", "ids", "cuis", "terms"])
def test_the_keys_of_concepts_have_several_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / "t.npz"
    np.savez(path, **{name: np.array([" 1", "2", "3"]), "vectors": np.array(VALUES)})
    table = ZippedTable(path, ARRAYS["id"])
    assert table.load()[0] == ["1", "2", "3"]
    assert table.find(["2"]).vectors.tolist() == [VALUES[1]]
    assert table.format == "concept vectors (npz)"


@pytest.mark.parametrize("ids", [[True, False, True], [1j, 2j, 3j], [b"1", b"2", b"3"]], ids=str)
def test_what_is_no_id_is_refused(tmp_path: Path, ids: list[Any]) -> None:
    path = tmp_path / "t.npz"
    np.savez(path, keys=np.array(ids), vectors=np.array(VALUES))
    with pytest.raises(FileError, match=r"'keys' is not a list of strings \(dtype U\), or of whole numbers"):
        ZippedTable(path, ARRAYS["id"]).load()
