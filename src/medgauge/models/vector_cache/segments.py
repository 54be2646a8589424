"""Segments: pairs of files that one process appends vectors to, and that any process can read.

NAME-DIM.rows has vectors one after another, in single precision. NAME-DIM.records has for each term six
64-bit words: its key (two), its first row, how many rows it has (with the highest bit set if the term was
longer than the model's context), a checksum of the rows, and one of the record. Rows are written first, so
that a record is never without them; nothing is ever changed.

A checksum is a sum of words, each times an odd number of its own, modulo 2^64: a change in one word is
always noticed, any other in all but one of billions of cases.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np

from medgauge.arrays import Flags, Floats, Integers, Words

RECORD = 6 * 8  # bytes
_AT_ONCE = 8 << 20  # bytes of vectors that are read together
_KEY, _ROW, _COUNT, _CHECK = slice(0, 2), 2, 3, 4


_CUT = np.uint64(1 << 63)


class DamagedSegment(Exception):  # noqa: N818 - it is caught where segments are searched
    """A segment does not have what was written."""


@dataclass(frozen=True)
class Segment:
    """A segment on disk; `path` is that of its records."""

    path: Path

    @property
    def rows_path(self) -> Path:
        """The file with the vectors."""
        return self.path.with_suffix(".rows")

    @property
    def dim(self) -> int:
        """The dimensions of its vectors."""
        return int(self.path.stem.rpartition("-")[2])

    @property
    def count(self) -> int:
        """How many terms it has."""
        return self.path.stat().st_size // RECORD

    def records(self) -> Words:
        """Read all records; the last one may still be being written, and is left out then."""
        content = self.path.read_bytes()
        records = np.frombuffer(content[: len(content) // RECORD * RECORD], "<u8").reshape(-1, 6)
        if (_record_checks(records[:, :-1]) != records[:, -1]).any():
            raise DamagedSegment
        return records

    def read(self, records: Words) -> Iterator[tuple[slice, Floats, Integers]]:
        """Yield the vectors of some records in pieces: which of the records, their rows and their counts."""
        with self.rows_path.open("rb", buffering=0) as stream:
            for piece in _pieces(records[:, _COUNT] & ~_CUT, max(1, _AT_ONCE // (4 * self.dim or 1))):
                counts = (records[piece, _COUNT] & ~_CUT).astype(np.int64)
                rows = np.empty((int(counts.sum()), self.dim), np.float32)
                _fill(stream, rows, records[piece, _ROW].astype(np.int64), counts)
                if (_content_checks(rows, counts) != records[piece, _CHECK]).any():
                    raise DamagedSegment
                yield piece, rows, counts

    def remove(self) -> None:
        """Remove its files; other processes that have them open keep what they have."""
        for path in (self.path, self.rows_path):
            with suppress(OSError):
                path.unlink()


class SegmentWriter:
    """A new segment in a folder, to which batches are appended."""

    def __init__(self, folder: Path, dim: int) -> None:
        self.dim = dim
        self.segment = Segment(folder / f"{secrets.token_hex(8)}-{dim}.records")
        self._length = self._terms = 0
        with ExitStack() as opened:
            self._rows = opened.enter_context(_new(self.segment.rows_path))
            self._records = opened.enter_context(_new(self.segment.path))
            self._files = opened.pop_all()

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self._length * self.dim * 4 + self._terms * RECORD

    def append(self, keys: Words, rows: Floats, counts: Integers, cut: Flags | None = None) -> None:
        """Add the vectors of some terms, and pass them on to the system before returning."""
        rows = np.ascontiguousarray(rows, "<f4")
        columns = np.empty((len(keys), 5), np.uint64)
        columns[:, _KEY] = keys
        columns[:, _ROW] = self._length + np.cumsum(counts) - counts
        columns[:, _COUNT] = counts
        if cut is not None:
            columns[cut, _COUNT] |= _CUT
        columns[:, _CHECK] = _content_checks(rows, counts)
        self._rows.write(rows.data.cast("B") if rows.size else b"")
        self._rows.flush()
        self._records.write(np.column_stack([columns, _record_checks(columns)]).astype("<u8").tobytes())
        self._records.flush()
        self._length += len(rows)
        self._terms += len(keys)

    def close(self) -> None:
        """Close the files; what could not be written is lost."""
        with suppress(OSError):
            self._files.close()


def were_cut(records: Words) -> Flags:
    """Return which records are of terms that were longer than the model's context."""
    return np.asarray(records[:, _COUNT] & _CUT, np.bool_)


def _new(path: Path) -> IO[bytes]:
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600))


def _fill(stream: IO[bytes], rows: Floats, first: Integers, counts: Integers) -> None:
    """Read rows from a file into an array; rows that follow one another in both are read at once."""
    content = rows.reshape(-1).view(np.uint8).data
    width = rows.shape[1] * 4
    taken = np.cumsum(counts) - counts
    jumps = np.flatnonzero(first[1:] != first[:-1] + counts[:-1]) + 1
    starts = np.concatenate([[0], jumps]).tolist()
    ends = [*taken[jumps].tolist(), len(rows)]
    for start, end in zip(starts, ends, strict=True):
        place = content[int(taken[start]) * width : end * width]
        stream.seek(int(first[start]) * width)
        while place:
            read = stream.readinto(place)  # type: ignore[attr-defined]
            if not read:
                raise DamagedSegment
            place = place[read:]


def _pieces(counts: Words, most: int) -> Iterator[slice]:
    """Split records into pieces with about as many rows as may be read together."""
    numbers = np.cumsum(counts.astype(np.int64)) // most
    edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(counts)]
    for start, end in pairwise(edges):
        if end > start:
            yield slice(start, end)


def _record_checks(columns: Words) -> Words:
    factors = _factors(6)
    return np.asarray(columns @ factors[:5] + factors[5], np.uint64)


def _content_checks(rows: Floats, counts: Integers) -> Words:
    """Compute the checksum of the rows of each term; those of a term count by their place in it."""
    of_rows = np.einsum("ij,j->i", rows.view("<u4"), _factors(rows.shape[1]))
    ends = np.cumsum(counts)
    places = np.arange(len(rows)) - np.repeat(ends - counts, counts)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(of_rows * (2 * places + 1).astype(np.uint64))])
    return np.asarray(sums[ends] - sums[ends - counts], np.uint64)


@cache
def _factors(count: int) -> Words:
    """Return odd numbers that are the same everywhere."""
    return np.frombuffer(hashlib.shake_256(b"medgauge").digest(8 * count), "<u8") | np.uint64(1)
