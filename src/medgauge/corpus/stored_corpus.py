"""A corpus on disk: a Parquet file with a sentence or passage in each row, and a card.

The columns are `document` (numbers from 0, ascending), `document_id` and `journal` (null where the source has
none), `tokens`, and, if the sources are tagged, `lemmas` and `pos`; if they are parsed, also `heads` (from 1,
0 is the root) and `relations`. A corpus is read and written in groups of rows, and never whole.
"""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import Full, Queue
from types import TracebackType
from typing import Any, Literal, Self

import polars as pl
from pydantic import BaseModel, ConfigDict

from medgauge.corpus.stored_card import read_stored_card
from medgauge.errors import FileError
from medgauge.files.parquet import parquet_schema, read_parquet_rows, write_parquet_pieces
from medgauge.stored import Count, StoredName

CARD = "medgauge.corpus"
GROUP = 16_384
"""Rows of a group: what is in memory at a time."""

Layout = Literal["forms", "tagged", "parsed"]
"""What a corpus has: tokens only; lemmas and parts of speech too; or these with heads and relations."""

_FORMS = {
    "document": pl.UInt32(),
    "document_id": pl.String(),
    "journal": pl.String(),
    "tokens": pl.List(pl.String()),
}
_TAGS = {"lemmas": pl.List(pl.String()), "pos": pl.List(pl.String())}
_PARSE = {"heads": pl.List(pl.UInt16()), "relations": pl.List(pl.String())}
SCHEMAS: dict[Layout, dict[str, pl.DataType]] = {
    "forms": {**_FORMS},
    "tagged": {**_FORMS, **_TAGS},
    "parsed": {**_FORMS, **_TAGS, **_PARSE},
}
_ANNOTATION: dict[Layout, str] = {
    "forms": "none: tokens only",
    "tagged": "lemmas and parts of speech",
    "parsed": "lemmas, parts of speech and dependencies",
}
_FORMS_OF_TEXT = {
    "medline": "MEDLINE XML",
    "jats": "JATS",
    "conllu": "CoNLL-U",
    "text": "plain text",
}
_SHOWN = 5  # parts that could not be read
_AHEAD = 2  # groups that wait to be written
_ADVICE = "make one with 'medgauge corpus SOURCE --out corpus.parquet'"


class CorpusSource(BaseModel):
    """A file or folder that a corpus was read from: its files of a form, and how much was read from them."""

    model_config = ConfigDict(frozen=True)

    name: StoredName
    form: StoredName
    files: Count = 1
    documents: Count = 0
    tokens: Count = 0

    def described(self) -> str:
        """Say in words what was read."""
        files = "" if self.files == 1 else f", {self.files:,} files"
        documents = "1 document" if self.documents == 1 else f"{self.documents:,} documents"
        return f"{self.name} ({_FORMS_OF_TEXT.get(self.form, self.form)}{files}): {documents}"


class UnreadPart(BaseModel):
    """A part of a source that could not be read: where it is, and why."""

    model_config = ConfigDict(frozen=True)

    source: StoredName
    place: StoredName
    reason: StoredName


class CorpusCard(BaseModel):
    """What a corpus holds; `unread` counts what could not be read, of which `unread_parts` has the first."""

    model_config = ConfigDict(frozen=True)

    rules: Literal[1] = 1
    layout: Layout
    tokenizer: StoredName
    tagger: StoredName | None = None
    digest: StoredName
    documents: Count
    sentences: Count
    tokens: Count
    sources: list[CorpusSource] = []
    unread: Count = 0
    unread_parts: list[UnreadPart] = []

    def described(self) -> dict[str, str]:
        """Say what the corpus holds, in words, for a table."""
        places = [f"{part.source}, {part.place}: {part.reason}" for part in self.unread_parts[:_SHOWN]]
        if self.unread > len(places) > 0:
            places.append(f"and {self.unread - len(places):,} more")
        facts = {
            "documents": f"{self.documents:,}",
            "sentences or passages": f"{self.sentences:,}",
            "tokens": f"{self.tokens:,}",
            "annotation": _ANNOTATION[self.layout],
            "tokenizer": self.tokenizer,
            "tagger": self.tagger or "",
            "sources": "\n".join(source.described() for source in self.sources),
            "parts not read": "\n".join([f"{self.unread:,}", *places]),
            "digest": self.digest,
        }
        return {name: value for name, value in facts.items() if value}


@dataclass(frozen=True)
class Corpus:
    """A corpus on disk, opened but not read; `batches` and `sentences` read it group by group."""

    path: Path
    card: CorpusCard

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a corpus that medgauge wrote; anything else is a FileError."""
        path = Path(path)
        card = read_stored_card(path, CARD, CorpusCard, what="a corpus", advice=_ADVICE)
        if parquet_schema(path) != pl.Schema(SCHEMAS[card.layout]):
            raise FileError(path, f"does not have the columns of a corpus; {_ADVICE}")
        return cls(path, card)

    @property
    def digest(self) -> str:
        """SHA-256 over all rows, however they are grouped and compressed."""
        return self.card.digest

    @property
    def tagged(self) -> bool:
        """Whether there are lemmas and parts of speech."""
        return self.card.layout != "forms"

    @property
    def parsed(self) -> bool:
        """Whether there are heads and relations too."""
        return self.card.layout == "parsed"

    def batches(self, columns: Sequence[str] = ("tokens",)) -> Iterator[pl.DataFrame]:
        """Yield some columns, group by group in the order of the corpus."""
        for start in range(0, self.card.sentences, GROUP):
            yield read_parquet_rows(self.path, columns, start, GROUP)

    def sentences(self) -> Iterator[list[str]]:
        """Yield the tokens of each sentence or passage."""
        for batch in self.batches():
            yield from batch["tokens"].to_list()


class CorpusWriter:
    """Writes a corpus in groups, whole or not at all.

    Frames given to `write` have the columns of the layout. `sources`, `unread` and `unread_parts` go into
    the card, which is made when the block ends; `card` has it afterwards. Inside the block, work and errors
    are the caller's: the file is written by a thread.

    Parameters
    ----------
    path
        The file, which appears when the block ends without an error.
    layout
        Which columns there are.
    tokenizer, tagger
        What split the text into tokens, and what tagged them, for the card.

    Examples
    --------
    >>> import tempfile
    >>> rows = {"document": [0, 0], "document_id": [None, None], "journal": [None, None]}
    >>> frame = pl.DataFrame({**rows, "tokens": [["gout"], ["renal", "colic"]]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with CorpusWriter(Path(folder) / "corpus.parquet") as writer:
    ...         writer.write(frame)
    ...     corpus = Corpus.open(Path(folder) / "corpus.parquet")
    ...     list(corpus.sentences()), corpus.card.documents, corpus.card.tokens
    ([['gout'], ['renal', 'colic']], 1, 3)

    """

    def __init__(
        self,
        path: str | Path,
        layout: Layout = "forms",
        *,
        tokenizer: str = "given by the source",
        tagger: str | None = None,
    ) -> None:
        self.path = Path(path)
        self.layout: Layout = layout
        self.tokenizer = tokenizer
        self.tagger = tagger
        self.sources: list[CorpusSource] = []
        self.unread = 0
        self.unread_parts: list[UnreadPart] = []
        self.card: CorpusCard | None = None
        self.documents = self.sentences = self.tokens = 0
        self.next_document = 0
        self._rows = hashlib.sha256(layout.encode())
        self._pending: list[pl.DataFrame] = []
        self._height = 0
        self._sink = _Sink(self.path, SCHEMAS[layout], self._metadata)

    def __enter__(self) -> Self:
        self._sink.start()
        return self

    def write(self, frame: pl.DataFrame) -> None:
        """Add rows; they have the columns of the layout, and their documents follow those written before."""
        schema = SCHEMAS[self.layout]
        frame = frame.select(pl.col(name).cast(dtype) for name, dtype in schema.items())
        self._count(frame)
        self._pending.append(frame)
        self._height += frame.height
        if self._height >= GROUP:
            whole = pl.concat(self._pending)
            full = whole.height - whole.height % GROUP
            for start in range(0, full, GROUP):
                self._sink.put(whole[start : start + GROUP])
            self._pending = [whole[full:]]
            self._height = whole.height - full

    def _count(self, frame: pl.DataFrame) -> None:
        if not frame.height:
            return
        numbers = frame["document"]
        self.documents += int((numbers.diff(null_behavior="drop") != 0).sum()) + int(
            numbers[0] >= self.next_document
        )
        self.next_document = int(numbers[-1]) + 1
        self.sentences += frame.height
        self.tokens += int(frame["tokens"].list.len().sum())
        lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
        as_text = frame.with_columns(pl.col(lists).cast(pl.List(pl.String)).list.join("\t"))
        line = pl.concat_str(pl.all().cast(pl.String).fill_null(""), separator="\n")
        self._rows.update((as_text.select(line.str.join("\n")).item() + "\n").encode())

    def _metadata(self) -> dict[str, str]:
        self.card = CorpusCard(
            layout=self.layout,
            tokenizer=self.tokenizer,
            tagger=self.tagger,
            digest=self._rows.hexdigest(),
            documents=self.documents,
            sentences=self.sentences,
            tokens=self.tokens,
            sources=self.sources,
            unread=self.unread,
            unread_parts=self.unread_parts,
        )
        return {CARD: self.card.model_dump_json()}

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._sink.abandon()
            return
        try:
            if self._height:
                self._sink.put(pl.concat(self._pending))
            self._sink.finish()
        except BaseException:
            self._sink.abandon()
            raise


class _AbandonedError(Exception):
    """The caller failed; the file is not to be kept."""


@dataclass
class _Sink:
    """A thread that writes what is put into a queue."""

    path: Path
    schema: dict[str, pl.DataType]
    metadata: Any
    _queue: "Queue[pl.DataFrame | None]" = field(default_factory=lambda: Queue(_AHEAD))
    _raised: list[BaseException] = field(default_factory=list)
    _abandoned: threading.Event = field(default_factory=threading.Event)
    _cleanup: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def put(self, piece: pl.DataFrame | None) -> None:
        while self._thread.is_alive():
            try:
                self._queue.put(piece, timeout=0.1)
            except Full:
                continue
            return
        self._raise()

    def finish(self) -> None:
        self.put(None)
        self._thread.join()
        self._raise()

    def abandon(self) -> None:
        self._abandoned.set()
        while self._thread.is_alive():
            try:
                self._queue.put(None, timeout=0.1)
            except Full:
                self._queue.get()
            self._thread.join(0.05)

    def _raise(self) -> None:
        for error in self._raised:
            raise error

    def _pieces(self) -> Iterator[pl.DataFrame]:
        while (piece := self._queue.get()) is not None:
            yield piece
        if self._abandoned.is_set():
            raise _AbandonedError

    def _write(self) -> None:
        try:
            write_parquet_pieces(self.path, self._pieces(), self.schema, self.metadata, group=GROUP)
        except BaseException as error:
            self._raised.append(error)
