"""How much of the sets a model covers, without scoring anything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from medgauge.evaluation.missing_words import most_often, words_at
from medgauge.models.base import ModelCard, VectorModel, plain_card
from medgauge.models.lookup import Oov
from medgauge.models.terms import vectors_of
from medgauge.pairs import Pairs, different_keys

_NO_KEY = (0,)  # a side without an id is missing as a whole


@dataclass(frozen=True)
class SetCoverage:
    """How many of a set's distinct terms (or concepts), and of its pairs, a model covers.

    `subword_words` and `subword_pairs` count the distinct words outside the vocabulary whose vector is made
    of subwords, and the covered pairs that have one; None for a model that makes none. `without_key` counts
    the pairs in which a side has no id or CUI to look up; None for a model that looks up terms. `missing`
    counts the pairs in which each word has no vector, most pairs first.
    """

    dataset: str
    terms: int
    covered_terms: int
    pairs: int
    covered_pairs: int
    subword_words: int | None = None
    subword_pairs: int | None = None
    without_key: int | None = None
    missing: dict[str, int] = field(default_factory=dict)


def coverage_of(
    model: VectorModel,
    sets: Sequence[Pairs],
    *,
    oov: Oov = "uncovered",
) -> list[SetCoverage]:
    """Count the keys and pairs of each set that a model covers, looking all keys up at once."""
    card = plain_card(model)
    keys = different_keys(sets, card.keys)
    found = vectors_of(model, keys, oov=oov)
    covered = dict(zip(keys, found.covered.tolist(), strict=True))
    missing = dict(zip(keys, found.missing, strict=True))
    composed = None if found.composed is None else dict(zip(keys, found.composed, strict=True))
    results = []
    for pairs in sets:
        own = different_keys([pairs], card.keys)
        one, two = (
            np.array([key is not None and covered[key] for key in side]) for side in pairs.keys(card.keys)
        )
        subwords = None if composed is None else _words(pairs, composed, card)
        results.append(
            SetCoverage(
                dataset=pairs.card.name,
                terms=len(own),
                covered_terms=sum(covered[key] for key in own),
                pairs=len(pairs),
                covered_pairs=int((one & two).sum()),
                subword_words=None if subwords is None else len(most_often(subwords)),
                subword_pairs=None if subwords is None else int((one & two)[list(map(bool, subwords))].sum()),
                without_key=None if card.keys == "term" else pairs.without_key(card.keys),
                missing=most_often(_words(pairs, missing, card)),
            )
        )
    return results


def _words(pairs: Pairs, places: Mapping[str, tuple[int, ...]], card: ModelCard) -> list[list[str]]:
    """Return the words of each pair, given their places in each key."""
    first, second = (
        [_NO_KEY if key is None else places[key] for key in side] for side in pairs.keys(card.keys)
    )
    return words_at(pairs, (first, second), card)
