"""The slow, obvious version of the training kernels: examples one by one, in double precision.

Draws are those of the kernels, so that both see the same examples.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

_MASK = 2**64 - 1


def split_mix(seed: int) -> Iterator[int]:
    """Yield the numbers of SplitMix64."""
    for step in count(1):
        word = (seed + step * 0x9E3779B97F4A7C15) & _MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        yield word ^ (word >> 31)


@dataclass
class Example:
    """A word to predict, what it is predicted from, and the words that were drawn."""

    target: int
    inputs: list[tuple[int, int]]  # words with their positions in the window
    drawn: list[int]


@dataclass
class Case:
    """A piece of a corpus, with what the kernels are given."""

    piece: list[int]
    keep: list[int]
    table: list[int]
    window: int
    negative: int
    seed: int


def _sentences(case, draws):
    """Yield each sentence without what subsampling leaves out, drawing at the same time as the kernels."""
    sentence = []
    for word in case.piece:
        if word >= 0:
            sentence.append(word)
            continue
        yield [word for word in sentence if next(draws) >> 32 <= case.keep[word]]
        sentence = []


def _drawn(case, target, draws):
    found = []
    for _ in range(case.negative):
        bits = next(draws)
        place = ((bits >> 32) * len(case.table)) >> 32
        entry = case.table[place]
        word = place if bits % 2**32 <= entry >> 32 else entry % 2**32
        if word != target:
            found.append(word)
    return found


def _window(case, words, place):
    """Yield the words around a place with their positions, from the left."""
    for position, offset in enumerate([*range(-case.window, 0), *range(1, case.window + 1)]):
        if 0 <= place + offset < len(words):
            yield words[place + offset], position


def structured_examples(case):
    draws = split_mix(case.seed)
    for words in _sentences(case, draws):
        for place, target in enumerate(words):
            for one in _window(case, words, place):
                yield Example(target, [one], _drawn(case, target, draws))


def attention_examples(case):
    draws = split_mix(case.seed)
    for words in _sentences(case, draws):
        for place, target in enumerate(words):
            around = list(_window(case, words, place))
            if around:
                yield Example(target, around, _drawn(case, target, draws))


def pair_examples(case):
    draws = split_mix(case.seed)
    for word, context in zip(case.piece[::2], case.piece[1::2], strict=True):
        if next(draws) >> 32 <= case.keep[word]:
            yield Example(context, [(word, 0)], _drawn(case, context, draws))


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _attention(arrays, example):
    """Return the share of each input: all of it without attention, which has one input."""
    if "weights" not in arrays:
        return np.ones(1)
    logits = [arrays["weights"][word, at] + arrays["biases"][at] for word, at in example.inputs]
    powers = np.exp(np.array(logits) - max(logits))
    return powers / powers.sum()


def _column(arrays, example):
    """Return which output rows are used: those of the input's position, or the only ones."""
    return example.inputs[0][1] if arrays["outputs"].shape[1] > 1 else 0


def loss(arrays, examples):
    """Return the loss of all examples: −log σ(u·h) − Σ log σ(−v·h)."""
    total = 0.0
    for example in examples:
        shares, rows = _attention(arrays, example), arrays["inputs"][[word for word, _ in example.inputs]]
        hidden, column = shares @ rows, _column(arrays, example)
        total -= np.log(_sigmoid(arrays["outputs"][example.target, column] @ hidden))
        for word in example.drawn:
            total -= np.log(_sigmoid(-arrays["outputs"][word, column] @ hidden))
    return total


def train(arrays, examples, rate):
    """Change arrays by one example after the other, as word2vec does."""
    for example in examples:
        words = [word for word, _ in example.inputs]
        shares, rows = _attention(arrays, example), arrays["inputs"][words].copy()
        hidden, column = shares @ rows, _column(arrays, example)
        change = np.zeros_like(hidden)
        for word, label in [(example.target, 1), *((word, 0) for word in example.drawn)]:
            output = arrays["outputs"][word, column]
            step = rate * (label - _sigmoid(output @ hidden))
            change += step * output
            arrays["outputs"][word, column] = output + step * hidden
        for share, row, (word, position) in zip(shares, rows, example.inputs, strict=True):
            if "weights" in arrays:
                step = share * (row - hidden) @ change
                arrays["weights"][word, position] += step
                arrays["biases"][position] += step
            arrays["inputs"][word] += share * change
