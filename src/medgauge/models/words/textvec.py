"""Text formats of word vectors, a word and its numbers per line: word2vec's, fastText's .vec and GloVe's."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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


@dataclass(frozen=True)
class TextFile:
    """A text file of word vectors; `words` is the count in its header, None if it has none (GloVe)."""

    path: Path
    words: int | None
    dim: int

    @property
    def format(self) -> str:
        """The name of the format."""
        return "GloVe text" if self.words is None else "word2vec text"

    def read(self, words: Sequence[str], *, keys: bool = False, strict: bool = True) -> FoundVectors:
        """Read the vectors of these words in one pass that checks every line and number of the file."""
        wanted = Wanted.of(words)
        found = np.zeros(len(words), np.uint8)
        vectors = room_for_vectors(self.path, len(words), self.dim)
        hits = np.empty((len(words) + 1, 3), np.int64)
        room = room_for_keys(keys, 2 * self.dim)
        seen = []
        size = self.path.stat().st_size
        with open_bytes(self.path) as stream, track(f"reading {self.path.name}", size) as advance:
            line, row, used = 1, 0, 0
            if self.words is not None:
                stream.readline()
                line = 2
            buffer = Buffer(self.path, stream, advance)
            while True:
                buffer.fill(used)
                if buffer.ended:
                    buffer.end_last_line()
                used, lines, rows, hit, status = scan.scan_text(
                    buffer.bytes,
                    buffer.filled,
                    self.dim,
                    self.words is None,
                    strict,
                    *wanted.table,
                    found,
                    hits,
                    room,
                )
                for word, start, stop in hits[:hit]:
                    vectors[word] = np.array(buffer.bytes[start:stop].tobytes().split(), np.float64)
                if keys:
                    seen.append(room[:rows].copy())
                line += lines
                row += rows
                if status != scan.DONE:
                    raise FileError(self.path, problem_of(status, self.dim), place=f"line {line}")
                if buffer.ended and used == buffer.filled:
                    break
        if self.words is not None and row != self.words:
            raise FileError(
                self.path,
                f"the header declares {self.words} vectors, but the file has {row}",
                place=f"vector {min(row, self.words) + 1}",
            )
        return FoundVectors(vectors, found.astype(bool), row, joined(seen))
