"""Domains by relative frequency, against a plain computation and a list of the test's own."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.words.choice.word_domains import (
    DomainLimits,
    GeneralEnglish,
    domains,
    general_english,
)
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.errors import InputError

PLAIN = WordForms(american=False)


def of_each(words, english, tokens, limits=None):
    frame = pl.DataFrame(words, schema={"word": pl.String, "frequency": pl.UInt64}, orient="row")
    found = domains(frame, GeneralEnglish(english, "mine"), tokens, limits or DomainLimits())
    return dict(found.select("word", "domain").iter_rows())


def test_words_are_biomedical_general_or_between():
    english = {"kinase": 1e-6, "river": 1e-4, "study": 1e-5, "play": 4e-4}
    corpus = [("kinase", 10), ("river", 99), ("study", 50), ("play", 300), ("scoliosis", 9)]
    assert of_each(corpus, english, 1_000_000) == {
        "kinase": "biomedical",  # exactly 10 times as frequent
        "river": "general",
        "study": "borderline",  # 5 times
        "play": "borderline",  # 300 per million here and 400 there
        "scoliosis": "borderline",  # not in the list: 9 times its rarest word
    }


def plainly(count, tokens, share, limits):
    here = count / tokens
    if here / share >= limits.biomedical:
        return "biomedical"
    is_frequent = here * 1e6 >= limits.frequent_in_both and share * 1e6 >= limits.frequent_in_both
    return "general" if here / share <= limits.general and not is_frequent else "borderline"


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"), st.tuples(st.integers(1, 500), st.floats(1e-7, 1e-2)), min_size=1
    ),
    st.floats(0.1, 2),
    st.floats(2, 20),
)
def test_domains_are_those_of_a_plain_computation(words, general, biomedical):
    tokens, limits = 100_000, DomainLimits(biomedical, general, 99.5)
    counts = [(word, count) for word, (count, _) in words.items()]
    english = {word: share for word, (_, share) in words.items()}
    for word, found in of_each(counts, english, tokens, limits).items():
        count, share = words[word]
        near = any(
            math.isclose(one, two, rel_tol=1e-9)
            for one, two in (
                (count / tokens / share, general),
                (count / tokens / share, biomedical),
                (count / tokens * 1e6, 99.5),
                (share * 1e6, 99.5),
            )
        )
        assert near or found == plainly(count, tokens, share, limits)


def test_parts_of_speech_of_a_word_count_together():
    found = of_each([("play", 6), ("play", 4)], {"play": 1e-5}, 100_000)
    assert found == {"play": "biomedical"}


def test_forms_of_the_list_are_added_up_where_the_corpus_has_lemmas(tmp_path):
    (tmp_path / "list.tsv").write_text("word\tfrequency\ncell\t30\ncells\t50\ntumour\t20\n")
    lemmas = general_english(WordForms(lemmatise=True), tmp_path / "list.tsv")
    assert lemmas.share == {"cell": 0.8, "tumor": 0.2}
    assert general_english(PLAIN, tmp_path / "list.tsv").share == {"cell": 0.3, "cells": 0.5, "tumour": 0.2}


def test_wordfreq_is_the_list_of_general_english_by_default():
    english = general_english(PLAIN)
    assert english.source == "wordfreq:en"
    assert english.share["people"] > 1000 * english.share["phosphorylation"]


@pytest.mark.parametrize(
    "limits",
    [DomainLimits(1, 2), DomainLimits(1, 0), *(DomainLimits(frequent_in_both=x) for x in (0, float("inf")))],
)
def test_limits_that_cannot_be_met_are_refused(limits):
    with pytest.raises(InputError, match="must be above 0"):
        limits.check()
