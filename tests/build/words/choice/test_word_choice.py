"""The choice of words: steps, merged forms, subjects, and domains that experts said."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.words.choice.parts_of_speech import with_parts
from medgauge.build.words.choice.word_choice import WordRules, choose_words, with_domains
from medgauge.build.words.choice.word_domains import DomainLimits, GeneralEnglish
from medgauge.build.words.choice.word_filters import FILTERS
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.expert_verdicts import ExpertVerdicts
from medgauge.errors import InputError
from tests.support.word_tables import word_table

EVERY = tuple(FILTERS)


def choose(rows, *, filters=EVERY, forms=None, subjects=None, known=None):
    rules = WordRules(filters, 3, 5, forms or WordForms(american=False), known)
    table = word_table(rows, subjects=subjects).frame
    return choose_words(with_parts(table, None, name="words.parquet"), rules, name="words.parquet")


def test_each_filter_counts_what_it_leaves_of_nouns_and_of_verbs():
    chosen = choose(
        [
            *(("37 degrees c", "NOUN", 9), ("must", "AUX", 99), ("2010", "NOUN", 40), ("<", "NOUN", 30)),
            *(("α", "NOUN", 20), ("b1", "NOUN", 20), ("lysis", "NOUN", 4), ("cell", "NOUN", 5)),
            *(("argue", "VERB", 5), ("v", "VERB", 5), ("red", "ADJ", 9)),
        ]
    )
    assert [(step.step, step.words["noun"], step.words["verb"]) for step in chosen.steps] == [
        ("in the word table", 7, 3),
        ("not of several words", 6, 3),
        ("not an auxiliary verb", 6, 2),
        ("not a number", 5, 2),
        ("without symbols", 4, 2),
        ("without Greek letters", 3, 2),
        ("of 3 or more characters", 2, 1),
        ("that occur 5 times or more", 1, 1),
    ]
    assert chosen.frame["word"].to_list() == ["cell", "argue"]


def test_forms_are_counted_together_before_rare_words_go():
    rows = [("tumour", "NOUN", 3), ("tumors", "NOUN", 2), ("tumor", "VERB", 4)]
    chosen = choose(rows, forms=WordForms(lemmatise=True))
    assert chosen.frame.select("word", "part", "frequency").rows() == [("tumor", "noun", 5)]
    assert [step.step for step in chosen.steps][-2:] == [
        "lemmatised, in American spelling",
        "that occur 5 times or more",
    ]


def test_a_lemma_that_is_short_or_an_auxiliary_goes_as_the_form_would():
    rows = [("abs", "NOUN", 9), ("isn't", "VERB", 9), ("cells", "NOUN", 9)]
    chosen = choose(rows, forms=WordForms(lemmatise=True))
    assert chosen.frame["word"].to_list() == ["cell"]
    assert chosen.steps[-2].words == {"noun": 1, "verb": 0}


def test_only_known_words_stay_if_that_is_asked():
    chosen = choose([("cell", "NOUN", 9), ("célula", "NOUN", 9)], known=lambda word: word == "cell")
    assert chosen.frame["word"].to_list() == ["cell"]
    assert chosen.steps[-1].step == "in a dictionary"


def test_the_subject_of_a_word_is_the_commonest_of_all_its_forms():
    subjects = {
        "cell": {"Biology": 3, "Physics": 2},
        "cells": {"Physics": 4, "Biology": 2},
        "lysis": {"Physics": 1, "Biology": 1},
    }
    rows = [("cell", "NOUN", 5), ("cells", "NOUN", 6), ("lysis", "NOUN", 5), ("gene", "NOUN", 5)]
    chosen = choose(rows, forms=WordForms(lemmatise=True), subjects=subjects)
    assert chosen.frame.select("word", "subject", "subjects").rows() == [
        ("cell", "Physics", 2),
        ("gene", None, 0),
        ("lysis", "Biology", 2),  # equal, so by name
    ]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["cell", "Cell", "il-2", "2010", "a", "β2", "p<5", "two words", "must"]),
            st.sampled_from(["NOUN", "VERB", "AUX", "ADJ", "NNS"]),
            st.integers(1, 9),
        ),
        min_size=1,
    )
)
def test_what_is_left_is_what_a_loop_over_the_rows_leaves(rows):
    def stays(word, tag):
        is_verb = tag in ("VERB", "AUX")
        bad = tag in ("AUX", "ADJ") or (is_verb and word == "must") or word in ("2010", "a", "β2", "p<5")
        return not bad and " " not in word

    counts = Counter()
    for word, tag, frequency in rows:
        if stays(word, tag):
            counts[word.lower(), "verb" if tag == "VERB" else "noun"] += frequency
    wanted = sorted((part, word, count) for (word, part), count in counts.items() if count >= 5)
    try:
        found = choose(rows, forms=WordForms()).frame.select("part", "word", "frequency").rows()
    except InputError:
        found = []
    assert found == wanted


def test_a_corpus_without_the_wanted_words_is_refused_with_the_filter_that_removed_the_last():
    with pytest.raises(
        InputError, match=r"words\.parquet has no words left after the step 'that occur 5 times"
    ):
        choose([("lysis", "NOUN", 4), ("2010", "NOUN", 50)])


def test_experts_decide_what_they_judged_and_nothing_else():
    chosen = choose([("cell", "NOUN", 50), ("fire", "NOUN", 50), ("fire", "VERB", 50), ("play", "VERB", 50)])
    english = GeneralEnglish(dict.fromkeys(("cell", "fire", "play"), 0.25), "mine")
    limits = DomainLimits(frequent_in_both=1e6)
    said = ExpertVerdicts({("cell",): "biomedical", ("fire",): "biomedical", ("to play",): None}, 2, "")
    found = with_domains(chosen, english, 200, limits, said)
    assert found.frame.select("word", "part", "domain").rows() == [
        ("cell", "noun", "biomedical"),
        ("fire", "noun", "biomedical"),
        ("fire", "verb", "borderline"),  # 100 of 200 words are fire: twice as frequent
        ("play", "verb", "borderline"),  # they disagree
    ]
    assert found.counts()["noun"] == {"biomedical": 2, "general": 0, "borderline": 0}


def test_steps_can_be_fewer():
    chosen = choose([("a", "NOUN", 1)], filters=())
    assert chosen.frame["word"].to_list() == ["a"]
    assert len(chosen.steps) == 1
    assert chosen.frame.schema["subjects"] == pl.UInt32
