"""Sources of vectors that compute in no time what can be checked, and count what they are asked."""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from medgauge.arrays import Floats
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch
from medgauge.models.terms import words_of


def vector_of(text: str, dim: int) -> Floats:
    """Return the vector of a text: any finite bits, always the same."""
    bits = np.frombuffer(hashlib.shake_256(text.encode()).digest(4 * dim), "<u4")
    return (bits & 0xBFFFFFFF).view(np.float32)  # an exponent below that of infinity


class CountingSource:
    """A vector for each term, or for each of its words, in batches in reverse order; `asked` has all terms.

    A word with a z has no vector. The vectors depend on `salt`, which the card does not say.
    """

    def __init__(self, family: str = "vectors", *, dim: int = 3, batch: int = 4, salt: str = "", **card):
        tokenizer = "words" if family == "words" else None
        fields = {"name": "counted", "digest": "d1g35t", "tokenizer": tokenizer, "dim": dim} | card
        self.card = ModelCard(family=family, **fields)
        self.dim, self.batch, self.salt = dim, batch, salt
        self.asked: list[str] = []

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        backwards = np.arange(len(texts))[::-1]
        for first in range(0, len(texts), self.batch):
            places = backwards[first : first + self.batch]
            some = [texts[place] for place in places]
            self.asked += some
            parts = [words_of(text, self.card) for text in some]
            rows = [self.row(part) for words in parts for part in words]
            yield Batch(
                places,
                np.array(rows, np.float32).reshape(-1, self.dim),
                np.array([len(words) for words in parts], np.int64),
            )

    def row(self, part: str) -> Floats:
        """Return the row of a term or a word."""
        if self.card.family == "words" and "z" in part:
            return np.full(self.dim, np.nan, np.float32)
        return vector_of(self.salt + part, self.dim)

    def facts(self) -> dict[str, object]:
        """Return a fact."""
        return {"kind": "counted"}


class KeyedCountingSource(CountingSource):
    """A counting source that says what its vectors depend on."""

    def __init__(self, key: str | None, **options) -> None:
        super().__init__(**options)
        self.key = key

    def cache_key(self) -> str | None:
        """Return the key."""
        return self.key
