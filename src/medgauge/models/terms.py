"""Terms as a model sees them: their vectors, and which terms it covers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import InputError
from medgauge.measures.score import TermVectors
from medgauge.models.base import Rows, TableModel, TextModel, WordModel
from medgauge.models.lookup import Case, Oov
from medgauge.models.tokens import forms, tokenize


@runtime_checkable
class _OpenVocabulary(Protocol):
    """A word model that can compose vectors for words outside its vocabulary."""

    def in_vocabulary(self, tokens: Sequence[str]) -> NDArray[np.bool_]: ...


@dataclass(frozen=True)
class Terms:
    """The vectors of some terms, and whether the model covers each term."""

    vectors: TermVectors
    covered: NDArray[np.bool_]


def vectors_of(
    model: WordModel | TextModel | TableModel, terms: Sequence[str], *, oov: Oov = "uncovered"
) -> Terms:
    """Look up the terms (all distinct), or the ids that the model's card asks for, all at once."""
    if isinstance(model, WordModel):
        return _by_words(model, terms, oov)
    if isinstance(model, TableModel):
        case = model.card.case if model.card.keys == "term" else None
        rows, vectors = _first_known([forms(term, case=case or "keep") for term in terms], model.lookup)
        return Terms(TermVectors.single(vectors[rows]), rows >= 0)
    encoded, covered = _checked(model.encode(list(terms)), len(terms))
    return Terms(TermVectors.single(encoded), covered)


def _by_words(model: WordModel, terms: Sequence[str], oov: Oov) -> Terms:
    tokenizer = model.card.tokenizer or "words"
    words_of = {term: tokenize(term, tokenizer=tokenizer) for term in terms}
    words = list(dict.fromkeys(word for term in terms for word in words_of[term]))
    rows, vectors = _word_rows(model, words, model.card.case or "fallback")
    row_of = dict(zip(words, rows.tolist(), strict=True))
    members: list[int] = []
    offsets = np.zeros(len(terms) + 1, np.int64)
    for number, term in enumerate(terms):
        mine = [row_of[word] for word in words_of[term]]
        known = [row for row in mine if row >= 0]
        if oov == "skip-word" or len(known) == len(mine):
            members += known
        offsets[number + 1] = len(members)
    covered = np.diff(offsets) > 0
    return Terms(TermVectors(vectors, offsets, np.array(members, np.int64)), covered)


def _word_rows(
    model: WordModel, words: list[str], case: Case
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the row number of each word, or -1, and the rows."""
    forms_of = [forms(word, case=case) for word in words]
    if isinstance(model, _OpenVocabulary):
        # A word the model was trained on, in either case, takes precedence over one made of n-grams.
        tokens = list(dict.fromkeys(form for some in forms_of for form in some))
        trained = dict(zip(tokens, model.in_vocabulary(tokens).tolist(), strict=True))
        forms_of = [(next((form for form in some if trained[form]), some[0]),) for some in forms_of]
    return _first_known(forms_of, model.vectors)


def _checked(rows: object, count: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return a model's vectors in the form that the kernels need, and which rows are finite."""
    try:
        vectors = np.ascontiguousarray(rows, np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"the model did not return an array of numbers ({error})") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise InputError(f"the model returned an array of shape {vectors.shape} for {count} texts")
    return vectors, np.asarray(np.isfinite(vectors).all(axis=1), np.bool_)


def _first_known(
    forms_of: Sequence[tuple[str, ...]], look_up: Callable[[Sequence[str]], Rows]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return for each word the row number of its first known form, or -1, and the rows."""
    tokens = list(dict.fromkeys(form for some in forms_of for form in some))
    found, known = look_up(tokens)
    vectors, finite = _checked(found, len(tokens))
    known = np.asarray(known, np.bool_) & finite
    row_of = {token: row for row, token in enumerate(tokens) if known[row]}
    rows = [next((row_of[form] for form in some if form in row_of), -1) for some in forms_of]
    return np.array(rows, np.int64), vectors
