"""Vocabularies: bins of frequency, and words by the forms that resources have."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.pairing.word_vocabulary import vocabulary
from tests.build.words.pairing.vocabularies import vocabulary_of, words_of
from tests.support.lexicon_files import small_lexicon


@given(st.lists(st.integers(1, 9), min_size=1, max_size=30))
def test_words_of_one_frequency_are_in_one_bin_and_bins_rise(frequencies):
    words = words_of(*(f"w{number:02}" for number in range(len(frequencies))))
    words = words.with_columns(frequency=pl.Series(frequencies, dtype=pl.UInt64))
    found = vocabulary(words, "noun", WordForms())
    of_bin = {
        one: sorted(found.frame.filter(pl.col("bin") == one)["frequency"])
        for one in ("low", "medium", "high")
    }
    low, medium = found.limits
    assert all(one <= low for one in of_bin["low"])
    assert all(low < one <= medium for one in of_bin["medium"])
    assert all(one > medium for one in of_bin["high"])
    third = len(frequencies) / 3
    assert sum(one < low for one in frequencies) <= third <= sum(one <= low for one in frequencies) + 1


def test_words_between_the_domains_and_of_other_parts_of_speech_are_not_in_it():
    words = pl.concat([words_of("cell", fire="borderline", river="general"), words_of("argue", part="verb")])
    found = vocabulary(words, "noun", WordForms())
    assert found.words == ["cell", "river"]
    assert found.verbs == ("argue",)


def test_a_verb_is_found_by_the_noun_of_the_lexicon_and_by_its_own_forms():
    forms = WordForms(lemmatise=True, lexicon=small_lexicon())
    found = vocabulary_of("bind", "phosphorylate", part="verb", forms=forms)
    assert found.find("Phosphorylations") == [1]
    assert found.find_same("bound") == [0]
    assert found.find("kinase") == []


def test_experts_see_verbs_with_to():
    assert vocabulary_of("stain", part="verb").shown == {"to stain": 0}
    assert vocabulary_of("stain").shown == {"stain": 0}
