import json

import pytest


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


@pytest.mark.slow
def test_the_demo_evaluates_the_published_sets_that_are_here(medgauge, real_data, tmp_path):
    real_data("published/EHR-RelB.tsv")
    done = medgauge("demo", "--out", tmp_path / "demo")
    assert done.code == 0, done.err
    assert str(tmp_path / "demo" / "run" / "results.json") in "".join(done.out.split("\n"))
    results = json.loads((tmp_path / "demo" / "run" / "results.json").read_text())
    assert len(results["datasets"]) == 17
