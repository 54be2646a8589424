import pickle
import struct
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.models.load import default_name
from medgauge.models.recognise import recognise
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.textvec import TextFile
from medgauge.models.words.word2vec import BinaryFile
from tests.models.small import gzipped
from tests.support.packing import zstd_packed
from tests.vectors import some_vectors, write_binary, write_text

VECTORS = some_vectors("heart", "œdème", "12", dim=5)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", ["v.txt", "v.parquet", "v.npz", "v"])
@pytest.mark.parametrize("newlines", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_a_word2vec_binary_is_recognised_under_any_name(
    tmp_path: Path, name: str, newlines: bool, packed: bool
) -> None:
    path = write_binary(tmp_path / name, VECTORS, newlines=newlines)
    path = gzipped(path) if packed else path
    assert recognise(path) == BinaryFile(path, 3, 5)


@pytest.mark.parametrize("name", ["v.bin", "v.parquet", "v.gz", "v"])
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("header", [True, False])
def test_a_text_is_recognised_under_any_name(tmp_path: Path, name: str, packed: bool, header: bool) -> None:
    path = write_text(tmp_path / name, VECTORS, header=header)
    path = gzipped(path) if packed else path
    assert recognise(path) == TextFile(path, 3 if header else None, 5)


@pytest.mark.parametrize("packed", [True, False])
def test_a_fasttext_model_is_recognised_under_any_name(
    tmp_path: Path, fasttext_file: Path, packed: bool
) -> None:
    path = written(tmp_path / "v.txt", fasttext_file.read_bytes())
    path = gzipped(path) if packed else path
    assert recognise(path) == FastTextFile(path)


def test_a_parquet_table_is_recognised_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "v.bin"
    pl.DataFrame({"term": ["a"], "vector": [[1.0]]}).write_parquet(path)
    assert recognise(str(path)) == ParquetTable(path)


def test_an_npz_is_recognised_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    with path.open("wb") as stream:
        np.savez(stream, terms=np.array(["a"]), vectors=np.ones((1, 2)))
    assert recognise(path) == ZippedTable(path)


def test_a_gzipped_parquet_table_is_said_to_be_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"term": ["a"], "vector": [[1.0]]}).write_parquet(path)
    with pytest.raises(FileError) as raised:
        recognise(gzipped(path)).load()
    assert "gzip" in raised.value.problem


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_a_pickle_is_refused_with_advice(tmp_path: Path, protocol: int, packed: bool) -> None:
    path = written(tmp_path / "v.model", pickle.dumps({"a": [1.0, 2.0]}, protocol))
    with pytest.raises(FileError, match=r"is a Python pickle.*save_word2vec_format\(path, binary=True\)"):
        recognise(gzipped(path) if packed else path)


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0",
        b"term_1,term_2,gold\nheart attack,angina,3.5\n",
        b"heart attack,angina,3.5\nkidney,renal,4\n",
        b"heart attack\tangina\t3.5\nkidney\trenal\t4\n",
        b"just some words\nand more\n",
        b"\n\n\n",
        b"0.5\n",
        b'{"a": [1, 2]}',
    ],
    ids=["PNG", "CSV", "CSV without a header", "TSV", "prose", "blank lines", "a number", "JSON"],
)
def test_what_holds_no_vectors_is_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path / "v.bin", content)
    with pytest.raises(FileError, match=r"v\.bin, byte 1: is in none of the supported formats"):
        recognise(path)


def test_a_first_word_that_is_a_number_is_no_header(tmp_path: Path) -> None:
    path = written(tmp_path / "v", b"7 0.5 1.5 2.5\n8 1 2 3\n")
    file = recognise(path)
    assert file == TextFile(path, None, 3)
    assert file.read(["7"]).vectors.tolist() == [[0.5, 1.5, 2.5]]


def test_a_first_word_that_is_a_number_below_a_header_is_a_word(tmp_path: Path) -> None:
    path = written(tmp_path / "v", b"2 2\n7 0.5 1.5\n8 1 2\n")
    file = recognise(path)
    assert file == TextFile(path, 2, 2)
    assert file.read(["7"]).vectors.tolist() == [[0.5, 1.5]]


@pytest.mark.parametrize("header", [b"0 5\n", b"5 0\n", b"0 0\n"])
def test_a_header_of_nothing_is_refused(tmp_path: Path, header: bytes) -> None:
    with pytest.raises(FileError, match=r"v, line 1: the header declares \d vectors of \d"):
        recognise(written(tmp_path / "v", header))


def test_a_binary_whose_first_vector_begins_with_a_newline_is_binary(tmp_path: Path) -> None:
    path = written(tmp_path / "v", b"1 2\na " + b"\n\n\n\n" + struct.pack("<f", 0.5))
    file = recognise(path)
    assert isinstance(file, BinaryFile)
    assert file.read(["a"]).vectors[0, 1] == 0.5


def test_a_binary_whose_first_vector_ends_like_a_number_is_binary(tmp_path: Path) -> None:
    path = written(tmp_path / "v", b"2 2\na \0\0\x80?\x80? 7\nb " + bytes(8))
    assert recognise(path) == BinaryFile(path, 2, 2)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, -3.5e-12, 1e30])
def test_a_binary_of_one_dimension_is_binary(tmp_path: Path, value: float) -> None:
    path = write_binary(tmp_path / "v", {"heart": np.array([value], np.float32)})
    assert isinstance(recognise(path), BinaryFile)


def test_a_mark_of_zip_within_the_last_vectors_makes_no_zip(tmp_path: Path) -> None:
    vectors = some_vectors("a", "b", "c", dim=20)
    vectors["b"][0] = struct.unpack("<f", b"PK\x05\x06")[0]
    vectors["b"][1:6] = 0
    path = write_binary(tmp_path / "v", vectors)
    assert recognise(path) == BinaryFile(path, 3, 20)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"nowhere\.bin: there is no such file"):
        recognise(tmp_path / "nowhere.bin")


def test_vectors_compressed_with_zstd_are_read(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v.bin", VECTORS)
    packed = written(tmp_path / "v.bin.zst", zstd_packed(path.read_bytes()))
    assert recognise(packed) == BinaryFile(packed, 3, 5)
    words = list(VECTORS)
    assert np.array_equal(recognise(packed).read(words).vectors, recognise(path).read(words).vectors)
    assert default_name(packed) == "v"
