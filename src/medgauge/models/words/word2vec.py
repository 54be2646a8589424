"""word2vec's binary format: a header line, then for each word its bytes, a space and its floats."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, packed_form
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


@dataclass(frozen=True)
class BinaryFile:
    """A word2vec binary; `words` and `dim` are those of its header."""

    path: Path
    words: int
    dim: int
    format: str = "word2vec binary"

    def read(self, words: Sequence[str], *, keys: bool = False, strict: bool = True) -> FoundVectors:
        """Read the vectors of these words in one pass that checks every vector of the file."""
        size = self.path.stat().st_size
        if 4 * self.dim > size and packed_form(self.path) is None:
            raise FileError(
                self.path,
                f"the header declares vectors of {self.dim} dimensions, more than the file holds",
                place="line 1",
            )
        wanted = Wanted.of(words)
        found = np.zeros(len(words), np.uint8)
        vectors = room_for_vectors(self.path, len(words), self.dim)
        room = room_for_keys(keys, 4 * self.dim + 1)
        seen = []
        with open_bytes(self.path) as stream, track(f"reading {self.path.name}", size) as advance:
            stream.readline()
            buffer = Buffer(self.path, stream, advance)
            row, used = 0, 0
            while row < self.words:
                buffer.fill(used)
                used, rows, status = scan.scan_binary(
                    buffer.bytes,
                    buffer.filled,
                    self.dim,
                    self.words - row,
                    strict,
                    *wanted.table,
                    found,
                    vectors.view(np.uint8),
                    room,
                )
                row += rows
                if keys:
                    seen.append(room[:rows].copy())
                if status != scan.DONE:
                    raise FileError(self.path, problem_of(status), place=f"vector {row + 1}")
                if buffer.ended and row < self.words and rows == 0:
                    raise FileError(
                        self.path,
                        f"the file is truncated: its header declares {self.words} vectors",
                        place=f"vector {row + 1}",
                    )
            buffer.fill(used)
            if bytes(buffer.bytes[: buffer.filled]).strip(b"\n"):
                raise FileError(
                    self.path,
                    f"the file continues after the {self.words} vectors that its header declares",
                    place=f"vector {row + 1}",
                )
        return FoundVectors(vectors, found.astype(bool), row, joined(seen))
