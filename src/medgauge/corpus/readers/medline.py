"""MEDLINE and PubMed XML: titles and abstracts, with their PMIDs and the NLM ids of their journals."""

from collections.abc import Iterator
from pathlib import Path
from xml.parsers.expat import XMLParserType

from medgauge.corpus.passages import Passages, UnreadParts
from medgauge.corpus.readers.xml_stream import read_xml

_RECORDS = frozenset(("MedlineCitation", "BookDocument"))
_AFTER_RECORDS = frozenset(("PubmedData", "PubmedBookData"))
_TEXTS = frozenset(("ArticleTitle", "AbstractText"))
_SKIPPED = frozenset(("math", "mml:math", "OtherAbstract"))  # formulas, and abstracts in other languages
_NOTICED = frozenset(("PMID", "NlmUniqueID")) | _RECORDS | _AFTER_RECORDS | _TEXTS | _SKIPPED


def read_medline(path: Path, unread: UnreadParts) -> Iterator[Passages]:
    """Yield the title and each section of the abstract of every record that has them."""
    return read_xml(path, _Records(), unread)


class _Records:
    """Collects the fields of a record.

    A record has some 300 elements, of which few matter, so expat calls for the ends of elements and for text
    only within these. A record is complete where the next one, or what follows it in PubMed, begins.
    """

    def __init__(self) -> None:
        self.passages = Passages()
        self.held = 0
        self.last: str | None = None
        self._number = -1
        self._until: str | None = None
        self._depth = 0
        self._within: tuple[str | None, int] = (None, 0)  # the field in which something is skipped
        self._skipping = False
        self._pieces: list[str] = []
        self._texts: list[str] = []
        self._pmid = self._journal = ""

    def attach(self, parser: XMLParserType) -> None:
        """Have a parser call this."""
        self._parser = parser
        parser.ordered_attributes = True  # quicker than a dict; none is needed
        parser.StartElementHandler = self._start

    def finish(self) -> None:
        """Add the last record; the file ends as it should."""
        self._add()

    def text(self, text: str) -> None:
        """Collect the text of a field."""
        if self._until is not None and not self._skipping:
            self._pieces.append(text)
            self.held += len(text)

    def _start(self, name: str, _: object) -> None:
        if self._until is not None:
            self._start_within(name)
        elif name not in _NOTICED:
            return
        elif name in _TEXTS or (name == "PMID" and not self._pmid) or name == "NlmUniqueID":
            self._listen(name)
        elif name == "OtherAbstract":
            self._listen(name)
            self._skipping = True
        elif name in _RECORDS:
            self._add()
            self._number += 1
        elif name in _AFTER_RECORDS:
            self._add()

    def _start_within(self, name: str) -> None:
        """Note what is skipped within a field, and elements of the same name."""
        if not self._skipping and name in _SKIPPED:
            self._within = self._until, self._depth
            self._until, self._depth, self._skipping = name, 0, True
        elif name == self._until:
            self._depth += 1

    def _listen(self, name: str) -> None:
        self._until, self._depth, self._pieces = name, 0, []
        self._within = (None, 0)
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self.text

    def _end(self, name: str) -> None:
        """Note the end of a field, or of what is skipped."""
        if name != self._until:
            return
        if self._depth:
            self._depth -= 1
            return
        was_skipping, self._skipping = self._skipping, False
        self._until, self._depth = self._within
        self._within = (None, 0)
        if self._until is None:
            self._parser.EndElementHandler = None
            self._parser.CharacterDataHandler = None
            if not was_skipping:
                self._keep(name, " ".join("".join(self._pieces).split()))

    def _keep(self, name: str, text: str) -> None:
        if name == "PMID":
            self._pmid = text  # the first; those of comments and corrections follow
        elif name == "NlmUniqueID":
            self._journal = self._journal or text
        elif text:
            self._texts.append(text)

    def _add(self) -> None:
        """Add a record that is complete."""
        if self._texts:
            self.passages.add(self._number, self._texts, self._pmid or None, self._journal or None)
        self.last = self._pmid or self.last
        self._pmid = self._journal = ""
        self._texts = []
        self.held = 0
