"""fastText's .bin format: rows for words and for hashed n-grams, which compose a vector for any word.

The layout follows fastText's own `FastText::loadModel`, `Dictionary::load` and `Dictionary::computeSubwords`
(Bojanowski et al. 2017, Enriching word vectors with subword information, TACL 5:135-146).
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BufferedReader
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes
from medgauge.models.words import scan
from medgauge.models.words.reading import (
    Buffer,
    FoundVectors,
    joined,
    problem_of,
    room_for_keys,
    room_for_vectors,
)
from medgauge.models.words.scan import Wanted
from medgauge.progress import track

MAGIC = 793712314
_HEADER = struct.Struct("<2i12id3i2q")
_MATRIX = struct.Struct("<?2q")
_END_OF_SENTENCE = "</s>"
_SUPERVISED = 3
_QUANTISED = "the model is quantised (.ftz), which is not supported; use the full .bin model"


@dataclass(frozen=True)
class _Header:
    """The numbers in the file's header that a reader needs."""

    dim: int
    buckets: int
    shortest: int
    longest: int
    words: int
    labels: int

    @classmethod
    def read(cls, path: Path, stream: IO[bytes]) -> "_Header":
        head = stream.read(_HEADER.size)
        if len(head) < _HEADER.size:
            raise FileError(path, "the file is truncated in its header", place=f"byte {len(head)}")
        _, version, dim, *_, model, buckets, shortest, longest, _, _ = _HEADER.unpack(head)[:15]
        entries, words, labels, _, pruned = _HEADER.unpack(head)[15:]
        if version not in (11, 12):
            raise FileError(path, f"version {version} of fastText's format is not supported (11 and 12 are)")
        if min(dim, words, labels, buckets) < 0 or dim == 0:
            raise FileError(path, "the header is damaged: it has a negative size", place="byte 8")
        if entries != words + labels:
            raise FileError(
                path,
                f"the header is damaged: {words} words and {labels} labels are not {entries}",
                place="byte 64",
            )
        if pruned > 0:
            raise FileError(path, _QUANTISED)
        if version == 11 and model == _SUPERVISED:
            longest = 0  # as fastText does: these models were written without n-grams
        return cls(dim, buckets, shortest, longest, words, labels)


@dataclass(frozen=True)
class FastTextFile:
    """A fastText model with subwords."""

    path: Path
    format: str = "fastText model"

    @cached_property
    def _header(self) -> _Header:
        with open_bytes(self.path) as stream:
            return _Header.read(self.path, stream)

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return self._header.dim

    @property
    def words(self) -> int:
        """The number of words with a row of their own."""
        return self._header.words

    def read(self, words: Sequence[str], *, keys: bool = False, strict: bool = True) -> FoundVectors:
        """Read only the rows that these words need; `known` are the words in the vocabulary.

        A word's vector is the mean of its own row, if it has one, and those of its n-grams. A word without
        either (too short, or a model without n-grams) has a zero vector.
        """
        size = self.path.stat().st_size
        with open_bytes(self.path) as stream, track(f"reading {self.path.name}", size) as advance:
            header = _Header.read(self.path, stream)
            entries, seen, data = self._dictionary(stream, header, words, keys=keys, strict=strict)
            rows_of = [
                self._rows(word, int(entry), header) for word, entry in zip(words, entries, strict=True)
            ]
            needed = np.unique(np.concatenate([*rows_of, np.empty(0, np.int64)]))
            rows = self._matrix_rows(stream, header, data, needed)
            advance(size)
        vectors = room_for_vectors(self.path, len(words), header.dim)
        for number, places in enumerate(rows_of):
            if places.size:
                mine = rows[np.searchsorted(needed, places)]
                vectors[number] = mine.mean(axis=0, dtype=np.float64)
        return FoundVectors(vectors, entries >= 0, header.words, joined(seen))

    def in_vocabulary(self, words: Sequence[str], *, strict: bool = True) -> NDArray[np.bool_]:
        """Return which words have a row of their own."""
        with open_bytes(self.path) as stream:
            entries, _, _ = self._dictionary(
                stream, _Header.read(self.path, stream), words, keys=False, strict=strict
            )
        return entries >= 0

    def composes(self, words: Sequence[str]) -> NDArray[np.bool_]:
        """Return which words have n-grams, and so a vector even outside the vocabulary."""
        return np.array([bool(_ngrams(word, self._header)) for word in words], bool)

    def _dictionary(
        self, stream: IO[bytes], header: _Header, words: Sequence[str], *, keys: bool, strict: bool
    ) -> tuple[NDArray[np.int64], list[scan.Hashes], int]:
        """Return the rows of the words, the hashes seen, and the byte at which the matrix begins."""
        wanted = Wanted.of(words)
        entries = np.full(len(words), -1, np.int64)
        room = room_for_keys(keys, 10)
        seen = []
        buffer = Buffer(self.path, stream, lambda _: None)
        total = header.words + header.labels
        row, used = 0, 0
        while row < total:
            buffer.fill(used)
            used, rows, status = scan.scan_dictionary(
                buffer.bytes,
                buffer.filled,
                total - row,
                strict,
                *wanted.table,
                entries,
                row,
                room,
            )
            if keys:
                seen.append(room[: max(0, min(rows, header.words - row))].copy())
            row += rows
            if status != scan.DONE:
                raise FileError(self.path, problem_of(status), place=f"word {row + 1}")
            if buffer.ended and row < total and rows == 0:
                raise FileError(
                    self.path,
                    f"the file is truncated: its header declares {total} words",
                    place=f"word {row + 1}",
                )
        entries[entries >= header.words] = -1  # labels of a supervised model are not words
        return entries, seen, _HEADER.size + buffer.offset + used

    def _rows(self, word: str, entry: int, header: _Header) -> NDArray[np.int64]:
        own = [entry] if entry >= 0 else []
        grams = (header.words + gram for gram in _ngrams(word, header))
        return np.array([*own, *grams], np.int64)

    def _matrix_rows(
        self, stream: IO[bytes], header: _Header, data: int, needed: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        stream.seek(data)
        head = stream.read(_MATRIX.size)
        if len(head) < _MATRIX.size:
            raise FileError(self.path, "the file is truncated before its vectors", place=f"byte {data}")
        quantised, count, dim = _MATRIX.unpack(head)
        if quantised:
            raise FileError(self.path, _QUANTISED)
        needs = header.words + header.buckets
        # A model without n-grams may lack the rows of its buckets.
        is_whole = count == needs or (header.longest <= 0 and count == header.words)
        if dim != header.dim or not is_whole:
            raise FileError(
                self.path,
                f"the matrix is {count} by {dim}, but the header needs {needs} by {header.dim}",
                place=f"byte {data}",
            )
        start = data + _MATRIX.size
        held = (self.path.stat().st_size - start) // (4 * dim)
        if held < count and isinstance(stream, BufferedReader):  # not a compressed file, of unknown size
            raise FileError(self.path, "the file is truncated in its vectors", place=f"vector {held + 1}")
        rows = room_for_vectors(self.path, needed.size, dim)
        for number, row in enumerate(needed):
            stream.seek(start + int(row) * 4 * dim)  # ascending, so that gzip is read in one pass
            values = stream.read(4 * dim)
            if len(values) < 4 * dim:
                raise FileError(self.path, "the file is truncated in its vectors", place=f"vector {row + 1}")
            rows[number] = np.frombuffer(values, "<f4")
            if not np.isfinite(rows[number]).all():
                raise FileError(self.path, problem_of(scan.NOT_FINITE), place=f"vector {row + 1}")
        return rows


def _ngrams(word: str, header: _Header) -> list[int]:
    return ngram_buckets(word, header.shortest, header.longest, header.buckets)


def ngram_buckets(word: str, shortest: int, longest: int, buckets: int) -> list[int]:
    """Return the buckets of a word's character n-grams, as fastText hashes them."""
    if not buckets or longest <= 0 or word == _END_OF_SENTENCE:
        return []
    characters = [character.encode("utf-8", "surrogatepass") for character in f"<{word}>"]
    found = []
    for start in range(len(characters)):
        for length in range(max(1, shortest), longest + 1):
            stop = start + length
            if stop > len(characters):
                break
            if length == 1 and (start == 0 or stop == len(characters)):
                continue
            found.append(_hash(b"".join(characters[start:stop])) % buckets)
    return found


def _hash(text: bytes) -> int:
    """FNV-1a of 32 bits, with fastText's sign extension of bytes from 128."""
    state = 2166136261
    for byte in text:
        signed = byte | 0xFFFFFF00 if byte >= 128 else byte
        state = ((state ^ signed) * 16777619) & 0xFFFFFFFF
    return state
