import csv
import io
import json

import pytest

SIMILARITY = (
    "model,Bio-SimLex,UMN-sim\nSG,0.7151,0.6271\nCBOW,0.702,0.5348\nSSG,0.7181,0.552\nDep,0.7436,0.4622\n"
)
NER = (
    "model;BC2GM;AnatEM\nDep;71.43;82.4\nSG;70.2;81.32\nSSG;67.3;81.3\nCBOW;64.05;80.3\nBioASQ;48.86;53.34\n"
)


@pytest.fixture
def tables(tmp_path):
    """The rows SG, CBOW, SSG and Dependency of table 5 of Chiu et al. (2018), and one that has no partner."""
    paths = [tmp_path / "similarity.csv", tmp_path / "ner.csv"]
    for path, text in zip(paths, (SIMILARITY, NER), strict=True):
        path.write_text(text)
    return paths


def test_a_table_shows_r_p_the_models_and_the_number_of_tests(medgauge, tables):
    done = medgauge("correlate", *tables)
    assert (done.code, done.err) == (0, "")
    words = " ".join(done.out.split())
    assert "intrinsic BC2GM AnatEM" in words
    assert "Bio-SimLex 0.83 (p = 0.168) 0.98 (p = 0.019)" in words
    assert "n = 4 models" in words
    assert "1 of 4 tests; of these below Bonferroni's 0.05/4 = 0.0125: 0." in words
    assert "Left out: 1 of the models in" in words


def test_csv_and_json_have_every_figure(medgauge, tables):
    rows = list(csv.DictReader(io.StringIO(medgauge("correlate", *tables, "--format", "csv").out)))
    found = json.loads(medgauge("correlate", *tables, "--json").out)
    assert (
        medgauge("correlate", *tables, "--format", "json").out == medgauge("correlate", *tables, "--json").out
    )
    assert len(rows) == len(found["correlations"]) == 4
    for row, one in zip(rows, found["correlations"], strict=True):
        stored = {name: str(value) for name, value in one.items()}
        assert row == {**stored, "confidence": "0.95", "undefined": ""}
    assert found["models"] == ["SG", "CBOW", "SSG", "Dep"]
    assert found["extrinsic"]["left_out"] == ["BioASQ"]


def test_the_confidence_reaches_the_intervals(medgauge, tables):
    narrow, wide = (
        json.loads(medgauge("correlate", *tables, "--json", "--confidence", level).out)["correlations"]
        for level in ("0.8", "0.99")
    )
    for one, other in zip(narrow, wide, strict=True):
        assert (one["confidence"], other["confidence"]) == (0.8, 0.99)
        assert other["low"] < one["low"] < one["high"] < other["high"]
    done = medgauge("correlate", *tables, "--confidence", "1")
    assert (done.code, done.out) == (1, "")
    assert "the confidence must be between 0 and 1" in done.err


def test_markdown_and_latex_set_what_is_significant_in_bold(medgauge, tables):
    assert "| **0.98 (p = 0.019)** |" in medgauge("correlate", *tables, "--format", "md").out
    assert r"\textbf{0.98 (p = 0.019)} \\" in medgauge("correlate", *tables, "--format", "latex").out
    stricter = medgauge("correlate", *tables, "--format", "md", "--alpha", "0.01").out
    assert "| 0.98 (p = 0.019) |" in stricter
    assert "Bold: p < 0.01, 0 of 4 tests" in stricter


def test_a_narrow_terminal_gets_the_table_in_parts(medgauge, tables, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = medgauge("correlate", *tables).out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= 40
    assert "(continued)" in out


def test_stored_runs_can_be_given(medgauge, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text(
        "term_1,term_2,score\nflu,influenza,4\nasthma,asthma attack,3\nfever,fracture,1\nulcer,lupus,2\n"
    )
    assert medgauge("evaluate", "--baselines", "--dataset", pairs, "--out", tmp_path / "run").code == 0
    downstream = tmp_path / "f1.csv"
    downstream.write_text("model,F1\nlevenshtein,70\ntoken-jaccard,65\nchar-tfidf,72\nrandom,50\n")
    done = medgauge("correlate", tmp_path / "run", downstream, "--json")
    assert done.code == 0, done.err
    [one] = json.loads(done.out)["correlations"]
    assert (one["intrinsic"], one["extrinsic"], one["n"]) == ("pairs", "F1", 4)


BAD = {
    "the same model twice": ("model,x\nSG,1\nCBOW,2\nSG,3\n", "line 4: this model is already in line 2"),
    "text among numbers": (
        "model,x\nSG,1\nCBOW,good\nSSG,3\n",
        "line 3: the value in column 2 is not a number",
    ),
    "no common model": ("model,x\na,1\nb,2\nc,3\n", "have no model in common"),
    "two common models": ("model,x\nSG,1\nCBOW,2\nc,3\n", "have 2 models in common"),
    "names alone": ("model\nSG\nCBOW\nSSG\n", "there is only one column"),
    "an empty file": ("", "the file is empty"),
    "not text": (b"model,x\nSG,1\ncaf\x01\xe9,2\n", "line 3"),
}


@pytest.mark.parametrize("problem", BAD)
@pytest.mark.parametrize("side", [0, 1], ids=["intrinsic", "extrinsic"])
def test_bad_input_is_one_sentence_with_file_and_place(medgauge, tables, tmp_path, problem, side):
    content, said = BAD[problem]
    bad = tmp_path / "bad.csv"
    bad.write_bytes(content if isinstance(content, bytes) else str(content).encode())
    tables[side] = bad
    done = medgauge("correlate", *tables)
    assert (done.code, done.out) == (1, "")
    assert len(done.err.strip().splitlines()) == 1
    assert str(bad) in done.err
    assert said in done.err


def test_a_missing_file_and_a_folder_without_a_run_are_named(medgauge, tables, tmp_path):
    for path, said in (
        (tmp_path / "nowhere.csv", "there is no such file"),
        (tmp_path, "is not a stored run, as it has no results.json"),
    ):
        done = medgauge("correlate", tables[0], path)
        assert (done.code, done.out) == (1, "")
        assert str(path) in done.err
        assert said in done.err


@pytest.mark.parametrize("form", ["table", "json"])
@pytest.mark.parametrize("alpha", ["2", "0", "nan"])
def test_an_alpha_that_is_no_level_is_refused_in_every_format(medgauge, tables, alpha, form):
    done = medgauge("correlate", *tables, "--alpha", alpha, "--format", form)
    assert (done.code, done.out) == (1, "")
    assert "alpha must be between 0 and 1" in done.err
