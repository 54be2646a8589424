from pathlib import Path

import numpy as np
import polars as pl
import pytest

from medgauge.errors import FileError, UnknownNameError
from medgauge.models.load import load_model
from medgauge.models.tables.term_table import TermTable
from medgauge.progress import hearing
from tests.support.concept_tables import as_csv, as_lists, as_npz, written
from tests.vectors import some_vectors, write_binary

CUIS = some_vectors("C0000039", "C0027051")
IDS = some_vectors("22298006", "138875005")


def test_vectors_opens_a_table_of_terms(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"term": ["renal failure"], "vector": [[1.0, 2.0]]}).write_parquet(path)
    model = load_model(f"vectors:{path}")
    assert isinstance(model, TermTable)
    assert model.card == load_model(path).card
    assert model.card.keys == "term"
    assert model.lookup(["renal failure"])[1].all()


def test_vectors_of_words_are_refused(tmp_path: Path) -> None:
    path = write_binary(tmp_path / "v.bin", IDS)
    with pytest.raises(FileError, match=r"v\.bin: holds vectors of words \(word2vec binary\); give"):
        load_model(f"vectors:{path}")


def test_the_card_says_what_is_looked_up_and_a_remark_too(tmp_path: Path) -> None:
    heard: list[str] = []
    with hearing(heard.append):
        cuis = load_model(f"concepts:{written(tmp_path / 'a.csv', as_csv(CUIS))}").card
        ids = load_model(f"concepts:{written(tmp_path / 'b.csv', as_csv(IDS))}").card
    assert (cuis.name, cuis.keys, cuis.dim, cuis.family) == ("a", "cui", 4, "vectors")
    assert (ids.name, ids.keys, ids.format) == ("b", "id", "concept vectors (CSV)")
    assert cuis.digest != ids.digest
    assert "its keys look like CUIs, looked up in cui_1 and cui_2 of a set; ?keys=id says" in heard[0]
    assert "its keys look like ids, looked up in id_1 and id_2 of a set; ?keys=cui says" in heard[1]


def test_what_is_looked_up_can_be_given(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", as_csv(CUIS))
    heard: list[str] = []
    with hearing(heard.append):
        assert load_model(f"concepts:{path}?keys=id").card.keys == "id"
        assert load_model(f"concepts:{path}?keys=cui").card.keys == "cui"
    assert heard == []
    with pytest.raises(UnknownNameError, match="choose from: id, cui"):
        load_model(f"concepts:{path}?keys=term")


def test_of_two_columns_of_keys_the_given_one_is_read(tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [22298006], "CUI": ["C0027051"], "x": [1.0], "y": [2.0]})
    frame.write_parquet(tmp_path / "t")
    for keys, key in (("id", "22298006"), ("cui", "C0027051")):
        model = load_model(f"concepts:{tmp_path / 't'}?keys={keys}")
        assert model.lookup([key])[0].tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("name", ["keys", "ids", "cuis", "terms"])
def test_whole_numbers_are_ids(tmp_path: Path, name: str) -> None:
    vectors = np.ones((1, 2))
    np.savez(tmp_path / "t.npz", **{name: np.array([22298006]), "vectors": vectors})
    assert load_model(f"concepts:{tmp_path / 't.npz'}").lookup(["22298006"])[1].all()


def test_numbers_with_a_decimal_point_are_not_ids(tmp_path: Path) -> None:
    pl.DataFrame({"id": [22298006.0], "x": [1.0]}).write_parquet(tmp_path / "p")
    np.savez(tmp_path / "z.npz", ids=np.array([22298006.0]), vectors=np.ones((1, 2)))
    for name in ("p", "z.npz"):
        with pytest.raises(FileError, match=r"the ids in .* are numbers with a decimal"):
            load_model(f"concepts:{tmp_path / name}")
    texts = some_vectors("22298006.0")
    for content in (as_lists(texts), as_npz(texts)):
        with pytest.raises(FileError, match="row 1: the id is a number with a decimal point or an exponent"):
            load_model(f"concepts:{written(tmp_path / 't', content)}")
