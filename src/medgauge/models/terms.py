"""Terms as a model sees them: their vectors, and which terms it covers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import InputError
from medgauge.measures.score import TermVectors
from medgauge.models.base import ContextModel, ModelCard, Rows, TableModel, VectorModel, WordModel
from medgauge.models.lookup import Case, Oov
from medgauge.models.tokens import forms, tokenize


@runtime_checkable
class _OpenVocabulary(Protocol):
    """A word model that can compose vectors for words outside its vocabulary."""

    def in_vocabulary(self, tokens: Sequence[str]) -> NDArray[np.bool_]: ...


WordPlaces = list[tuple[int, ...]]
"""For each term, the places of some of its words, from 0; a term with one vector counts as one word."""


@dataclass(frozen=True)
class Terms:
    """The vectors of some terms, and whether the model covers each term.

    `missing` are the words without a vector; `composed` are the words outside the vocabulary whose vector is
    made of subwords, None for a model that makes none.
    """

    vectors: TermVectors
    covered: NDArray[np.bool_]
    missing: WordPlaces
    composed: WordPlaces | None = None


def words_of(term: str, card: ModelCard) -> list[str]:
    """Return the words of a term that a model looks up; with one vector per term, that is the whole term.

    >>> words_of("Heart attack", ModelCard(name="x", family="words"))
    ['Heart', 'attack']
    >>> words_of("Heart attack", ModelCard(name="x", family="vectors"))
    ['Heart attack']
    """
    return tokenize(term, tokenizer=card.tokenizer or "words") if card.family == "words" else [term]


def vectors_of(model: VectorModel, terms: Sequence[str], *, oov: Oov = "uncovered") -> Terms:
    """Look up the terms (all distinct), or the ids that the model's card asks for, all at once."""
    if isinstance(model, WordModel):
        return _by_words(model, terms, oov)
    if isinstance(model, ContextModel):
        return _in_context(model, terms, oov)
    if isinstance(model, TableModel):
        case = model.card.case if model.card.keys == "term" else None
        rows, vectors = _first_known([forms(term, case=case or "keep") for term in terms], model.lookup)
        return _by_terms(vectors[rows], rows >= 0)
    return _by_terms(*_checked(model.encode(list(terms)), len(terms)))


def _by_terms(vectors: NDArray[np.float32], covered: NDArray[np.bool_]) -> Terms:
    return Terms(TermVectors.single(vectors), covered, [() if known else (0,) for known in covered.tolist()])


def _by_words(model: WordModel, terms: Sequence[str], oov: Oov) -> Terms:
    card = model.card
    of_terms = [words_of(term, card) for term in terms]
    words = list(dict.fromkeys(word for some in of_terms for word in some))
    rows, vectors, subwords = word_rows(model, words, card.case or "fallback")
    row_of = dict(zip(words, rows.tolist(), strict=True))
    members: list[int] = []
    offsets = np.zeros(len(terms) + 1, np.int64)
    for number, mine in enumerate(of_terms):
        known = [row_of[word] for word in mine if row_of[word] >= 0]
        if oov == "skip-word" or len(known) == len(mine):
            members += known
        offsets[number + 1] = len(members)
    covered = np.diff(offsets) > 0
    missing = _places(of_terms, {word for word, row in row_of.items() if row < 0})
    composed = None if subwords is None else _places(of_terms, subwords)
    return Terms(TermVectors(vectors, offsets, np.array(members, np.int64)), covered, missing, composed)


def _in_context(model: ContextModel, terms: Sequence[str], oov: Oov) -> Terms:
    found, offsets = model.encode_words(list(terms))
    vectors, known = _checked(found, int(offsets[-1]))
    term_of = np.repeat(np.arange(len(terms)), np.diff(offsets))
    missing: WordPlaces = [
        tuple(np.flatnonzero(~known[first:last]).tolist())
        for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    ]
    if oov == "uncovered":
        known &= np.array([not places for places in missing], np.bool_)[term_of]
    own = np.concatenate([[0], np.cumsum(np.bincount(term_of[known], minlength=len(terms)))])
    return Terms(TermVectors(vectors, own, np.flatnonzero(known)), np.diff(own) > 0, missing)


def _places(of_terms: Sequence[Sequence[str]], chosen: set[str]) -> WordPlaces:
    """Return for each term which of its words are among the chosen."""
    return [tuple(place for place, word in enumerate(words) if word in chosen) for words in of_terms]


def word_rows(
    model: WordModel, words: list[str], case: Case
) -> tuple[NDArray[np.int64], NDArray[np.float32], set[str] | None]:
    """Return the row number of each word, or -1, the rows, and the words whose row is made of subwords."""
    forms_of = [forms(word, case=case) for word in words]
    if not isinstance(model, _OpenVocabulary):
        return *_first_known(forms_of, model.vectors), None
    # A word the model was trained on, in either case, takes precedence over one made of n-grams.
    tokens = list(dict.fromkeys(form for some in forms_of for form in some))
    trained = dict(zip(tokens, model.in_vocabulary(tokens).tolist(), strict=True))
    chosen = [next((form for form in some if trained[form]), some[0]) for some in forms_of]
    rows, vectors = _first_known([(form,) for form in chosen], model.vectors)
    found = zip(words, chosen, rows.tolist(), strict=True)
    return rows, vectors, {word for word, form, row in found if row >= 0 and not trained[form]}


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
