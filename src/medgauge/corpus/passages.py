"""What readers yield, passages of text or tagged sentences, and the parts of files that could not be read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import polars as pl

from medgauge.corpus.biomedical_tokens import cut, tokens_of
from medgauge.corpus.stored_corpus import SCHEMAS, Layout, UnreadPart
from medgauge.errors import FileError, printable

BATCH = 1 << 20
"""Characters of text that are tokenized at a time."""
MOST_PARTS = 100
"""How many of the parts that could not be read are listed; the others are counted."""


@dataclass
class UnreadParts:
    """What of a file could not be read: how many parts, and where the first of them are.

    With `strict`, the first one is an error. `position` is how far the file has been read, in bytes on disk.
    """

    path: Path
    strict: bool = False
    count: int = 0
    parts: list[UnreadPart] = field(default_factory=list)
    position: int = 0

    def add(self, place: str, reason: str) -> None:
        """Note a part that could not be read."""
        if self.strict:
            raise FileError(self.path, reason, place=place)
        self.count += 1
        if len(self.parts) < MOST_PARTS:
            source, place, reason = map(printable, (str(self.path), place, reason))
            self.parts.append(UnreadPart(source=source, place=place, reason=reason))


class RowBatch(Protocol):
    """What a reader yields: some rows of a corpus, whose documents are numbered from 0 within the file."""

    def rows(self) -> pl.DataFrame:
        """Return the rows, without those that have no token."""


@dataclass
class Passages:
    """Passages of text."""

    documents: list[int] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)
    journals: list[str | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    size: int = 0

    def add(
        self, number: int, texts: Sequence[str], identifier: str | None = None, journal: str | None = None
    ) -> None:
        """Add the passages of a document; those that are too long for a row are cut."""
        pieces = [piece for text in texts for piece in cut(text)]
        self.texts += pieces
        self.documents += [number] * len(pieces)
        self.ids += [identifier] * len(pieces)
        self.journals += [journal] * len(pieces)
        self.size += sum(map(len, pieces))

    def rows(self) -> pl.DataFrame:
        """Return the tokens of the passages."""
        columns = {
            "document": self.documents,
            "document_id": self.ids,
            "journal": self.journals,
            "tokens": tokens_of(pl.Series(self.texts, dtype=pl.String)),
        }
        return pl.DataFrame(columns, SCHEMAS["forms"]).filter(pl.col("tokens").list.len() > 0)


@dataclass
class TaggedSentences:
    """Sentences that were tagged, and perhaps parsed, by something else."""

    layout: Layout
    columns: dict[str, list[object]] = field(default_factory=dict)
    size: int = 0

    def __post_init__(self) -> None:
        self.columns = {name: [] for name in SCHEMAS[self.layout]}

    def add(
        self, number: int, identifier: str | None, journal: str | None, cells: Sequence[Sequence[object]]
    ) -> None:
        """Add a sentence: its tokens, lemmas and parts of speech, and, if parsed, heads and relations."""
        values = (number, identifier, journal, *cells)
        for column, value in zip(self.columns.values(), values, strict=True):
            column.append(value)
        self.size += len(cells[0])

    def rows(self) -> pl.DataFrame:
        """Return the sentences."""
        return pl.DataFrame(self.columns, SCHEMAS[self.layout])
