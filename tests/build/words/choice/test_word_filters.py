"""Each filter of words, on words that it removes and on their neighbours that it leaves."""

import polars as pl
import pytest

from medgauge.build.words.choice.word_filters import FILTERS, chosen_filters, removed_by
from medgauge.errors import UnknownNameError


def removed(name, *words, part="noun", auxiliary=False, frequency=5):
    frame = pl.DataFrame({"word": words}).with_columns(
        part=pl.lit(part), auxiliary=pl.lit(auxiliary), frequency=pl.lit(frequency)
    )
    return frame.filter(removed_by(name, min_length=3, min_frequency=5))["word"].to_list()


@pytest.mark.parametrize(
    ("name", "goes", "stays"),
    [
        ("multi-word", ["37 degrees c", "protein_kinase"], ["anti-inflammatory", "cell"]),
        ("numbers", ["2010", "3.5", "1,000", "10-20", "2nd", "1990s", "±5", "50%"], ["p53", "il-2", "5-ht"]),
        ("symbols", ["<", "p<0.05", "%", "+", "e.g.", "--", "n=5"], ["anti-tnf", "crohn's", "il-2", "µm"]),
        ("greek", ["α", "tnf-α", "β-catenin", "µm"], ["alpha", "tnf"]),
        ("short", ["a", "v", "b1"], ["p53", "dna"]),
    ],
)
def test_a_filter_removes_what_it_says_and_nothing_else(name, goes, stays):
    assert removed(name, *goes, *stays) == goes


def test_auxiliaries_are_removed_by_their_tag_and_by_their_form():
    assert removed("auxiliaries", "must", "have", "argue", part="verb") == ["must", "have"]
    assert removed("auxiliaries", "dare", part="verb", auxiliary=True) == ["dare"]
    assert removed("auxiliaries", "can", "will", "must") == []  # nouns
    assert removed("auxiliaries", "can", "cell", part="word") == ["can"]


def test_words_that_occur_four_times_are_rare_and_five_times_are_not():
    assert removed("rare", "cell", frequency=4) == ["cell"]
    assert removed("rare", "cell", frequency=5) == []


def test_filters_apply_in_one_order_however_they_are_named():
    assert chosen_filters(["rare", "short", "multi-word"]) == ["multi-word", "short", "rare"]
    assert chosen_filters(list(FILTERS)) == list(FILTERS)
    with pytest.raises(UnknownNameError, match="there is no filter 'shrt'; did you mean 'short'"):
        chosen_filters(["shrt"])
