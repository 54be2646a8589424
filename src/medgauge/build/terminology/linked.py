"""Which terms of a set are linked to a first term, and so cannot be negatives for it."""

from collections.abc import Iterable

from medgauge.build.terminology.positives import NumberedPairs


class Links:
    """The positives of a set as a graph over its terms, numbered as in the whole build.

    For a first term t, let S be t and the second terms of its positives, and E all terms that are paired
    with a member of S. A term is a candidate for t if it is in at least one positive neither of whose terms
    is in S or E.

    >>> import numpy as np
    >>> one = np.array([0, 0, 3]), np.array([1, 2, 4])
    >>> links = Links(NumberedPairs(*one, *one, one[0]))
    >>> sorted(links.excluded(0))
    [0, 1, 2]
    """

    def __init__(self, pairs: NumberedPairs) -> None:
        self._partners: dict[int, set[int]] = {}
        self._seconds: dict[int, list[int]] = {}
        for first, second in zip(pairs.first.tolist(), pairs.second.tolist(), strict=True):
            self._partners.setdefault(first, set()).add(second)
            self._partners.setdefault(second, set()).add(first)
            self._seconds.setdefault(first, []).append(second)

    @property
    def terms(self) -> list[int]:
        """The terms of the set, in order of first occurrence."""
        return list(self._partners)

    def counts(self) -> dict[int, int]:
        """Return how many positives each first term has, in order of first occurrence."""
        return {first: len(seconds) for first, seconds in self._seconds.items()}

    def excluded(self, first: int) -> set[int]:
        """Return the terms that are not candidates: S, E, and terms whose partners are all in S or E."""
        own = {first, *self._seconds[first]}
        linked = own.union(*(self._partners[term] for term in own))
        beyond = {other for term in linked for other in self._partners[term]} - linked
        return linked | {term for term in beyond if self._partners[term] <= linked}


class Avoided:
    """Pairs that must not be made again, in either order."""

    def __init__(self) -> None:
        self._partners: dict[int, set[int]] = {}

    def add(self, first: Iterable[int], second: Iterable[int]) -> None:
        """Avoid these pairs from now on."""
        for one, other in zip(first, second, strict=True):
            self._partners.setdefault(one, set()).add(other)
            self._partners.setdefault(other, set()).add(one)

    def partners(self, term: int) -> set[int]:
        """Return the terms that a term must not be paired with."""
        return self._partners.get(term, set())
