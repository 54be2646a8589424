"""JATS, the XML of full texts in PubMed Central: titles, abstracts, paragraphs, headings and captions."""

from collections.abc import Iterator
from pathlib import Path
from xml.parsers.expat import XMLParserType

from medgauge.corpus.passages import Passages, UnreadParts
from medgauge.corpus.readers.xml_stream import read_xml

_TEXTS = frozenset(("article-title", "abstract", "body", "floats-group"))
# Tables, formulas and what they are also written as, references, footnotes, and text in other languages.
_SKIPPED = frozenset(
    """
    alternatives annotation array back chem-struct disp-formula fn-group inline-formula inline-graphic
    journal-meta label math media mml:math object-id permissions product ref-list related-article
    related-object supplementary-material table table-wrap-foot tex-math trans-abstract
    trans-title-group
    """.split()  # noqa: SIM905 - as a list it would fill the page
)
# Within a sentence; every other element begins a passage.
_INLINE = frozenset(
    """
    abbrev addr-line award-id bold break chem-struct-wrap country email ext-link fixed-case
    funding-source hr inline-supplementary-material institution italic milestone-end milestone-start
    monospace named-content overline private-char roman sans-serif sc strike styled-content sub sup
    target underline uri xref
    """.split()  # noqa: SIM905 - as a list it would fill the page
)
_REFERENCES = ("bibr", "fn", "table-fn", "aff", "corresp")
_PMC_IDS = ("pmc", "pmcid", "pmcaid")
_JOURNAL_IDS = ("nlm-journal-id", "nlm-ta")  # the better one first


def read_jats(path: Path, unread: UnreadParts) -> Iterator[Passages]:
    """Yield the passages of every article in a file."""
    return read_xml(path, _Articles(), unread)


class _Articles:
    """Collects the passages of an article."""

    def __init__(self) -> None:
        self.passages = Passages()
        self.held = 0
        self.last: str | None = None
        self._number = 0
        self._articles = 0
        self._forget()

    def _forget(self) -> None:
        self._ids: dict[str, str] = {}
        self._journals: dict[str, str] = {}
        self._texts: list[str] = []
        self._within = 0
        self._skipping = 0
        self._marks: list[bool] = []
        self._field: tuple[dict[str, str], str] | None = None
        self._pieces: list[str] = []
        self.held = 0

    def attach(self, parser: XMLParserType) -> None:
        """Have a parser call this."""
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self.text

    def finish(self) -> None:
        """Do nothing: articles are added at their end."""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Note the start of an article, of an id, of text, or of what is skipped."""
        if name == "article" and not self._articles:
            self._forget()
        if name == "article":
            self._articles += 1
        elif name in ("article-id", "journal-id"):
            known = self._ids if name == "article-id" else self._journals
            self._field = (
                known,
                attributes.get("pub-id-type" if name == "article-id" else "journal-id-type", ""),
            )
            self._pieces = []
        elif name in _SKIPPED:
            self._skipping += 1
        elif name in _TEXTS:
            self._flush()
            self._within += 1
        elif name == "xref":
            is_reference = attributes.get("ref-type") in _REFERENCES
            self._marks.append(is_reference)
            self._skipping += is_reference
            if is_reference:
                self._take(" ")
        elif name == "break":
            self._take(" ")
        elif name not in _INLINE:
            self._flush()

    def text(self, text: str) -> None:
        """Collect the text of an id or a passage."""
        if self._field is not None or not self._skipping:
            self._take(text)

    def _take(self, text: str) -> None:
        if self._field is not None or self._within:
            self._pieces.append(text)
            self.held += len(text)

    def _end(self, name: str) -> None:
        """Note the end of an article, of an id, of text, or of what is skipped."""
        if name == "article":
            self._articles -= 1
            if not self._articles:
                self._add()
        elif name in ("article-id", "journal-id"):
            if self._field is not None:
                known, kind = self._field
                known.setdefault(kind, "".join(self._pieces).strip())
            self._field = None
            self._pieces = []
        elif name in _SKIPPED:
            self._skipping -= 1
            self._take(" ")
        elif name in _TEXTS:
            self._flush()
            self._within -= 1
        elif name == "xref":
            self._skipping -= self._marks.pop()
        elif name not in _INLINE:
            self._flush()

    def _flush(self) -> None:
        if self._pieces and self._field is None:
            if text := " ".join("".join(self._pieces).split()):
                self._texts.append(text)
            self._pieces = []

    def _add(self) -> None:
        self._flush()
        identifier = self._identifier()
        if self._texts:
            journal = next((self._journals[kind] for kind in _JOURNAL_IDS if self._journals.get(kind)), None)
            self.passages.add(self._number, self._texts, identifier, journal)
        self._number += 1
        self.last = identifier
        self._forget()

    def _identifier(self) -> str | None:
        """Return the PMCID, or else the PMID."""
        for kind in _PMC_IDS:
            if found := self._ids.get(kind):
                return found if found.upper().startswith("PMC") else f"PMC{found}"
        return self._ids.get("pmid") or None
