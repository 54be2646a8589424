"""Compiled kernels of the nearest-string index: lower bounds for 64 terms at once, distances for 8.

Terms stand in blocks of 64 of one length, with the counts of their characters. A query meets a block in three
steps, and the first two drop only terms that are farther than the k-th best so far:

1. Every character that the query has and the term lacks costs an edit; or that the term has in excess, if
   those are more.
2. The same in halves. However the two are aligned, the first x characters of the query meet the first half
   of the term and the others the second, so the least sum over all x bounds the distance.
3. Myers' bit-parallel distance, in words of 64 rows (Myers 1999, J. ACM 46, 395; Hyyrö 2003).

The steps are written in vectors of a fixed width, which LLVM makes of the registers that the processor has;
it makes much slower code of loops over bytes.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic, models, register_model
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Indices = NDArray[np.int64]
Places = NDArray[np.int32]
Codes = NDArray[np.uint16] | NDArray[np.uint32]

CLASSES = 24  # of characters that are counted apart
BLOCK = 64  # terms whose bounds are computed together
WHOLE, FIRST, SECOND = range(3)  # the parts of a term whose characters are counted
PARTS = 3
_TEAM = 8  # terms whose distances are computed together
_SLOTS = 16  # queries that meet a block while it is in the cache
_HOME = 16  # neighbours on each side in alphabetical order that are tried first
_FILTERED = 255  # the longest query whose counts fit in a byte
_FEW = 4  # candidates in a block that are not worth the second bound
_FAR = 1 << 40  # more than any distance
_START, _LENGTH, _RISE, _FALL = range(4)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE, _NONE = np.uint64(1), np.uint64(0)


class Terms(NamedTuple):
    """The index: terms in order of length, then of the alphabet. A position is a number in that order."""

    text: Codes  # the characters of all terms, then as many as the longest has, to read past an end
    starts: Indices
    places: Places  # of each position, the number in the list that was given
    ties: Words  # of each place, the hash that breaks ties
    forward: Places  # positions in alphabetical order
    backward: Places  # positions in the order of the reversed terms
    block_starts: Indices  # positions
    length_starts: Indices  # blocks
    counts: Bytes  # of each block, part, class and lane
    classes: Bytes  # of each character; the last is for those that no term has


class Queries(NamedTuple):
    """What is searched for: strings, what they may not find, and where their results go."""

    text: Codes
    starts: Indices
    ties: Words
    result_starts: Indices
    exclude_starts: Indices
    excluded: Places


class _Batch(NamedTuple):
    """Queries of one length that go through the blocks together, a slot for each."""

    members: Indices  # the queries
    size: int
    limits: Indices  # the k-th best distance so far
    matches: Words  # of each slot, word and character, the rows where it stands
    heads: Bytes  # of each slot, x and class, how often it is in the first x characters
    tails: Bytes  # ... and in the others
    kinds: Bytes  # the class of each character
    queue: Indices  # positions whose distance is to be computed
    waiting: Indices
    carries: Words  # what a word of rows hands on to the next, at each character of 8 terms
    lanes: Words  # of 8 terms: starts, lengths and scratch
    found: Indices  # ... and distances


class _Lanes(types.Type):
    """A vector of unsigned integers that is one value."""

    def __init__(self, bits: int, count: int) -> None:
        self.vector = ir.VectorType(ir.IntType(bits), count)
        super().__init__(name=f"Lanes({bits}, {count})")


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: _Lanes) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]


_LANES = {types.uint8: _Lanes(8, BLOCK), types.uint64: _Lanes(64, _TEAM)}


def _binary(emit: Callable[[Any, Any, Any], Any], result: Any = None) -> Any:
    """Make a function of two vectors out of the instructions that compute it."""

    @intrinsic
    def operation(_typing: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, *arguments)

        return (result or left)(left, right), generate

    return operation


_plus = _binary(lambda builder, left, right: builder.add(left, right))
_minus = _binary(lambda builder, left, right: builder.sub(left, right))
_and = _binary(lambda builder, left, right: builder.and_(left, right))
_or = _binary(lambda builder, left, right: builder.or_(left, right))
_xor = _binary(lambda builder, left, right: builder.xor(left, right))
_shift_up = _binary(lambda builder, left, right: builder.shl(left, right))
_shift_down = _binary(lambda builder, left, right: builder.lshr(left, right))
_over = _binary(lambda builder, left, right: builder.zext(builder.icmp_unsigned(">", left, right), left.type))
_excess = _binary(  # left - right where that is positive, else 0
    lambda builder, left, right: builder.select(
        builder.icmp_unsigned(">", left, right), builder.sub(left, right), ir.Constant(left.type, None)
    )
)
_bits_up_to = _binary(  # a bit for each byte that is no larger than its limit
    lambda builder, left, right: builder.bitcast(builder.icmp_unsigned("<=", left, right), ir.IntType(64)),
    types.uint64,
)


@intrinsic
def _all(_typing: Any, value: Any) -> Any:
    """Put a value into all lanes."""

    def generate(_context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = signature.return_type.vector
        lone = builder.insert_element(ir.Constant(vector, None), arguments[0], ir.Constant(ir.IntType(32), 0))
        lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), None)
        return builder.shuffle_vector(lone, lone, lanes)

    return _LANES[value](value), generate


def _pointer(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


@intrinsic
def _load(_typing: Any, array: Any, _at: Any) -> Any:
    """Load a vector from an array, as if that had one dimension."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        loaded = builder.load(builder.bitcast(pointer, signature.return_type.vector.as_pointer()))
        loaded.align = 1
        return loaded

    return _LANES[array.dtype](array, types.int64), generate


@intrinsic
def _store(_typing: Any, lanes: Any, array: Any, _at: Any) -> Any:
    """Store a vector in an array, as if that had one dimension."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[1], *arguments[1:])
        stored = builder.store(arguments[0], builder.bitcast(pointer, lanes.vector.as_pointer()))
        stored.align = 1
        return context.get_dummy_value()

    return types.void(lanes, array, types.int64), generate


@intrinsic
def _where_more(_typing: Any, lanes: Any, _bound: Any, _then: Any, _otherwise: Any) -> Any:
    """Choose, lane by lane, `then` where the first is more than its bound."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        left, right, then, otherwise = arguments
        return builder.select(builder.icmp_unsigned(">", left, right), then, otherwise)

    return lanes(lanes, lanes, lanes, lanes), generate


@intrinsic
def _gather(_typing: Any, table: Any, _at: Any, text: Any, starts: Any, _place: Any) -> Any:
    """Look up the character at a place of each of 8 strings in the table that begins at `at`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds, result = signature.args, ir.Constant(signature.return_type.vector, ir.Undefined)
        for lane in range(_TEAM):
            offset = ir.Constant(ir.IntType(64), lane)
            start = builder.load(_pointer(context, builder, kinds[3], arguments[3], offset))
            place = builder.add(start, arguments[4])
            code = builder.load(_pointer(context, builder, kinds[2], arguments[2], place))
            at = builder.add(arguments[1], builder.zext(code, ir.IntType(64)))
            word = builder.load(_pointer(context, builder, kinds[0], arguments[0], at))
            result = builder.insert_element(result, word, ir.Constant(ir.IntType(32), lane))
        return result

    return _LANES[table.dtype](table, types.int64, text, starts, types.int64), generate


def _count(emit: Callable[[Any, Any], Any]) -> Any:
    @intrinsic
    def operation(_typing: Any, _word: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.uint64), generate

    return operation


_ones = _count(lambda builder, word: builder.ctpop(word))
_trailing_zeros = _count(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))


@njit(cache=True, nogil=True)
def mixed(word: Words) -> Words:
    """Scatter the bits of a word, or of each word of an array (the last steps of splitmix64)."""
    word = word + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@njit(cache=True, nogil=True)
def count_characters(terms: Terms) -> None:
    """Count the characters of each term by class, in the whole and in its halves; 255 stands for more."""
    found = np.empty((PARTS, CLASSES), np.int64)
    for block in range(terms.block_starts.size - 1):
        first = terms.block_starts[block]
        for lane in range(terms.block_starts[block + 1] - first):
            found[:] = 0
            start, stop = terms.starts[first + lane], terms.starts[first + lane + 1]
            for at in range(start, stop):
                kind = terms.classes[terms.text[at]]
                found[WHOLE, kind] += 1
                found[FIRST if at - start < (stop - start) // 2 else SECOND, kind] += 1
            for part in range(PARTS):
                for kind in range(CLASSES):
                    terms.counts[block, part, kind, lane] = min(found[part, kind], 255)


@njit(cache=True, nogil=True)
def search(terms: Terms, queries: Queries, order: Indices, places: Indices, distances: Places) -> None:
    """Find the nearest terms of the queries in `order`, which must be in order of length."""
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


@njit(cache=True, nogil=True)
def _length(starts: Indices, number: int) -> int:
    return starts[number + 1] - starts[number]


@njit(cache=True, nogil=True)
def _begin(terms: Terms, queries: Queries, members: Indices, length: int) -> _Batch:
    slots, words, alphabet = members.size, (length + 63) >> 6, terms.classes.size
    kept = length if length <= _FILTERED else -1
    batch = _Batch(
        members,
        length,
        np.empty(slots, np.int64),
        np.zeros((slots, words, alphabet), np.uint64),
        np.zeros((slots, kept + 1, CLASSES), np.uint8),
        np.zeros((slots, kept + 1, CLASSES), np.uint8),
        np.empty((slots, length), np.uint8),
        np.zeros((slots, _TEAM), np.int64),
        np.zeros(slots, np.int64),
        np.empty((terms.length_starts.size if words > 1 else 0, 2, _TEAM), np.uint64),
        np.empty((4, _TEAM), np.uint64),
        np.empty(_TEAM, np.int64),
    )
    for slot in range(slots):
        query = members[slot]
        batch.limits[slot] = _FAR if _length(queries.result_starts, query) else -1
        for row in range(length):
            code = queries.text[queries.starts[query] + row]
            batch.matches[slot, row >> 6, code] |= _ONE << np.uint64(row & 63)
            batch.kinds[slot, row] = terms.classes[code]
        for x in range(1, kept + 1):
            batch.heads[slot, x] = batch.heads[slot, x - 1]
            batch.heads[slot, x, batch.kinds[slot, x - 1]] += np.uint8(1)
        for x in range(kept + 1):
            batch.tails[slot, x] = batch.heads[slot, kept] - batch.heads[slot, x]
    return batch


@njit(cache=True, nogil=True)
def _try_home(
    terms: Terms, queries: Queries, batch: _Batch, slot: int, places: Indices, distances: Places
) -> None:
    """Try the terms that begin or end as the query does, for a small limit to start with."""
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


@njit(cache=True, nogil=True)
def _is_before(terms: Terms, position: int, queries: Queries, query: int, backward: int) -> bool:
    """Say whether a term stands before a query in the alphabet, both read backward or not."""
    length, size = _length(terms.starts, position), _length(queries.starts, query)
    for step in range(min(length, size)):
        mine = terms.text[terms.starts[position] + (length - 1 - step if backward else step)]
        other = queries.text[queries.starts[query] + (size - 1 - step if backward else step)]
        if mine != other:
            return mine < other
    return length < size


@njit(cache=True, nogil=True)
def _sweep(terms: Terms, queries: Queries, batch: _Batch, places: Indices, distances: Places) -> None:
    """Go through the blocks of all lengths within the limits, from the queries' own outward."""
    longest = terms.length_starts.size - 2
    counts, limits = terms.counts, batch.limits
    heads, tails, kinds = batch.heads, batch.tails, batch.kinds
    for away in range(max(batch.size, longest - batch.size) + 1):
        if away > limits.max():
            break
        for side in range(2 if away else 1):
            length = batch.size + away if side else batch.size - away
            if not 0 <= length <= longest:
                continue
            for block in range(terms.length_starts[length], terms.length_starts[length + 1]):
                first = terms.block_starts[block]
                everyone = _ALL >> np.uint64(BLOCK - (terms.block_starts[block + 1] - first))
                for slot in range(batch.members.size):
                    if away > limits[slot]:
                        continue
                    near = everyone
                    if batch.size <= _FILTERED:
                        near &= near_by_counts(counts, block, length, heads, slot, limits[slot])
                        if _ones(near) >= _FEW:
                            near &= near_by_halves(
                                counts, block, length, heads, tails, kinds, slot, limits[slot]
                            )
                    while near:
                        lane = _trailing_zeros(near)
                        near &= near - _ONE
                        if _queue_up(batch.queue, batch.waiting, slot, first + lane):
                            _work_off(terms, queries, batch, slot, places, distances)
    for slot in range(batch.members.size):
        _work_off(terms, queries, batch, slot, places, distances)


@njit(cache=True, nogil=True)
def near_by_counts(counts: Bytes, block: int, length: int, heads: Bytes, slot: int, limit: int) -> np.uint64:
    """Give a bit for each term of a block that has most characters of the query: the first bound."""
    size = heads.shape[1] - 1
    row = block * PARTS * CLASSES
    lacking = _all(np.uint8(0))
    for kind in range(CLASSES):
        wanted = _all(heads[slot, size, kind])
        lacking = _plus(lacking, _excess(wanted, _load(counts, (row + kind) * BLOCK)))
    # What a term has in excess is what it lacks and the difference of the lengths.
    return _bits_up_to(lacking, _all(np.uint8(min(255, limit - max(0, length - size)))))


@njit(cache=True, nogil=True)
def near_by_halves(
    counts: Bytes, block: int, length: int, heads: Bytes, tails: Bytes, kinds: Bytes, slot: int, limit: int
) -> np.uint64:
    """Give a bit for each term of a block whose halves have most of its characters: the second bound."""
    size = heads.shape[1] - 1
    half, rest = length // 2, length - length // 2
    first, second = (block * PARTS + FIRST) * CLASSES, (block * PARTS + SECOND) * CLASSES
    x = max(0, half - limit, size - rest - limit)
    last = min(size, half + limit, size - rest + limit)
    lacking = _all(np.uint8(0))
    for kind in range(CLASSES):
        wanted, there = _all(heads[slot, x, kind]), _load(counts, (first + kind) * BLOCK)
        lacking = _plus(lacking, _excess(wanted, there))
        wanted, there = _all(tails[slot, x, kind]), _load(counts, (second + kind) * BLOCK)
        lacking = _plus(lacking, _excess(wanted, there))
    near = _NONE
    while True:
        spare = limit - max(0, half - x) - max(0, rest - (size - x))
        if spare >= 0:
            near |= _bits_up_to(lacking, _all(np.uint8(min(255, spare))))
        if x == last:
            return near
        # A character moves over: the first half may lack one more, the second one less.
        kind = np.int64(kinds[slot, x])
        there = _load(counts, (first + kind) * BLOCK)
        lacking = _plus(lacking, _over(_all(np.uint8(heads[slot, x, kind] + 1)), there))
        there = _load(counts, (second + kind) * BLOCK)
        lacking = _minus(lacking, _over(_all(tails[slot, x, kind]), there))
        x += 1


@njit(cache=True, nogil=True)
def _queue_up(queue: Indices, waiting: Indices, slot: int, position: int) -> bool:
    """Let a term wait for its distance, and say whether there are enough to compute them."""
    queue[slot, waiting[slot]] = position
    waiting[slot] += 1
    return waiting[slot] == _TEAM


@njit(cache=True, nogil=True)
def _work_off(
    terms: Terms, queries: Queries, batch: _Batch, slot: int, places: Indices, distances: Places
) -> None:
    """Compute the distances of the waiting terms, and keep those that are among the best."""
    queue, lanes, found = batch.queue[slot], batch.lanes, batch.found
    for lane in range(_TEAM):
        found[lane] = _length(terms.starts, queue[lane])
        lanes[_START, lane], lanes[_LENGTH, lane] = terms.starts[queue[lane]], found[lane]
    _measure(terms.text, lanes, batch.matches, slot, batch.size, batch.carries, found)
    for lane in range(batch.waiting[slot]):
        if found[lane] <= batch.limits[slot]:
            place = np.int64(terms.places[queue[lane]])
            _offer(terms, queries, batch, slot, place, found[lane], places, distances)
    batch.waiting[slot] = 0


@njit(cache=True, nogil=True)
def _measure(
    text: Codes, lanes: Words, matches: Words, slot: int, size: int, carries: Words, found: Indices
) -> None:
    """Compute the distances of 8 terms, whose lengths are in `found`; the query's characters are the rows."""
    longest, words, alphabet = found.max(), matches.shape[1], matches.shape[2]
    one, top, all_bits = _all(_ONE), _all(np.uint64(63)), _all(_ALL)
    lengths = _load(lanes, _LENGTH * _TEAM)
    for word in range(words):
        rise, fall = all_bits, _all(_NONE)  # the rows whose distance is one more, or less, than the row above
        for column in range(longest):
            match = _gather(matches, (slot * words + word) * alphabet, text, lanes, column)
            up, down = one, _all(_NONE)
            if word:
                up = _load(carries, column * 2 * _TEAM)
                down = _load(carries, (column * 2 + 1) * _TEAM)
            x = _or(match, down)
            same = _or(_or(_xor(_plus(_and(x, rise), rise), rise), x), fall)
            right = _or(fall, _xor(_or(same, rise), all_bits))
            left = _and(same, rise)
            if word + 1 < words:
                _store(_shift_down(right, top), carries, column * 2 * _TEAM)
                _store(_shift_down(left, top), carries, (column * 2 + 1) * _TEAM)
            right = _or(_shift_up(right, one), up)
            left = _or(_shift_up(left, one), down)
            place = _all(np.uint64(column))
            rise = _where_more(lengths, place, _or(left, _xor(_or(same, right), all_bits)), rise)
            fall = _where_more(lengths, place, _and(right, same), fall)
        _store(rise, lanes, _RISE * _TEAM)
        _store(fall, lanes, _FALL * _TEAM)
        rows = _ALL >> np.uint64(max(0, 64 * (word + 1) - size))
        for lane in range(_TEAM):
            found[lane] += _ones(lanes[_RISE, lane] & rows) - _ones(lanes[_FALL, lane] & rows)


@njit(cache=True, nogil=True)
def _offer(
    terms: Terms,
    queries: Queries,
    batch: _Batch,
    slot: int,
    place: int,
    distance: int,
    places: Indices,
    distances: Places,
) -> None:
    """Put a term among the best of its query, unless it is excluded, there already or behind them."""
    query = batch.members[slot]
    low, high = queries.exclude_starts[query], queries.exclude_starts[query + 1]
    excluded = queries.excluded[low:high]
    at = np.searchsorted(excluded, place)
    if at < excluded.size and excluded[at] == place:
        return
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
