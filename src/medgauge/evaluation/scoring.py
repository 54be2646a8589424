"""Scores of a model for pairs of terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import InputError
from medgauge.measures.declared import measures_for
from medgauge.measures.score import score
from medgauge.models.base import Model, PairScorer, family_of
from medgauge.models.load import load_model
from medgauge.models.terms import Oov, Terms, vectors_of
from medgauge.pairs import Card, PairSet
from medgauge.progress import track

Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """A model's scores of a set's pairs by measure, NaN where the model does not cover the pair."""

    values: dict[str, Doubles]
    covered: NDArray[np.bool_]


def score_sets(
    model: Model, sets: Sequence[PairSet], measures: Sequence[str], *, oov: Oov = "uncovered"
) -> list[Scores]:
    """Score several sets; the model is asked once for the terms of all of them."""
    if isinstance(model, PairScorer):
        scored = [model.score(pairs) for pairs in sets]
        return [Scores({measures[0]: values}, ~np.isnan(values)) for values in scored]
    terms = list(dict.fromkeys(term for pairs in sets for term in pairs.terms))
    found = vectors_of(model, terms, oov=oov)
    row_of = {term: row for row, term in enumerate(terms)}
    results = []
    with track("scoring", len(sets)) as advance:
        for pairs in sets:
            results.append(_score_set(pairs, found, row_of, measures))
            advance(1)
    return results


def _score_set(pairs: PairSet, found: Terms, row_of: dict[str, int], measures: Sequence[str]) -> Scores:
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
    model: Model | str | Path,
    measure: str | None = None,
    oov: Oov = "uncovered",
) -> float | Doubles:
    """Compute the similarity of two terms, or of two equally long lists of terms pair by pair.

    `measure` is one of the ten for word vectors (default avg_cos), or one of the four for models with one
    vector a term (default cos); a baseline has its own score. NaN where the model does not cover a term.

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
    if isinstance(model, str | Path):
        model = load_model(model)
    chosen = measures_for(family_of(model), [measure] if measure else None)[:1]
    rows = [(one, two, 0.0) for one, two in zip(firsts, seconds, strict=True)]
    pairs = PairSet.of(rows, card=Card(name="pairs", title="pairs"))
    values = score_sets(model, [pairs], chosen, oov=oov)[0].values[chosen[0]]
    return float(values[0]) if isinstance(first, str) else values
