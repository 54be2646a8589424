import math
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from medgauge.comparison.modeltable import model_table
from medgauge.errors import FileError
from medgauge.evaluation.evaluate import evaluate
from tests.runs import word_pairs
from tests.vectors import WORDS, some_vectors, write_binary

FRAME = pl.DataFrame({"model": ["SG", "CBOW"], "BC2GM": [70.2, 64.05], "AnatEM": [81.32, None]})


def written(tmp_path, content, name="t.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


pairs = partial(word_pairs, count=40, seed=3)


@pytest.fixture
def vectors(tmp_path):
    return write_binary(tmp_path / "v.bin", some_vectors(*WORDS))


@pytest.mark.parametrize("kind", ["frame", "csv", "tsv", "semicolon", "parquet"])
def test_every_form_of_table_is_read_alike(tmp_path, kind):
    source: object = FRAME
    if kind == "parquet":
        source = tmp_path / "t.parquet"
        FRAME.write_parquet(source)
    elif kind != "frame":
        separator = {"csv": ",", "tsv": "\t", "semicolon": ";"}[kind]
        source = written(tmp_path, FRAME.write_csv(separator=separator), f"t.{kind}")
    table = model_table(source, "intrinsic")
    assert (table.models, table.columns) == (["SG", "CBOW"], ["BC2GM", "AnatEM"])
    np.testing.assert_array_equal(table.values, [[70.2, 81.32], [64.05, math.nan]])
    assert (table.measures, table.chosen) == ((), False)
    assert table.source == ("the intrinsic frame" if kind == "frame" else str(source))


def test_models_named_by_numbers_and_a_first_column_without_a_name_are_fine(tmp_path):
    assert model_table(written(tmp_path, ",a\n1,0.5\n16,0.7\n"), "intrinsic").models == ["1", "16"]
    assert model_table(pl.DataFrame({"win": [1, 16], "a": [0.5, 0.7]}), "intrinsic").models == ["1", "16"]


def test_names_lose_their_margins_and_what_cannot_be_printed(tmp_path):
    table = model_table(written(tmp_path, b"model, a\x1b[31m \n SG ,0.5\n"), "intrinsic")
    assert (table.models, table.columns) == (["SG"], ["a?[31m"])


BAD = {
    "the same model twice": ("m,a\nx,1\ny,2\nx ,3\n", ", line 4: this model is already in line 2"),
    "text among numbers": ("m,a,b\nx,1,2\ny,2,high\n", ", line 3: the value in column 3 is not a number"),
    "infinity": ("m,a\nx,inf\n", ", line 2: the value in column 2 is not a number"),
    "a percentage": ("m,a\nx,79%\n", ", line 2: the value in column 2 is not a number"),
    "a model without a name": ("m,a\nx,1\n ,2\n", ", line 3: the first column, for the model's name"),
    "names alone": ("m\nx\ny\n", ": there is only one column"),
    "a header alone": ("m,a\n", ": the table has a header but no models"),
    "no header": ("x,0.5,1\ny,0.6,2\n", ": the first line has numbers instead of column names"),
    "a column without a name": ("m,a,\nx,1,\n", ": column 3 has no name"),
    "a column twice": ("m,a,a\nx,1,2\n", ", line 1: columns 2 and 3 have the same name"),
    "names that print alike": (b"m,a\x01,a\x02\nx,1,2\n", ": columns 2 and 3 have the same name"),
    "a row too short": ("m,a,b\nx,1\n", ", line 2: the row has 2 fields"),
    "nothing": ("", ": the file is empty"),
}


@pytest.mark.parametrize("problem", BAD)
def test_a_bad_table_is_named_with_the_place(tmp_path, problem):
    content, said = BAD[problem]
    with pytest.raises(FileError) as caught:
        model_table(written(tmp_path, content), "intrinsic")
    assert str(caught.value).startswith(f"{tmp_path / 't.csv'}{said}")


def test_a_bad_frame_is_named_by_its_side():
    with pytest.raises(FileError, match=r"^the extrinsic frame, row 2: this model is already in row 1"):
        model_table(pl.DataFrame({"model": ["x", "x"], "a": [1, 2]}), "extrinsic")


def test_a_set_of_pairs_given_by_mistake_leaves_its_terms_out_of_the_message(tmp_path):
    path = written(tmp_path, "renal failure\tkidney failure\t4.0\nflu\tinfluenza\t3.0\n", "pairs.tsv")
    with pytest.raises(FileError) as caught:
        model_table(path, "intrinsic")
    for term in ("renal", "kidney", "flu"):
        assert term not in str(caught.value)


@pytest.mark.parametrize("stored", ["run", "folder", "results.json"])
def test_a_run_gives_each_models_best_rho_or_auc(tmp_path, vectors, stored):
    run = evaluate(
        [vectors, "levenshtein"],
        [pairs("graded"), pairs("labels", labelled=True)],
        measures="best",
        out=tmp_path / "r",
    )
    source = {"run": run, "folder": tmp_path / "r", "results.json": tmp_path / "r" / "results.json"}[stored]
    table = model_table(source, "extrinsic")
    assert (table.models, table.columns) == (["v", "levenshtein"], ["graded", "labels"])
    for i, model in enumerate(table.models):
        for j, (name, metric) in enumerate((("graded", "spearman"), ("labels", "auc"))):
            values = [
                one.value
                for one in run.figures
                if (one.model, one.dataset, one.metric) == (model, name, metric)
            ]
            assert table.values[i, j] == pytest.approx(max(values), abs=0.0005)
    assert table.chosen
    assert table.source == ("the extrinsic run" if stored == "run" else str(source))


def test_a_run_with_one_measure_chose_nothing_on_the_test_data(vectors):
    table = model_table(evaluate([vectors, "random"], [pairs("graded")], measures=["fj"]), "intrinsic")
    assert (table.measures, table.chosen) == (("fj", "score"), False)


def test_a_folder_without_a_run_is_said(tmp_path):
    with pytest.raises(FileError, match=r"is not a stored run, as it has no results\.json"):
        model_table(Path(tmp_path), "intrinsic")


def test_decimal_commas_are_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Modell;F1\nSG;0,75\nCBOW;0,5\n")
    assert model_table(path, "extrinsic").values.tolist() == [[0.75], [0.5]]
