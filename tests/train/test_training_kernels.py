"""The training kernels against a slow version, and their gradients against finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.train.training_kernels import alias_table, learn_attention, learn_pairs, learn_structured
from tests.train import slow_training
from tests.train.slow_training import Case

_WORDS, _DIM = 9, 5
_KERNELS = ("structured", "attention", "pairs")
_ALWAYS = 2**32 - 1


def examples_of(kernel, case):
    named = {
        "structured": slow_training.structured_examples,
        "attention": slow_training.attention_examples,
        "pairs": slow_training.pair_examples,
    }
    return list(named[kernel](case))


def some_arrays(kernel, case, *, size=0.5):
    """Return random arrays as a trainer of this kernel has them."""
    rng = np.random.default_rng(case.seed)
    positions = 2 * case.window
    shapes = {"inputs": (_WORDS, _DIM), "outputs": (_WORDS, positions if kernel == "structured" else 1, _DIM)}
    if kernel == "attention":
        shapes |= {"weights": (_WORDS, positions), "biases": (positions,)}
    return {name: rng.normal(0, size, shape).astype(np.float32) for name, shape in shapes.items()}


def learn(kernel, case, arrays, rate):
    kernels = {"structured": learn_structured, "attention": learn_attention, "pairs": learn_pairs}
    keep, table = np.array(case.keep, np.uint32), np.array(case.table, np.uint64)
    window = () if kernel == "pairs" else (case.window,)
    last = (case.negative, np.float32(rate), np.uint64(case.seed))
    kernels[kernel](np.array(case.piece, np.int32), keep, table, *arrays.values(), *window, *last)


@st.composite
def cases(draw, kernel):
    word = st.integers(0, _WORDS - 1)
    if kernel == "pairs":
        piece = [one for pair in draw(st.lists(st.tuples(word, word), max_size=12)) for one in pair]
    else:
        sentences = draw(st.lists(st.lists(word, max_size=8), max_size=4))
        piece = [one for sentence in sentences for one in [*sentence, -1]]
    counts = draw(st.lists(st.integers(1, 1000), min_size=_WORDS, max_size=_WORDS))
    keep = draw(st.lists(st.sampled_from([0, 2**31, _ALWAYS]), min_size=_WORDS, max_size=_WORDS))
    table = alias_table(np.array(counts, np.float64) ** 0.75).tolist()
    return Case(
        piece, keep, table, draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(0, 2**64 - 1))
    )


@pytest.mark.parametrize("kernel", _KERNELS)
def test_a_kernel_computes_what_the_slow_version_does(kernel):
    @given(cases(kernel))
    @settings(max_examples=60)
    def compare(case):
        found = some_arrays(kernel, case)
        expected = {name: array.astype(np.float64) for name, array in found.items()}
        learn(kernel, case, found, 0.1)
        slow_training.train(expected, examples_of(kernel, case), np.float64(np.float32(0.1)))
        for name, array in expected.items():
            np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5, err_msg=name)

    compare()


@pytest.mark.parametrize("kernel", _KERNELS)
def test_a_kernel_goes_down_the_gradient_of_the_loss(kernel):
    piece = [0, 1, 2, 1, 3, 4, 5, 6] if kernel == "pairs" else [0, 1, 2, 1, 3, -1, 4, 5, 6, -1]
    table = alias_table(np.arange(1, _WORDS + 1) ** 0.75).tolist()
    case = Case(piece, [_ALWAYS] * _WORDS, table, window=2, negative=3, seed=11)
    before = some_arrays(kernel, case)
    after = {name: array.copy() for name, array in before.items()}
    rate = 1e-3
    learn(kernel, case, after, rate)
    examples = examples_of(kernel, case)
    assert any(example.drawn for example in examples)
    for name, array in before.items():
        found = (after[name].astype(np.float64) - array) / rate
        np.testing.assert_allclose(found, -slope(before, name, examples), rtol=0.02, atol=2e-3, err_msg=name)


def slope(arrays, name, examples, step=1e-5):
    """Return the central differences of the loss for each number of an array."""
    doubles = {one: array.astype(np.float64) for one, array in arrays.items()}
    found = np.empty_like(doubles[name])
    for place in np.ndindex(found.shape):
        losses = []
        for sign in (1, -1):
            doubles[name][place] += sign * step
            losses.append(slow_training.loss(doubles, examples))
            doubles[name][place] -= sign * step
        found[place] = (losses[0] - losses[1]) / (2 * step)
    return found


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=40))
def test_the_table_draws_words_in_proportion_to_their_weights(weights):
    table = alias_table(np.array(weights, np.float64))
    thresholds, others = table >> np.uint64(32), (table & np.uint64(2**32 - 1)).astype(np.int64)
    own = (thresholds.astype(np.float64) + 1) / 2**32
    chances = own + np.bincount(others, 1 - own, len(weights))
    np.testing.assert_allclose(chances / len(weights), np.array(weights) / sum(weights), atol=1e-8)


def test_the_first_numbers_of_split_mix_are_those_of_its_authors():
    # The values for the seed 1234567 in the tests of Vigna's splitmix64.c, as many languages repeat them.
    draws = slow_training.split_mix(1234567)
    assert [next(draws) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]
