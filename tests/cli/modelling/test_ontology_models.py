import json

import pytest

from medgauge.models.ontology.ontology_measures import MEASURES_OF_ONTOLOGIES
from medgauge.pairs import PairSet
from tests.models.ontology.test_concept_frequencies import OBO

HARD = "hpo/fsn-syn-hard-levenshtein.parquet"


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.obo"
    path.write_text(OBO)
    return path


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        "term_1,term_2,score\nchill,thing,3\nThing,common cold,2\ncold,chill,1\nchill,common cold,0\n"
        "thing,thing,4\nflu,chill,2\ncommon cold,Common Cold,4\n"
    )
    return path


def test_an_ontology_word_vectors_and_a_baseline_in_one_table(medgauge, demo, hpo_file, tmp_path):
    whole = PairSet.load(demo / "demo" / HARD)
    every = PairSet(whole.frame.gather_every(17), whole.card)
    every.save(tmp_path / "hard.parquet")
    models = [f"ontology:lin@{hpo_file}", f"ontology:wup@{hpo_file}", demo / "demo/glove-6b-50d.bin"]
    arguments = [part for model in (*models, "levenshtein") for part in ("--model", model)]
    done = medgauge(
        "evaluate", *arguments, "--dataset", tmp_path / "hard.parquet", "--measure", "fj", "--json"
    )
    assert done.code == 0, done.err
    run = json.loads(done.out)
    auc = {one["model"]: one["value"] for one in run["figures"] if one["metric"] == "auc"}
    # A name and its synonym are one concept, and a name and another's synonym are two.
    assert auc["lin@hp.obo"] == auc["wup@hp.obo"] == 1
    assert auc["levenshtein"] < auc["glove-6b-50d"] < 0.5
    assert {one["model"]: one["covered"] for one in run["coverage"]}["lin@hp.obo"] == len(every)
    assert {mark["model"] for mark in run["contamination"]} == {"lin@hp.obo", "wup@hp.obo"}
    # Without ids, names and synonyms find the same concepts, but for the term that two of them share.
    named = tmp_path / "named.csv"
    every.frame.select("term_1", "term_2", "label").write_csv(named)
    done = medgauge("evaluate", "--model", f"ontology:lin@{hpo_file}", "--dataset", named, "--json")
    assert done.code == 0, done.err
    [entry] = json.loads(done.out)["coverage"]
    assert len(every) - entry["covered"] == sum(entry.get("failures", {}).values()) <= 1
    assert [one["value"] for one in json.loads(done.out)["figures"] if one["metric"] == "auc"] == [1]


def test_the_table_says_why_pairs_have_no_score_and_a_remark_that_none_is_guessed(medgauge, toy, pairs):
    done = medgauge("evaluate", "--model", f"ontology:path@{toy}", "--dataset", pairs)
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    reasons = "a term of no concept 1, a term of several concepts 1"
    assert f"Pairs of pairs that path@toy.obo did not score: {reasons}." in said
    assert (
        "path@toy.obo does not score pairs of pairs with 1 term that names several concepts of toy"
        in " ".join(done.err.split())
    )
    assert "5/7" in said


def test_labels_name_ontologies_and_all_measures_fit_a_narrow_terminal(medgauge, toy, pairs, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    models = [f"{name}-of-toy=ontology:{name}@{toy}" for name in MEASURES_OF_ONTOLOGIES]
    done = medgauge("evaluate", *(part for one in models for part in ("--model", one)), "--dataset", pairs)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 60
    assert "sanchez-" in done.out


def test_models_info_shows_an_ontology_and_the_list_its_options(medgauge, toy):
    facts = json.loads(medgauge("models", "info", f"ontology:jcn@{toy}?ic=seco", "--json").out)
    assert (facts["measure"], facts["ic"], facts["terminology"]) == ("jcn", "seco", "toy")
    assert (facts["concepts"], facts["roots"], facts["depth"]) == (3, 1, 2)
    assert facts["cite"].startswith("Jiang and Conrath (1997)")
    listed = next(
        one for one in json.loads(medgauge("models", "--json").out)["kinds"] if one["name"] == "ontology"
    )
    assert set(listed["options"]) == {"ic", "smooth", "language"}


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ontology:reznik@{}", "there is no measure of ontology: 'reznik'; did you mean 'resnik'?"),
        ("ontology:lin@{}.gz", "toy.obo.gz: there is no such file or folder"),
        ("ontology:lin@{}?ic=corpus:{}", "toy.obo: needs a column of counts: one of count, frequency"),
        ("ontology:lin", "'ontology:lin' needs a measure and a source: ontology:MEASURE@SOURCE"),
    ],
)
def test_a_bad_ontology_is_one_sentence_and_leaves_nothing_behind(medgauge, toy, pairs, tmp_path, spec, said):
    out = tmp_path / "run"
    done = medgauge("evaluate", "--model", spec.replace("{}", str(toy)), "--dataset", pairs, "--out", out)
    assert (done.code, done.out) == (1, "")
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err
    assert not list(tmp_path.glob("run*"))
