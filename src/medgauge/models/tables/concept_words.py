"""Concept vectors in the formats of word vectors, with a key in place of the word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes
from medgauge.models.tables.concept_keys import check_written
from medgauge.models.words.reading import FoundVectors
from medgauge.models.words.textvec import TextFile
from medgauge.models.words.word2vec import BinaryFile

_SAMPLE = 1 << 22
_MOST = 1000


@dataclass(frozen=True)
class ConceptWords:
    """A word2vec or GloVe file whose words are keys of concepts."""

    file: BinaryFile | TextFile
    strict: bool = True

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    @property
    def format(self) -> str:
        """The name of the format."""
        return f"concept vectors ({self.file.format})"

    def find(self, keys: Sequence[str]) -> FoundVectors:
        """Read the vectors of these keys (all distinct) in one pass that checks every vector."""
        return self.file.read(keys, strict=self.strict)

    def first_keys(self) -> list[str]:
        """Read the first keys, up to a thousand."""
        with open_bytes(self.path) as stream:
            if self.file.words is not None:
                stream.readline()
            sample = stream.read(_SAMPLE)
        words = _words_of_binary(sample, self.file.dim) if isinstance(self.file, BinaryFile) else None
        if words is None:
            words = [line.split(maxsplit=1)[0] for line in sample.split(b"\n")[:_MOST] if line.strip()]
        keys = [word.decode("utf-8", "replace") for word in words]
        if not keys:
            raise FileError(self.path, "the file is truncated: it has no vector")
        check_written(self.path, keys, what="vector")
        return keys


def _words_of_binary(sample: bytes, dim: int) -> list[bytes]:
    """Return the words at the beginning of a word2vec binary, without the header."""
    words: list[bytes] = []
    place = 0
    while len(words) < _MOST and (space := sample.find(b" ", place)) >= 0:
        word = re.sub(rb"\A\n*", b"", sample[place:space])
        if not word:
            break
        words.append(word)
        place = space + 1 + 4 * dim
    return words
