"""Draws against the raw stream and a plain Fisher-Yates shuffle."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from medgauge.build import draws as module
from medgauge.build.draws import Draws

NUMPYS_OWN = [
    0x60D24054E17A0698,
    0xD5E79D89856E4F12,
    0xD254972FE64BD782,
    0xF1E3072A53C72571,
    0xD7C1D7393D4115C9,
]
"""The raw stream of the seed 0xdeadbeaf: numpy 2.4.6, numpy/random/tests/data/pcg64-testset-1.csv."""

GOLDEN = {
    (0,): ([15, 12, 10, 9, 5, 14, 15, 8], [863, 140, 330, 64, 836]),
    (42,): ([12, 6, 2, 8, 14, 8, 13, 1], [499, 122, 673, 639, 862]),
    (42, 1): ([1, 8, 8, 5, 0, 11, 10, 3], [616, 403, 227, 363, 564]),
}
"""For each seed eight draws below 17, then a sample of five of 1,000, as this module first drew them (numpy
2.4.6): with any others, a set that is built again would not be the same set."""


def shuffled(seed, population):
    """Shuffle all numbers by Fisher and Yates, with draws of the same seed."""
    draws = Draws(seed)
    numbers = list(range(population))
    for place in range(population):
        other = place + draws.below(population - place)
        numbers[place], numbers[other] = numbers[other], numbers[place]
    return numbers


def test_words_are_those_that_numpy_promises():
    draws = Draws([0xDEADBEAF])
    assert [draws.below(2**64) for _ in NUMPYS_OWN] == NUMPYS_OWN


@pytest.mark.parametrize("seed", GOLDEN)
def test_draws_are_the_same_in_every_version_of_numpy(seed):
    draws = Draws(seed)
    assert ([draws.below(17) for _ in range(8)], draws.sample(5, 1000)) == GOLDEN[seed]


def test_draws_are_those_of_the_raw_stream():
    generator = np.random.PCG64(np.random.SeedSequence((7, 1)))
    words = generator.random_raw(20).tolist()
    draws = Draws((7, 1))
    assert [draws.below(10) for _ in range(20)] == [word % 10 for word in words]


@pytest.mark.parametrize("block", [1, 3, 64])
def test_the_size_of_blocks_changes_no_draw(monkeypatch, block):
    whole = Draws([5]).sample(50, 200)
    monkeypatch.setattr(module, "_BLOCK", block)
    assert Draws([5]).sample(50, 200) == whole


def test_words_past_the_last_multiple_are_skipped(monkeypatch):
    draws = Draws([0])
    last = 2**64 - 2**64 % 10
    monkeypatch.setattr(draws, "_words", iter([2**64 - 1, last, last - 1, 7, 2**64 - 1]))
    assert [draws.below(10), draws.below(10)] == [9, 7]
    assert draws.below(2**64) == 2**64 - 1


@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.data())
def test_a_sample_is_the_beginning_of_a_shuffle(seed, population, data):
    count = data.draw(st.integers(0, population))
    drawn = Draws([seed]).sample(count, population)
    assert drawn == shuffled([seed], population)[:count]
    assert len(set(drawn)) == count
    assert all(0 <= number < population for number in drawn)


def test_a_sample_of_all_is_a_permutation():
    assert sorted(Draws([3]).sample(100, 100)) == list(range(100))


def test_every_order_is_drawn_as_often():
    draws = Draws([11])
    drawn = Counter(tuple(draws.sample(2, 5)) for _ in range(20_000))
    assert set(drawn) == set(permutations(range(5), 2))
    assert chisquare(list(drawn.values())).pvalue > 0.001


def test_samples_go_on_in_the_stream():
    draws = Draws([1])
    assert draws.sample(10, 1000) != draws.sample(10, 1000)


def test_a_small_sample_of_very_many_takes_little_memory():
    drawn = Draws([0]).sample(3, 10**15)
    assert len(set(drawn)) == 3
    assert max(drawn) > 10**13


def test_more_than_there_are_cannot_be_drawn():
    with pytest.raises(ValueError, match="4 distinct numbers cannot be drawn from 3"):
        Draws([0]).sample(4, 3)
