"""XML as it comes: parsed in blocks by expat, without a tree in memory, DTDs, or other files.

What is not well-formed ends the reading of a file: what came before is kept, and the rest is noted as unread.
"""

from collections.abc import Iterator
from html.entities import html5
from pathlib import Path
from typing import Protocol
from xml.parsers import expat

from medgauge.corpus.passages import BATCH, Passages, UnreadParts
from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, position_on_disk

_BLOCK = 1 << 18
_LONGEST_DOCUMENT = 64 << 20  # characters of a document, which is in memory until its end
_LONGEST_MARKUP = 64 << 20  # bytes of a tag or comment, which is in memory until its end


class DocumentHandler(Protocol):
    """Takes the elements and text of an XML file, and puts each document that is complete into `passages`.

    `held` is the number of characters of the document that is not, and `last` the id of the last that is.
    """

    passages: Passages
    held: int
    last: str | None

    def attach(self, parser: expat.XMLParserType) -> None:
        """Have a parser call this for elements and text."""

    def text(self, text: str) -> None:
        """Take a piece of text."""

    def finish(self) -> None:
        """Note that the file has ended, and is well-formed."""


class _RefusedError(Exception):
    """The XML is well-formed, and yet is not read."""


def read_xml(path: Path, handler: DocumentHandler, unread: UnreadParts) -> Iterator[Passages]:
    """Yield the passages of the documents in a file, as a handler finds them."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    handler.attach(parser)
    parser.SkippedEntityHandler = lambda name, _: handler.text(sign_of(name))
    parser.EntityDeclHandler = _refuse_entity
    try:
        with open_bytes(path) as stream:
            size = 0
            while block := stream.read1(_BLOCK):  # type: ignore[attr-defined]  # of all that open_bytes opens
                parser.Parse(block)
                unread.position = position_on_disk(stream)
                size += len(block)
                _check_held(handler.held, size - max(parser.CurrentByteIndex, 0))
                if handler.passages.size >= BATCH:
                    yield handler.passages
                    handler.passages = Passages()
            parser.Parse(b"", True)
            handler.finish()
    except (expat.ExpatError, FileError, LookupError, ValueError, _RefusedError) as error:
        after = f", after document {handler.last}" if handler.last else ""
        unread.add(f"line {parser.CurrentLineNumber}{after}", _reason(error))
    if handler.passages.texts:
        yield handler.passages


def sign_of(entity: str) -> str:
    """Return the sign of an entity that a DTD names, a space for one that is not known.

    >>> sign_of("alpha"), sign_of("journalname")
    ('α', ' ')
    """
    return html5.get(f"{entity};", " ")


def _refuse_entity(_name: str, is_parameter: bool, value: str | None, *_: object) -> None:
    """Refuse entities with a text of their own: those that name others can expand to any size."""
    if value is not None and not is_parameter:
        raise _RefusedError("its DTD declares texts of its own for entities, which are not read")


def _check_held(characters: int, markup: int) -> None:
    if characters > _LONGEST_DOCUMENT:
        raise _RefusedError(f"a document has more than {_LONGEST_DOCUMENT:,} characters")
    if markup > _LONGEST_MARKUP:
        raise _RefusedError(f"a tag or comment has more than {_LONGEST_MARKUP:,} bytes")


def _reason(error: Exception) -> str:
    if isinstance(error, expat.ExpatError):
        return f"the XML is broken off or not well-formed ({expat.ErrorString(error.code)})"
    if isinstance(error, LookupError | ValueError):
        return "the XML is in an encoding that is not known; save it as UTF-8"
    return error.problem if isinstance(error, FileError) else str(error)
