import csv
import io
import json

import polars as pl
import pytest

from medgauge import load_dataset
from tests.composition.test_concept_finding import OBO
from tests.support.umls_releases import every_case

FIVE = ["ehr-rel-b", "umnsrs-sim", "umnsrs-rel", "mayosrs", "bio-simlex"]
ROWS = """term_1,term_2,gold,cui_1,cui_2
Zorvic fever,Plimmer's disease,1,C0000001,C0000002
Narvic oedema,Zorvic fever,2,C0000007,C0000001
Zorvic fever,Zorvic sign,4,C0000001,C0000001
Quintal ache,wombat,3,C0000004,
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "mine.csv").write_text(ROWS, "utf-8")
    (tmp_path / "zo.obo").write_text(OBO, "utf-8")
    every_case().write(tmp_path / "umls")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_five_published_sets_are_compared_and_drawn(medgauge, real_data, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    for name in ("EHR-RelB.tsv", "UMNSRS_relatedness.csv", "MayoSRS_mesh.csv", "Bio-SimLex.txt"):
        real_data(f"published/{name}")
    done = medgauge("coverage", *FIVE, "--plot", tmp_path / "plots")
    assert done.code == 0
    [concepts] = [line for line in done.out.splitlines() if line.startswith("concepts")]
    assert concepts.split() == ["concepts", "2,263", "365", "387", "182", "–"]
    assert {path.name for path in (tmp_path / "plots").iterdir()} == {"scores.svg", "scores.png"}
    assert "No semantic types of any set: they need --umls DIR" in done.out
    assert "plots written to" in done.err


@pytest.mark.parametrize("form", ["table", "csv", "json", "md", "latex", "html"])
def test_every_format_has_the_sets(medgauge, folder, form):
    done = medgauge("coverage", "mine.csv", "--umls", "umls", "--format", form)
    assert done.code == 0
    assert "mine" in done.out
    assert "Disease or Syndrome" in done.out
    if form == "csv":
        values = {tuple(row[:5]): row[5] for row in csv.reader(io.StringIO(done.out))}
        assert float(values["set", "mine", "", "pairs_with_cuis", ""]) == 3
    if form == "json":
        [one] = json.loads(done.out)["sets"]
        assert one["types"]["source"] == "UMLS 2024AA"
        assert medgauge("coverage", "mine.csv", "--umls", "umls", "--json").out == done.out


def test_a_narrow_terminal_shows_everything(medgauge, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    out = medgauge("coverage", "mine.csv", "--umls", "umls", "--terminology", "zo.obo").out
    assert max(map(len, out.splitlines())) <= 60
    assert "Specificity" in out


def test_columns_are_written_for_evaluate(medgauge, folder):
    done = medgauge(
        "coverage", "mine.csv", "--umls", "umls", "--terminology", "zo.obo", "--columns", "out.parquet"
    )
    assert done.code == 0
    assert "wrote the set with its columns to out.parquet" in done.err
    written = load_dataset("out.parquet")
    assert written.digest == load_dataset("mine.csv").digest
    assert written.frame["semantic_type_1"].to_list()[:2] == ["Sign or Symptom", "Pathologic Function"]
    assert written.frame["specificity_1"].to_list() == [1, None, 1, None]
    assert written.frame["specificity_2"].dtype == pl.Int64
    shown = medgauge("evaluate", "--model", "levenshtein", "--dataset", "out.parquet", "--by", "specificity")
    assert shown.code == 0
    assert "Subsets by specificity" in shown.out
    again = medgauge("coverage", "out.parquet", "--json")
    [one] = json.loads(again.out)["sets"]
    assert one["specificity"]["source"] == "columns specificity_1 and specificity_2"
    assert one["types"]["source"] == "columns semantic_type_1 and semantic_type_2"


@pytest.mark.parametrize(
    ("options", "code", "problem"),
    [
        (["--columns", "out.parquet"], 2, "--columns needs --umls or --terminology"),
        (
            ["--columns", "out.csv", "--umls", "umls"],
            1,
            "out.csv: a set with its columns must be a .parquet file",
        ),
        (["--columns", "there.parquet", "--umls", "umls"], 1, "there.parquet already exists"),
        (
            ["mine=mine.csv", "two=mine.csv", "--columns", "o.parquet", "--umls", "umls"],
            2,
            "--columns writes one set",
        ),
        (["--umls", "nowhere"], 1, "nowhere: there is no such file or folder"),
        (["--umls", "."], 1, "has MRCONSO.RRF twice"),
        (["--terminology", "mine.csv"], 1, "mine.csv"),
        (["--plot", "zo.obo"], 1, "zo.obo is a file; plots need a folder"),
        (["--permutations", "0"], 2, "--permutations"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(medgauge, folder, options, code, problem):
    (folder / "there.parquet").write_text("", "utf-8")
    every_case().write(folder / "second") if problem.startswith("has MRCONSO") else None
    done = medgauge("coverage", "mine.csv", *options)
    assert (done.code, done.out) == (code, "")
    assert problem in " ".join(done.err.replace("│", " ").split())
    assert "Traceback" not in done.err
    assert not (folder / "out.parquet").exists()


def test_a_release_with_a_bad_row_is_named_with_its_line(medgauge, folder):
    path = folder / "umls" / "2024AA" / "META" / "MRSTY.RRF"
    path.write_text("C0000001|T184|A2.2.2\n" + path.read_text("utf-8"), "utf-8")
    done = medgauge("coverage", "mine.csv", "--umls", "umls")
    assert done.code == 1
    assert "MRSTY.RRF, line 1: the row has 3 fields, but 6 are expected" in done.err


def test_the_help_has_an_example(medgauge):
    out = medgauge("coverage", "--help").out
    assert "Example: medgauge coverage ehr-rel-b umnsrs-sim" in " ".join(out.split())
