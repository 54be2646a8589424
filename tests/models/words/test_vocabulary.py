from pathlib import Path

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.words.vocabulary import composes_words, vocabulary, vocabulary_overlap
from tests.models.small import buffer_of
from tests.vectors import some_vectors, write_binary, write_text


@pytest.fixture
def three_files(tmp_path: Path) -> list[str]:
    return [
        str(write_binary(tmp_path / "a", some_vectors("heart", "attack", "œdème", "Heart"))),
        str(write_text(tmp_path / "b", some_vectors("heart", "œdème", dim=3))),
        str(
            write_text(tmp_path / "c", some_vectors("heart", "Heart", "of", "it", "is", dim=2), header=False)
        ),
    ]


def test_shares_are_worked_by_hand(three_files: list[str]) -> None:
    sizes, shares = vocabulary_overlap(three_files)
    assert sizes == [4, 2, 5]
    nan = np.nan
    np.testing.assert_array_equal(shares, [[nan, 2 / 2, 2 / 5], [2 / 4, nan, 1 / 5], [2 / 4, 1 / 2, nan]])


def test_shares_do_not_depend_on_buffers(three_files: list[str]) -> None:
    with buffer_of(128):
        sizes, shares = vocabulary_overlap(three_files)
    assert sizes == [4, 2, 5]
    np.testing.assert_array_equal(shares, vocabulary_overlap(three_files)[1])


def test_only_a_model_with_ngrams_makes_words_of_subwords(
    three_files: list[str], fasttext_file: Path
) -> None:
    assert composes_words(str(fasttext_file))
    assert not any(map(composes_words, three_files))


def test_a_fasttext_model_overlaps_by_its_vocabulary(tmp_path: Path, fasttext_file: Path) -> None:
    path = write_binary(tmp_path / "v", some_vectors("heart", "hearts", "心臓", "Heart"))
    sizes, shares = vocabulary_overlap([str(fasttext_file), str(path)])
    assert sizes == [17, 4]
    assert shares[0, 1] == 2 / 4
    assert shares[1, 0] == 2 / 17


def test_a_word_that_stands_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_text("a 1 2\nb 3 4\na 5 6\n")
    assert vocabulary(recognise(path)).size == 2


def test_a_term_table_is_refused(tmp_path: Path, three_files: list[str]) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"term": ["a"], "vector": [[1.0]]}).write_parquet(path)
    with pytest.raises(
        FileError, match=r"t\.parquet: holds vectors of terms; an overlap needs vectors of words"
    ):
        vocabulary_overlap([*three_files, str(path)])


def test_words_that_are_not_utf8_are_an_error_unless_passed_over(
    tmp_path: Path, three_files: list[str]
) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"heart 1 2\n\xff 3 4\n")
    with pytest.raises(FileError, match="v, line 2: the word is not valid UTF-8"):
        vocabulary_overlap([three_files[0], str(path)])
    _, shares = vocabulary_overlap([three_files[0], str(path)], strict=False)
    assert shares[1, 0] == 1 / 4
