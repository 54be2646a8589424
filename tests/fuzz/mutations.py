"""Ways to damage an input: each takes the bytes and a source of randomness, and returns other bytes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

Meaning = Literal["damage", "edit", "contradiction"]
"""Blind damage, as of a bad disk; an edit that may be valid; one that contradicts the rest of the file."""

_NUMBER = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_EXTREMES = (
    *(b"0", b"-0", b"-1", b"1", b"255", b"65536", b"2147483647", b"-2147483649", b"9223372036854775808"),
    *(b"1e999", b"-1e999", b"1e-999", b"nan", b"inf", b"-inf", b"0x10", b"1_000", b"1,5", b"--", b"+", b"."),
    *(b"99999999999999999999999999", b"999999", b"NA", b"", b" ", b"\xd9\xa3", b"9" * 5000, b"1e400000000"),
)
_ODD_BYTES = (0x00, 0x01, 0x09, 0x0A, 0x0B, 0x0D, 0x1B, 0x20, 0x22, 0x2C, 0x3B, 0x5C, 0x7F, 0x80, 0xC3, 0xFF)
_ODD_TEXT = (
    *("\0", "\x1b[31m", "\r", "\u2028", "\u202e", "\ufeff", "\ufffd", "\U0001f480", "e\u0301" * 40),
    *('"', "'", "=1+1", "\\", "\\n", "<b>", "%s", "{}", "../..", "\x85", "\u00a0", "\x7f"),
)
_ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "latin-1",
    "cp1252",
    "utf-8-sig",
    "cp037",
    "utf-7",
)
_MOST_COPIED = 100_000_000
_HUGE = (200, 5_000, 70_000, 1_000_000)


@dataclass(frozen=True)
class Mutation:
    """A way to change bytes."""

    name: str
    change: Callable[[bytes, Random], bytes]
    meaning: Meaning = "edit"
    needs_valid: bool = False
    """Whether it parses the bytes, and so comes before any damage."""


def mutate(content: bytes, mutations: tuple[Mutation, ...], random: Random) -> tuple[bytes, list[Mutation]]:
    """Apply one mutation, sometimes several; return also which."""
    many = random.choice((1, 1, 1, 1, 2, 2, 3, 8))
    chosen = sorted(random.choices(mutations, k=many), key=lambda one: not one.needs_valid)
    for one in chosen:
        content = one.change(content, random)
    return content, chosen


def flip_bits(content: bytes, random: Random) -> bytes:
    """Flip one bit, or a few."""
    changed = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 5, 30)) if content else 0):
        changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
    return bytes(changed)


def set_bytes(content: bytes, random: Random) -> bytes:
    """Overwrite a few bytes, together or apart, by odd ones."""
    changed = bytearray(content)
    start = random.randrange(len(changed)) if changed else 0
    for step in range(random.choice((1, 2, 4, 8))):
        if start + step < len(changed):
            changed[start + step] = random.choice(_ODD_BYTES)
    return bytes(changed)


def truncate(content: bytes, random: Random) -> bytes:
    """Cut the end off, sometimes everything."""
    return content[: random.choice((0, 1, len(content) - 1, random.randrange(len(content) + 1)))]


def delete_chunk(content: bytes, random: Random) -> bytes:
    """Remove a stretch."""
    start, stop = _stretch(content, random)
    return content[:start] + content[stop:]


def duplicate_chunk(content: bytes, random: Random) -> bytes:
    """Repeat a stretch."""
    start, stop = _stretch(content, random)
    times = random.choice((1, 1, 1, 3, 50))
    if (stop - start) * times > _MOST_COPIED:
        times = 1
    return content[:stop] + content[start:stop] * times + content[stop:]


def splice(content: bytes, random: Random) -> bytes:
    """Copy a stretch over another place."""
    start, stop = _stretch(content, random)
    place = random.randrange(len(content) + 1)
    return content[:place] + content[start:stop] + content[place + stop - start :]


def insert_bytes(content: bytes, random: Random) -> bytes:
    """Insert random bytes."""
    place = random.randrange(len(content) + 1)
    return content[:place] + random.randbytes(random.choice((1, 1, 4, 64))) + content[place:]


def replace_number(content: bytes, random: Random) -> bytes:
    """Replace a number in a text by an extreme one."""
    numbers = list(_NUMBER.finditer(content[:200_000]))
    if not numbers:
        return content
    found = random.choice(numbers)
    return content[: found.start()] + random.choice(_EXTREMES) + content[found.end() :]


def edit_lines(content: bytes, random: Random) -> bytes:
    """Delete, repeat, swap, join, split or empty lines."""
    lines = content.split(b"\n")
    place, other = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(7):
        case 0:
            del lines[place]
        case 1:
            lines.insert(other, lines[place])
        case 2:
            lines[place], lines[other] = lines[other], lines[place]
        case 3:
            lines[place : place + 2] = [b"".join(lines[place : place + 2])]
        case 4:
            cut = random.randrange(len(lines[place]) + 1)
            lines[place : place + 1] = [lines[place][:cut], lines[place][cut:]]
        case 5:
            lines[place] = b""
        case _:
            lines = [line + b"\r" for line in lines]
    return b"\n".join(lines)


def edit_header(content: bytes, random: Random) -> bytes:
    """Change the first line: its case, a name, a repeated name, none."""
    first, end, rest = content.partition(b"\n")
    mark = next((one for one in (b"\t", b",", b";", b" ") if one in first), b",")
    names = first.split(mark)
    place, other = random.randrange(len(names)), random.randrange(len(names))
    match random.randrange(6):
        case 0:
            return rest
        case 1:
            names = [name.upper() for name in names]
        case 2:
            names[place] = names[other]
        case 3:
            names[place] = random.choice(
                (b"", b" ", b"label", b"mean", b"term", b"gold", b"\xff", b"x" * 300)
            )
        case 4:
            names[place] = random.choice(_ODD_TEXT).encode()
        case _:
            names.append(b"extra")
    return mark.join(names) + end + rest


def insert_huge(content: bytes, random: Random) -> bytes:
    """Make one field or word very long."""
    place = random.randrange(len(content) + 1)
    return (
        content[:place]
        + random.choice((b"x", b"9", b"a ", "ä".encode())) * random.choice(_HUGE)
        + content[place:]
    )


def insert_text(content: bytes, random: Random) -> bytes:
    """Insert a control character, a quote or another odd sign."""
    place = random.randrange(len(content) + 1)
    return content[:place] + random.choice(_ODD_TEXT).encode() + content[place:]


def encode(content: bytes, random: Random) -> bytes:
    """Write a text in another encoding."""
    return content.decode("utf-8", "replace").encode(random.choice(_ENCODINGS), "replace")


def nest(content: bytes, random: Random) -> bytes:
    """Insert brackets, up to a hundred thousand deep."""
    place = random.randrange(len(content) + 1)
    deep = random.choice((1, 50, 2_000, 100_000))
    opened, closed = random.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"[", b"")))
    return content[:place] + opened * deep + b"1" + closed * deep + content[place:]


def edit_columns(content: bytes, random: Random) -> bytes:
    """Swap, drop, repeat or empty the columns of a delimited table."""
    lines = content.split(b"\n")
    mark = next((one for one in (b"\t", b";", b",") if one in lines[0]), b",")
    width = lines[0].count(mark) + 1
    one, other = random.randrange(width), random.randrange(width)
    how = random.randrange(5)
    changed = []
    for line in lines:
        cells = line.split(mark)
        if len(cells) == width and width > 1:
            if how == 0:
                cells[one], cells[other] = cells[other], cells[one]
            elif how == 1:
                del cells[one]
            elif how == 2:
                cells.insert(other, cells[one])
            elif how == 3 and changed:
                cells[one] = b""
            elif how == 4:
                cells += (
                    [b"%d" % number for number in range(random.choice((1, 3, 40)))] if not changed else []
                )
        changed.append(mark.join(cells))
    return b"\n".join(changed)


def add_many_columns(content: bytes, random: Random) -> bytes:
    """Give a table sixty thousand columns more, which a quadratic reader does not survive."""
    first, end, rest = content.partition(b"\n")
    mark = b"\t" if b"\t" in first else b","
    more = mark.join(b"c%d" % number for number in range(60_000))
    if random.randrange(40):
        return content
    return first + mark + more + end + rest


def _stretch(content: bytes, random: Random) -> tuple[int, int]:
    start = random.randrange(len(content) + 1)
    longest = len(content) - start
    return start, start + min(longest, random.choice((1, 2, 4, 8, 64, 512, longest)))


RAW = tuple(
    Mutation(one.__name__, one, "damage")
    for one in (
        flip_bits,
        flip_bits,
        set_bytes,
        truncate,
        delete_chunk,
        duplicate_chunk,
        splice,
        insert_bytes,
    )
)
"""Blind damage, for any bytes."""
TEXT = (
    *RAW,
    *(
        Mutation(one.__name__, one)
        for one in (
            replace_number,
            replace_number,
            edit_lines,
            edit_lines,
            edit_header,
            insert_huge,
            insert_text,
        )
    ),
    Mutation("encode", encode),
)
"""For any text."""
TABLE = (*TEXT, Mutation("edit_columns", edit_columns), Mutation("add_many_columns", add_many_columns))
"""For delimited tables."""
NESTED = (*TEXT, Mutation("nest", nest))
"""For texts with brackets."""
