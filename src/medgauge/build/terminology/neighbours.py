"""The nearest terms of a set for its first terms, found in chunks, here or on a cluster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from medgauge.nearest import NearestTerms
from medgauge.parallel import map_chunks
from medgauge.progress import Advance

if TYPE_CHECKING:
    from distributed import Client

_CHUNK = 8192  # first terms per request


class _Asked(NamedTuple):
    """Queries: strings to compare, strings to break ties, number of results, exclusions (CSR)."""

    lowered: list[str]
    terms: list[str]
    counts: NDArray[np.int64]
    starts: NDArray[np.int64]
    places: NDArray[np.int32]


@dataclass(frozen=True)
class _Shared:
    index: NearestTerms
    workers: int | None


class Neighbourhood:
    """The terms of a set, in an index that finds the nearest by the distance of lower-cased terms.

    Terms are numbered as in the build. Ties are broken by a seeded hash of the two original terms.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        *,
        terms: Sequence[str],
        lowered: Sequence[str],
        seed: int,
        workers: int | None = None,
        cluster: "Client | None" = None,
    ) -> None:
        self._numbers = numbers
        self._terms, self._lowered = terms, lowered
        self._place = {number: place for place, number in enumerate(numbers)}
        self._cluster, self._workers = cluster, workers
        self._index = NearestTerms(
            [lowered[number] for number in numbers], seed=seed, ties=[terms[number] for number in numbers]
        )

    def nearest(
        self,
        first: Sequence[int],
        counts: Sequence[int],
        excluded: Callable[[int], set[int]],
        *,
        advance: Advance = lambda _done: None,
    ) -> list[list[int]]:
        """Return the nearest terms of each first term, nearest first: as many as its count, or fewer.

        `excluded` returns the terms to leave out for a first term.
        """
        wanted = list(zip(first, counts, strict=True))
        # The index is fastest with many queries of one length.
        order = sorted(range(len(wanted)), key=lambda place: len(self._lowered[first[place]]))
        parts = [order[start : start + _CHUNK] for start in range(0, len(order), _CHUNK)]
        chunks = (self._asked([wanted[place] for place in part], excluded) for part in parts)
        on_cluster = self._cluster is not None
        shared = _Shared(self._index, 1 if on_cluster else self._workers)  # a cluster counts its own threads
        found: list[list[int]] = [[]] * len(wanted)
        results = map_chunks(_search, shared, chunks, cluster=self._cluster)
        for part, (starts, places) in zip(parts, results, strict=True):
            for place, (low, high) in zip(part, pairwise(starts), strict=True):
                found[place] = self._found(places[low:high])
            advance(len(part))
        return found

    def search_again(self, first: int, count: int, excluded: set[int]) -> list[int]:
        """Return the nearest terms of one first term, immediately and in this process."""
        _, places = _search(_Shared(self._index, 1), self._asked([(first, count)], lambda _first: excluded))
        return self._found(places)

    def _found(self, places: Sequence[int]) -> list[int]:
        """Return the terms at some places; a negative place means that there were no more."""
        return [self._numbers[place] for place in places if place >= 0]

    def _asked(self, chunk: Sequence[tuple[int, int]], excluded: Callable[[int], set[int]]) -> _Asked:
        first = [number for number, _ in chunk]
        gone = [
            sorted(self._place[term] for term in excluded(number) if term in self._place) for number in first
        ]
        return _Asked(
            [self._lowered[number] for number in first],
            [self._terms[number] for number in first],
            np.array([count for _, count in chunk], np.int64),
            np.cumsum([0, *map(len, gone)], dtype=np.int64),
            np.fromiter(chain.from_iterable(gone), np.int32),
        )


def _search(shared: _Shared, asked: _Asked) -> tuple[list[int], list[int]]:
    starts, places, _ = shared.index.search(
        asked.lowered,
        asked.counts,
        asked.starts,
        asked.places,
        ties=asked.terms,
        workers=shared.workers,
    )
    return starts.tolist(), places.tolist()
