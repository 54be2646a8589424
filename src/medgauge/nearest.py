"""An exact nearest-string index: finds the smallest Levenshtein distances without computing them all."""

import hashlib
import os
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Integers, Places, Words
from medgauge.errors import InputError
from medgauge.levenshtein.distance_kernels import CLASSES, FILTERED
from medgauge.levenshtein.search import BLOCK, GROUP, IndexedTerms, Queries, fill_index, mixed, search
from medgauge.progress import track

_CODE_POINTS = 0x110000
_CHUNK = 128  # queries that a thread processes at a time
_FEW_PAIRS = 4_000_000  # up to this many, computing all distances is faster than building the index


class NearestTerms:
    """An index of terms that finds the nearest ones to any string, exactly.

    The distance is Levenshtein's: how many characters (code points, as given) must be inserted, deleted or
    substituted. Terms may be repeated or empty. Terms at equal distance are in the order of the index; with a
    `seed`, in the order of a hash of query and term, which depends only on the seed and the two strings.
    `ties` are strings to hash instead of the terms, such as their original spellings.

    >>> index = NearestTerms(["renal failure", "venal failure", "heart failure", "flu"])
    >>> places, distances = index.query(["renal failure", "fly"], k=2, exclude=[["renal failure"], []])
    >>> places
    array([[1, 2],
           [3, 0]])
    >>> distances
    array([[ 1,  4],
           [ 1, 11]], dtype=int32)
    """

    def __init__(
        self, terms: Sequence[str], *, seed: int | None = None, ties: Sequence[str] | None = None
    ) -> None:
        if ties is not None and len(ties) != len(terms):
            raise InputError(f"there are {len(terms)} terms but {len(ties)} strings to break their ties")
        self._terms = list(terms)
        self._seed = seed
        self._ties = _hashes(self._terms if ties is None else ties, seed)

    def query(
        self,
        terms: Sequence[str],
        k: int = 1,
        *,
        exclude: Sequence[Collection[str]] | None = None,
        workers: int | None = None,
    ) -> tuple[Integers, Places]:
        """Find the k nearest terms of each string: their places in the index, and their distances.

        Both have a row for each string, nearest first, filled with -1 if there are no more terms. `exclude`
        has, for each string, the terms to leave out. `workers` is the number of threads (None: one per
        processor, which is also the maximum), and does not change the results.
        """
        if k < 1:
            raise InputError(f"k must be at least 1, not {k}")
        if exclude is not None and len(exclude) != len(terms):
            raise InputError(f"there are {len(terms)} strings to search for but {len(exclude)} exclusions")
        starts, excluded = self._places_of([()] * len(terms) if exclude is None else exclude)
        counts = np.full(len(terms), k, np.int64)
        with track("finding the nearest terms", len(terms)) as advance:
            _, places, distances = self.search(
                terms, counts, starts, excluded, workers=workers, advance=advance
            )
        return places.reshape(-1, k), distances.reshape(-1, k)

    def search(
        self,
        terms: Sequence[str],
        counts: Integers,
        exclude_starts: Integers,
        exclude_places: Places,
        *,
        ties: Sequence[str] | None = None,
        workers: int | None = None,
        advance: Callable[[int], None] = lambda _done: None,
    ) -> tuple[Integers, Integers, Places]:
        """Find a number of nearest terms for each string: `query` with arrays, for large searches.

        For string i, the places `exclude_places[exclude_starts[i] : exclude_starts[i + 1]]`, in ascending
        order, are left out. In the (starts, places, distances) returned, its `counts[i]` results are those
        from `starts[i]` to `starts[i + 1]`. `ties` are hashed instead of the strings.
        """
        if workers is not None and workers < 1:
            raise InputError(f"workers must be at least 1, not {workers}")
        if ties is not None and len(ties) != len(terms):
            raise InputError(
                f"there are {len(terms)} strings to search for but {len(ties)} to break their ties"
            )
        if not len(terms) == len(counts) == len(exclude_starts) - 1:
            raise InputError("each string to search for needs a count and a range of excluded places")
        exclude_starts, exclude_places = exclude_starts.astype(np.int64), exclude_places.astype(np.int32)
        starts = _starts(counts)
        places, distances = np.full(starts[-1], -1, np.int64), np.full(starts[-1], -1, np.int32)
        hashes = _hashes(terms if ties is None else ties, self._seed)
        if self._seed is not None:
            hashes = mixed.py_func(hashes ^ mixed.py_func(np.array([self._seed % 2**64], np.uint64)))
        is_little = len(terms) * len(self._terms) <= _FEW_PAIRS and "_built" not in vars(self)
        if not self._terms or is_little:
            self._compare_all(terms, hashes, starts, exclude_starts, exclude_places, places, distances)
            advance(len(terms))
            return starts, places, distances
        points, text_starts = _code_points(terms)
        index = self._index
        text = _coding(self._alphabet, index.text.dtype)[points]
        queries = Queries(text, text_starts, hashes, starts, exclude_starts, exclude_places)
        order = np.argsort(np.diff(text_starts), kind="stable")

        def work(first: int) -> int:
            chunk = order[first : first + _CHUNK]
            search(index, queries, chunk, places, distances)
            return chunk.size

        processors = os.cpu_count() or 1
        with ThreadPoolExecutor(min(workers or processors, processors)) as pool:
            for done in pool.map(work, range(0, order.size, _CHUNK)):
                advance(done)
        return starts, places, distances

    def _compare_all(
        self,
        terms: Sequence[str],
        hashes: Words,
        starts: Integers,
        exclude_starts: Integers,
        exclude_places: Places,
        places: Integers,
        distances: Places,
    ) -> None:
        """Search by computing all distances, if there are few."""
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import cdist

        table = cdist(terms, self._terms, scorer=Levenshtein.distance, dtype=np.int32)
        for query, row in enumerate(table):
            allowed = np.ones(row.size, np.bool_)
            allowed[exclude_places[exclude_starts[query] : exclude_starts[query + 1]]] = False
            found = np.flatnonzero(allowed)
            count = min(int(starts[query + 1] - starts[query]), found.size)
            if count:
                farthest = np.partition(row[found], count - 1)[count - 1]
                found = found[row[found] <= farthest]
                order = np.lexsort((found, mixed.py_func(hashes[query] ^ self._ties[found]), row[found]))
                found = found[order[:count]]
                places[starts[query] : starts[query] + count] = found
                distances[starts[query] : starts[query] + count] = row[found]

    def _places_of(self, exclude: Sequence[Collection[str]]) -> tuple[Integers, Places]:
        """Return the places of the excluded terms, in ascending order for each query."""
        wanted = {term for terms in exclude for term in terms}
        places: dict[str, list[int]] = {}
        if wanted:
            for place, term in enumerate(self._terms):
                if term in wanted:
                    places.setdefault(term, []).append(place)
        found = [sorted(place for term in set(terms) for place in places.get(term, ())) for terms in exclude]
        flat = np.array([place for one in found for place in one], np.int32)
        return _starts(np.array([len(one) for one in found], np.int64)), flat

    @cached_property
    def _alphabet(self) -> NDArray[np.uint32]:
        """The characters of the terms, in the order of their code points."""
        return self._built[0]

    @cached_property
    def _index(self) -> IndexedTerms:
        return self._built[1]

    @cached_property
    def _built(self) -> tuple[NDArray[np.uint32], IndexedTerms]:
        terms = self._terms
        forward = _alphabetical(terms)
        backward = _alphabetical([term[::-1] for term in terms])
        lengths = np.fromiter(map(len, terms), np.int64, len(terms))
        places = forward[np.argsort(lengths[forward], kind="stable")]
        positions = np.empty_like(places)
        positions[places] = np.arange(places.size, dtype=np.int32)
        points, starts = _code_points([terms[place] for place in places])
        frequencies = np.bincount(points, minlength=_CODE_POINTS)
        alphabet = np.flatnonzero(frequencies).astype(np.uint32)
        coding = _coding(alphabet, np.dtype(np.uint16 if alphabet.size < 2**16 else np.uint32))
        longest = int(lengths.max())
        sizes = np.bincount(lengths)
        length_starts = _starts(-(-sizes // BLOCK))
        lengths_of_blocks = np.repeat(np.arange(longest + 1), np.diff(length_starts))
        blocks = np.arange(lengths_of_blocks.size)
        block_starts = _starts(sizes)[lengths_of_blocks] + (blocks - length_starts[lengths_of_blocks]) * BLOCK
        groups = -(-np.diff(length_starts)[: FILTERED + 1] // GROUP)
        bits = int(alphabet.size).bit_length()
        plane_starts = _starts(groups * np.arange(groups.size) * bits * GROUP)
        index = IndexedTerms(
            text=np.concatenate([coding[points], np.zeros(longest, coding.dtype)]),
            starts=starts,
            places=places,
            ties=self._ties,
            forward=positions[forward],
            backward=positions[backward],
            block_starts=np.append(block_starts, len(terms)),
            length_starts=length_starts,
            classes=_classes(frequencies[alphabet]),
            counts=np.zeros((blocks.size, CLASSES, BLOCK), np.uint8),
            planes=np.zeros(plane_starts[-1], np.uint64),
            plane_starts=plane_starts,
            bits=bits,
        )
        fill_index(index)
        return alphabet, index


def _hashes(strings: Sequence[str], seed: int | None) -> Words:
    """Return the hash of each string; without a seed hashes are not used, and are 0."""
    if seed is None:
        return np.zeros(len(strings), np.uint64)
    digests = b"".join(
        hashlib.blake2b(string.encode("utf-8", "surrogatepass"), digest_size=8).digest() for string in strings
    )
    return np.frombuffer(digests, "<u8").astype(np.uint64)


def _starts(counts: Integers) -> Integers:
    """Return where each run of `counts` items begins, and where the last one ends."""
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _code_points(strings: Sequence[str]) -> tuple[NDArray[np.uint32], Integers]:
    """Return the characters of all strings, and where each string begins."""
    points = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), "<u4")
    return points, _starts(np.fromiter(map(len, strings), np.int64, len(strings)))


def _coding(alphabet: NDArray[np.uint32], dtype: np.dtype[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
    """Map each code point to its place in the alphabet; those not in it come after the last."""
    coding = np.full(_CODE_POINTS, alphabet.size, dtype)
    coding[alphabet] = np.arange(alphabet.size)
    return coding


def _alphabetical(strings: Sequence[str]) -> Places:
    return np.array(sorted(range(len(strings)), key=strings.__getitem__), np.int32)


def _classes(frequencies: Integers) -> NDArray[np.uint8]:
    """Assign each character a class, so that common ones are separate and share theirs with the rarest."""
    ranks = np.empty(frequencies.size + 1, np.int64)
    ranks[np.argsort(-frequencies, kind="stable")] = np.arange(frequencies.size)
    ranks[-1] = frequencies.size
    turns, places = np.divmod(ranks, CLASSES)
    return np.where(turns % 2, CLASSES - 1 - places, places).astype(np.uint8)
