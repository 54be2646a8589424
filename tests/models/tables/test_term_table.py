from pathlib import Path

import polars as pl

from medgauge.models.base import TableModel, family_of
from medgauge.models.load import load_model
from medgauge.models.tables.term_table import TermTable


def term_table(path: Path, terms: list[str], vectors: list[list[float]]) -> TermTable:
    pl.DataFrame({"term": terms, "vector": vectors}).write_parquet(path)
    model = load_model(path)
    assert isinstance(model, TermTable)
    return model


def test_a_term_table_gives_the_terms_it_has(tmp_path: Path) -> None:
    model = term_table(tmp_path / "t", ["heart attack", "Œdème"], [[1.0, 2.0], [3.0, 4.0]])
    assert isinstance(model, TableModel)
    assert family_of(model) == "vectors"
    vectors, known = model.lookup(["Œdème", "heart", "heart attack", "œdème"])
    assert known.tolist() == [True, False, True, False]
    assert vectors[known].tolist() == [[3.0, 4.0], [1.0, 2.0]]
    assert model.count() == 2


def test_the_first_of_two_vectors_of_a_term_counts(tmp_path: Path) -> None:
    model = term_table(tmp_path / "t", ["a", "b", "a"], [[1.0], [2.0], [3.0]])
    vectors, known = model.lookup(["a", "b"])
    assert known.all()
    assert vectors.tolist() == [[1.0], [2.0]]


def test_a_term_table_asked_for_nothing_gives_no_rows(tmp_path: Path) -> None:
    vectors, known = term_table(tmp_path / "t", ["a"], [[1.0, 2.0]]).lookup([])
    assert vectors.shape == (0, 2)
    assert known.shape == (0,)
