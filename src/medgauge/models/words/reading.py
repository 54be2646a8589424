"""Shared by the readers of word-vector files: buffers, the results of a scan, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import numpy as np
from numpy.typing import NDArray

from medgauge.arrays import Bytes
from medgauge.errors import FileError, option
from medgauge.models.words import scan
from medgauge.models.words.scan import Hashes
from medgauge.progress import Advance

BUFFER = 1 << 22  # fits in a core's cache, so that checking every vector is cheap

NO_KEYS: Hashes = np.empty(0, np.uint64)


@dataclass(frozen=True)
class FoundVectors:
    """The vectors of the wanted words, which of them the file has, and how many words it has in all.

    Words skipped because they are not UTF-8 are included in that count.

    `keys` are the 64-bit hashes of all words, if requested: among 16 million distinct words, the probability
    that any two collide is 1 in 140,000.
    """

    vectors: NDArray[np.float32]
    known: NDArray[np.bool_]
    words: int
    keys: Hashes


class VectorFile(Protocol):
    """A file of word vectors in one of the formats."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def format(self) -> str:
        """The name of the format."""

    @property
    def dim(self) -> int:
        """The number of dimensions."""

    def read(self, words: Sequence[str], *, keys: bool = False, strict: bool = True) -> FoundVectors:
        """Read the vectors of these words (all distinct), and the hash of every word if `keys`."""


def problem_of(status: int, dim: int = 0) -> str:
    """Return what is wrong, for the status of a scan; `dim` is the expected number of dimensions."""
    problems = {
        scan.BAD_UTF8: f"the word is not valid UTF-8; {option('undecodable', 'skip')} skips such words",
        scan.NOT_FINITE: "the vector has a value that is infinite or not a number (NaN)",
        scan.SHORT_ROW: f"the row is too short: {dim} numbers are expected after the word",
        scan.LONG_ROW: f"the row is too long: {dim} numbers are expected after the word",
        scan.BAD_NUMBER: "the row has a value that is not a finite number",
    }
    return problems[status]


class Buffer:
    """A file's bytes, a piece at a time: bytes that a scan did not use are carried over to the next piece."""

    def __init__(self, path: Path, stream: IO[bytes], advance: Advance) -> None:
        self._path = path
        self._stream = stream
        self._raw = getattr(stream, "fileobj", stream)
        self._advance = advance
        self._reported = self._raw.tell()
        self.bytes: Bytes = np.empty(BUFFER + 1, np.uint8)
        self.filled = 0
        self.offset = 0
        self.ended = False

    def fill(self, used: int) -> None:
        """Drop the used bytes and read more."""
        rest = self.filled - used
        if rest == BUFFER:
            raise FileError(
                self._path,
                f"no word ends within {BUFFER} bytes; the file is damaged",
                place=f"byte {self.offset}",
            )
        self.bytes[:rest] = self.bytes[used : self.filled]
        self.offset += used
        self.filled = rest
        view = memoryview(self.bytes.data)[:BUFFER]
        while self.filled < BUFFER and not self.ended:
            count = self._stream.readinto(view[self.filled :])  # type: ignore[attr-defined]
            self.filled += count
            self.ended = count == 0
        position = self._raw.tell()
        self._advance(position - self._reported)
        self._reported = position

    def end_last_line(self) -> None:
        """Add the newline that the last line of a text may lack."""
        if self.filled and self.bytes[self.filled - 1] != ord("\n"):
            self.bytes[self.filled] = ord("\n")
            self.filled += 1


def room_for_vectors(path: Path, count: int, dim: int) -> NDArray[np.float32]:
    """Allocate vectors of the dimensions that a header declares, which may be damaged."""
    try:
        return np.zeros((count, dim), np.float32)
    except MemoryError as error:
        raise FileError(
            path,
            f"the header declares vectors of {dim} dimensions, and {count:,} of them do not fit into memory; "
            "check that the file is not damaged",
            place="line 1",
        ) from error


def room_for_keys(wanted: bool, smallest_record: int) -> Hashes:
    """Allocate space for the hashes of all words in a buffer, if they are wanted."""
    return np.empty(BUFFER // smallest_record + 1, np.uint64) if wanted else NO_KEYS


def joined(keys: Sequence[Hashes]) -> Hashes:
    """Concatenate the hashes of all buffers."""
    return np.concatenate(keys) if keys else NO_KEYS
