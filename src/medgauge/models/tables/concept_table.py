"""ConceptTable: vectors of concepts, looked up by the ids or CUIs of a set."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from medgauge.models.base import ModelCard, Rows
from medgauge.models.words.reading import FoundVectors


class ConceptFile(Protocol):
    """A file of concept vectors in one of the formats."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def format(self) -> str:
        """The name of the format."""

    def find(self, keys: Sequence[str]) -> FoundVectors:
        """Read the vectors of these keys (all distinct), after checking all of the file."""


@dataclass(frozen=True)
class ConceptTable:
    """Vectors of concepts in a file, read only for the keys that are asked for.

    `card.keys` says which columns of a set they are looked up in: its ids or its CUIs.
    """

    file: ConceptFile
    card: ModelCard

    @property
    def path(self) -> Path:
        """The file."""
        return self.file.path

    def lookup(self, keys: Sequence[str]) -> Rows:
        """Read the vectors of these keys in one pass over the file, and return which keys have one."""
        found = self.file.find(keys)
        return found.vectors, found.known

    def count(self) -> int:
        """Count the concepts."""
        return self.file.find([]).words
