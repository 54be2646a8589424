"""Builds a corpus from files of text."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from medgauge.corpus.biomedical_tokens import BIOMEDICAL
from medgauge.corpus.parts import PartUnread, SourcePart, parts_of
from medgauge.corpus.passages import MOST_PARTS
from medgauge.corpus.readers.source_files import PassageFile, files_of, recognise_text
from medgauge.corpus.side_by_side import InPart, read_parts
from medgauge.corpus.stored_card import check_replaceable
from medgauge.corpus.stored_corpus import CARD, Corpus, CorpusSource, CorpusWriter, Layout, UnreadPart
from medgauge.corpus.taggers import open_tagger
from medgauge.errors import FileError, InputError, MedgaugeWarning, printable
from medgauge.files.writing import can_write, check_not_read
from medgauge.progress import track

_GIVEN = "given by the source"


def build_corpus(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    tagger: str | None = None,
    strict: bool = False,
    workers: int | None = None,
) -> Corpus:
    r"""Build a corpus from text, and write it as a Parquet file.

    A source is a file, compressed or not, or a folder, in the form that its content shows: MEDLINE or PubMed
    XML, JATS, CoNLL-U, or plain text with a passage in each line. The corpus is the same whatever the number
    of workers. Memory does not grow with the sources.

    Parameters
    ----------
    sources
        Files or folders, in the order of the corpus.
    out
        The corpus; it appears once it is complete. A corpus that is there is replaced, another file is not.
    tagger
        What finds lemmas and parts of speech, as `spacy:NAME`; by default nothing does, and only CoNLL-U has
        them.
    strict
        Fail at the first part that cannot be read. By default what could be read is kept, and the card of
        the corpus says how many parts could not, and where the first of them are.
    workers
        Processes that read files side by side; by default one for each processor, unless the files are small.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     text = Path(folder) / "passages.txt"
    ...     _ = text.write_text("IL-2 levels rose.\nThe patients' gout improved (p<0.05).\n")
    ...     corpus = build_corpus(text, Path(folder) / "corpus.parquet")
    ...     corpus.card.documents, list(corpus.sentences())[0]
    (2, ['IL-2', 'levels', 'rose', '.'])

    """
    out = Path(out)
    given = [Path(one) for one in ([sources] if isinstance(sources, str | Path) else sources)]
    if not given:
        raise InputError("name at least one file or folder with text")
    if workers is not None and workers < 1:
        raise InputError(f"the number of workers must be at least 1, not {workers}")
    if not can_write(out):
        raise FileError(out, "cannot be written; choose another place")
    opened = None if tagger is None else open_tagger(tagger)
    listed = _Sources.found(given)
    check_not_read(out, (file.path for part in listed.parts for file in part.files))
    check_replaceable(out, CARD, what="a corpus")
    if opened is not None and listed.layout != "forms":
        raise InputError("the sources are CoNLL-U, which is tagged; leave out the tagger")
    layout = listed.layout if opened is None else opened.layout
    tokenizer = _GIVEN if listed.layout != "forms" else BIOMEDICAL
    with CorpusWriter(out, layout, tokenizer=tokenizer, tagger=tagger) as writer:
        _write(writer, listed, read_parts(listed.parts, opened, strict=strict, workers=workers))
        if not writer.tokens:
            if writer.unread_parts:
                part = writer.unread_parts[0]
                raise FileError(part.source, f"nothing could be read: {part.reason}", place=part.place)
            raise FileError(
                given[0], "has no text" + (", nor has any other source" if len(given) > 1 else "")
            )
    corpus = Corpus.open(out)
    if corpus.card.unread:
        first = _described(corpus.card.unread_parts[0])
        count = corpus.card.unread
        what = "1 part of the sources" if count == 1 else f"{count:,} parts of the sources"
        warnings.warn(
            f"{what} could not be read and {'is' if count == 1 else 'are'} not in the corpus; first: {first}",
            MedgaugeWarning,
            stacklevel=2,
        )
    return corpus


@dataclass
class _Sources:
    """The sources with their files, of which those of one form are read together."""

    layout: Layout = "forms"
    cards: list[CorpusSource] = field(default_factory=list)
    parts: list[SourcePart] = field(default_factory=list)

    @classmethod
    def found(cls, given: Sequence[Path]) -> "_Sources":
        """List and recognise the files; all of them must have the same columns."""
        sources = cls()
        first: PassageFile | None = None
        for path in given:
            with track(f"looking at {path.name}", 0):
                files = [recognise_text(file) for file in files_of(path)]
            for file in files:
                first = first or file
                if file.layout != first.layout:
                    problem = f"{_HAS[file.layout]}, but {first.path} {_HAS[first.layout]}"
                    raise FileError(file.path, f"{problem}; make a corpus of each")
            sources.layout = files[0].layout
            name = printable(path.name or path.resolve().name)  # "." has none of its own
            for form, some in _runs(files):
                sources.parts += parts_of(len(sources.cards), some)
                sources.cards.append(CorpusSource(name=name, form=form, files=len(some)))
        return sources


_HAS: dict[Layout, str] = {
    "forms": "is text without tags",
    "tagged": "has lemmas and parts of speech",
    "parsed": "has a parse",
}


def _runs(files: Sequence[PassageFile]) -> Iterator[tuple[str, list[PassageFile]]]:
    """Yield the files of each form, in the order of the first of each."""
    for form in dict.fromkeys(file.form for file in files):
        yield form, [file for file in files if file.form == form]


def _write(writer: CorpusWriter, listed: _Sources, read: Iterator[InPart]) -> None:
    made = [[0, 0] for _ in listed.cards]
    first = writer.next_document
    position = 0
    with (
        track("reading", sum(part.size for part in listed.parts)) as advance,
        track("tokens so far", 0, "tokens") as counted,
    ):
        for part, found in read:
            if isinstance(found, PartUnread):
                writer.unread += found.count
                writer.unread_parts += found.parts[: MOST_PARTS - len(writer.unread_parts)]
                first = writer.next_document
                advance(part.size - position)
                position = 0
                continue
            before = writer.documents, writer.tokens
            writer.write(found.rows.with_columns(pl.col("document") + first))
            after = writer.documents, writer.tokens
            added = [new - old for old, new in zip(before, after, strict=True)]
            made[part.source] = [sum(both) for both in zip(made[part.source], added, strict=True)]
            counted(added[-1])
            advance(found.position - position)
            position = found.position
    writer.sources = [
        card.model_copy(update=dict(zip(("documents", "tokens"), counts, strict=True)))
        for card, counts in zip(listed.cards, made, strict=True)
    ]


def _described(part: UnreadPart) -> str:
    return f"{part.source}, {part.place}: {part.reason}"
