"""Compiled scans of word-vector files, a buffer at a time: find the wanted words, check the rest.

A scan stops after the last whole record of the buffer and returns how far it got. A wanted word is found by
a 64-bit hash and confirmed byte by byte. Words are bytes here; UTF-8 is checked, not decoded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from medgauge.arrays import Bytes, Integers

Hashes = NDArray[np.uint64]

DONE, BAD_UTF8, NOT_FINITE, SHORT_ROW, LONG_ROW, BAD_NUMBER = range(6)

_PRECISE = 18  # digits that decide whether a number fits
_BEYOND_SINGLE = 3.4028235677973366e38  # the smallest number that single precision rounds to infinity

_FNV_OFFSET = np.uint64(14695981039346656037)
_FNV_PRIME = np.uint64(1099511628211)


@dataclass(frozen=True)
class Wanted:
    """Words to look for: an open-addressing hash table over their UTF-8 bytes."""

    text: Bytes
    offsets: Integers
    hashes: Hashes
    slots: Integers

    @classmethod
    def of(cls, words: Sequence[str]) -> "Wanted":
        """Make the table; `words` must be distinct."""
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(word) for word in encoded], out=offsets[1:])
        text = np.frombuffer(b"".join(encoded) or b"\0", np.uint8)
        size = 1 << max(4, (4 * len(encoded)).bit_length())
        hashes = np.empty(len(encoded), np.uint64)
        slots = np.full(size, -1, np.int64)
        _fill_table(text, offsets, hashes, slots)
        return cls(text, offsets, hashes, slots)

    @property
    def table(self) -> tuple[Bytes, Integers, Hashes, Integers]:
        """The arrays that a scan needs to look up words."""
        return self.text, self.offsets, self.hashes, self.slots


@intrinsic
def _load_u32(_typing: Any, _buffer: Any, _place: Any) -> Any:
    """Load four bytes at any place of a byte array as a little-endian integer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(array.data, [arguments[1]])
        word = context.get_value_type(types.uint32)
        loaded = builder.load(builder.bitcast(pointer, word.as_pointer()))
        loaded.align = 1
        return loaded

    return types.uint32(types.Array(types.uint8, 1, "C"), types.int64), generate


@njit(cache=True, nogil=True)
def hash_bytes(buffer: Bytes, start: int, stop: int) -> np.uint64:
    """Compute FNV-1a over bytes, with a final mix so that its low bits can index a table."""
    state = _FNV_OFFSET
    for place in range(start, stop):
        state = (state ^ np.uint64(buffer[place])) * _FNV_PRIME
    state ^= state >> np.uint64(33)
    state *= np.uint64(0xFF51AFD7ED558CCD)
    return state ^ (state >> np.uint64(33))


@njit(cache=True)
def _fill_table(text: Bytes, offsets: Integers, hashes: Hashes, slots: Integers) -> None:
    for word in range(hashes.size):
        hashes[word] = hash_bytes(text, offsets[word], offsets[word + 1])
        slot = np.int64(hashes[word] & np.uint64(slots.size - 1))
        while slots[slot] >= 0:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = word


@njit(cache=True, nogil=True)
def _look_up(
    buffer: Bytes,
    start: int,
    stop: int,
    key: np.uint64,
    text: Bytes,
    offsets: Integers,
    hashes: Hashes,
    slots: Integers,
) -> int:
    """Return the number of the wanted word at this place of the buffer, or -1."""
    slot = np.int64(key & np.uint64(slots.size - 1))
    while slots[slot] >= 0:
        word = slots[slot]
        if hashes[word] == key and offsets[word + 1] - offsets[word] == stop - start:
            same = True
            for k in range(stop - start):
                same &= text[offsets[word] + k] == buffer[start + k]
            if same:
                return word
        slot = (slot + 1) & (slots.size - 1)
    return -1


@njit(cache=True, nogil=True)
def _is_utf8(buffer: Bytes, start: int, stop: int) -> bool:
    place = start
    while place < stop:
        lead = buffer[place]
        if lead < 0x80:
            place += 1
            continue
        if 0xC2 <= lead <= 0xDF:
            length, lowest, highest = 2, 0x80, 0xBF
        elif 0xE0 <= lead <= 0xEF:
            length = 3
            lowest = 0xA0 if lead == 0xE0 else 0x80
            highest = 0x9F if lead == 0xED else 0xBF
        elif 0xF0 <= lead <= 0xF4:
            length = 4
            lowest = 0x90 if lead == 0xF0 else 0x80
            highest = 0x8F if lead == 0xF4 else 0xBF
        else:
            return False
        if place + length > stop or not lowest <= buffer[place + 1] <= highest:
            return False
        for k in range(2, length):
            if not 0x80 <= buffer[place + k] <= 0xBF:
                return False
        place += length
    return True


@njit(cache=True, nogil=True)
def scan_binary(
    buffer: Bytes,
    filled: int,
    dim: int,
    rows: int,
    strict: bool,
    text: Bytes,
    offsets: Integers,
    hashes: Hashes,
    slots: Integers,
    found: Bytes,
    vectors: Bytes,
    keys: Hashes,
) -> tuple[int, int, int]:
    """Scan up to `rows` records (word, space, `dim` floats, perhaps a newline) of word2vec's binary form.

    The first vector of each wanted word is copied into `vectors`; the hash of every word goes into `keys`
    unless that is empty; without `strict`, words that are not UTF-8 are skipped. Returns (bytes used, records
    read, status); at a bad record, they say where it begins.
    """
    place, row = 0, 0
    width = 4 * dim
    while row < rows:
        start = place
        while start < filled and buffer[start] == 10:
            start += 1
        stop = start
        high = np.uint8(0)
        while stop < filled and buffer[stop] != 32:
            high |= buffer[stop]
            stop += 1
        if stop + 1 + width > filled:
            break
        if strict and high >= 0x80 and not _is_utf8(buffer, start, stop):
            return place, row, BAD_UTF8
        odd = np.uint32(0)
        for k in range(dim):
            bits = _load_u32(buffer, stop + 1 + 4 * k)
            odd |= np.uint32((bits & np.uint32(0x7F800000)) == np.uint32(0x7F800000))
        if odd:
            return place, row, NOT_FINITE
        key = hash_bytes(buffer, start, stop)
        if keys.size:
            keys[row] = key
        word = _look_up(buffer, start, stop, key, text, offsets, hashes, slots)
        if word >= 0 and not found[word]:
            found[word] = 1
            for k in range(width):
                vectors[word, k] = buffer[stop + 1 + k]
        place = stop + 1 + width
        row += 1
    return place, row, DONE


@njit(cache=True, inline="always")
def _is_gap(char: np.uint8) -> bool:
    return char == 32 or char == 9


@njit(cache=True, inline="always")
def _is_digit(char: np.uint8) -> bool:
    return bool(48 <= char <= 57)


@njit(cache=True, nogil=True)
def _scan_number(buffer: Bytes, start: int, last: int) -> tuple[int, int]:
    """Check a decimal number, which ends at a gap or at `last`; return where it ends, and its status."""
    place = start
    if buffer[place] == 43 or buffer[place] == 45:
        place += 1
    digits = 0
    while place < last and _is_digit(buffer[place]):
        digits += 1
        place += 1
    whole = digits
    if place < last and buffer[place] == 46:
        place += 1
        while place < last and _is_digit(buffer[place]):
            digits += 1
            place += 1
    if digits == 0:
        return place, BAD_NUMBER
    exponent = 0
    if place < last and (buffer[place] | 32) == 101:
        end, exponent = _scan_exponent(buffer, place + 1, last)
        if end < 0:
            return place, BAD_NUMBER
        place = end
    if place < last and not _is_gap(buffer[place]):
        return place, BAD_NUMBER
    if whole + exponent > 38 and not _fits_single(buffer, start, place, whole + exponent):
        return place, NOT_FINITE
    return place, DONE


@njit(cache=True, nogil=True)
def _scan_exponent(buffer: Bytes, start: int, last: int) -> tuple[int, int]:
    """Return where an exponent ends, -1 if it is none, and its value, at most 10,000,000 either way."""
    place = start
    sign = 1
    if place < last and (buffer[place] == 43 or buffer[place] == 45):
        sign = 44 - np.int64(buffer[place])
        place += 1
    exponent, first = 0, place
    while place < last and _is_digit(buffer[place]):
        exponent = min(10_000_000, 10 * exponent + np.int64(buffer[place]) - 48)
        place += 1
    return (place if place > first else -1), sign * exponent


@njit(cache=True, nogil=True)
def _fits_single(buffer: Bytes, start: int, stop: int, power: int) -> bool:
    """Return whether a number is finite in single precision; its first digit is worth 10 ** (`power` - 1)."""
    value, taken = 0.0, 0
    for place in range(start, stop):
        if (buffer[place] | 32) == 101:
            break
        if not _is_digit(buffer[place]):
            continue
        if taken == 0 and buffer[place] == 48:
            power -= 1
            continue
        if taken < _PRECISE:
            value = 10.0 * value + (np.int64(buffer[place]) - 48)
            taken += 1
    return value == 0.0 or value * 10.0 ** min(400, power - taken) < _BEYOND_SINGLE


@njit(cache=True, nogil=True)
def scan_text(
    buffer: Bytes,
    filled: int,
    dim: int,
    spaced: bool,
    strict: bool,
    text: Bytes,
    offsets: Integers,
    hashes: Hashes,
    slots: Integers,
    found: Bytes,
    hits: Integers,
    keys: Hashes,
) -> tuple[int, int, int, int, int]:
    """Scan the whole lines (word and `dim` numbers) of a text form of word vectors.

    A wanted word's (number, first and last byte of its numbers) goes into `hits`. With `spaced`,
    everything before the last `dim` fields is the word, including spaces (as in GloVe's own files); without
    `strict`, words that are not UTF-8 are skipped. Returns (bytes used, lines, words, hits, status); at a bad
    line, they say where it begins.
    """
    place, line, row, hit = 0, 0, 0, 0
    most = keys.size if keys.size else 1 << 62
    while row < most and hit < hits.shape[0]:
        end = place
        high = np.uint8(0)
        gaps = 0
        while end < filled and buffer[end] != 10:
            high |= buffer[end]
            gaps += np.int64(_is_gap(buffer[end]) and (end == place or not _is_gap(buffer[end - 1])))
            end += 1
        if end == filled:
            break
        last = end
        if last > place and buffer[last - 1] == 13:
            last -= 1
        if last > place and _is_gap(buffer[last - 1]):
            gaps -= 1
            while last > place and _is_gap(buffer[last - 1]):
                last -= 1
        if last == place:
            place = end + 1
            line += 1
            continue
        if gaps < dim:
            return place, line, row, hit, SHORT_ROW
        if gaps > dim and not spaced:
            return place, line, row, hit, LONG_ROW
        stop = last
        for _ in range(dim):
            while stop > place and not _is_gap(buffer[stop - 1]):
                stop -= 1
            while stop > place and _is_gap(buffer[stop - 1]):
                stop -= 1
        if strict and high >= 0x80 and not _is_utf8(buffer, place, stop):
            return place, line, row, hit, BAD_UTF8
        start = stop
        for _ in range(dim):
            while _is_gap(buffer[start]):
                start += 1
            start, status = _scan_number(buffer, start, last)
            if status != DONE:
                return place, line, row, hit, status
        key = hash_bytes(buffer, place, stop)
        if keys.size:
            keys[row] = key
        word = _look_up(buffer, place, stop, key, text, offsets, hashes, slots)
        if word >= 0 and not found[word]:
            found[word] = 1
            hits[hit, 0], hits[hit, 1], hits[hit, 2] = word, stop, last
            hit += 1
        place = end + 1
        line += 1
        row += 1
    return place, line, row, hit, DONE


@njit(cache=True, nogil=True)
def scan_dictionary(
    buffer: Bytes,
    filled: int,
    rows: int,
    strict: bool,
    text: Bytes,
    offsets: Integers,
    hashes: Hashes,
    slots: Integers,
    entries: Integers,
    first: int,
    keys: Hashes,
) -> tuple[int, int, int]:
    """Scan up to `rows` entries (word, NUL, 8-byte count, 1-byte type) of a fastText dictionary.

    `entries[word]` becomes the number of the wanted word's entry, counted from `first`.
    """
    place, row = 0, 0
    while row < rows:
        stop = place
        high = np.uint8(0)
        while stop < filled and buffer[stop] != 0:
            high |= buffer[stop]
            stop += 1
        if stop + 10 > filled:
            break
        if strict and high >= 0x80 and not _is_utf8(buffer, place, stop):
            return place, row, BAD_UTF8
        key = hash_bytes(buffer, place, stop)
        if keys.size:
            keys[row] = key
        word = _look_up(buffer, place, stop, key, text, offsets, hashes, slots)
        if word >= 0 and entries[word] < 0:
            entries[word] = first + row
        place = stop + 10
        row += 1
    return place, row, DONE
