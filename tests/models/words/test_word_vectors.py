from pathlib import Path

import numpy as np
import pytest

from medgauge.errors import FileError
from medgauge.models.base import WordModel, family_of
from medgauge.models.load import load_model
from medgauge.models.words.word_vectors import SubwordVectors, WordVectors
from tests.vectors import some_vectors, write_binary, write_text


@pytest.mark.parametrize("write", [write_binary, write_text])
def test_word_vectors_gives_rows_in_the_order_of_the_tokens(tmp_path: Path, write: object) -> None:
    vectors = some_vectors("heart", "attack", "kidney")
    model = load_model(write(tmp_path / "v", vectors))
    assert isinstance(model, WordVectors)
    assert isinstance(model, WordModel)
    assert family_of(model) == "words"
    found, known = model.vectors(["kidney", "lung", "heart"])
    assert known.tolist() == [True, False, True]
    np.testing.assert_array_equal(found[[0, 2]], [vectors["kidney"], vectors["heart"]])
    assert model.count() == 3


def test_counting_a_file_without_a_header_counts_its_rows(tmp_path: Path) -> None:
    model = load_model(write_text(tmp_path / "v", some_vectors("a", "b", "c"), header=False))
    assert model.count() == 3


def test_undecodable_words_are_an_error_unless_they_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"a 1 2\n\xff 3 4\n")
    with pytest.raises(FileError, match="line 2: the word is not valid UTF-8"):
        load_model(path).vectors(["a"])
    vectors, known = load_model(path, undecodable="skip").vectors(["a"])
    assert known.all()
    assert vectors.tolist() == [[1.0, 2.0]]


def test_a_fasttext_model_gives_any_word_with_ngrams_a_vector(fasttext_file: Path) -> None:
    model = load_model(fasttext_file)
    assert isinstance(model, SubwordVectors)
    assert family_of(model) == "words"
    tokens = ["heart", "hearts", "x", "心", ""]
    vectors, known = model.vectors(tokens)
    # An empty word is "<>", too short for an n-gram of 3.
    assert known.tolist() == [True, True, True, True, False]
    assert model.in_vocabulary(tokens).tolist() == [True, False, True, False, False]
    assert vectors[:4].any(axis=1).all()
    assert not vectors[4].any()
    assert model.count() == 17
