import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from medgauge.arrays import Bytes
from medgauge.models.words import scan
from medgauge.models.words.scan import Wanted

NOTHING = np.empty(0, np.uint64)


def padded(content: bytes, *, with_byte: bytes = b"\0") -> Bytes:
    """Give a buffer with a byte more than is filled, as the readers have."""
    return np.frombuffer(content + with_byte, np.uint8)


def looked_up(word: bytes, wanted: Wanted) -> int:
    buffer = padded(word)
    key = np.uint64(scan.hash_bytes(buffer, 0, len(word)))
    return int(
        scan._look_up(buffer, 0, len(word), key, wanted.text, wanted.offsets, wanted.hashes, wanted.slots)
    )


def slow_hash(text: bytes) -> int:
    state = 14695981039346656037
    for byte in text:
        state = (state ^ byte) * 1099511628211 % 2**64
    state ^= state >> 33
    state = state * 0xFF51AFD7ED558CCD % 2**64
    return state ^ (state >> 33)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=30), st.binary(max_size=5))
def test_hashing_is_fnv_with_a_last_mix(text: bytes, before: bytes) -> None:
    buffer = padded(before + text)
    assert scan.hash_bytes(buffer, len(before), len(before) + len(text)) == slow_hash(text)


def test_hashes_of_many_words_differ() -> None:
    wanted = Wanted.of([f"word{number}" for number in range(100_000)])
    assert np.unique(wanted.hashes).size == len(wanted.hashes) == 100_000


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=5), unique=True, max_size=40), st.lists(st.text(max_size=5), max_size=20))
def test_a_wanted_word_is_found_and_no_other(words: list[str], others: list[str]) -> None:
    wanted = Wanted.of(words)
    for word in words + others:
        expected = words.index(word) if word in words else -1
        assert looked_up(word.encode("utf-8", "surrogatepass"), wanted) == expected


def test_words_that_share_a_hash_are_told_apart_by_their_bytes() -> None:
    wanted = Wanted.of(["heart"])
    buffer = padded(b"thing")
    place = scan._look_up(
        buffer, 0, 5, wanted.hashes[0], wanted.text, wanted.offsets, wanted.hashes, wanted.slots
    )
    assert place == -1


def test_no_wanted_words_find_nothing() -> None:
    assert looked_up(b"heart", Wanted.of([])) == -1
    assert looked_up(b"", Wanted.of([])) == -1


@settings(max_examples=100, deadline=None)
@given(
    st.binary(max_size=6)
    | st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.lists(st.sampled_from(b"\x7f\x80\x8f\x90\x9f\xa0\xbf\xc2\xe0\xed\xef\xf0\xf4\xf5"), max_size=5).map(
        bytes
    )
)
@example(b"\xc0\x80")
@example(b"\xe0\x9f\xbf")
@example(b"\xed\xa0\x80")
@example(b"\xf0\x8f\xbf\xbf")
@example(b"\xf4\x90\x80\x80")
@example("\U0010ffff".encode())
def test_utf8_is_what_python_decodes(text: bytes) -> None:
    try:
        text.decode()
        expected = True
    except UnicodeDecodeError:
        expected = False
    assert scan._is_utf8(padded(text, with_byte=b"\x80"), 0, len(text)) == expected


@pytest.mark.parametrize("with_byte", [b"\0", b"\n", b" "])
def test_a_row_without_a_word_ends_where_its_line_begins(with_byte: bytes) -> None:
    content = b" 1 2\nb 3 4\n"
    wanted = Wanted.of(["", "b"])
    hits = np.empty((3, 3), np.int64)
    used, lines, rows, hit, status = scan.scan_text(
        padded(content, with_byte=with_byte),
        len(content),
        2,
        True,
        True,
        wanted.text,
        wanted.offsets,
        wanted.hashes,
        wanted.slots,
        np.zeros(2, np.uint8),
        hits,
        NOTHING,
    )
    assert (used, lines, rows, status) == (len(content), 2, 2, scan.DONE)
    assert hits[:hit].tolist() == [[0, 0, 4], [1, 6, 10]]


def test_a_scan_leaves_the_record_that_is_not_whole() -> None:
    record = b"ab " + np.ones(2, "<f4").tobytes()
    content = record + b"\n" + record + b"\n" + record[:-1]
    wanted = Wanted.of([])
    result = scan.scan_binary(
        padded(content),
        len(content),
        2,
        9,
        True,
        wanted.text,
        wanted.offsets,
        wanted.hashes,
        wanted.slots,
        np.zeros(0, np.uint8),
        np.zeros((0, 8), np.uint8),
        NOTHING,
    )
    assert result == (2 * len(record) + 1, 2, scan.DONE)


def test_a_text_scan_stops_where_there_is_no_room_for_more_keys() -> None:
    content = b"a 1\nb 2\nc 3\n"
    wanted = Wanted.of([])
    keys = np.empty(2, np.uint64)
    used, lines, rows, _, status = scan.scan_text(
        padded(content),
        len(content),
        1,
        False,
        True,
        wanted.text,
        wanted.offsets,
        wanted.hashes,
        wanted.slots,
        np.zeros(0, np.uint8),
        np.empty((1, 4), np.int64),
        keys,
    )
    assert (used, lines, rows, status) == (8, 2, 2, scan.DONE)
    assert keys.tolist() == [slow_hash(b"a"), slow_hash(b"b")]


def slow_status(text: str) -> int:
    """Judge a number as Python reads it, after its spelling."""
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
        return scan.BAD_NUMBER
    with np.errstate(over="ignore"):
        return scan.DONE if np.isfinite(np.float32(float(text))) else scan.NOT_FINITE


@given(st.from_regex(r"[-+.eE0-9]{1,12}", fullmatch=True) | st.floats().map(repr) | st.integers().map(str))
@example("1e38")
@example("3.4028235677973364e38")
@example("3.4028235677973367e38")
@example("0.00000034e45")
@example("0.00000035e45")
@example("9" * 38)
@example("-1" + "0" * 39)
@example("0" * 400 + "1")
@example("1." + "0" * 400)
@example("0e99999999999999999999")
@example("1e99999999999999999999")
@example("1e-99999999999999999999")
@example("--")
@example("1e")
@example("1e+")
@example(".")
@example("+.5e-3")
def test_a_number_is_what_python_reads_and_single_precision_holds(text: str) -> None:
    for follow in (b"", b" 1", b"\t"):
        buffer = np.frombuffer(text.encode() + follow, np.uint8)
        end, status = scan._scan_number(buffer, 0, buffer.size)
        assert status == slow_status(text)
        assert status == scan.BAD_NUMBER or end == len(text)
