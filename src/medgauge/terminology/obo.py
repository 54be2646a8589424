"""A reader of OBO ontologies that tolerates the flaws of published ones.

It reads the few clauses that a terminology is made of. On valid clauses it agrees with fastobo, whose grammar
is the reference in the tests. fastobo itself rejects a whole file for one bad clause, such as releases of
Uberon and of the Cell Ontology have had (althonos/pronto, issues 80 and 131).
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path

from medgauge.errors import FileError, InputError, quoted
from medgauge.files.opening import read_text
from medgauge.progress import track
from medgauge.terminology.classes import (
    SCOPES,
    Flaws,
    Ontology,
    OntologyClass,
    curie,
    one_line,
    ontology_id,
    terminology_of,
)
from medgauge.terminology.model import Terminology
from medgauge.terminology.obographs import parse_obographs

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "W": " "}
_ESCAPED = re.compile(r"\\(.)")
# Repetitions are possessive (++, *+), so that no line, however bad, makes matching slow.
_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_MODIFIER = rf'[^\s="{{}},]++\s*+=\s*+{_QUOTED}\s*+'
_END = rf"(?:\{{\s*+{_MODIFIER}(?:,\s*+{_MODIFIER})*+\}})?+\s*+(?:!.*)?"
_XREF = rf"(?:[^\s,\]\\]|\\.)++(?:\s++{_QUOTED})?+\s*+"
_XREFS = rf"\[\s*+(?:{_XREF}(?:,\s*+{_XREF})*+)?+\]\s*+"
_SCOPE = rf"(?P<scope>{'|'.join(SCOPES)})"

_UNQUOTED = re.compile(rf"(?P<text>(?:[^\\!{{]|\\.)*+){_END}")
# Braces without modifiers in them belong to the text.
_BRACED = re.compile(rf"(?P<text>(?:[^\\!]|\\.|\\$)*?)(?=[{{!]|$){_END}")
_WORD = re.compile(r"(?:[^\s\\]|\\.|\\$)++")
_SYNONYM = re.compile(
    rf'"(?P<text>(?:[^"\\]|\\.)*+)"\s*+{_SCOPE}\s*+(?:(?<=\s)(?P<type>[^\s\[]++)\s*+)?+{_XREFS}{_END}'
)
_SCOPED = re.compile(rf'"(?P<text>.*)"\s*+{_SCOPE}\b', re.IGNORECASE)
_UNSCOPED = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*+)"\s*+(?P<type>[^\s\[]*+)')
_TYPEDEF = re.compile(rf"(?P<type>\S++)\s++{_QUOTED}\s*+{_SCOPE}?")

# Tags of OBO 1.0, which later versions still accept.
_SCOPE_OF_TAG = {f"{scope.lower()}_synonym": scope for scope in SCOPES}
# Their values are ignored.
_OTHER_TAGS = {
    "alt_id",
    "builtin",
    "comment",
    "created_by",
    "def",
    "disjoint_from",
    "equivalent_to",
    "intersection_of",
    "is_anonymous",
    "property_value",
    "relationship",
    "subset",
    "union_of",
}
_XREF_TAGS = {"xref", "xref_analog", "xref_unknown"}


def read_ontology(
    path: str | Path, *, scopes: Sequence[str] = ("EXACT",), hierarchy: bool = True
) -> Terminology:
    """Read an OBO file (1.2 or 1.4) or OBO Graphs JSON, optionally gzipped.

    Concepts are its classes; a class's name is its label (without the leading "obsolete" if it is obsolete),
    its namespace the tag. Synonyms are those of classes that are not obsolete, with a scope among `scopes`:
    EXACT, BROAD, NARROW, RELATED. A synonym without a scope is RELATED, unless its type is declared with
    one. An obsolete class's replaced_by makes the association replaced-by, its consider
    possibly-equivalent-to. The hierarchy is is_a between classes that are not obsolete.

    Frames with the same id are one class. A class without a name has no label; it is `nameless` if its id
    has the prefix of most named classes, and otherwise a stub of an imported ontology. The version is
    data-version, or else the date, without the ontology's id.

    Flaws that occur in published ontologies are reported in one warning.
    """
    wanted = {scope.upper() for scope in scopes}
    if unknown := sorted(wanted - set(SCOPES)):
        raise InputError(f"{quoted(unknown[0])} is not a scope of synonyms; choose from: {', '.join(SCOPES)}")
    path = Path(path)
    with track(f"reading {path.name}", 0):
        text = read_text(path)
        ontology = parse_obographs(path, text) if text.lstrip().startswith("{") else _parse_obo(path, text)
        ontology.flaws.warn(path)
        return terminology_of(ontology, path, scopes=wanted, hierarchy=hierarchy)


def _parse_obo(path: Path, text: str) -> Ontology:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        reader.read(line.strip(), number)
    reader.close_frame()
    if not reader.ontology.classes:
        raise FileError(path, _what_it_is_instead(text))
    return reader.ontology


def _what_it_is_instead(text: str) -> str:
    begin = text[:1000].lstrip().lower()
    if "\0" in text:
        return "is not text; an ontology must be OBO or OBO Graphs JSON"
    if begin.startswith("<!doctype html") or "<html" in begin:
        return "is a web page, not an ontology; download the file itself"
    if begin.startswith(("<", "prefix", "@prefix", "ontology(")):
        return "has no [Term] frame and looks like OWL; get the ontology as OBO or OBO Graphs JSON"
    return "has no classes: OBO has them in [Term] frames, and OBO Graphs JSON begins with {"


class _Reader:
    """Reads lines one by one and collects what they say."""

    def __init__(self) -> None:
        self.ontology = Ontology(Flaws("line"))
        self._types: dict[str, str | None] = {}
        self._frame: OntologyClass | None = None
        self._begun = 0  # the first line of the frame
        self._in_header = True

    def read(self, line: str, number: int) -> None:
        """Read the next line."""
        if not line or line[0] == "!":
            return
        if line[0] == "[" and "]" in line:
            self.close_frame()
            self._in_header = False
            self._begun = number
            is_class = line[1 : line.index("]")].strip().lower() == "term"
            self._frame = OntologyClass() if is_class else None
            return
        if self._frame is None and not self._in_header:
            return
        tag, colon, value = line.partition(":")
        if not colon:
            self.ontology.flaws.note("line that is not a clause", number)
        elif self._frame is None:
            self._header(tag.rstrip(), value.strip(), number)
        else:
            self._clause(self._frame, tag.rstrip(), value.strip(), number)

    def close_frame(self) -> None:
        """Store the frame being read."""
        frame, self._frame = self._frame, None
        if frame is None:
            return
        if not frame.id:
            self.ontology.flaws.note("class without an id", self._begun)
        elif frame.id in self.ontology.classes:
            self.ontology.flaws.note("second frame with the same id", self._begun)
            self.ontology.classes[frame.id].merge(frame)
        else:
            self.ontology.classes[frame.id] = frame

    def _header(self, tag: str, value: str, number: int) -> None:
        if tag == "ontology":
            self.ontology.id = ontology_id(self._text(value, number))
        elif tag == "data-version":
            self.ontology.version = one_line(self._text(value, number))
        elif tag == "date":
            made = one_line(self._text(value, number))
            self.ontology.version = self.ontology.version or made
            self._date(made, lambda text: datetime.strptime(text, "%d:%m:%Y %H:%M"), number)
        elif tag == "default-namespace":
            self.ontology.namespace = one_line(self._text(value, number))
        elif tag == "synonymtypedef":
            declared = _TYPEDEF.match(value)
            if declared is None:
                self.ontology.flaws.note("bad declaration of a synonym type", number)
            else:
                self._types[_unescaped(declared["type"])] = declared["scope"]

    def _clause(self, frame: OntologyClass, tag: str, value: str, number: int) -> None:
        flaws = self.ontology.flaws
        if tag == "synonym":
            self._synonym(frame, value, number)
        elif tag == "is_a":
            frame.parents.append(self._class_id(value, number))
        elif tag == "name":
            name = self._text(value, number).strip()
            if frame.name and frame.name != name:
                flaws.note("second name of a class", number)
            frame.name = frame.name or name
        elif tag == "id":
            if frame.id:
                flaws.note("second id of a class", number)
            frame.id = frame.id or self._class_id(value, number)
        elif tag == "namespace":
            frame.namespace = one_line(self._text(value, number))
        elif tag == "is_obsolete":
            truth = self._identifier(value, number)
            if truth not in ("true", "false"):
                flaws.note("is_obsolete that is neither true nor false", number)
            frame.obsolete = truth.lower() == "true"
        elif tag == "replaced_by":
            frame.replaced_by.append(self._class_id(value, number))
        elif tag == "consider":
            frame.consider.append(self._class_id(value, number))
        elif tag in _XREF_TAGS:
            # An id, and what it means there in quotes.
            if id_there := _WORD.match(value):
                frame.xrefs.append(curie(_unescaped(id_there[0])))
        elif tag == "creation_date":
            made = self._date(self._text(value, number).strip(), datetime.fromisoformat, number)
            frame.created = frame.created or made
        elif tag in _SCOPE_OF_TAG:
            if quoted := _UNSCOPED.match(value):
                _add_synonym(frame, _SCOPE_OF_TAG[tag], quoted["text"])
            else:
                flaws.note("synonym that cannot be read", number)
        elif tag not in _OTHER_TAGS:
            flaws.note("clause unknown to OBO", number)

    def _synonym(self, frame: OntologyClass, value: str, number: int) -> None:
        flaws = self.ontology.flaws
        if found := _SYNONYM.fullmatch(value):
            if found["type"] and _unescaped(found["type"]) not in self._types:
                flaws.note("synonym of an undeclared type", number)
            _add_synonym(frame, found["scope"], found["text"])
        elif found := _SCOPED.match(value):
            flaws.note("synonym that is not well formed", number)
            _add_synonym(frame, found["scope"].upper(), found["text"])
        elif found := _UNSCOPED.match(value):
            flaws.note("synonym without a scope", number)
            _add_synonym(frame, self._types.get(_unescaped(found["type"])) or "RELATED", found["text"])
        else:
            flaws.note("synonym that cannot be read", number)

    def _date(self, text: str, read: Callable[[str], datetime], number: int) -> date | None:
        try:
            return read(text).date()
        except ValueError:
            self.ontology.flaws.note("bad date", number)
            return None

    def _text(self, value: str, number: int) -> str:
        return _unescaped(self._unquoted(value, number))

    def _identifier(self, value: str, number: int) -> str:
        words = _WORD.findall(self._unquoted(value, number))
        if len(words) != 1:
            self.ontology.flaws.note("value that is not one word", number)
        return _unescaped(words[0]) if words else ""

    def _unquoted(self, value: str, number: int) -> str:
        """Return an unquoted text, still escaped, without trailing modifiers and comment."""
        if "\\" not in value and "!" not in value and "{" not in value:
            return value
        found = _UNQUOTED.fullmatch(value)
        if found is None:
            self.ontology.flaws.note("text with bare braces or a bare backslash", number)
            found = _BRACED.fullmatch(value)
            assert found is not None
        return found["text"]

    def _class_id(self, value: str, number: int) -> str:
        return curie(self._identifier(value, number))


def _add_synonym(frame: OntologyClass, scope: str, quoted: str) -> None:
    if text := one_line(_unescaped(quoted)):
        frame.synonyms.append((scope, text))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda sign: _ESCAPES.get(sign[1], sign[1]), text) if "\\" in text else text
