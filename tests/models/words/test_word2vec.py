import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.words import scan
from medgauge.models.words.word2vec import BinaryFile
from tests.models.small import buffer_of, floats, gzipped, words
from tests.prerequisites import NEEDS_GENSIM
from tests.vectors import some_vectors, write_binary

KeyedVectors = pytest.importorskip("gensim.models", reason=NEEDS_GENSIM).KeyedVectors

WORDS = ("heart", "attack", "Œdème", "心臓", "non-small-cell")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("word2vec")


def spoilt(path: Path, value: float, *, word: str) -> Path:
    """Write vectors of which one word's has a value that is not a number."""
    vectors = some_vectors(*WORDS)
    vectors[word][2] = value
    return write_binary(path, vectors)


def slow_reader(content: bytes) -> list[tuple[str, tuple[float, ...]]]:
    """Read word2vec's binary form as its description says, a record at a time."""
    header, _, rest = content.partition(b"\n")
    count, dim = map(int, header.split())
    entries = []
    for _ in range(count):
        word, _, rest = rest.lstrip(b"\n").partition(b" ")
        entries.append((word.decode(), struct.unpack(f"<{dim}f", rest[: 4 * dim])))
        rest = rest[4 * dim :]
    assert not rest.strip(b"\n")
    return entries


@pytest.mark.parametrize("newlines", [True, False])
@pytest.mark.parametrize("packed", [True, False])
def test_values_are_those_gensim_reads(tmp_path: Path, newlines: bool, packed: bool) -> None:
    path = write_binary(tmp_path / "v.bin", some_vectors(*WORDS, dim=7), newlines=newlines)
    gensim = KeyedVectors.load_word2vec_format(str(path), binary=True)
    file = recognise(gzipped(path) if packed else path)
    assert isinstance(file, BinaryFile)
    assert (file.words, file.dim, file.format) == (5, 7, "word2vec binary")
    found = file.read(WORDS)
    assert found.known.all()
    assert found.words == 5
    assert found.vectors.dtype == np.float32
    np.testing.assert_array_equal(found.vectors, [gensim[word] for word in WORDS])


def test_a_word_that_the_file_lacks_is_not_known(tmp_path: Path) -> None:
    vectors = some_vectors(*WORDS)
    found = recognise(write_binary(tmp_path / "v", vectors)).read(["kidney", "attack", "Heart", "hear"])
    assert found.known.tolist() == [False, True, False, False]
    np.testing.assert_array_equal(found.vectors[1], vectors["attack"])
    assert not found.vectors[[0, 2, 3]].any()


def test_the_first_of_two_vectors_of_a_word_counts(tmp_path: Path) -> None:
    record = [
        word + b" " + np.full(2, value, "<f4").tobytes() + b"\n"
        for word, value in [(b"a", 1.0), (b"b", 2.0), (b"a", 3.0)]
    ]
    path = tmp_path / "v"
    path.write_bytes(b"3 2\n" + b"".join(record))
    found = recognise(path).read(["a", "b"])
    assert found.vectors.tolist() == [[1.0, 1.0], [2.0, 2.0]]
    assert found.words == 3


def test_no_words_wanted_still_counts_and_checks(tmp_path: Path) -> None:
    found = recognise(write_binary(tmp_path / "v", some_vectors(*WORDS))).read([])
    assert found.words == 5
    assert found.vectors.shape == (0, 4)
    assert found.keys.size == 0


def test_keys_are_asked_for(tmp_path: Path) -> None:
    found = recognise(write_binary(tmp_path / "v", some_vectors(*WORDS))).read([], keys=True)
    np.testing.assert_array_equal(np.sort(found.keys), np.sort(scan.Wanted.of(WORDS).hashes))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_reading_gives_what_a_slow_reader_gives(folder: Path, data: st.DataObject) -> None:
    dim = data.draw(st.integers(1, 5), "dim")
    entry = st.tuples(words(), st.lists(floats, min_size=dim, max_size=dim), st.sampled_from([b"", b"\n"]))
    entries = data.draw(st.lists(entry, min_size=1, max_size=30), "entries")
    wanted = data.draw(st.lists(words(), unique=True, max_size=10), "wanted")
    content = f"{len(entries)} {dim}\n".encode() + b"".join(
        word.encode() + b" " + struct.pack(f"<{dim}f", *vector) + end for word, vector, end in entries
    )
    path = folder / "random.bin"
    path.write_bytes(content)
    with buffer_of(data.draw(st.integers(64, 200), "buffer")):
        found = BinaryFile(path, len(entries), dim).read(wanted, keys=True)
    slow = slow_reader(content)
    first = dict(reversed(slow))
    assert found.words == len(slow)
    assert found.known.tolist() == [word in first for word in wanted]
    expected = np.array([first.get(word, (0.0,) * dim) for word in wanted], np.float32).reshape(-1, dim)
    np.testing.assert_array_equal(found.vectors, expected)
    different = list(dict(slow))
    hashes = dict(zip(different, scan.Wanted.of(different).hashes, strict=True))
    assert found.keys.tolist() == [hashes[word] for word, _ in slow]


@pytest.mark.parametrize("packed", [True, False])
def test_more_words_than_fit_a_buffer(tmp_path: Path, packed: bool) -> None:
    vectors = some_vectors(*(f"word{number}" for number in range(500)), dim=3)
    path = write_binary(tmp_path / "v", vectors)
    with buffer_of(64):
        found = recognise(gzipped(path) if packed else path).read(list(vectors), keys=True)
    assert found.known.all()
    assert np.unique(found.keys).size == found.words == 500
    np.testing.assert_array_equal(found.vectors, list(vectors.values()))


def test_a_word_longer_than_a_buffer_is_an_error(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v", some_vectors("a", "b" * 100, dim=2))
    with buffer_of(64), pytest.raises(FileError, match=r"v, byte 10: no word ends within 64 bytes"):
        recognise(path).read([])


@pytest.mark.parametrize("wanted", [[], ["attack"]])
@pytest.mark.parametrize("cut", [1, 16])
def test_a_file_truncated_inside_a_vector_names_the_vector(
    tmp_path: Path, cut: int, wanted: list[str]
) -> None:
    path = write_binary(tmp_path / "v", some_vectors(*WORDS), newlines=False)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(FileError, match=r"v, vector 5: the file is truncated.*declares 5 vectors"):
        recognise(path).read(wanted)


def test_a_file_truncated_inside_a_word_names_the_vector(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v", some_vectors(*WORDS), newlines=False)
    path.write_bytes(path.read_bytes()[: -(16 + 1 + 5)])
    with pytest.raises(FileError, match=r"v, vector 5: the file is truncated") as raised:
        recognise(path).read([])
    assert raised.value.path == path


def test_a_header_that_promises_too_many_names_the_vector_that_lacks(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v", some_vectors(*WORDS), count=6)
    with pytest.raises(FileError, match=r"v, vector 6: the file is truncated.*declares 6 vectors"):
        recognise(path).read([])


@pytest.mark.parametrize("newlines", [True, False])
def test_a_header_that_promises_too_few_names_the_vector_too_many(tmp_path: Path, newlines: bool) -> None:
    path = write_binary(tmp_path / "v", some_vectors(*WORDS), newlines=newlines, count=4)
    with pytest.raises(FileError, match=r"v, vector 5: the file continues after the 4 vectors"):
        recognise(path).read([])


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("wanted", [["attack"], ["heart"], []])
def test_a_vector_that_is_not_finite_is_named_wanted_or_not(
    tmp_path: Path, value: float, wanted: list[str]
) -> None:
    path = spoilt(tmp_path / "v", value, word="attack")
    with pytest.raises(FileError, match=r"v, vector 2: the vector has a value that is infinite or not"):
        recognise(path).read(wanted)


def test_a_bad_vector_is_numbered_over_all_buffers(tmp_path: Path) -> None:
    vectors = some_vectors(*(f"word{number}" for number in range(50)))
    vectors["word41"][0] = np.nan
    path = write_binary(tmp_path / "v", vectors)
    with buffer_of(64), pytest.raises(FileError, match="v, vector 42: "):
        recognise(path).read([])


def test_the_largest_and_smallest_floats_are_finite(tmp_path: Path) -> None:
    limits = np.finfo(np.float32)
    vector = np.array([limits.max, limits.min, limits.smallest_subnormal, -0.0], np.float32)
    found = recognise(write_binary(tmp_path / "v", {"a": vector})).read(["a"])
    assert found.vectors[0].tobytes() == vector.tobytes()


@pytest.fixture
def undecodable(tmp_path: Path) -> Path:
    content = write_binary(tmp_path / "v", some_vectors(*WORDS)).read_bytes()
    path = tmp_path / "latin-1.bin"
    path.write_bytes(content.replace("Œdème".encode(), b"\xefd\xe8me"))
    return path


def test_a_word_that_is_not_utf8_is_named_by_its_number(undecodable: Path) -> None:
    with pytest.raises(FileError, match=r"latin-1\.bin, vector 3: the word is not valid UTF-8"):
        recognise(undecodable).read(["heart"])


def test_a_word_that_is_not_utf8_is_passed_over_if_asked(undecodable: Path) -> None:
    found = recognise(undecodable).read(WORDS, strict=False)
    assert found.known.tolist() == [True, True, False, True, True]
    np.testing.assert_array_equal(found.vectors[4], some_vectors(*WORDS)["non-small-cell"])


def test_a_bad_vector_of_a_word_passed_over_is_still_an_error(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"2 1\na " + struct.pack("<f", 1.5) + b"\xff " + struct.pack("<f", np.nan))
    with pytest.raises(FileError, match="v, vector 2: the vector has a value"):
        recognise(path).read([], strict=False)


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.bin"
    path.touch()
    with pytest.raises(FileError, match=r"empty\.bin: the file is empty"):
        recognise(path)


def test_a_gzipped_empty_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.bin.gz"
    path.write_bytes(gzip.compress(b""))
    with pytest.raises(FileError, match=r"empty\.bin\.gz: the file is empty"):
        recognise(path)


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is a directory; a file is needed"):
        recognise(tmp_path)


def test_a_header_alone_lacks_its_first_vector(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"3 4\n")
    with pytest.raises(FileError, match="v, vector 1: the header declares 3 vectors"):
        recognise(path).read([])


def test_a_gzip_stream_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v", some_vectors(*(f"word{number}" for number in range(300))))
    packed = gzipped(path)
    packed.write_bytes(packed.read_bytes()[:-1000])
    with pytest.raises(FileError, match="v-copy: the gzip stream is cut off"):
        recognise(packed).read([])


def test_an_absurd_header_is_refused_before_room_is_made_for_it(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"99999999 999999\na \x00\x00\x80\x3f\n")
    with pytest.raises(FileError, match="line 1: the header declares vectors of 999999 dimensions, more"):
        BinaryFile(path, 99999999, 999999).read([f"w{number}" for number in range(20_000)])


def test_an_absurd_header_of_a_gzipped_file_exhausted_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"99999999 999999\na \x00\x00\x80\x3f\n")
    with pytest.raises(FileError, match=r"v-copy, .* the (header|file) .*declares"):  # where memory is lent
        recognise(gzipped(path)).read([f"w{number}" for number in range(100_000)])
