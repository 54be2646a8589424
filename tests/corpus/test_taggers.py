"""Taggers that a package adds, and spaCy's by a stand-in that does what spaCy does."""

import sys
from types import ModuleType, SimpleNamespace

import polars as pl
import pytest

from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.tag_corpus import tag_corpus
from medgauge.corpus.taggers import GROUP, Tagger, Tagging, open_tagger
from medgauge.corpus.word_table import corpus_words
from medgauge.errors import InputError, MissingExtraError, UnknownNameError
from tests.support.articles import ARTICLES, write_medline
from tests.support.entry_points import install_package

CODE = '''
"""A tagger for medgauge that knows one verb."""

from medgauge.corpus.taggers import Tagging


class Toy:
    parses = True

    def __init__(self, name):
        self.name = name

    def tag(self, passages):
        for passage in passages:
            if "caries" in passage and self.name == "failing":
                raise ValueError("zqx")
            yield [
                Tagging(
                    [token for token in sentence],
                    [token.lower() for token in sentence],
                    ["VERB" if token == "rose" else "NOUN" for token in sentence],
                    list(range(len(sentence))),
                    ["dep" for token in sentence],
                )
                for sentence in (passage[:2], passage[2:])
            ]
'''


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    install_package(tmp_path / "site", monkeypatch, "toy_tagger", CODE, GROUP, {"toy": "toy_tagger:Toy"})


@pytest.mark.parametrize("workers", [1, 2])
def test_a_tagger_of_a_package_tags_text_and_splits_it_into_sentences(toy, tmp_path, monkeypatch, workers):
    monkeypatch.setattr("medgauge.corpus.parts._SIZE", 1)
    sources = [write_medline(tmp_path / name, ARTICLES[:1]) for name in ("a.xml", "b.xml")]
    corpus = build_corpus(sources, tmp_path / "c.parquet", tagger="toy:any", workers=workers)
    assert (corpus.parsed, corpus.card.tagger, corpus.card.tokenizer) == (True, "toy:any", "biomedical-1")
    [frame] = corpus.batches(["tokens", "lemmas", "pos", "heads", "document_id"])
    assert frame.rows()[2:4] == [
        (["Uric", "acid"], ["uric", "acid"], ["NOUN", "NOUN"], [0, 1], "101"),
        (["rose", "."], ["rose", "."], ["VERB", "NOUN"], [0, 1], "101"),
    ]


def test_a_corpus_is_tagged_later_as_at_once(toy, tmp_path):
    source = write_medline(tmp_path / "a.xml")
    plain = build_corpus(source, tmp_path / "plain.parquet")
    at_once = build_corpus(source, tmp_path / "once.parquet", tagger="toy:any")
    later = tag_corpus(plain, tmp_path / "later.parquet", tagger="toy:any")
    assert later.card == at_once.card
    words = corpus_words(plain, tagger="toy:any")
    assert words.card == corpus_words(at_once).card
    assert words.card.unit == "lemma"
    assert words.frame.filter(pl.col("pos") == "VERB")["word"].to_list() == ["rose"]


def test_a_tagger_is_named_or_there_is_none(toy, tmp_path):
    source = write_medline(tmp_path / "a.xml")
    assert not build_corpus(source, tmp_path / "c.parquet").tagged
    with pytest.raises(InputError, match="'spacy' is not a tagger; write its kind and its name"):
        open_tagger("spacy")
    with pytest.raises(UnknownNameError, match="there is no kind of tagger 'spcay'; did you mean 'spacy'"):
        open_tagger("spcay:en")
    at_once = build_corpus(source, tmp_path / "c.parquet", tagger="toy:any")
    with pytest.raises(InputError, match="is tagged; leave out tagger="):
        corpus_words(at_once, tagger="toy:any")


def test_what_a_tagger_does_wrong_is_one_sentence_without_the_text(toy, tmp_path, monkeypatch):
    source = write_medline(tmp_path / "a.xml")
    for workers in (1, 2):
        with pytest.raises(InputError, match=r"^the tagger toy:failing failed \(ValueError\)$"):
            build_corpus([source, source], tmp_path / "c.parquet", tagger="toy:failing", workers=workers)
    install_package(tmp_path / "other", monkeypatch, "bad_tagger", "x = 1", GROUP, {"bad": "bad_tagger:Toy"})
    with pytest.raises(InputError, match=r"taggers of the kind 'bad' cannot be opened \(AttributeError"):
        open_tagger("bad:any")


@pytest.mark.parametrize(
    ("answers", "complaint"),
    [
        ([], "fewer passages than it was given"),
        ([[Tagging(["gout"], ["gout", "x"], ["NOUN"])]], "more or fewer tags than tokens"),
    ],
)
def test_answers_that_do_not_fit_are_refused(answers, complaint):
    rows = pl.DataFrame({"document": [0], "document_id": [None], "journal": [None], "tokens": [["gout"]]})
    toy = SimpleNamespace(name="toy", parses=False, tag=lambda _: answers)
    with pytest.raises(InputError, match=complaint):
        Tagger("toy:any", toy).tagged(rows)


class Span(list[SimpleNamespace]):
    start = 0


class Doc:
    """What the adapter uses of spaCy's documents: two sentences of which the first token is the root."""

    def __init__(self, vocab, words):
        self.words = words
        self.known = set(vocab)

    def has_annotation(self, name):
        return name in self.known

    def __getitem__(self, key):
        return self._span(range(len(self.words))[key])

    @property
    def sents(self):
        return [self[:1], self[1:]]

    def _span(self, places):
        root = SimpleNamespace(i=places[0])
        span = Span(
            SimpleNamespace(
                i=i, text=self.words[i], lemma_="", pos_="", tag_="NN", dep_="dep",
                head=root,
            )
            for i in places
        )  # fmt: skip
        span.start = places[0]
        return span


@pytest.fixture
def spacy(monkeypatch):
    """Put a stand-in in the place of spaCy, with models whose names say what they know."""

    def load(name, exclude):
        if name == "none":
            raise OSError("[E050]")
        known = name.split("-")
        pipes = ["parser"] if "parser" in known else []
        return SimpleNamespace(vocab=known, pipe_names=pipes, pipe=lambda documents: iter(documents))

    module, tokens = ModuleType("spacy"), ModuleType("spacy.tokens")
    monkeypatch.setattr(module, "load", load, raising=False)
    monkeypatch.setattr(tokens, "Doc", Doc, raising=False)
    monkeypatch.setitem(sys.modules, "spacy", module)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)


def test_spacy_gets_the_tokens_and_its_heads_are_counted_within_the_sentence(spacy):
    rows = pl.DataFrame(
        {"document": [0], "document_id": [None], "journal": [None], "tokens": [["Gout", "is", "bad"]]}
    )
    parsed = open_tagger("spacy:LEMMA-TAG-SENT_START-parser").tagged(rows)
    assert parsed.select("tokens", "lemmas", "pos", "heads").rows() == [
        (["Gout"], ["Gout"], ["NN"], [0]),
        (["is", "bad"], ["is", "bad"], ["NN", "NN"], [0, 1]),
    ]
    assert open_tagger("spacy:LEMMA-POS").tagged(rows).columns[-1] == "pos"
    with pytest.raises(InputError, match="finds no lemmas or no parts of speech"):
        open_tagger("spacy:TAG").tagged(rows)
    with pytest.raises(InputError, match="no spaCy model 'none' that can be loaded"):
        open_tagger("spacy:none")


def test_without_spacy_the_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match="this needs the package spacy"):
        open_tagger("spacy:en_core_sci_sm")
