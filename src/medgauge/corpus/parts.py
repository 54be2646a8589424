"""Parts of the sources of a corpus: files that are read together, here or in another process."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from medgauge.corpus.ahead import read_ahead
from medgauge.corpus.passages import UnreadParts
from medgauge.corpus.readers.source_files import PassageFile
from medgauge.corpus.stored_corpus import UnreadPart
from medgauge.corpus.taggers import Tagger

_SIZE = 16 << 20  # bytes of the files of a part
_ROWS = 200_000  # tokens that are passed on together


@dataclass(frozen=True)
class SourcePart:
    """Some files; `source` is the number of the source they belong to, which has one form."""

    source: int
    files: tuple[PassageFile, ...]

    @property
    def size(self) -> int:
        """Bytes of the files on disk."""
        return sum(file.path.stat().st_size for file in self.files)


@dataclass(frozen=True)
class PartRows:
    """Some rows of a part; `position` is how far its files have been read, in bytes."""

    rows: pl.DataFrame
    position: int


@dataclass
class PartUnread:
    """What could not be read in a part."""

    count: int = 0
    parts: list[UnreadPart] = field(default_factory=list)


def parts_of(source: int, files: Sequence[PassageFile]) -> Iterator[SourcePart]:
    """Divide the files of a source into parts, so that many small ones are read together."""
    some: list[PassageFile] = []
    size = 0
    for file in files:
        some.append(file)
        size += file.path.stat().st_size
        if size >= _SIZE:
            yield SourcePart(source, tuple(some))
            some, size = [], 0
    if some:
        yield SourcePart(source, tuple(some))


def read_part(
    part: SourcePart, tagger: Tagger | None = None, *, strict: bool = False
) -> Iterator[PartRows | PartUnread]:
    """Yield the rows of a part, whose documents have numbers from 0, and last what could not be read."""
    found = PartUnread()
    pending: list[pl.DataFrame] = []
    tokens = first = before = 0
    for file in part.files:
        unread = UnreadParts(file.path, strict)
        last = None
        for batch in read_ahead(file.read(unread)):
            rows = batch.rows()
            if tagger is not None:
                rows = tagger.tagged(rows)
            if not rows.height:
                continue
            numbers = rows["document"]
            # Numbers without a gap: some documents have no token.
            dense = numbers.rle_id() + first + (last is not None and numbers[0] != last)
            pending.append(rows.with_columns(dense.alias("document")))
            first, last = int(dense[-1]), int(numbers[-1])
            tokens += int(rows["tokens"].list.len().sum())
            if tokens >= _ROWS:
                yield PartRows(pl.concat(pending), before + unread.position)
                pending, tokens = [], 0
        first += last is not None
        found.count += unread.count
        found.parts += unread.parts
        before += file.path.stat().st_size
    if pending:
        yield PartRows(pl.concat(pending), before)
    yield found
