"""The compiled search through the nearest-string index.

Terms of one length are in blocks of 64, and blocks in groups of 8. A query is compared with a group in three
steps, of which the first two drop only terms that are farther than the k-th best so far:

1. Counts. Each character that the query has and the term lacks costs an edit; or each that the term has in
   excess, if those are more.
2. If many are left: the table of distances, for the 512 terms of a group at once. A term is a bit of a
   vector, and a cell is two vectors: where its distance is one more, or one less, than its neighbour's.
3. The distance itself, for 8 terms at once, by Myers' algorithm: a row of the table is a bit of a word (Myers
   1999, J. ACM 46, 395; for more than 64 rows, Hyyrö 2003).
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from medgauge.arrays import Bytes, Integers, Places, Words
from medgauge.levenshtein.distance_kernels import (
    CLASSES,
    DIGITS,
    FILTERED,
    LENGTH,
    START,
    Codes,
    compare_letters,
    measure,
    near_by_counts,
    near_by_distance,
)
from medgauge.levenshtein.lanes import BYTES, WORDS, count_ones, count_zeros_below

BLOCK = BYTES  # terms
GROUP = WORDS  # blocks
_SLOTS = 64  # queries compared with a group while it is in the cache
_HOME = 16  # neighbours on each side in alphabetical order that are tried first
_MANY = 12  # terms of a group that make step 2 worthwhile, and ...
_MANY_MORE = 1  # ... how many more for each edit of the limit
_FAR = 1 << 40  # more than any distance
_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


class IndexedTerms(NamedTuple):
    """The index: terms ordered by length, then alphabetically. A position is a number in that order."""

    text: Codes  # the characters of all terms, padded by the longest length, to read past an end
    starts: Integers
    places: Places  # of each position, the number in the given list
    ties: Words  # of each place, what breaks ties
    forward: Places  # positions in alphabetical order
    backward: Places  # positions in the order of the reversed terms
    block_starts: Integers  # positions
    length_starts: Integers  # blocks
    classes: Bytes  # of each character; the last is for characters in no term
    counts: Bytes  # of each block and class: how often each term has it
    planes: Words  # of each group, character and bit of its code: that bit, of each term
    plane_starts: Integers  # of each length up to 255, in words
    bits: int  # of a character's code


class Queries(NamedTuple):
    """What to search for: strings, what to leave out for each, and where their results go."""

    text: Codes
    starts: Integers
    ties: Words
    result_starts: Integers
    exclude_starts: Integers
    excluded: Places


class _Batch(NamedTuple):
    """Queries of one length that are searched for together, a slot for each, and working memory."""

    members: Integers  # the queries
    size: int  # their length
    limits: Integers  # of each slot, the k-th best distance so far
    wanted: Bytes  # of each slot and class, how often the query has it
    letters: Codes  # the characters of all queries, once
    rows: Integers  # of each slot and character, its place among the letters
    matches: Words  # of each slot, word and character of the alphabet: the rows that have it
    queue: Integers  # of each slot, the positions whose distance is to be computed, and ...
    waiting: Integers  # ... how many there are
    lanes: Words  # of 8 terms: starts, lengths, and the rows where distances rise and fall
    found: Integers  # of 8 terms: distances
    carries: Words  # of each character of 8 terms, what a word of rows carries to the next
    equal: Words  # of each character of a group and letter, the terms that have it there
    deltas: Words  # of each row, the terms of a group whose distances rise and fall
    counter: Words  # of each digit of a binary number, its bit in each term


# Functions called only from compiled code need no Python wrapper, which takes time to compile.
_inner: Any = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[call-overload]


@njit(cache=True, nogil=True)
def mixed(word: Words) -> Words:
    """Scatter the bits of a word, or of each word of an array (the last steps of splitmix64)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def fill_index(terms: IndexedTerms) -> None:
    """Count the characters of each term by class (at most 255), and set the bits of their codes."""
    found = np.empty(CLASSES, np.int64)
    for length in range(terms.length_starts.size - 1):
        for block in range(terms.length_starts[length], terms.length_starts[length + 1]):
            group, word = divmod(block - terms.length_starts[length], GROUP)
            first = terms.block_starts[block]
            for lane in range(terms.block_starts[block + 1] - first):
                found[:] = 0
                for place in range(length):
                    code = terms.text[terms.starts[first + lane] + place]
                    found[terms.classes[code]] += 1
                    if length > FILTERED:
                        continue
                    at = terms.plane_starts[length] + (group * length + place) * terms.bits * GROUP + word
                    for bit in range(terms.bits):
                        set_or_not = (np.uint64(code) >> np.uint64(bit)) & _ONE
                        terms.planes[at + bit * GROUP] |= set_or_not << np.uint64(lane)
                for kind in range(CLASSES):
                    terms.counts[block, kind, lane] = min(found[kind], 255)


@njit(cache=True, nogil=True)
def search(
    terms: IndexedTerms, queries: Queries, order: Integers, places: Integers, distances: Places
) -> None:
    """Find the nearest terms of the queries in `order`, which must be sorted by length."""
    first = 0
    while first < order.size:
        length = _length(queries.starts, order[first])
        last = first + 1
        while last < min(order.size, first + _SLOTS) and _length(queries.starts, order[last]) == length:
            last += 1
        batch = _begin(terms, queries, order[first:last], length)
        for slot in range(last - first):
            _try_home(terms, queries, batch, slot, places, distances)
        _sweep(terms, queries, batch, places, distances)
        first = last


@_inner
def _length(starts: Integers, number: int) -> int:
    return starts[number + 1] - starts[number]


@_inner
def _largest(numbers: Integers) -> int:
    largest = numbers[0]
    for number in numbers:
        largest = max(largest, number)
    return largest


@_inner
def _begin(terms: IndexedTerms, queries: Queries, members: Integers, size: int) -> _Batch:
    slots, words, alphabet = members.size, (size + 63) >> 6, terms.classes.size
    limits = np.empty(slots, np.int64)
    wanted = np.zeros((slots, CLASSES), np.uint8)
    matches = np.zeros((slots, words, alphabet), np.uint64)
    rows = np.empty((slots, size), np.int64)
    letters = np.empty(min(slots * size, alphabet), terms.text.dtype)
    letter_of = np.full(alphabet, -1, np.int64)
    count = 0
    for slot in range(slots):
        limits[slot] = _FAR if _length(queries.result_starts, members[slot]) else -1
        for row in range(size):
            code = queries.text[queries.starts[members[slot]] + row]
            wanted[slot, terms.classes[code]] += np.uint8(1)
            matches[slot, row >> 6, code] |= _ONE << np.uint64(row & 63)
            if letter_of[code] < 0:
                letter_of[code] = count
                letters[count] = code
                count += 1
            rows[slot, row] = letter_of[code]
    return _Batch(
        members,
        size,
        limits,
        wanted,
        letters[:count],
        rows,
        matches,
        np.zeros((slots, WORDS), np.int64),
        np.zeros(slots, np.int64),
        np.empty((4, WORDS), np.uint64),
        np.empty(WORDS, np.int64),
        np.empty((terms.length_starts.size if words > 1 else 0, 2, WORDS), np.uint64),
        np.empty((FILTERED if size <= FILTERED else 0, count, WORDS), np.uint64),
        np.empty((size, 2, WORDS), np.uint64),
        np.empty((DIGITS, WORDS), np.uint64),
    )


@_inner
def _try_home(
    terms: IndexedTerms, queries: Queries, batch: _Batch, slot: int, places: Integers, distances: Places
) -> None:
    """Try the terms that begin or end like the query, to start with a small limit."""
    for backward in range(2):
        order = terms.backward if backward else terms.forward
        low, high = 0, order.size
        while low < high:
            middle = (low + high) // 2
            if _is_before(terms, order[middle], queries, batch.members[slot], backward):
                low = middle + 1
            else:
                high = middle
        for at in range(max(0, low - _HOME), min(order.size, low + _HOME + 1)):
            away = abs(_length(terms.starts, order[at]) - batch.size)
            if away <= batch.limits[slot] and _queue_up(batch.queue, batch.waiting, slot, order[at]):
                _work_off(terms, queries, batch, slot, places, distances)
    _work_off(terms, queries, batch, slot, places, distances)


@_inner
def _is_before(terms: IndexedTerms, position: int, queries: Queries, query: int, backward: int) -> bool:
    """Return whether a term is alphabetically before a query, both read backward or forward."""
    length, size = _length(terms.starts, position), _length(queries.starts, query)
    for step in range(min(length, size)):
        mine = terms.text[terms.starts[position] + (length - 1 - step if backward else step)]
        other = queries.text[queries.starts[query] + (size - 1 - step if backward else step)]
        if mine != other:
            return mine < other
    return length < size


@_inner
def _sweep(terms: IndexedTerms, queries: Queries, batch: _Batch, places: Integers, distances: Places) -> None:
    """Go through the groups of all lengths within the limits, from the queries' own length outward."""
    longest = terms.length_starts.size - 2
    near = np.zeros(GROUP, np.uint64)
    for away in range(max(batch.size, longest - batch.size) + 1):
        if away > _largest(batch.limits):
            break
        for side in range(2 if away else 1):
            length = batch.size + away if side else batch.size - away
            if not 0 <= length <= longest:
                continue
            for group in range(terms.length_starts[length], terms.length_starts[length + 1], GROUP):
                is_compared = False
                for slot in range(batch.members.size):
                    limit = batch.limits[slot]
                    if away > limit:
                        continue
                    left = _near_by_counts(terms, group, length, batch, slot, near)
                    # No distance exceeds the longer length.
                    if left > _MANY + _MANY_MORE * limit and limit < max(batch.size, length) <= FILTERED:
                        if not is_compared:
                            number = (group - terms.length_starts[length]) // GROUP
                            start = terms.plane_starts[length] + number * length * terms.bits * GROUP
                            compare_letters(
                                terms.planes, start, terms.bits, length, batch.letters, batch.equal
                            )
                            is_compared = True
                        near_by_distance(
                            batch.equal, length, batch.rows, slot, limit, batch.deltas, batch.counter, near
                        )
                    for block in range(GROUP):
                        while near[block]:
                            position = terms.block_starts[group + block] + count_zeros_below(near[block])
                            near[block] &= near[block] - _ONE
                            if _queue_up(batch.queue, batch.waiting, slot, position):
                                _work_off(terms, queries, batch, slot, places, distances)
    for slot in range(batch.members.size):
        _work_off(terms, queries, batch, slot, places, distances)


@_inner
def _near_by_counts(
    terms: IndexedTerms, group: int, length: int, batch: _Batch, slot: int, near: Words
) -> int:
    """Set a bit for each term of a group that may be within the limit, and return their number."""
    left = 0
    for block in range(group, min(group + GROUP, terms.length_starts[length + 1])):
        bits = _ALL >> np.uint64(BLOCK - _length(terms.block_starts, block))
        if batch.size <= FILTERED:
            # A term's excess is what it lacks plus how much longer it is.
            spare = batch.limits[slot] - max(0, length - batch.size)
            bits &= near_by_counts(terms.counts, block, batch.wanted, slot, spare)
        near[block - group] = bits
        left += count_ones(bits)
    return left


@_inner
def _queue_up(queue: Integers, waiting: Integers, slot: int, position: int) -> bool:
    """Queue a term, and return whether there are enough to compute their distances."""
    queue[slot, waiting[slot]] = position
    waiting[slot] += 1
    return waiting[slot] == WORDS


@_inner
def _work_off(
    terms: IndexedTerms, queries: Queries, batch: _Batch, slot: int, places: Integers, distances: Places
) -> None:
    """Compute the distances of the waiting terms, and keep those that are among the best."""
    queue, lanes, found = batch.queue[slot], batch.lanes, batch.found
    for lane in range(WORDS):
        found[lane] = _length(terms.starts, queue[lane])
        lanes[START, lane], lanes[LENGTH, lane] = terms.starts[queue[lane]], found[lane]
    measure(terms.text, lanes, batch.matches, slot, batch.size, batch.carries, found)
    for lane in range(batch.waiting[slot]):
        if found[lane] <= batch.limits[slot]:
            place = np.int64(terms.places[queue[lane]])
            _offer(terms, queries, batch, slot, place, found[lane], places, distances)
    batch.waiting[slot] = 0


@_inner
def _offer(
    terms: IndexedTerms,
    queries: Queries,
    batch: _Batch,
    slot: int,
    place: int,
    distance: int,
    places: Integers,
    distances: Places,
) -> None:
    """Insert a term among the best of its query, unless it is excluded, already there or farther."""
    query = batch.members[slot]
    low, high = queries.exclude_starts[query], queries.exclude_starts[query + 1]
    while low < high:
        middle = (low + high) // 2
        if queries.excluded[middle] == place:
            return
        if queries.excluded[middle] < place:
            low = middle + 1
        else:
            high = middle
    first, last = queries.result_starts[query], queries.result_starts[query + 1]
    tie = mixed(queries.ties[query] ^ terms.ties[place])
    at = first
    while at < last and places[at] >= 0:
        if places[at] == place:
            return
        if distance < distances[at]:
            break
        if distance == distances[at]:
            other = mixed(queries.ties[query] ^ terms.ties[places[at]])
            if tie < other or (tie == other and place < places[at]):
                break
        at += 1
    if at == last:
        return
    for later in range(last - 1, at, -1):
        places[later] = places[later - 1]
        distances[later] = distances[later - 1]
    places[at] = place
    distances[at] = distance
    if places[last - 1] >= 0:
        batch.limits[slot] = distances[last - 1]
