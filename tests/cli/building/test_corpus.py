"""medgauge corpus as users call it, on good and on bad input."""

import json

import polars as pl
import pytest

from tests.support.articles import write_medline


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_sources_become_a_corpus_with_and_without_the_name_of_the_command(medgauge, tmp_path):
    source = write_medline(tmp_path / "a.xml.gz")
    for number, command in enumerate([("corpus",), ("corpus", "build")]):
        done = medgauge(*command, source, "--out", tmp_path / f"{number}.parquet")
        assert done.code == 0, done.err
        assert "biomedical-1" in done.out
        assert f"the corpus is in {tmp_path / f'{number}.parquet'}" in "".join(done.err.split("\n"))
    first = medgauge("corpus", "--out", tmp_path / "2.parquet", source, "--json")
    shown = medgauge("corpus", "info", tmp_path / "0.parquet", "--json")
    assert json.loads(first.out) == json.loads(shown.out)
    assert json.loads(shown.out)["documents"] == 3
    assert medgauge("corpus", "info", tmp_path / "0.parquet").out == done.out


def test_words_are_counted(medgauge, tmp_path):
    medgauge("corpus", write_medline(tmp_path / "a.xml"), "--out", tmp_path / "c.parquet")
    (tmp_path / "j.tsv").write_text("nlm_id\tsubject\n0370270\tRheumatology\n7502406\tDentistry\n")
    named = ["--out", tmp_path / "w.parquet", "--journals", tmp_path / "j.tsv"]
    done = medgauge("corpus", "words", tmp_path / "c.parquet", *named)
    assert done.code == 0, done.err
    assert "form: the corpus has no lemmas" in " ".join(done.out.split())
    frame = pl.read_parquet(tmp_path / "w.parquet")
    assert frame.filter(pl.col("word") == "caries").row(0)[2:6] == (2, 1, 1, "Dentistry")


def test_what_could_not_be_read_is_a_warning_and_strictly_an_error(medgauge, tmp_path):
    source = write_medline(tmp_path / "a.xml")
    source.write_bytes(source.read_bytes()[:-40])
    done = medgauge("corpus", source, "--out", tmp_path / "c.parquet")
    assert done.code == 0
    assert "warning: 1 part of the sources could not be read" in " ".join(done.err.split())
    done = medgauge("corpus", source, "--out", tmp_path / "d.parquet", "--strict")
    assert done.code == 1
    assert "a.xml, line " in done.err
    assert not (tmp_path / "d.parquet").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["none.xml", "--out", "c.parquet"], "none.xml: there is no such file"),
        (["words", "none.parquet", "--out", "w.parquet"], "none.parquet: there is no such file"),
        (["a.txt", "--out", "c.parquet", "--tagger", "spacy"], "'spacy' is not a tagger"),
        (["info", "a.txt"], "a.txt: is not a corpus; make one with 'medgauge corpus"),
    ],
)
def test_bad_input_is_one_sentence(medgauge, tmp_path, monkeypatch, words, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("gout")
    done = medgauge("corpus", *words)
    assert done.code == 1
    assert complaint in " ".join(done.err.split())
    assert "Traceback" not in done.err
