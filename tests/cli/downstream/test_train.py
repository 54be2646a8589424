import json
from pathlib import Path

import pytest

from tests.train.corpora import topic_text


@pytest.fixture
def text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("text.txt").write_text(topic_text(60), "utf-8")


OPTIONS = ("--dim", 4, "--epochs", 1, "--sample", 0.01, "--threads", 1)


def test_train_writes_vectors_and_says_what_they_are(medgauge, text):
    done = medgauge("train", "text.txt", "--arch", "attention", "--window", 2, *OPTIONS, "--out", "v.bin")
    assert (done.code, done.err) == (0, "")
    assert "18 of 4 dimensions in v.bin" in done.out
    assert "text.txt (480 tokens), by CBOW with attention" in done.out
    assert sorted(path.name for path in Path().iterdir()) == ["text.txt", "v.bin", "v.bin.card.json"]


def test_several_windows_are_several_files(medgauge, text):
    windows = ("--window", 1, "--window", 2)
    done = medgauge(
        "train", "text.txt", "--arch", "ssg", *windows, *OPTIONS, "--out", "w{window}.vec", "--json"
    )
    found = json.loads(done.out)
    assert [one["path"] for one in found] == ["w1.vec", "w2.vec"]
    assert [one["parameters"]["window"] for one in found] == [1, 2]


def test_bad_input_is_one_sentence(medgauge, text):
    done = medgauge("train", "text.txt", "--min-count", 10_000, "--out", "v.bin")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("medgauge: text.txt: has fewer than two words that occur 10,000 times")
    done = medgauge("train", "nothing.txt", "--out", "v.bin")
    assert (done.code, done.err) == (1, "medgauge: nothing.txt: there is no such file\n")
    done = medgauge("train", "text.txt", "--arch", "glove", "--out", "v.bin")
    assert done.code == 1
    assert "there is no architecture 'glove'" in done.err
