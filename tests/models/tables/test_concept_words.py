from pathlib import Path

import numpy as np
import pytest

from medgauge.errors import FileError
from medgauge.models.tables.concept_words import ConceptWords
from medgauge.models.words.textvec import TextFile
from medgauge.models.words.word2vec import BinaryFile
from tests.prerequisites import NEEDS_GENSIM
from tests.vectors import some_vectors, write_binary, write_text

KEYS = ["C0000039", "C0027051", "C0004238"]
VECTORS = some_vectors(*KEYS, dim=5)


@pytest.mark.parametrize("newlines", [True, False])
def test_the_first_keys_of_a_binary_are_read(tmp_path: Path, newlines: bool) -> None:
    path = write_binary(tmp_path / "v", VECTORS, newlines=newlines)
    assert ConceptWords(BinaryFile(path, 3, 5)).first_keys() == KEYS


@pytest.mark.parametrize("header", [True, False])
def test_the_first_keys_of_a_text_are_read(tmp_path: Path, header: bool) -> None:
    path = write_text(tmp_path / "v", VECTORS, header=header)
    assert ConceptWords(TextFile(path, 3 if header else None, 5)).first_keys() == KEYS


def test_only_the_first_thousand_keys_are_read(tmp_path: Path) -> None:
    many = some_vectors(*(f"C{number:07d}" for number in range(1200)), dim=2)
    for path, file in (
        (write_binary(tmp_path / "b", many), BinaryFile(tmp_path / "b", 1200, 2)),
        (write_text(tmp_path / "t", many), TextFile(tmp_path / "t", 1200, 2)),
    ):
        assert path.exists()
        assert ConceptWords(file).first_keys() == list(many)[:1000]


def test_gensim_writes_what_is_read(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models", reason=NEEDS_GENSIM)
    keyed = gensim.KeyedVectors(vector_size=5)
    keyed.add_vectors(KEYS, np.stack([VECTORS[key] for key in KEYS]))
    keyed.save_word2vec_format(str(tmp_path / "v.bin"), binary=True)
    words = ConceptWords(BinaryFile(tmp_path / "v.bin", 3, 5))
    assert words.first_keys() == KEYS
    np.testing.assert_array_equal(words.find(["C0027051"]).vectors[0], VECTORS["C0027051"])


def test_ids_that_became_numbers_are_refused(tmp_path: Path) -> None:
    path = write_text(tmp_path / "v", some_vectors("22298006.0"))
    with pytest.raises(FileError, match="v, vector 1: the id is a number with a decimal point"):
        ConceptWords(TextFile(path, 1, 4)).first_keys()


def test_a_header_alone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v").write_text("3 5\n")
    with pytest.raises(FileError, match="v: the file is truncated"):
        ConceptWords(TextFile(tmp_path / "v", 3, 5)).first_keys()
