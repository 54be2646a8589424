"""Entities that were found, compared with the right ones: whole entities, of the same type."""

import numpy as np

from medgauge.arrays import Integers
from medgauge.ner.labels.tag_schemes import Entities

COUNTS = ("right", "found", "gold")
"""What is counted: entities found that are right, all that were found, and all there are."""


def sentence_counts(
    gold: Entities, found: Entities, *, sentence_of: Integers, types: int, sentences: int
) -> Integers:
    """Count entities by sentence and type (sentences × types × the three of `COUNTS`).

    An entity is right if its first token, its last token and its type are those of a gold entity.

    >>> gold = Entities(np.array([0, 2]), np.array([1, 2]), np.array([0, 0]))
    >>> found = Entities(np.array([0, 2]), np.array([0, 2]), np.array([0, 0]))
    >>> sentence_counts(gold, found, sentence_of=np.array([0, 0, 1]), types=1, sentences=2).tolist()
    [[[0, 1, 1]], [[1, 1, 1]]]
    """
    is_right = np.isin(_keys(found, sentence_of.size, types), _keys(gold, sentence_of.size, types))
    counts = np.empty((sentences, types, len(COUNTS)), np.int64)
    right = found.chosen(is_right)
    for place, some in enumerate((right, found, gold)):
        cells = sentence_of[some.first] * types + some.types
        counts[:, :, place] = np.bincount(cells, minlength=sentences * types).reshape(sentences, types)
    return counts


def _keys(entities: Entities, tokens: int, types: int) -> Integers:
    """Return a number for each entity, different for entities that are not the same."""
    return (entities.first * tokens + entities.last) * types + entities.types
