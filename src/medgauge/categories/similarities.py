"""The similarities of all terms of one list with all of another, for any kind of model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Integers
from medgauge.errors import InputError
from medgauge.evaluation.scoring import own_scores
from medgauge.measures.score import PairScores, Prepared, mean_score, pair_scores, score_grid
from medgauge.models.base import PairScorer, card_of
from medgauge.pairs import Card, Pairs
from medgauge.progress import Advance

_CARD = Card(name="pairs", title="pairs")


class Similarities(Protocol):
    """The similarities of terms, given by number, under one measure."""

    @property
    def most(self) -> int:
        """How many pairs to request at once, so that they fit in memory."""

    def itself(self, terms: Integers) -> Doubles:
        """Return the similarity of each term with itself; NaN where the measure is undefined for it."""

    def grid(self, rows: Integers, columns: Integers) -> Doubles:
        """Return the similarity of each row's term with each column's."""

    def mean(self, terms: Integers) -> float | None:
        """Return the mean over all pairs of different terms, or None if that needs the pairs themselves."""


@dataclass(frozen=True)
class OfVectors:
    """Similarities of terms with vectors."""

    measure: str
    prepared: Prepared
    most: int = 1 << 23

    @cached_property
    def scores(self) -> PairScores:
        """Score pairs."""
        return pair_scores(self.measure, self.prepared)

    def itself(self, terms: Integers) -> Doubles:
        """Score each term with itself."""
        return self.scores(terms, terms)

    def grid(self, rows: Integers, columns: Integers) -> Doubles:
        """Score each row's term with each column's."""
        return score_grid(self.scores, rows, columns)

    def mean(self, terms: Integers) -> float | None:
        """Average at once where scores are products of unit vectors."""
        return mean_score(self.measure, self.prepared, terms)


@dataclass(frozen=True)
class OfScorer:
    """Similarities by a model that scores pairs itself.

    Every set passed to the model contains all terms, since a score may depend on the set's terms (char-tfidf
    counts how many of them contain an n-gram).
    """

    model: PairScorer
    terms: Sequence[str]
    most: int = 1 << 19

    def itself(self, terms: Integers) -> Doubles:
        """Score each term with itself."""
        nothing = np.empty(0, np.int64)
        return self._scores(nothing, nothing)[terms]

    def grid(self, rows: Integers, columns: Integers) -> Doubles:
        """Score each row's term with each column's; a model must score all pairs of terms that it covers."""
        scores = self._scores(np.repeat(rows, columns.size), np.tile(columns, rows.size))[len(self.terms) :]
        if np.isnan(scores).any():
            raise InputError(
                f"{card_of(self.model).name} has no score for some pairs of terms that it covers"
            )
        return scores.reshape(rows.size, columns.size)

    def mean(self, _terms: Integers) -> None:
        """Return None: how the model computes its scores is unknown."""

    def _scores(self, left: Integers, right: Integers) -> Doubles:
        """Score every term with itself, and then the pairs."""
        terms = pl.Series(self.terms, dtype=pl.String)
        everyone = np.arange(len(terms))
        sides = [np.concatenate([everyone, side]) for side in (left, right)]
        frame = pl.DataFrame(
            {
                "pair_id": pl.int_range(sides[0].size, eager=True).cast(pl.String),
                "term_1": terms[sides[0]],
                "term_2": terms[sides[1]],
            }
        )
        return own_scores(self.model, Pairs(frame, _CARD), "score").values["score"]


def row_blocks(rows: Integers, columns: int, most: int) -> Iterator[Integers]:
    """Split rows into blocks of at most `most` pairs with the columns, but at least one row."""
    step = max(1, most // max(1, columns))
    for first in range(0, rows.size, step):
        yield rows[first : first + step]


def mean_within(similar: Similarities, terms: Integers, advance: Advance) -> float:
    """Average the similarity over all pairs of different terms; NaN with fewer than two."""
    count = terms.size * (terms.size - 1) // 2
    if not count:
        return float("nan")
    if (mean := similar.mean(terms)) is not None:
        advance(count)
        return mean
    total, done = 0.0, 0
    for rows in row_blocks(terms[:-1], terms.size, similar.most):
        later = terms[done + 1 :]
        total += float(np.triu(similar.grid(rows, later)).sum())
        advance(rows.size * later.size - rows.size * (rows.size - 1) // 2)
        done += rows.size
    return total / count
