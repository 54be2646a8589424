import json

import pytest

from medgauge.study import run_study as module
from tests.study.small import write_inputs
from tests.support.study_rooms import small_rooms

STUDY = """
title = "Small"
corpus = "corpus.parquet"
windows = [1, 2, 5]
sets = ["alike.parquet", "related.parquet"]
ner_corpora = ["GENES"]

[training]
dim = 4
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "ROOMS", small_rooms())
    (write_inputs(tmp_path) / "study.toml").write_text(STUDY, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_study_prints_its_tables_and_says_where_the_report_is(medgauge, folder):
    done = medgauge("study", "study.toml", "--out", "out", "--no-plots")
    assert done.code == 0
    assert "Figures on sets and in NER" in done.out
    assert "step 1 of 8: train sg-w1" in done.err
    assert "warning: 3 biomedical models are too few to conclude much from" in done.err
    assert "the report is out/report.html, and the study is stored in out" in done.err
    shown = medgauge("show", "out", "--format", "csv")
    assert shown.out == (folder / "out" / "figures.csv").read_text("utf-8")


def test_options_take_the_place_of_what_the_file_says(medgauge, folder):
    done = medgauge(
        *("study", "study.toml", "--out", "out", "--no-plots", "--json", "--window", 3, "--window", 4),
        *("--vectors", "old.bin,new=news.bin", "--dataset", "alike.parquet", "--ner", "X=DISEASES"),
        *("--arch", "cbow,sg", "--seed", 9, "--confidence", 0.9),
    )
    found = json.loads(done.out)
    names = ["cbow-w3", "cbow-w4", "sg-w3", "sg-w4", "old", "new"]
    assert [one["name"] for one in found["models"]] == names
    assert [one["name"] for one in found["evaluation"]["datasets"]] == ["alike"]
    assert {one["corpus"] for one in found["ner"]} == {"X"}
    assert (found["settings"]["seed"], found["confidence"]) == (9, 0.9)


def test_a_dry_run_lists_the_steps_and_writes_nothing(medgauge, folder):
    before = sorted(folder.rglob("*"))
    done = medgauge("study", "study.toml", "--dry-run", "--format", "csv")
    assert done.code == 0
    assert done.out.splitlines()[:2] == [
        "step,kind,kept,seconds,basis",
        "train sg-w1,train,False,10.0,measured",
    ]
    assert sorted(folder.rglob("*")) == before


def test_a_shipped_study_is_printed_to_be_copied(medgauge):
    done = medgauge("study", "windows", "--print")
    assert done.code == 0
    assert "windows = [1, 2, 4, 5, 8, 16, 20, 25, 30]" in done.out


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["windows"], "name a folder for the study with --out, or look at its steps with --dry-run"),
        (["window", "--out", "out"], "there is no study (or file) 'window'; did you mean 'windows'?"),
        (
            ["windows", "--out", "out"],
            "a corpus with --corpus FILE, or vectors that exist with --vectors FILE",
        ),
        (["general", "--out", "out"], "name them with --vectors FILE or --general-vectors FILE"),
        (["nothing.toml", "--out", "out"], "nothing.toml: "),
        (["study.toml", "--out", "out", "--window", "0"], "study.toml, training (window 0): --window needs"),
        (["study.toml", "--out", "out", "--arch", "glove"], "study.toml, architectures[1]: must be 'sg'"),
        (
            ["unknown.toml", "--out", "out"],
            "unknown.toml: there is no field 'window'; did you mean",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(medgauge, folder, given, says):
    (folder / "unknown.toml").write_text(STUDY.replace("windows", "window"), "utf-8")
    done = medgauge("study", *given)
    assert done.code == 1
    assert says in done.err
    assert len(done.err.splitlines()) == 1
    assert not (folder / "out").exists()
    assert not (folder / "out.partial").exists()


def test_another_study_is_replaced_only_if_that_is_said(medgauge, folder):
    assert medgauge("study", "study.toml", "--out", "out", "--no-plots").code == 0
    done = medgauge("study", "study.toml", "--out", "out", "--no-plots", "--window", 2)
    assert done.code == 1
    assert "add --replace (what is the same is not computed again)" in done.err
    done = medgauge("study", "study.toml", "--out", "out", "--no-plots", "--window", 2, "--replace")
    assert done.code == 0
    assert "reusing: 2 of 4 steps are kept" in done.err
