"""Models that are files of word vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from medgauge.models.base import ModelCard, Rows
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.reading import VectorFile


@dataclass(frozen=True)
class WordVectors:
    """Word vectors in a file, read only for the words that are asked for."""

    file: VectorFile
    card: ModelCard
    strict: bool = True

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    def vectors(self, tokens: Sequence[str]) -> Rows:
        """Read the vectors of these tokens (all distinct) in one pass over the file."""
        found = self.file.read(tokens, strict=self.strict)
        return found.vectors, found.known

    def count(self) -> int:
        """Count the file's vectors."""
        return self.file.read([], strict=self.strict).words


@dataclass(frozen=True)
class SubwordVectors:
    """A fastText model: a vector for any word with n-grams, made of theirs if the word is unknown."""

    file: FastTextFile
    card: ModelCard
    strict: bool = True

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    def vectors(self, tokens: Sequence[str]) -> Rows:
        """Read or compose the vectors of these tokens (all distinct)."""
        found = self.file.read(tokens, strict=self.strict)
        return found.vectors, found.known | self.file.composes(tokens)

    def in_vocabulary(self, tokens: Sequence[str]) -> NDArray[np.bool_]:
        """Return which tokens the model was trained on."""
        return self.file.in_vocabulary(tokens, strict=self.strict)

    def count(self) -> int:
        """Count the words of the vocabulary."""
        return self.file.words
