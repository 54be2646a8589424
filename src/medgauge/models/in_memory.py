"""Models in memory: gensim's, a dict of word vectors, or anything with `encode`."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Flags, Floats
from medgauge.errors import InputError
from medgauge.models.base import ContextModel, Model, ModelCard, PairScorer, TableModel, TextModel, WordModel
from medgauge.models.load import load_model
from medgauge.models.lookup import Case, Tokenizer, check_choice
from medgauge.models.words.fasttext import ngram_buckets

ModelSource = Any
"""What `as_model` accepts; these types have no common base."""

_CHUNK = 1 << 24  # bytes to digest at a time, to avoid copying a whole matrix


def as_model(
    source: ModelSource,
    name: str | None = None,
    *,
    tokenizer: Tokenizer = "words",
    case: Case = "fallback",
    seed: int = 0,
) -> Model:
    """Return an object in memory, or what `load_model` takes, as a model.

    `source` is a gensim model (KeyedVectors, Word2Vec, FastText), a dict from words to vectors, anything with
    an `encode` method, or what `load_model` takes. `name` is used if it has no name of its own; a medgauge
    model is returned unchanged. `tokenizer` and `case` set how terms are looked up in word vectors, as in
    `load_model`; `seed` is for the random baseline.

    >>> model = as_model({"renal": [1.0, 0.0], "kidney": [0.9, 0.1]}, "mine")
    >>> model.card.name, model.card.family, model.card.dim
    ('mine', 'words', 2)
    """
    if isinstance(source, str | Path):
        return load_model(source, name=name, tokenizer=tokenizer, case=case, seed=seed)
    if isinstance(source, WordModel | ContextModel | TextModel | TableModel | PairScorer):
        return source
    if not is_model(source):
        raise InputError(
            f"a {type(source).__name__} is not a model: a model is a file, the name of a baseline, gensim's "
            "KeyedVectors, Word2Vec or FastText, a dict from words to vectors, or an object with a method "
            "encode, vectors, lookup or score"
        )
    check_choice("tokenizer", tokenizer, Tokenizer)
    check_choice("case", case, Case)
    keyed: Any = getattr(source, "wv", source)
    words, matrix = _stacked(keyed) if isinstance(keyed, Mapping) else (keyed.key_to_index, keyed.vectors)
    if not words:
        raise InputError(f"this {type(source).__name__} has no words")
    if not all(isinstance(word, str) for word in words):
        raise InputError(f"this {type(source).__name__} has words that are not text")
    card = ModelCard(
        name=name or ("vectors" if isinstance(source, Mapping) else type(source).__name__),
        family="words",
        format=f"{type(source).__name__} in memory",
        dim=matrix.shape[1],
        tokenizer=tokenizer,
        case=case,
    )
    return SubwordsInMemory(keyed, card) if _has_subwords(keyed) else WordsInMemory(words, matrix, card)


def is_model(source: object) -> bool:
    """Return whether `as_model` accepts an object as a model in memory.

    A dict is a model if it holds vectors; a dict from names to models is not.
    """
    if isinstance(source, Mapping):
        return bool(source) and _is_vector(next(iter(source.values())))
    keyed = getattr(source, "wv", source)
    return isinstance(source, WordModel | ContextModel | TextModel | TableModel | PairScorer) or (
        hasattr(keyed, "key_to_index") and hasattr(keyed, "vectors")
    )


@dataclass(frozen=True, eq=False)
class WordsInMemory:
    """Word vectors: a mapping from words to rows of a matrix."""

    words: Mapping[str, int]
    matrix: NDArray[np.floating[Any]]
    card: ModelCard

    def vectors(self, tokens: Sequence[str]) -> tuple[Floats, Flags]:
        """Return a row for each token, and which tokens have one."""
        rows = _rows_of(self.words, tokens)
        found = np.zeros((len(tokens), self.matrix.shape[1]), np.float32)
        found[rows >= 0] = self.matrix[rows[rows >= 0]]
        return _finite(found), rows >= 0

    def content_digest(self) -> str:
        """Compute SHA-256 over the words and their vectors."""
        return _digest(self.words, self.matrix)


@dataclass(frozen=True, eq=False)
class SubwordsInMemory:
    """gensim's fastText: a vector for any word with n-grams, made of theirs if the word is unknown.

    A vector is the mean of the word's own row and those of its n-grams, as when reading a .bin file; gensim
    itself sums in single precision.
    """

    keyed: Any
    card: ModelCard

    def vectors(self, tokens: Sequence[str]) -> tuple[Floats, Flags]:
        """Compute the vectors of these tokens; a token with neither row nor n-grams has none."""
        keyed = self.keyed
        found = np.zeros((len(tokens), keyed.vectors.shape[1]), np.float32)
        known = np.zeros(len(tokens), np.bool_)
        for number, token in enumerate(tokens):
            own = keyed.vectors_vocab[[keyed.key_to_index[token]] if token in keyed.key_to_index else []]
            grams = keyed.vectors_ngrams[ngram_buckets(token, keyed.min_n, keyed.max_n, keyed.bucket)]
            rows = np.concatenate([own, grams])
            known[number] = len(rows) > 0
            if known[number]:
                found[number] = rows.mean(axis=0, dtype=np.float64)
        return _finite(found), known

    def in_vocabulary(self, tokens: Sequence[str]) -> Flags:
        """Return which tokens the model was trained on."""
        return _rows_of(self.keyed.key_to_index, tokens) >= 0

    def content_digest(self) -> str:
        """Compute SHA-256 over the words, their rows, the rows of n-grams, and the lengths of n-grams."""
        keyed = self.keyed
        lengths = f"{keyed.min_n} {keyed.max_n}"
        return _digest(keyed.key_to_index, keyed.vectors_vocab, keyed.vectors_ngrams, also=lengths)


def _has_subwords(keyed: object) -> bool:
    return bool(getattr(keyed, "bucket", 0)) and getattr(keyed, "vectors_ngrams", None) is not None


def _is_vector(value: object) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and isinstance(value[0], int | float | np.number)
    return getattr(value, "ndim", 0) == 1


def _stacked(vectors: Mapping[str, Any]) -> tuple[dict[str, int], Floats]:
    """Return the row of each word, in sorted order so that equal dicts have equal digests, and the matrix."""
    words = sorted(vectors, key=str)
    try:
        with np.errstate(over="ignore"):
            rows = [np.asarray(vectors[word], np.float64).astype(np.float32) for word in words]
    except (TypeError, ValueError) as error:
        raise InputError("a dict of vectors has a value that is not a list of numbers") from error
    for row in rows:
        if row.shape != rows[0].shape or row.ndim != 1:
            raise InputError(
                f"a dict of vectors has vectors of shape {row.shape} and {rows[0].shape}; all need one shape"
            )
    return {word: row for row, word in enumerate(words)}, np.stack(rows)


def _rows_of(words: Mapping[str, int], tokens: Sequence[str]) -> NDArray[np.int64]:
    return np.array([words.get(token, -1) for token in tokens], np.int64)


def _finite(vectors: Floats) -> Floats:
    if not np.isfinite(vectors).all():
        raise InputError("the vector of a word has a value that is infinite or not a number (NaN)")
    return vectors


def _digest(words: Mapping[str, int], *matrices: NDArray[np.floating[Any]], also: str = "") -> str:
    state = hashlib.sha256(json.dumps([also, list(words)]).encode())
    state.update(np.fromiter(words.values(), "<i8", len(words)).data)
    for matrix in matrices:
        state.update(json.dumps(matrix.shape).encode())
        step = max(1, _CHUNK // max(1, 4 * matrix.shape[1]))
        for first in range(0, len(matrix), step):
            state.update(np.ascontiguousarray(matrix[first : first + step], "<f4").data)
    return state.hexdigest()
