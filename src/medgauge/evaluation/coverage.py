"""How much of the sets a model covers, without scoring anything."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.models.base import TableModel, TextModel, WordModel, key_kind
from medgauge.models.lookup import Oov
from medgauge.models.terms import vectors_of
from medgauge.pairs import Pairs, different_keys


@dataclass(frozen=True)
class SetCoverage:
    """How many of a set's distinct terms (or concepts), and of its pairs, a model covers."""

    dataset: str
    terms: int
    covered_terms: int
    pairs: int
    covered_pairs: int


def coverage_of(
    model: WordModel | TextModel | TableModel,
    sets: Sequence[Pairs],
    *,
    oov: Oov = "uncovered",
) -> list[SetCoverage]:
    """Count the keys and pairs of each set that a model covers, looking all keys up at once."""
    kind = key_kind(model)
    keys = different_keys(sets, kind)
    covered = dict(zip(keys, vectors_of(model, keys, oov=oov).covered.tolist(), strict=True))
    results = []
    for pairs in sets:
        own = different_keys([pairs], kind)
        both = [np.array([key is not None and covered[key] for key in side]) for side in pairs.keys(kind)]
        results.append(
            SetCoverage(
                dataset=pairs.card.name,
                terms=len(own),
                covered_terms=sum(covered[key] for key in own),
                pairs=len(pairs),
                covered_pairs=int((both[0] & both[1]).sum()),
            )
        )
    return results
