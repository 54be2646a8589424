"""Models that are files: word vectors and tables of term vectors."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from medgauge.models.base import ModelCard, Rows
from medgauge.models.term_table import ParquetTable, ZippedTable
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.reading import VectorFile


@dataclass(frozen=True)
class WordVectors:
    """Word vectors in a file, read only for the words that are asked for."""

    file: VectorFile
    card: ModelCard
    strict: bool = True

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


@dataclass(frozen=True)
class TermTable:
    """Term vectors made elsewhere: a term is looked up as is and, with fallback, in lower case."""

    file: ParquetTable | ZippedTable
    card: ModelCard

    def lookup(self, keys: Sequence[str]) -> Rows:
        """Return the vectors of these terms, and which terms have one."""
        places = np.array([self._rows.get(key, -1) for key in keys], np.int64)
        return self.file.content[1][places], places >= 0

    @cached_property
    def _rows(self) -> dict[str, int]:
        """The first row of each term."""
        return {term: row for row, term in reversed(list(enumerate(self.file.content[0])))}

    def count(self) -> int:
        """Count the terms."""
        return len(self.file.content[0])


FileModel = WordVectors | SubwordVectors | TermTable
