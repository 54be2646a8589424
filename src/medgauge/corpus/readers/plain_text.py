"""Plain text: a passage in each line, which is a document of its own."""

import codecs
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from medgauge.corpus.passages import BATCH, Passages, UnreadParts
from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, position_on_disk

_BLOCK = 1 << 20
_LONGEST_LINE = 16 << 20  # bytes; a text without lines would fill the memory


def read_plain_text(path: Path, unread: UnreadParts) -> Iterator[Passages]:
    """Yield the lines that are not blank; one that is not UTF-8 is noted as unread."""
    passages = Passages()
    documents = count()
    for number, line in _lines(path, unread):
        try:
            text = line.removeprefix(codecs.BOM_UTF8).decode()
        except UnicodeDecodeError as error:
            unread.add(f"line {number}", f"byte 0x{line[error.start]:02x} is not valid UTF-8")
            continue
        if text.isspace() or not text:
            continue
        passages.add(next(documents), (text,))
        if passages.size >= BATCH:
            yield passages
            passages = Passages()
    if passages.texts:
        yield passages


def _lines(path: Path, unread: UnreadParts) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file with their numbers; note where a damaged file ends."""
    number, rest = 1, b""
    try:
        with open_bytes(path) as stream:
            while block := stream.read1(_BLOCK):  # type: ignore[attr-defined]  # of all that open_bytes opens
                unread.position = position_on_disk(stream)
                *lines, rest = (rest + block).split(b"\n")
                for line in lines:
                    yield number, line
                    number += 1
                if len(rest) > _LONGEST_LINE:
                    at = rest.rfind(b" ") + 1 or len(rest)
                    yield number, rest[:at]
                    rest = rest[at:]
    except FileError as error:
        unread.add(f"after line {number - 1}", error.problem)
        return
    if rest:
        yield number, rest
