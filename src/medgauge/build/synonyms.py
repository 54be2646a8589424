"""A labelled set out of a terminology: names with their synonyms, against random names."""

from collections.abc import Sequence

import numpy as np

from medgauge.errors import InputError
from medgauge.pairs import Card, PairSet
from medgauge.terminology.model import Concept

_TRIES = 100  # before all concepts are searched


def synonym_pairs(concepts: Sequence[Concept], *, size: int, card: Card, rng: np.random.Generator) -> PairSet:
    """Sample synonym pairs (label 1), each with a random pair (label 0) that has the same first term.

    A positive pair is a concept's name with its first exact synonym that differs from it other than by case.
    The negative pair has the name of another concept that does not share a term.
    """
    candidates = [
        (concept, synonym) for concept in concepts if (synonym := _other_spelling(concept)) is not None
    ]
    if not 0 <= size <= len(candidates):
        raise InputError(f"{size} pairs were asked for, and there are {len(candidates)}")
    chosen = sorted(rng.choice(len(candidates), size, replace=False).tolist())
    rows: list[tuple[str, str, float]] = []
    for place in chosen:
        concept, synonym = candidates[place]
        rows.append((concept.name, synonym, 1.0))
        rows.append((concept.name, _unrelated(concept, concepts, rng).name, 0.0))
    return PairSet.of(rows, card=card, labelled=True)


def _other_spelling(concept: Concept) -> str | None:
    name = concept.name.lower()
    return next((synonym for synonym in concept.synonyms if synonym.lower() != name), None)


def _unrelated(concept: Concept, concepts: Sequence[Concept], rng: np.random.Generator) -> Concept:
    """Draw a concept that shares no term with this one."""
    terms = _terms(concept)
    for _ in range(_TRIES):
        other = concepts[int(rng.integers(len(concepts)))]
        if not _terms(other) & terms:
            return other
    others = [other for other in concepts if not _terms(other) & terms]
    if not others:
        raise InputError(f"every concept shares a term with {concept.id}: there is no negative pair for it")
    return others[int(rng.integers(len(others)))]


def _terms(concept: Concept) -> frozenset[str]:
    return frozenset(term.lower() for term in (concept.name, *concept.synonyms))
