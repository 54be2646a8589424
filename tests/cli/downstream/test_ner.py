import csv
import io
import json

import pytest

from tests.ner.tiny_corpora import telling_vectors, write_corpus
from tests.vectors import write_binary

QUICK = [
    *("--epochs", 2, "--trials", 2, "--hidden", 8, "--window", 3, "--batch", 5, "--rate", 0.3),
    *("--resamples", 99, "--device", "cpu"),
]


@pytest.fixture
def given(tmp_path):
    """Options for one file of vectors and one corpus."""
    vectors = write_binary(tmp_path / "mine.bin", telling_vectors())
    return ["--vectors", vectors, "--corpus", write_corpus(tmp_path / "tiny"), *QUICK]


def test_a_table_shows_f_and_the_folder_is_correlated_and_shown_again(medgauge, given, tmp_path):
    out = tmp_path / "runs" / "ner"
    done = medgauge("ner", *given, "--random", "--out", out)
    assert done.code == 0
    assert "F of entities found, in per cent" in done.out
    assert "random-6" in done.out
    assert f"result stored in {out}" in done.err
    assert medgauge("show", out).out == done.out
    rows = list(csv.DictReader(io.StringIO(medgauge("show", out, "--format", "csv").out)))
    assert [row["model"] for row in rows[:1]] == ["mine"]
    correlated = medgauge("correlate", out, out)
    assert correlated.code == 1  # two models are not enough for any correlation
    assert "2 models in common, but at least 3 are needed" in correlated.err


def test_json_has_every_network(medgauge, given):
    found = json.loads(medgauge("ner", *given, "--json").out)
    assert len(found["trials"]) == 2
    assert found["settings"]["epochs"] == 2


def test_options_reach_the_network(medgauge, given):
    options = ["--crf", "--tune", "--patience", 1, "--seed", 3, "--dropout", 0.1]
    settings = json.loads(medgauge("ner", *given, *options, "--json").out)["settings"]
    assert (settings["crf"], settings["tune"], settings["patience"]) == (True, True, 1)
    assert (settings["seed"], settings["dropout"], settings["window"]) == (3, 0.1, 3)


def test_models_and_corpora_can_be_named_and_separated_by_commas(medgauge, given, tmp_path):
    vectors, corpus = given[1], given[3]
    found = json.loads(
        medgauge(
            *("ner", "--vectors", f"a={vectors},b={vectors}"),
            *("--corpus", f"{corpus},again={corpus}", *QUICK, "--json"),
        ).out
    )
    assert [card["name"] for card in found["models"]] == ["a", "b"]
    assert [used["name"] for used in found["corpora"]] == ["tiny", "again"]
    twice = medgauge("ner", "--vectors", vectors, "--corpus", corpus, "--corpus", f"{corpus}/.", *QUICK)
    assert twice.code == 2
    assert "two corpora are called 'tiny'" in twice.err


def test_a_bad_corpus_is_one_sentence(medgauge, given, tmp_path):
    (tmp_path / "tiny" / "devel.tsv").write_text("a\tO\nb\n")
    done = medgauge("ner", *given, "--out", tmp_path / "ner")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "devel.tsv, line 2: the row has 1 column, and those before it 2" in done.err
    assert not list(tmp_path.glob("ner*"))


def test_an_option_in_a_message_is_spelt_as_a_flag(medgauge, given, tmp_path):
    medgauge("ner", *given, "--out", tmp_path / "ner")
    done = medgauge("ner", *given, "--seed", 1, "--out", tmp_path / "ner")
    assert done.code == 1
    assert "add --replace" in done.err
