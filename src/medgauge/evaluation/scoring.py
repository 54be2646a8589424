"""Scores of a model for pairs of terms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Doubles
from medgauge.errors import InputError
from medgauge.measures.declared import measures_for
from medgauge.measures.score import score
from medgauge.models.base import (
    Model,
    PairScorer,
    TableModel,
    TextModel,
    WordModel,
    card_of,
    family_of,
)
from medgauge.models.in_memory import ModelSource, as_model
from medgauge.models.lookup import Oov, check_choice
from medgauge.models.terms import Terms, vectors_of
from medgauge.pairs import Card, PairSet, terms_of


@dataclass(frozen=True)
class Scores:
    """A model's scores of a set's pairs by measure, NaN where the model does not cover the pair."""

    values: dict[str, Doubles]
    covered: NDArray[np.bool_]


Scorer = Callable[[PairSet], Scores]
"""Scores one of the sets that a model was made ready for."""


def scorer_for(
    model: Model, sets: Sequence[PairSet], measures: Sequence[str], *, oov: Oov = "uncovered"
) -> Scorer:
    """Make a model ready to score these sets: it is asked once for the terms of all of them.

    A file is read here and now, so that a bad one is known before anything is scored; an encoder, which
    takes its time, is asked when the first set is scored.
    """
    check_choice("choice for unknown words", oov, Oov)
    if isinstance(model, PairScorer):
        return lambda pairs: own_scores(model, pairs, measures[0])
    terms = terms_of(sets)
    row_of = {term: row for row, term in enumerate(terms)}
    found = vectors_in_time(model, terms, oov=oov)
    return lambda pairs: _vector_scores(pairs, found(), row_of, measures)


def vectors_in_time(
    model: WordModel | TextModel | TableModel, terms: Sequence[str], *, oov: Oov
) -> Callable[[], Terms]:
    """Look terms up once: in a file here and now, by an encoder when they are first asked for."""
    found = cache(lambda: vectors_of(model, terms, oov=oov))
    if isinstance(model, WordModel | TableModel):
        found()
    return found


def own_scores(model: PairScorer, pairs: PairSet, measure: str) -> Scores:
    """Ask a model for its own scores of a set's pairs."""
    values = np.asarray(model.score(pairs), np.float64)
    if values.shape != (len(pairs),):
        raise InputError(f"{card_of(model).name} gave scores of shape {values.shape} for {len(pairs)} pairs")
    covered = np.isfinite(values)
    return Scores({measure: np.where(covered, values, np.nan)}, covered)


def _vector_scores(pairs: PairSet, found: Terms, row_of: dict[str, int], measures: Sequence[str]) -> Scores:
    left, right = (
        np.array([row_of[term] for term in pairs.frame[name]], np.int64) for name in ("term_1", "term_2")
    )
    covered = found.covered[left] & found.covered[right]
    values = {name: np.full(len(pairs), np.nan) for name in measures}
    if covered.any():
        vectors, left, right = found.vectors.only(left[covered], right[covered])
        for name, scores in score(measures, vectors, left, right).items():
            values[name][covered] = scores
    return Scores(values, covered)


def similarity(
    first: str | Sequence[str],
    second: str | Sequence[str],
    *,
    model: ModelSource,
    measure: str | None = None,
    oov: Oov = "uncovered",
) -> float | Doubles:
    """Compute the similarity of two terms, or of two equally long lists of terms pair by pair.

    `measure` is one of the ten for word vectors (default avg_cos), or one of the four for models with one
    vector a term (default cos); a baseline has its own score. NaN where the model does not cover a term.
    `model` is anything that `as_model` takes.

    >>> similarity("Renal failure", "renal failure", model="levenshtein")
    0.0
    >>> similarity(["asthma", "flu"], ["asthma attack", "influenza"], model="token-jaccard")
    array([0.5, 0. ])
    """
    if isinstance(first, str) != isinstance(second, str):
        raise InputError("give two terms or two lists of terms, not one of each")
    firsts = [first] if isinstance(first, str) else first
    seconds = [second] if isinstance(second, str) else second
    if len(firsts) != len(seconds):
        raise InputError(f"the lists have {len(firsts)} and {len(seconds)} terms")
    model = as_model(model)
    chosen = measures_for(family_of(model), [measure] if measure else None)[:1]
    rows = [(one, two, 0.0) for one, two in zip(firsts, seconds, strict=True)]
    pairs = PairSet.of(rows, card=Card(name="pairs", title="pairs"))
    values = scorer_for(model, [pairs], chosen, oov=oov)(pairs).values[chosen[0]]
    return float(values[0]) if isinstance(first, str) else values
