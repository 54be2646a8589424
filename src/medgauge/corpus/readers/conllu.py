"""CoNLL-U: sentences with lemmas and parts of speech, and perhaps a parse.

Multiword tokens (`3-4`) and empty nodes (`8.1`) are not tokens of the corpus: their words are. A comment
`# newdoc id = …` begins a document, and `# journal = …` after it names its journal.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from medgauge.corpus.passages import TaggedSentences, UnreadParts
from medgauge.corpus.stored_corpus import Layout
from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, position_on_disk

_COLUMNS = 10
_BATCH = 100_000  # tokens
_LONGEST_SENTENCE = 10_000  # tokens
_LONGEST_LINE = 1 << 20  # bytes
_NONE = "_"
_NO_WORD = re.compile(r"[0-9]+[-.][0-9]+")  # a multiword token or an empty node


def read_conllu(path: Path, unread: UnreadParts, layout: Layout) -> Iterator[TaggedSentences]:
    """Yield the sentences of a file; a row that is wrong is an error, as it says that the form is another."""
    sentences = TaggedSentences(layout)
    document, identifier, journal = 0, None, None
    is_empty = True
    for sentence in _sentences(path, unread):
        if sentence.begins_document:
            document += not is_empty
            identifier, journal, is_empty = sentence.comments.get("newdoc id"), None, True
        journal = sentence.comments.get("journal", journal)
        if sentence.rows:
            sentences.add(document, identifier, journal, sentence.cells(path, layout))
            is_empty = False
        if sentences.size >= _BATCH:
            yield sentences
            sentences = TaggedSentences(layout)
    if sentences.size:
        yield sentences


def conllu_layout(path: Path) -> Layout:
    """Return what the first sentence of a file has; it must have lemmas and parts of speech."""
    for sentence in _sentences(path, UnreadParts(path, strict=True)):
        if sentence.rows:
            number, row = sentence.rows[0]
            has_lemma, has_pos = row[2] != _NONE or row[1] == _NONE, row[3:5] != [_NONE, _NONE]
            if not (has_lemma and has_pos):
                lacking = "part of speech" if has_lemma else "lemma"
                raise FileError(
                    path, f"the word has no {lacking}; tag the text first", place=f"line {number}"
                )
            return "tagged" if row[6] == _NONE else "parsed"
    raise FileError(path, "has no sentences")


@dataclass
class _Sentence:
    """The rows of a sentence with the numbers of their lines, and the comments before them."""

    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    comments: dict[str, str] = field(default_factory=dict)
    begins_document: bool = False

    def comment(self, text: str) -> None:
        """Take a comment."""
        name, _, value = text.lstrip("# ").partition("=")
        name, value = name.strip(), " ".join(value.split())
        self.begins_document |= name in ("newdoc", "newdoc id")
        if value:
            self.comments[name] = value

    def cells(self, path: Path, layout: Layout) -> list[list[object]]:
        """Return the columns of a corpus; every word must have what the layout has."""
        rows = [row for _, row in self.rows]
        tags: list[list[object]] = [
            [row[1] for row in rows],
            [row[2] if row[2] != _NONE else row[1] for row in rows],
            [_pos(row) for row in rows],
        ]
        if layout != "parsed":
            return tags
        return [*tags, [self._head(path, *row) for row in self.rows], [row[7] for row in rows]]

    def _head(self, path: Path, line: int, row: list[str]) -> int:
        if not row[6].isdecimal() or len(row[6]) > 5 or int(row[6]) > len(self.rows):
            raise FileError(
                path,
                f"the head is not the number of one of the {len(self.rows)} words of the sentence, or 0",
                place=f"line {line}",
            )
        if row[6] == row[0]:
            raise FileError(path, "the word is its own head", place=f"line {line}")
        return int(row[6])


def _pos(row: list[str]) -> str:
    """Return the universal part of speech, or else that of the source."""
    return row[3] if row[3] != _NONE else row[4]


def _sentences(path: Path, unread: UnreadParts) -> Iterator[_Sentence]:
    sentence = _Sentence()
    number = 0
    try:
        with open_bytes(path) as stream:
            while line := stream.readline(_LONGEST_LINE):
                number += 1
                text = _decoded(path, number, line)
                if text.startswith("#"):
                    sentence.comment(text)
                elif text:
                    _add_row(path, sentence, number, text)
                elif sentence.rows:
                    unread.position = position_on_disk(stream)
                    yield sentence
                    sentence = _Sentence()
    except FileError as error:
        if error.place is not None:
            raise
        unread.add(f"after line {number}", error.problem)
        return
    if sentence.rows:
        yield sentence


def _decoded(path: Path, number: int, line: bytes) -> str:
    if number == 1:
        line = line.removeprefix(codecs.BOM_UTF8)
    if len(line) == _LONGEST_LINE:
        raise FileError(path, f"the line has more than {_LONGEST_LINE:,} bytes", place=f"line {number}")
    try:
        return line.decode().strip("\r\n")
    except UnicodeDecodeError as error:
        problem = f"byte 0x{line[error.start]:02x} is not valid UTF-8; save the file as UTF-8"
        raise FileError(path, problem, place=f"line {number}") from None


def _add_row(path: Path, sentence: _Sentence, number: int, text: str) -> None:
    row = text.split("\t")
    if len(row) != _COLUMNS:
        raise FileError(
            path,
            f"the row has {len(row)} of the {_COLUMNS} columns of CoNLL-U, which tabs separate",
            place=f"line {number}",
        )
    word = row[0]
    if _NO_WORD.fullmatch(word):
        return
    if word != str(len(sentence.rows) + 1):
        raise FileError(
            path,
            f"the word does not have the number {len(sentence.rows) + 1}, which comes next; sentences end "
            "with a blank line",
            place=f"line {number}",
        )
    if len(sentence.rows) == _LONGEST_SENTENCE:
        raise FileError(
            path, f"the sentence has more than {_LONGEST_SENTENCE:,} words", place=f"line {number}"
        )
    if "" in (row[1], row[2], _pos(row)):
        raise FileError(
            path,
            "the form, the lemma or the part of speech is empty; CoNLL-U has _ for what is not known",
            place=f"line {number}",
        )
    sentence.rows.append((number, row))
