"""How much of the sets a model covers, without scoring anything."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.models.base import TableModel, TextModel, WordModel
from medgauge.models.lookup import Oov
from medgauge.models.terms import vectors_of
from medgauge.pairs import PairSet, terms_of


@dataclass(frozen=True)
class SetCoverage:
    """How many of a set's different terms, and of its pairs, a model covers."""

    dataset: str
    terms: int
    covered_terms: int
    pairs: int
    covered_pairs: int


def coverage_of(
    model: WordModel | TextModel | TableModel,
    sets: Sequence[PairSet],
    *,
    oov: Oov = "uncovered",
) -> list[SetCoverage]:
    """Look the terms of all sets up at once, and count."""
    terms = terms_of(sets)
    covered = dict(zip(terms, vectors_of(model, terms, oov=oov).covered.tolist(), strict=True))
    results = []
    for pairs in sets:
        both = [np.array([covered[term] for term in pairs.frame[name]]) for name in ("term_1", "term_2")]
        results.append(
            SetCoverage(
                pairs.card.name,
                len(pairs.terms),
                sum(covered[term] for term in pairs.terms),
                len(pairs),
                int((both[0] & both[1]).sum()),
            )
        )
    return results
