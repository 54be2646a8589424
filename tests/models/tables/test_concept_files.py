from pathlib import Path

import numpy as np
import pytest

from medgauge.errors import FileError
from medgauge.models.tables.concept_files import concept_file
from tests.support.concept_tables import FORMS, as_lists, as_npz, written
from tests.vectors import some_vectors

KEYS = ["C0000039", "C0027051", "C0004238"]
VECTORS = some_vectors(*KEYS)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_recognised_and_read_alike(tmp_path: Path, form: str) -> None:
    file, keys, dim = concept_file(FORMS[form](tmp_path / "v", VECTORS), None, strict=True)
    assert keys == KEYS
    assert dim == 4
    found = file.find(["C0004238", "C9999999", "C0000039"])
    assert found.known.tolist() == [True, False, True]
    assert found.words == 3
    np.testing.assert_array_equal(found.vectors[[0, 2]], [VECTORS["C0004238"], VECTORS["C0000039"]])


@pytest.mark.parametrize("form", FORMS)
def test_snomed_ids_are_read_as_text(tmp_path: Path, form: str) -> None:
    vectors = some_vectors("22298006", "999000011000001104")
    file, keys, _ = concept_file(FORMS[form](tmp_path / "v", vectors), None, strict=True)
    assert keys == list(vectors)
    assert file.find(["999000011000001104"]).known.all()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"just some words\n", "is in none of the supported formats"),
        (b"\x80\x04\x95abc", "is a Python pickle"),
    ],
)
def test_what_holds_no_concepts_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        concept_file(written(tmp_path / "v", content), None, strict=True)


def test_a_fasttext_model_is_refused(fasttext_file: Path) -> None:
    with pytest.raises(FileError, match="is a fastText model; save its vectors as word2vec"):
        concept_file(fasttext_file, None, strict=True)


def test_a_table_of_terms_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "v", as_lists(VECTORS, "term"))
    with pytest.raises(FileError, match=r"has no column of ids \(id, cui, code, concept or key\)"):
        concept_file(path, None, strict=True)
    path = written(tmp_path / "w", as_npz(VECTORS, "words"))
    with pytest.raises(FileError, match="has no array 'keys'"):
        concept_file(path, None, strict=True)
