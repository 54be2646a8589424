"""Which pieces make the vector of a text or of a word, as weights of their hidden states.

All but the maximum are such products: one row of weights for each vector, which are 0 at padding.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from medgauge.arrays import Flags, Floats, Integers

Pooling = Literal["mean", "cls", "last", "max"]
WordRule = Literal["first", "mean"]

TextSpan = tuple[int, int]


def text_weights(lengths: Integers, pooling: Pooling, before: int, after: int) -> Floats:
    """Return the weights of each text's pieces (texts × 1 × pieces).

    `mean` and `last` leave out `before` special pieces at the beginning and `after` at the end; `max` has 1
    where a piece counts.

    >>> text_weights(np.array([4, 3]), "mean", 1, 1)[:, 0].tolist()
    [[0.0, 0.5, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0]]
    """
    columns = np.arange(int(lengths.max(initial=0)))
    if pooling == "cls":
        found = np.broadcast_to(columns == 0, (lengths.size, columns.size))
    elif pooling == "last":
        found = columns == (lengths - 1 - after)[:, None]
    else:
        found = (columns >= before) & (columns < (lengths - after)[:, None])
    weights = found.astype(np.float32)
    if pooling == "mean":
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1)
    return weights[:, None]


def has_vector(lengths: Integers, pooling: Pooling, before: int, after: int) -> Flags:
    """Return which texts have a piece to pool; a text of nothing but special pieces may have none."""
    return np.asarray(lengths > (0 if pooling == "cls" else before + after), np.bool_)


@dataclass(frozen=True)
class WordPieces:
    """Which pieces make each word of some texts.

    Text t has the words `words[t]`, some of which may have no piece; its entries are
    `texts[t]:texts[t + 1]`, each with a word, a piece and a weight.
    """

    words: Integers
    texts: Integers
    word: Integers
    piece: Integers
    weight: Floats

    @classmethod
    def of(
        cls, words: Sequence[Sequence[TextSpan]], pieces: Sequence[Sequence[TextSpan]], how: WordRule
    ) -> "WordPieces":
        """Find the pieces of each word: those that share a character with it, or only the first of them."""
        entries: list[tuple[int, int, float]] = []
        starts = [0]
        for of_words, of_pieces in zip(words, pieces, strict=True):
            for number, (start, stop) in enumerate(of_words):
                mine = [k for k, (first, last) in enumerate(of_pieces) if max(first, start) < min(last, stop)]
                mine = mine[:1] if how == "first" else mine
                entries += [(number, k, 1 / len(mine)) for k in mine]
            starts.append(len(entries))
        columns = list(zip(*entries, strict=True)) or [(), (), ()]
        return cls(
            np.array([len(of_words) for of_words in words], np.int64),
            np.array(starts, np.int64),
            np.array(columns[0], np.int64),
            np.array(columns[1], np.int64),
            np.array(columns[2], np.float32),
        )

    def without_pieces(self, texts: Integers) -> Flags:
        """Return which words of these texts, one after another, have no piece."""
        counts = self.words[texts]
        found = self.weights(texts, int(self.piece.max(initial=0)) + 1).max(axis=2, initial=0) > 0
        lacking: Flags = np.logical_not(found)[np.arange(found.shape[1]) < counts[:, None]]
        return lacking

    def weights(self, texts: Integers, pieces: int) -> Floats:
        """Return the weights of the pieces of each word (texts × words × pieces), 0 for what a text lacks."""
        counts = np.diff(self.texts)[texts]
        entry = np.repeat(self.texts[texts] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        weights = np.zeros((texts.size, int(self.words[texts].max(initial=0)), pieces), np.float32)
        weights[np.repeat(np.arange(texts.size), counts), self.word[entry], self.piece[entry]] = self.weight[
            entry
        ]
        return weights
