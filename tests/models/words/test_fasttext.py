import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.scan import Wanted
from tests.models.conftest import SENTENCES
from tests.models.small import buffer_of, gzipped
from tests.prerequisites import NEEDS_GENSIM
from tests.vectors import write_model

load_facebook_vectors = pytest.importorskip(
    "gensim.models.fasttext", reason=NEEDS_GENSIM
).load_facebook_vectors

VOCABULARY = list(dict.fromkeys(word for sentence in SENTENCES for word in sentence))
HEADER = 2 * 4 + 12 * 4 + 8 + 3 * 4 + 2 * 8


def rows(count: int, dim: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(1).standard_normal((count, dim)).astype(np.float32)


def slow_buckets(word: str, shortest: int, longest: int, buckets: int) -> list[int]:
    """Follow Dictionary::computeSubwords of fastText step by step."""
    text = f"<{word}>".encode()
    found = []
    for i in range(len(text)):
        if text[i] & 0xC0 == 0x80:
            continue
        ngram, j, n = b"", i, 1
        while j < len(text) and n <= longest:
            ngram += text[j : j + 1]
            j += 1
            while j < len(text) and text[j] & 0xC0 == 0x80:
                ngram += text[j : j + 1]
                j += 1
            if n >= shortest and not (n == 1 and (i == 0 or j == len(text))):
                state = 2166136261
                for (byte,) in struct.iter_unpack("b", ngram):
                    state = (state ^ (byte % 2**32)) * 16777619 % 2**32
                found.append(state % buckets)
            n += 1
    return found


@pytest.mark.parametrize("packed", [True, False])
def test_vectors_are_those_gensim_gives(fasttext_file: Path, packed: bool) -> None:
    gensim = load_facebook_vectors(str(fasttext_file))
    file = recognise(gzipped(fasttext_file) if packed else fasttext_file)
    assert isinstance(file, FastTextFile)
    assert (file.dim, file.words, file.format) == (8, len(VOCABULARY), "fastText model")
    unknown = ["hearts", "kidneys", "œdèmes", "心臓病", "naïveté", "Heart", "b", "ab", "🫀", "é"]
    found = file.read(VOCABULARY + unknown)
    assert found.known.tolist() == [True] * len(VOCABULARY) + [False] * len(unknown)
    assert found.words == len(VOCABULARY)
    expected = [gensim[word] for word in VOCABULARY + unknown]
    np.testing.assert_allclose(found.vectors, expected, rtol=1e-5, atol=1e-7)


def test_in_vocabulary_are_the_words_the_model_was_trained_on(fasttext_file: Path) -> None:
    known = FastTextFile(fasttext_file).in_vocabulary(["heart", "Heart", "œdème", "hearts", "心臓", "x"])
    assert known.tolist() == [True, False, True, False, True, True]


def test_more_words_than_fit_a_buffer(fasttext_file: Path) -> None:
    whole = FastTextFile(fasttext_file).read(VOCABULARY, keys=True)
    with buffer_of(64):
        pieces = FastTextFile(fasttext_file).read(VOCABULARY, keys=True)
    np.testing.assert_array_equal(pieces.vectors, whole.vectors)
    np.testing.assert_array_equal(pieces.keys, whole.keys)
    assert pieces.known.all()


def test_keys_are_the_hashes_of_the_words(fasttext_file: Path) -> None:
    keys = FastTextFile(fasttext_file).read([], keys=True).keys
    np.testing.assert_array_equal(np.sort(keys), np.sort(Wanted.of(VOCABULARY).hashes))


def test_no_words_wanted_still_counts(fasttext_file: Path) -> None:
    found = FastTextFile(fasttext_file).read([])
    assert found.words == len(VOCABULARY)
    assert found.vectors.shape == (0, 8)


@settings(max_examples=60, deadline=None)
@given(
    word=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    shortest=st.integers(1, 4),
    more=st.integers(0, 3),
)
@example(word="心臓🫀", shortest=1, more=5)
@example(word="a", shortest=4, more=1)
@example(word="", shortest=1, more=2)
def test_a_word_is_the_mean_of_its_row_and_the_rows_of_its_ngrams(
    tmp_path_factory: pytest.TempPathFactory, word: str, shortest: int, more: int
) -> None:
    matrix = rows(2 + 50)
    path = tmp_path_factory.getbasetemp() / "ngrams.bin"
    write_model(
        path,
        matrix,
        [b"known", word.encode()],
        shortest=shortest,
        longest=shortest + more,
        buckets=50,
    )
    other = f"{word}y"
    found = FastTextFile(path).read([word, other])
    for number, text in enumerate([word, other]):
        mine = [2 + bucket for bucket in slow_buckets(text, shortest, shortest + more, 50)]
        if text == word:
            mine.append(0 if word == "known" else 1)
        expected = matrix[mine].mean(axis=0, dtype=np.float64) if mine else np.zeros(3)
        np.testing.assert_allclose(found.vectors[number], expected, rtol=1e-5, atol=1e-6)
    assert FastTextFile(path).composes([word, other]).tolist() == [
        bool(slow_buckets(text, shortest, shortest + more, 50)) for text in (word, other)
    ]


def test_a_shortest_ngram_of_no_letter_counts_from_one(tmp_path: Path) -> None:
    matrix = rows(1 + 50)
    path = write_model(tmp_path / "m", matrix, [b"known"], shortest=0, longest=2, buckets=50)
    places = [1 + bucket for bucket in slow_buckets("heart", 0, 2, 50)]
    np.testing.assert_allclose(FastTextFile(path).read(["heart"]).vectors[0], matrix[places].mean(axis=0))


def test_the_end_of_a_sentence_has_no_ngrams(tmp_path: Path) -> None:
    matrix = rows(2 + 10)
    path = write_model(tmp_path / "m", matrix, [b"</s>", b"heart"])
    np.testing.assert_array_equal(FastTextFile(path).read(["</s>"]).vectors[0], matrix[0])


def test_a_model_without_ngrams_knows_its_vocabulary_alone(tmp_path: Path) -> None:
    matrix = rows(2)
    path = write_model(tmp_path / "m", matrix, [b"heart", b"attack"], shortest=0, longest=0, buckets=0)
    file = FastTextFile(path)
    found = file.read(["attack", "hearts"])
    np.testing.assert_array_equal(found.vectors, [matrix[1], np.zeros(3)])
    assert found.known.tolist() == [True, False]
    assert file.composes(["attack", "hearts"]).tolist() == [False, False]


def test_a_supervised_model_of_version_11_has_no_ngrams(tmp_path: Path) -> None:
    matrix = rows(1 + 10)
    path = write_model(tmp_path / "m", matrix, [b"heart"], version=11, supervised=True)
    np.testing.assert_array_equal(FastTextFile(path).read(["heart"]).vectors[0], matrix[0])


def test_the_labels_of_a_supervised_model_are_no_words(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(1 + 10), [b"heart"], labels=[b"__label__sick"], supervised=True)
    found = FastTextFile(path).read(["__label__sick", "heart"], keys=True)
    assert found.known.tolist() == [False, True]
    assert found.words == found.keys.size == 1


def test_a_word_that_is_not_utf8_is_named_by_its_number(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(2 + 10), [b"heart", b"d\xe8me"])
    with pytest.raises(FileError, match=r"m, word 2: the word is not valid UTF-8"):
        FastTextFile(path).read(["heart"])
    assert FastTextFile(path).read(["heart"], strict=False).known.all()
    assert FastTextFile(path).in_vocabulary(["heart"], strict=False).all()


@pytest.mark.parametrize(
    ("length", "place"),
    [
        (HEADER - 1, f"byte {HEADER - 1}: the file is truncated in its header"),
        (HEADER + 3, "word 1: the file is truncated: its header declares 2 words"),
        (HEADER + 15 + 12, "word 2: the file is truncated: its header declares 2 words"),
        (HEADER + 15 + 16 + 5, f"byte {HEADER + 31}: the file is truncated before its vectors"),
        (HEADER + 31 + 17 + 4 * 3 + 8, "vector 2: the file is truncated in its vectors"),
    ],
    ids=["header", "first word", "second word", "matrix header", "matrix"],
)
@pytest.mark.parametrize("packed", [True, False])
def test_a_truncated_model_names_the_place(tmp_path: Path, length: int, place: str, packed: bool) -> None:
    path = write_model(tmp_path / "m", rows(2 + 10), [b"heart", b"attack"])
    path.write_bytes(path.read_bytes()[:length])
    path = gzipped(path) if packed else path
    with pytest.raises(FileError) as raised:
        FastTextFile(path).read(["attack"])
    assert str(raised.value) == f"{path}, {place}"


def test_a_gzip_stream_that_is_cut_off_is_an_error(tmp_path: Path, fasttext_file: Path) -> None:
    path = tmp_path / "m.gz"
    path.write_bytes(gzipped(fasttext_file).read_bytes()[:-2000])
    with pytest.raises(FileError, match=r"m\.gz: the gzip stream is cut off"):
        FastTextFile(path).read(VOCABULARY)


@pytest.mark.parametrize("how", [{"quantised": True}, {"pruned": 7}])
def test_a_quantised_model_is_refused(tmp_path: Path, how: dict[str, int]) -> None:
    path = write_model(tmp_path / "m.ftz", rows(1 + 10), [b"heart"], **how)
    with pytest.raises(FileError, match=r"m\.ftz: the model is quantised .* use the full \.bin model"):
        FastTextFile(path).read(["heart"])


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(1 + 10), [b"heart"], version=13)
    with pytest.raises(FileError, match="m: version 13 of fastText's format is not supported"):
        FastTextFile(path).read(["heart"])


def test_a_matrix_with_fewer_rows_than_words_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(1), [b"heart", b"attack"], longest=0)
    with pytest.raises(FileError, match=rf"m, byte {HEADER + 31}: the matrix is 1 by 3"):
        FastTextFile(path).read(["heart"])


def test_a_matrix_without_rows_for_all_ngrams_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(2), [b"heart"], buckets=10)
    path.write_bytes(path.read_bytes() + bytes(1000))  # the output matrix that follows in a whole model
    with pytest.raises(FileError, match="the matrix is 2 by 3"):
        FastTextFile(path).read(["heart"])


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_needed_vector_that_is_not_finite_is_named(tmp_path: Path, value: float) -> None:
    matrix = rows(2 + 10)
    matrix[1, 2] = value
    path = write_model(tmp_path / "m", matrix, [b"heart", b"attack"])
    with pytest.raises(FileError, match="m, vector 2: the vector has a value that is infinite or not"):
        FastTextFile(path).read(["attack"])


def test_a_changed_number_of_buckets_moved_the_vectors(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(1 + 50), [b"heart"], buckets=50)
    content = bytearray(path.read_bytes())
    content[40] ^= 32  # 50 becomes 18
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"m, byte \d+: the matrix is 51 by 3, but the header needs 19 by 3"):
        FastTextFile(path).read(["hearts"])


def test_a_number_of_entries_that_is_not_that_of_words_and_labels_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(1 + 10), [b"heart"])
    content = bytearray(path.read_bytes())
    content[64] ^= 2
    path.write_bytes(content)
    with pytest.raises(FileError, match="m, byte 64: the header is damaged: 1 words and 0 labels are not 3"):
        FastTextFile(path).read(["heart"])


def test_a_model_without_ngrams_may_have_rows_for_its_buckets_or_not(tmp_path: Path) -> None:
    for count in (1, 1 + 10):
        path = write_model(tmp_path / "m", rows(count), [b"heart"], longest=0)
        np.testing.assert_array_equal(FastTextFile(path).read(["heart"]).vectors[0], rows(count)[0])


def test_a_model_truncated_after_the_needed_vectors_was_accepted(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m", rows(2 + 10), [b"heart", b"attack"])
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(FileError, match="m, vector 12: the file is truncated in its vectors"):
        FastTextFile(path).read([])
