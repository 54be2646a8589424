"""Compiled bounds and distances of many terms at once, for the search of nearest terms.

The arrays are those of `search.py`. A block is 64 terms of one length, and a group is 8 blocks.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from medgauge.arrays import Bytes, Integers, Words
from medgauge.levenshtein.lanes import (
    BYTES,
    WORDS,
    bits_up_to,
    both,
    count_ones,
    differ,
    either,
    excess,
    fill,
    invert,
    is_full,
    load,
    look_up,
    plus,
    shift_down,
    shift_up,
    store,
    where_more,
)

Codes = NDArray[np.uint16] | NDArray[np.uint32]

CLASSES = 24  # of characters that are counted separately
FILTERED = 255  # the longest query and term that the bounds can handle
DIGITS = 9  # of a binary number up to 2 * 255
START, LENGTH, RISE, FALL = range(4)  # what `measure` keeps of each of 8 terms
_ONE, _NONE, _ALL = np.uint64(1), np.uint64(0), np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def near_by_counts(counts: Bytes, block: int, wanted: Bytes, slot: int, limit: int) -> np.uint64:
    """Return a bit for each term of a block that lacks at most `limit` of the wanted characters."""
    lacking = fill(np.uint8(0))
    for kind in range(CLASSES):
        there = load(counts, (block * CLASSES + kind) * BYTES)
        lacking = plus(lacking, excess(fill(wanted[slot, kind]), there))
    return bits_up_to(lacking, fill(np.uint8(min(255, limit))))


@njit(cache=True, nogil=True)
def compare_letters(planes: Words, start: int, bits: int, length: int, letters: Codes, equal: Words) -> None:
    """Find the terms of a group, whose planes begin at `start`, that have each letter at each place."""
    for place in range(length):
        for letter in range(letters.size):
            same = fill(_ALL)
            for bit in range(bits):
                is_set = (np.uint64(letters[letter]) >> np.uint64(bit)) & _ONE
                plane = load(planes, start + (place * bits + bit) * WORDS)
                same = both(same, differ(plane, fill(is_set - _ONE)))
            store(same, equal, (place * letters.size + letter) * WORDS)


@njit(cache=True, nogil=True)
def near_by_distance(
    equal: Words,
    length: int,
    rows: Integers,
    slot: int,
    limit: int,
    deltas: Words,
    counter: Words,
    near: Words,
) -> None:
    """Keep the terms of a group that are within the limit.

    Cells that no path within the limit passes through are skipped. The distance is summed along the diagonal
    and then to the corner, in steps that are never negative: a sum beyond the limit stays beyond it.
    """
    size, letters = rows.shape[1], equal.shape[1]
    spare = (limit - abs(size - length)) // 2
    above, below = spare + max(0, length - size), spare + max(0, size - length)
    none, all_bits = fill(_NONE), fill(_ALL)
    for row in range(size):
        store(all_bits, deltas, row * 2 * WORDS)
        store(none, deltas, (row * 2 + 1) * WORDS)
    # The counter starts so that it overflows when the limit is exceeded.
    most = limit + abs(size - length)
    digits = 0
    while most >> digits:
        store(fill(_NONE if (most >> digits) & 1 else _ALL), counter, digits * WORDS)
        digits += 1
    passed = invert(load(near, 0))
    for column in range(length):
        right, left = all_bits, none  # where a distance is one more, or less, than in the column before
        for row in range(max(0, column - above), min(size, column + below + 1)):
            rise, fall = load(deltas, row * 2 * WORDS), load(deltas, (row * 2 + 1) * WORDS)
            match = load(equal, (column * letters + rows[slot, row]) * WORDS)
            same = either(either(match, fall), left)  # as in the previous cell of the diagonal
            if row == column:
                passed = either(passed, _add_bit(counter, digits, invert(same)))
            store(either(left, invert(either(same, right))), deltas, row * 2 * WORDS)
            store(both(right, same), deltas, (row * 2 + 1) * WORDS)
            right, left = either(fall, invert(either(same, rise))), both(rise, same)
        if column >= size:
            passed = either(passed, _add_bit(counter, digits, right))
            passed = either(passed, _add_bit(counter, digits, invert(left)))
        if is_full(passed):
            break
    for row in range(length, size):
        passed = either(passed, _add_bit(counter, digits, load(deltas, row * 2 * WORDS)))
        passed = either(passed, _add_bit(counter, digits, invert(load(deltas, (row * 2 + 1) * WORDS))))
    store(invert(passed), near, 0)


@njit(cache=True, nogil=True)
def _add_bit(counter: Words, digits: int, bit: Any) -> Any:
    """Add a bit to each counter, and return those that overflow."""
    for digit in range(digits):
        before = load(counter, digit * WORDS)
        store(differ(before, bit), counter, digit * WORDS)
        bit = both(before, bit)
    return bit


@njit(cache=True, nogil=True)
def measure(
    text: Codes, lanes: Words, matches: Words, slot: int, size: int, carries: Words, found: Integers
) -> None:
    """Compute the distances of 8 terms, whose lengths are in `found`; the query's characters are the rows."""
    longest, words, alphabet = 0, matches.shape[1], matches.shape[2]
    one, top, none, all_bits = fill(_ONE), fill(np.uint64(63)), fill(_NONE), fill(_ALL)
    lengths = load(lanes, LENGTH * WORDS)
    for length in found:
        longest = max(longest, length)
    for word in range(words):
        rise, fall = all_bits, none  # where a distance is one more, or less, than in the row above
        for column in range(longest):
            match = look_up(matches, (slot * words + word) * alphabet, text, lanes, column)
            up, down = one, none
            if word:
                up, down = load(carries, column * 2 * WORDS), load(carries, (column * 2 + 1) * WORDS)
            known = either(match, down)
            same = either(either(differ(plus(both(known, rise), rise), rise), known), fall)
            right, left = either(fall, invert(either(same, rise))), both(rise, same)
            if word + 1 < words:
                store(shift_down(right, top), carries, column * 2 * WORDS)
                store(shift_down(left, top), carries, (column * 2 + 1) * WORDS)
            right, left = either(shift_up(right, one), up), either(shift_up(left, one), down)
            here = fill(np.uint64(column))
            rise = where_more(lengths, here, either(left, invert(either(same, right))), rise)
            fall = where_more(lengths, here, both(right, same), fall)
        store(rise, lanes, RISE * WORDS)
        store(fall, lanes, FALL * WORDS)
        rows = _ALL >> np.uint64(max(0, 64 * (word + 1) - size))
        for lane in range(WORDS):
            found[lane] += count_ones(lanes[RISE, lane] & rows) - count_ones(lanes[FALL, lane] & rows)
