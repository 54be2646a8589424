"""Forms of one word: lemmas, American spelling, nouns made from verbs."""

import importlib
import sys
from dataclasses import replace

import pytest

from medgauge.build.words.choice.word_forms import WordForms, english_dictionary
from medgauge.errors import MissingExtraError
from tests.support.lexicon_files import small_lexicon


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("tumour", "tumor"),
        ("localised", "localized"),
        ("oesophagus", "esophagus"),
        ("haemoglobin", "hemoglobin"),
        ("anaemia", "anemia"),
        ("analyse", "analyze"),
        ("kinase", "kinase"),
    ],
)
def test_british_spellings_become_american(british, american):
    assert WordForms().normal(british, "noun") == american
    assert WordForms(american=False).normal(british, "noun") == british


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("cells", "cell"),
        ("went", "go"),
        ("mice", "mouse"),
        ("phosphorylated", "phosphorylate"),
        ("il-2", "il-2"),
    ],
)
def test_forms_become_lemmas_only_if_asked(form, lemma):
    assert WordForms(lemmatise=True).normal(form, "word") == lemma
    assert WordForms().normal(form, "word") == form


def test_the_lexicon_knows_the_lemma_by_the_part_of_speech():
    forms = WordForms(lemmatise=True, lexicon=small_lexicon())
    assert forms.normal("bound", "verb") == "bind"
    assert forms.normal("oedemata", "noun") == "edema"
    assert forms.normal("binding", "noun") == "binding"  # not a noun of the lexicon, so by simplemma


def test_a_verb_meets_the_noun_made_from_it_with_and_without_the_lexicon():
    for forms in (WordForms(), WordForms(lexicon=small_lexicon())):
        assert "phosphorylation" in forms.nouns_of("phosphorylate")
    assert WordForms(lexicon=small_lexicon()).nouns_of("methylate") == set()


@pytest.mark.parametrize(
    ("verb", "noun"),
    [
        ("depolymerize", "depolymerization"),
        ("hydrolyze", "hydrolysis"),
        ("synthesize", "synthesis"),
        ("acidify", "acidification"),
        ("transduct", "transduction"),
        ("express", "expression"),
        ("divide", "division"),
        ("expand", "expansion"),
        ("invert", "inversion"),
        ("absorb", "absorption"),
        ("transcribe", "transcription"),
        ("transform", "transformation"),
        ("remove", "removal"),
        ("cleave", "cleavage"),
        ("secrete", "secretion"),
        ("inhibit", "inhibition"),
        ("bind", "binding"),
        ("splice", "splicing"),
        ("treat", "treatment"),
    ],
)
def test_endings_make_the_noun_of_a_verb(verb, noun):
    assert noun in WordForms().nouns_of(verb)


def test_a_dictionary_of_english_has_rare_words_and_no_spanish():
    has = english_dictionary()
    assert [
        word for word in ("phosphorylate", "scoliosis", "enfermedad", "tratamiento", "xqzt") if has(word)
    ] == [
        "phosphorylate",
        "scoliosis",
    ]


@pytest.mark.parametrize(("name", "known"), [("Bio-SimLex", 1396), ("Bio-SimVerb", 1118)])
def test_a_dictionary_of_english_knows_most_words_of_the_papers_sets(real_data, name, known):
    has = english_dictionary()
    lines = real_data(f"published/{name}.txt").read_text("utf-8").splitlines()
    assert sum(map(has, {word for line in lines for word in line.split("\t")[:2]})) == known


@pytest.mark.parametrize(
    ("package", "forms", "word"),
    [("breame", WordForms(), "tumour"), ("simplemma", WordForms(lemmatise=True), "cells")],
)
def test_a_missing_package_is_named_with_its_extra(monkeypatch, package, forms, word):
    for name in [one for one in sys.modules if one.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    importlib.invalidate_caches()
    with pytest.raises(MissingExtraError, match=rf"needs the package {package}: run .*\[words\]"):
        replace(forms).normal(word, "noun")
