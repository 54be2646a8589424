"""What two sets share: terms, pairs of terms, concepts and pairs of concepts."""

from collections.abc import Mapping
from itertools import combinations

from medgauge.composition.benchmark_coverage import ConceptKey, SetOverlap
from medgauge.composition.set_keys import concept_kinds, different, different_pairs, keys_of_sides
from medgauge.pairs import KeyKind, Pairs


def overlaps(sets: Mapping[str, Pairs]) -> list[SetOverlap]:
    """Count what every two sets share, each once, whichever order a pair has in them.

    Concepts are compared by ids or, where these have nothing in common (they may be of different
    terminologies) or a set has none, by CUIs.

    >>> from medgauge.pairs import Card
    >>> one, two = (Card(name=name, title=name) for name in ("one", "two"))
    >>> sets = {"one": Pairs.of([("flu", "cold"), ("gout", "rash")], card=one)}
    >>> sets["two"] = Pairs.of([("Cold", "Flu"), ("gout", "acne")], card=two)
    >>> [found] = overlaps(sets)
    >>> found.terms, found.pairs, found.concepts
    (3, 1, None)
    """
    known = {name: _Compared(pairs) for name, pairs in sets.items()}
    return [_overlap(one, two, known[one], known[two]) for one, two in combinations(sets, 2)]


class _Compared:
    """The different keys and pairs of keys of a set, by kind."""

    def __init__(self, pairs: Pairs) -> None:
        self.concept_kinds = concept_kinds(pairs)
        kinds: list[KeyKind] = ["term", *self.concept_kinds]
        keys = {kind: keys_of_sides(pairs, kind) for kind in kinds}
        self.single: dict[KeyKind, set[str]] = {kind: different(both) for kind, both in keys.items()}
        self.pairs = {kind: different_pairs(both) for kind, both in keys.items()}


def _overlap(name_1: str, name_2: str, one: _Compared, two: _Compared) -> SetOverlap:
    kind = _compared_by(one, two)
    return SetOverlap(
        set_1=name_1,
        set_2=name_2,
        terms=len(one.single["term"] & two.single["term"]),
        pairs=len(one.pairs["term"] & two.pairs["term"]),
        concepts=None if kind is None else len(one.single[kind] & two.single[kind]),
        concept_pairs=None if kind is None else len(one.pairs[kind] & two.pairs[kind]),
        concept_key=kind,
    )


def _compared_by(one: _Compared, two: _Compared) -> ConceptKey | None:
    shared = [kind for kind in one.concept_kinds if kind in two.concept_kinds]
    with_some = (kind for kind in shared if one.single[kind] & two.single[kind])
    return next(with_some, shared[-1] if shared else None)
