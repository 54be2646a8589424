"""Scores of a model for pairs of terms."""

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from medgauge.arrays import Doubles, Flags, Integers
from medgauge.errors import CoverageWarning, InputError, UndefinedWarning
from medgauge.evaluation.missing_words import SidePlaces, most_often, named, words_at
from medgauge.measures.declared import measures_for
from medgauge.measures.score import score
from medgauge.models.base import (
    ExplainedScorer,
    Model,
    PairScorer,
    TableModel,
    VectorModel,
    WordModel,
    card_of,
    family_of,
    key_kind,
    name_of,
    plain_card,
)
from medgauge.models.in_memory import ModelSource, as_model
from medgauge.models.lookup import Oov, check_choice
from medgauge.models.services.sending import check_sending, sender_behind
from medgauge.models.terms import Terms, WordPlaces, vectors_of
from medgauge.pairs import Card, Pairs, different_keys

FAILURE = "failure"
"""The column of stored scores that says why a pair has none, of models that can say it."""
_NO_KEY = -1  # the row of a side without an id


@dataclass(frozen=True)
class Scores:
    """A model's scores of a set's pairs by measure, NaN where the model does not cover the pair.

    `missing` and `composed` are places of words in the first and the second terms, as in `Terms`; None for a
    model that scores pairs itself. `failures` says why pairs have no score, for a model that can say it.
    """

    values: dict[str, Doubles]
    covered: Flags
    missing: SidePlaces | None = None
    composed: SidePlaces | None = None
    failures: list[str | None] | None = None

    @property
    def undefined(self) -> dict[str, int]:
        """How many covered pairs have no score, by measure, where there are any."""
        counts = {name: int(np.isnan(values[self.covered]).sum()) for name, values in self.values.items()}
        return {name: count for name, count in counts.items() if count}


def warn_of_undefined(scores: Scores, where: str = "") -> None:
    """Warn about covered pairs whose similarity is undefined."""
    if scores.undefined:
        counts = ", ".join(f"{name} for {count}" for name, count in scores.undefined.items())
        warnings.warn(
            f"{where}similarity is undefined (zero or constant vectors, or none that are positive): "
            f"{counts} of {int(scores.covered.sum())} pairs",
            UndefinedWarning,
            stacklevel=4,
        )


def _warn_of_missing(pairs: Pairs, scores: Scores, model: Model) -> None:
    """Warn about words without a vector, by name as they are the user's own, and why pairs have no score."""
    if scores.missing is not None:
        words = most_often(words_at(pairs, scores.missing, plain_card(model)))
        if words:
            warnings.warn(f"no vector for {named(list(words))}", CoverageWarning, stacklevel=3)
    if why := Counter(reason for reason in scores.failures or () if reason is not None):
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(why.items()))
        warnings.warn(
            f"{name_of(model)} has no score for {why.total():,} of {len(pairs):,} pairs: {reasons}",
            CoverageWarning,
            stacklevel=3,
        )


Scorer = Callable[[Pairs], Scores]
"""Scores one of the sets that a model was prepared for."""


def scorer_for(
    model: Model, sets: Sequence[Pairs], measures: Sequence[str], *, oov: Oov = "uncovered"
) -> Scorer:
    """Prepare a model to score these sets: the terms (or concepts) of all of them are looked up once.

    A file is read and a service asked at once, so that what is wrong is noticed before anything is stored;
    an encoder, which is slow, is called when the first set is scored. The model sees no gold, rating or
    stratum.
    """
    check_choice("choice for unknown words", oov, Oov)
    if isinstance(model, PairScorer):
        if sender_behind(model) is not None:  # which keeps the answers
            for pairs in sets:
                model.score(pairs.blinded)
        return lambda pairs: own_scores(model, pairs, measures[0])
    kind = key_kind(model)
    keys = different_keys(sets, kind)
    row_of: dict[str | None, int] = {key: row for row, key in enumerate(keys)}
    found = vectors_in_time(model, keys, oov=oov)
    if kind != "term" and isinstance(model, TableModel):
        _check_any(model, sets, dict(zip(keys, found().covered.tolist(), strict=True)))

    def score_pairs(pairs: Pairs) -> Scores:
        left, right = (
            np.array([row_of.get(key, _NO_KEY) for key in side], np.int64) for side in pairs.keys(kind)
        )
        return _vector_scores(left, right, found(), measures)

    return score_pairs


def _check_any(model: TableModel, sets: Sequence[Pairs], covered: Mapping[str, bool]) -> None:
    """Refuse a table that has no concept of any set, and warn if it has none of one set."""
    card = plain_card(model)
    what = {"id": "ids", "cui": "CUIs"}[card.keys]
    keys = {pairs.card.name: different_keys([pairs], card.keys) for pairs in sets}
    lacking = {name: len(own) for name, own in keys.items() if not any(covered[key] for key in own)}
    if len(lacking) == len(sets):
        raise InputError(
            f"{card.name} has none of the {sum(lacking.values()):,} {what} of {named(list(lacking))}; check "
            f"that its keys are {what}, written as in the sets"
        )
    if lacking:
        warnings.warn(
            f"{card.name} has none of the {what} of {named(list(lacking))}, and covers no pair there",
            CoverageWarning,
            stacklevel=4,
        )


def vectors_in_time(model: VectorModel, terms: Sequence[str], *, oov: Oov) -> Callable[[], Terms]:
    """Look terms up once: in a file or by a service immediately, by an encoder when they are first needed."""
    found = cache(lambda: vectors_of(model, terms, oov=oov))
    if isinstance(model, WordModel | TableModel) or sender_behind(model) is not None:
        found()
    return found


def own_scores(model: PairScorer, pairs: Pairs, measure: str) -> Scores:
    """Return a model's own scores of a set's pairs."""
    failures: list[str | None] | None = None
    if isinstance(model, ExplainedScorer):
        found, failures = model.explained(pairs.blinded)
    else:
        found = model.score(pairs.blinded)
    values = np.asarray(found, np.float64)
    if values.shape != (len(pairs),):
        raise InputError(
            f"{card_of(model).name} returned scores of shape {values.shape} for {len(pairs)} pairs"
        )
    covered = np.isfinite(values)
    return Scores({measure: np.where(covered, values, np.nan)}, covered, failures=failures)


def _vector_scores(left: Integers, right: Integers, found: Terms, measures: Sequence[str]) -> Scores:
    """Score pairs of rows; a pair needs a key on both sides to be covered."""
    covered = (left != _NO_KEY) & (right != _NO_KEY)
    covered[covered] = found.covered[left[covered]] & found.covered[right[covered]]
    missing = _sides(found.missing, left), _sides(found.missing, right)
    composed = None
    if found.composed is not None:
        composed = _sides(found.composed, left), _sides(found.composed, right)
    values = {name: np.full(left.size, np.nan) for name in measures}
    if covered.any():
        vectors, left, right = found.vectors.only(left[covered], right[covered])
        for name, scores in score(measures, vectors, left, right).items():
            values[name][covered] = scores
    return Scores(values, covered, missing, composed)


def _sides(places: WordPlaces, rows: Integers) -> WordPlaces:
    """Return the places of words for one side of the pairs; a side without a key is missing as a whole."""
    return [(0,) if row == _NO_KEY else places[row] for row in rows.tolist()]


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
    vector per term (default cos); a baseline has its own score. NaN where the model does not cover a term.
    `model` is anything that `as_model` accepts. A CoverageWarning names the words that have no vector.

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
        raise InputError(f"the lists must be equally long, but have {len(firsts)} and {len(seconds)} terms")
    model = as_model(model)
    chosen = measures_for(family_of(model), [measure] if measure else None)[:1]
    pairs = Pairs.of(zip(firsts, seconds, strict=True), card=Card(name="pairs", title="pairs"))
    check_sending([model], [pairs])
    scores = scorer_for(model, [pairs], chosen, oov=oov)(pairs)
    warn_of_undefined(scores)
    _warn_of_missing(pairs, scores, model)
    values = scores.values[chosen[0]]
    return float(values[0]) if isinstance(first, str) else values
