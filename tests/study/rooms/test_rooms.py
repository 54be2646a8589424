"""A tiny study in the rooms that a study really has: 50,000 tokens, two windows, 200 sentences."""

import pytest

import medgauge
from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.stored_corpus import Corpus
from medgauge.errors import MissingExtraError
from medgauge.progress import hearing
from medgauge.study.rooms import ner_room
from medgauge.study.rooms.training_room import write_sample
from medgauge.study.run_study import run_study, schedule_study
from tests.prerequisites import NEEDS_GENSIM
from tests.study.tiny import write_study

pytest.importorskip("gensim.models", reason=NEEDS_GENSIM)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning"),
]


def test_a_tiny_study_runs_from_text_to_report_and_a_changed_window_trains_only_its_own(tmp_path):
    study, out, said = write_study(tmp_path), tmp_path / "out", []
    found = run_study(study, out, windows=[1, 8], threads=2)
    assert [one.name for one in found.models] == ["sg-w1", "sg-w8"]
    assert Corpus.open(out / "corpus.parquet").card.tokens == pytest.approx(50_000, abs=10)
    assert {one.corpus for one in found.ner} == {"GENES"}
    assert min(one.f for one in found.ner) > 60  # percent: the networks have learnt what genes look like
    assert [one.found for one in found.correlations] == [None]  # of two models
    assert [one.by for one in found.subsets] == ["frequency"]
    assert found.notes == ["alike has no subsets by subjects: the word table has no subjects of its words."]
    for name in ("report.md", "report.html", "report.tex", "figures.csv", "plots/alike-by-frequency.svg"):
        assert (out / name).is_file()
    recognised = medgauge.EntityRecognition.load(out / "runs" / "ner-GENES")
    assert [card.digest for card in recognised.models] == [card.digest for card in found.evaluation.models]

    times = {one.step: one for one in schedule_study(study, out, windows=[1, 4]).scheduled}
    assert [name for name, one in times.items() if not one.kept] == [
        "train sg-w4",
        "evaluate",
        "subsets of alike by frequency",
        "subsets of alike by subjects",
        "ner sg-w4 on GENES",
        "ner scores on GENES",
    ]
    assert times["ner sg-w4 on GENES"].basis == "earlier steps"

    with hearing(said.append):
        changed = run_study(study, out, windows=[1, 4], threads=2, plots=False, replace=True)
    steps = [text.partition(": ")[2] for text in said if text.startswith("step")]
    assert steps == [name for name, one in times.items() if not one.kept]
    assert "resuming: 2 of 4 networks are kept" in said
    assert [one.name for one in changed.models] == ["sg-w1", "sg-w4"]
    assert changed.ner[0].trials == found.ner[0].trials


def test_a_dry_run_tries_training_and_networks_out(tmp_path):
    study = write_study(tmp_path)
    build_corpus(tmp_path / "text.txt", tmp_path / "corpus.parquet")
    found = schedule_study(study, corpus=tmp_path / "corpus.parquet", windows=[2])
    times = {one.step: one for one in found.scheduled}
    for step in ("train sg-w2", "ner sg-w2 on GENES"):
        assert times[step].basis == "measured"
        assert 0 < times[step].seconds < 600
    assert not list(tmp_path.glob("*.partial"))


def test_a_sample_is_the_beginning_of_a_corpus(tmp_path):
    (tmp_path / "text.txt").write_text("one two three\nfour five\nsix\nseven\n", "utf-8")
    corpus = build_corpus(tmp_path / "text.txt", tmp_path / "corpus.parquet")
    assert write_sample(corpus, tmp_path / "sample.parquet", 4) == 5
    sample = Corpus.open(tmp_path / "sample.parquet")
    assert list(sample.sentences()) == [["one", "two", "three"], ["four", "five"]]


def test_without_torch_the_extra_is_named_before_anything_is_trained(monkeypatch):
    monkeypatch.setattr(ner_room, "find_spec", lambda _name: None)
    with pytest.raises(MissingExtraError, match=r"the package torch: run .*\[ner\]"):
        ner_room.NerNetworks().device("auto")
