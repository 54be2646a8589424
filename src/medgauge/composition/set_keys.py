"""What terms, concepts and pairs of a set are counted and compared by."""

from collections.abc import Iterable

from medgauge.composition.benchmark_coverage import ConceptKey
from medgauge.pairs import KeyKind, Pairs
from medgauge.spellings import same_term

Key = str | None
"""A term as all its spellings have it, an id or a CUI; None where there is none."""
KeysOfSides = list[tuple[Key, Key]]
"""The keys of both sides of each pair."""


def keys_of_sides(pairs: Pairs, kind: KeyKind) -> KeysOfSides:
    """Return the keys of both sides of each pair; terms without case, and with single spaces.

    >>> from medgauge.pairs import Card
    >>> keys_of_sides(Pairs.of([("Renal  failure", "flu")], card=Card(name="x", title="X")), "term")
    [('renal failure', 'flu')]
    """
    sides = zip(*pairs.keys(kind), strict=True)
    return list(sides) if kind != "term" else [(_spelled(one), _spelled(two)) for one, two in sides]


def _spelled(term: Key) -> Key:
    return None if term is None else same_term(" ".join(term.split()))


def keys_of_concepts(pairs: Pairs) -> KeysOfSides:
    """Return what tells the concepts of both sides of each pair apart: ids, else CUIs, else terms.

    >>> from medgauge.pairs import Card
    >>> keys_of_concepts(Pairs.of([("Renal  failure", "flu")], card=Card(name="x", title="X")))
    [('renal failure', 'flu')]
    """
    kinds: list[KeyKind] = [*concept_kinds(pairs), "term"]
    of_pairs = zip(*(keys_of_sides(pairs, kind) for kind in kinds), strict=True)
    return [(_first(one for one, _ in keys), _first(two for _, two in keys)) for keys in of_pairs]


def _first(keys: Iterable[Key]) -> Key:
    return next((key for key in keys if key is not None), None)


def different(keys: KeysOfSides) -> set[str]:
    """Return the different keys."""
    return {key for both in keys for key in both if key is not None}


def different_pairs(keys: KeysOfSides) -> set[tuple[str, str]]:
    """Return the different unordered pairs of keys, without those that lack one.

    >>> sorted(different_pairs([("b", "a"), ("a", "b"), ("a", None), ("c", "c")]))
    [('a', 'b'), ('c', 'c')]
    """
    known = ((one, two) for one, two in keys if one is not None and two is not None)
    return {(min(both), max(both)) for both in known}


def concept_kinds(pairs: Pairs) -> list[ConceptKey]:
    """Return what the concepts of a set are known by: ids, CUIs, both or neither; not by blank columns."""
    kinds: list[ConceptKey] = ["id", "cui"]
    return [kind for kind in kinds if pairs.has_keys(kind) and different(keys_of_sides(pairs, kind))]
