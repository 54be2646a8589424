"""Drawing pairs: what is linked, what is not, how often a word occurs, and bins of frequency."""

from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from medgauge.build.words.pairing.quarters import (
    draw_linked,
    draw_unlinked,
    numbered_pair,
    take_in_turn,
)
from medgauge.build.words.pairing.word_links import WordLinks
from tests.build.words.pairing.slow_pairs import slow_taken
from tests.build.words.pairing.vocabularies import vocabulary_of

WORDS = [f"w{number:02}" for number in range(18)]
PAIRS = st.lists(st.tuples(st.integers(0, 8), st.integers(9, 17)), unique=True)


def links_of(pairs, words=18):
    rows = [(first, second, "linked") for first, second in pairs]
    schema = {"first": pl.UInt32, "second": pl.UInt32, "link": pl.String}
    return WordLinks(pl.DataFrame(rows, schema=schema, orient="row"), words)


def unlinked(pairs, count, *, words=WORDS, per_word=99, balanced=False, seed=1, **domains):
    vocabulary = vocabulary_of(*words, **domains)
    return draw_unlinked(
        links_of(pairs, len(vocabulary)),
        vocabulary,
        "biomedical",
        count,
        per_word=per_word,
        balanced=balanced,
        seed=[seed],
    )


def linked(pairs, count, *, per_word=99, balanced=False, seed=1):
    return draw_linked(
        links_of(pairs).frame,
        vocabulary_of(*WORDS),
        count,
        per_word=per_word,
        balanced=balanced,
        seed=[seed],
    )


@given(PAIRS, st.integers(1, 40), st.integers(1, 4))
def test_one_stream_is_taken_as_a_loop_takes_it(pairs, count, per_word):
    assert take_in_turn([iter(pairs)], count, per_word=per_word) == slow_taken(pairs, count, per_word)


def test_every_pair_of_words_has_a_number():
    assert sorted(numbered_pair(number) for number in range(18 * 17 // 2)) == [*combinations(range(18), 2)]


@given(PAIRS, st.integers(1, 200), st.integers(1, 20))
def test_unlinked_pairs_are_never_linked_and_all_of_them_can_be_drawn(pairs, count, per_word):
    found = unlinked(pairs, count, per_word=per_word)
    assert not set(found) & set(pairs)
    assert len(set(found)) == len(found)
    assert max(Counter(word for pair in found for word in pair).values(), default=0) <= per_word
    if per_word >= len(WORDS):
        assert len(found) == min(count, 18 * 17 // 2 - len(pairs))


@given(PAIRS, st.integers(1, 60), st.booleans())
def test_linked_pairs_are_linked_and_the_same_for_the_same_seed(pairs, count, balanced):
    found = linked(pairs, count, balanced=balanced)
    assert set(found) <= set(pairs)
    assert found == linked(pairs, count, balanced=balanced)
    if not balanced:
        assert len(found) == min(count, len(pairs))


def test_words_of_the_other_domain_are_not_drawn():
    assert unlinked([], 9, words=["cell", "gene"], river="general", lake="general") == [(0, 1)]


def test_each_unlinked_pair_is_as_likely_as_any_other():
    drawn = Counter(unlinked([(0, 1)], 1, words=WORDS[:5], seed=seed)[0] for seed in range(1, 361))
    assert len(drawn) == 9
    assert chisquare([*drawn.values()]).pvalue > 0.01


@pytest.mark.parametrize("pairs", [[], [(0, 1), (6, 7), (12, 13)]])
def test_balanced_pairs_come_in_turn_from_the_three_bins(pairs):
    bins = vocabulary_of(*WORDS).frame["bin"].to_list()
    found = unlinked(pairs, 9, balanced=True)
    assert [bins[first] for first, _ in found] == ["low", "medium", "high"] * 3
    assert all(bins[first] == bins[second] for first, second in found)


def test_what_a_bin_lacks_comes_from_the_others():
    bins = vocabulary_of(*WORDS).frame["bin"].to_list()
    pairs = [(0, 1), *combinations(range(6, 10), 2), (0, 17)]
    found = linked(pairs, 5, balanced=True)
    assert Counter(bins[first] for first, _ in found) == {"low": 1, "medium": 4}
    assert (0, 17) not in found  # of two bins


def test_a_word_is_in_no_more_pairs_than_asked():
    pairs = [(0, other) for other in range(1, 18)]
    assert len(linked(pairs, 10, per_word=2)) == 2
