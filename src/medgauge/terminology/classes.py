"""The classes of an ontology as they are in its file, and the terminology made of them."""

import re
import warnings
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import polars as pl

from medgauge.errors import FileError, MedgaugeWarning
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name, plain_name
from medgauge.term_length import problem_of_length
from medgauge.terminology.model import Terminology

SCOPES = ("EXACT", "BROAD", "NARROW", "RELATED")

_PURL = "http://purl.obolibrary.org/obo/"
# As the OWL API makes OBO ids: an underscore splits prefix and number; of several, the last before digits.
_IRI = re.compile(r"https?://.*/(?:(?P<prefix>[^#/]+)_(?P<number>\d+)|(?P<word>[^_#/]+)_(?P<rest>[^_#/]+))")
_OBSOLETE = re.compile(
    r"(?:(?:obsolete(?:[:._]\s*|\s+)|\(obsolete\)\s*|\[obsolete\]\s*)(?:[-–—]\s+)?)+", re.I
)


@dataclass
class OntologyClass:
    """What a file says about one class; empty text was not given."""

    id: str = ""
    name: str = ""
    namespace: str = ""
    obsolete: bool = False
    synonyms: list[tuple[str, str]] = field(default_factory=list)
    """Scope and text, with white space as in `one_line`."""
    parents: list[str] = field(default_factory=list)
    replaced_by: list[str] = field(default_factory=list)
    consider: list[str] = field(default_factory=list)
    xrefs: list[str] = field(default_factory=list)
    """Ids of the same or a similar concept elsewhere, such as UMLS:C0000001."""
    created: date | None = None

    @property
    def label(self) -> str:
        """The name on one line, without the leading "obsolete" of an obsolete class."""
        label = one_line(self.name)
        return without_obsolete(label) if self.obsolete else label

    def merge(self, other: "OntologyClass") -> None:
        """Add what another frame with the same id says; an existing name or namespace is kept."""
        self.name = self.name or other.name
        self.namespace = self.namespace or other.namespace
        self.obsolete = self.obsolete or other.obsolete
        self.synonyms += other.synonyms
        self.parents += other.parents
        self.replaced_by += other.replaced_by
        self.consider += other.consider
        self.xrefs += other.xrefs
        self.created = min(filter(None, (self.created, other.created)), default=None)


@dataclass
class Flaws:
    """Violations of the format: how many of each kind, and where the first one is."""

    unit: str
    """What is numbered in the file: line or node."""
    found: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each kind of flaw: the count, and the number of the first line or node."""

    def note(self, kind: str, number: int) -> None:
        """Count a flaw."""
        count, first = self.found.get(kind, (0, number))
        self.found[kind] = (count + 1, first)

    def warn(self, path: Path) -> None:
        """Report all flaws in one warning, if there are any."""
        if not self.found:
            return
        count = sum(many for many, _ in self.found.values())
        kinds = "; ".join(
            f"{kind} ({many}, first in {self.unit} {first})" for kind, (many, first) in self.found.items()
        )
        flaws = "1 flaw" if count == 1 else f"{count} flaws"
        warnings.warn(
            f"{path.name}: {flaws} found, and the rest was read: {kinds}", MedgaugeWarning, stacklevel=3
        )


@dataclass
class Ontology:
    """The contents of an ontology file."""

    flaws: Flaws
    id: str = ""
    version: str = ""
    namespace: str = ""
    """The namespace of classes that do not name one."""
    classes: dict[str, OntologyClass] = field(default_factory=dict)


def one_line(text: str) -> str:
    r"""Put single spaces between words.

    >>> one_line(" renal\n  failure ")
    'renal failure'
    """
    return " ".join(text.split())


def without_obsolete(label: str) -> str:
    """Remove the leading "obsolete" from a label, unless nothing else would be left.

    >>> without_obsolete("obsolete Clitoromegaly"), without_obsolete("OBSOLETE: Cleft lip")
    ('Clitoromegaly', 'Cleft lip')
    >>> without_obsolete("Obsolete"), without_obsolete("obsoleteness")
    ('Obsolete', 'obsoleteness')
    """
    begun = _OBSOLETE.match(label)
    return (label[begun.end() :] if begun else label) or label


def curie(identifier: str) -> str:
    """Return the CURIE that OBO uses for an IRI; an identifier without one is returned unchanged.

    >>> curie("http://purl.obolibrary.org/obo/HP_0000118"), curie("http://www.orpha.net/ORDO/Orphanet_5")
    ('HP:0000118', 'Orphanet:5')
    >>> curie("HP:0000118"), curie("http://purl.obolibrary.org/obo/hp#layperson")
    ('HP:0000118', 'http://purl.obolibrary.org/obo/hp#layperson')
    """
    parts = _IRI.fullmatch(identifier) if identifier.startswith("http") else None
    return f"{parts['prefix'] or parts['word']}:{parts['number'] or parts['rest']}" if parts else identifier


def release(ontology: str, version: str) -> str:
    """Return what distinguishes releases of an ontology: the version without IRI, ontology and file.

    >>> release("hp", "http://purl.obolibrary.org/obo/hp/releases/2025-01-16/hp.json")
    'releases/2025-01-16'
    >>> release("hp", "hp/releases/2025-01-16"), release("hp", "1.2")
    ('releases/2025-01-16', '1.2')
    """
    if version.startswith(_PURL):
        version = re.sub(r"/[^/]+\.(owl|obo|json)$", "", version.removeprefix(_PURL))
    return version.removeprefix(f"{ontology}/") if ontology else version


def ontology_id(given: str) -> str:
    """Return the short id of an ontology, as OBO writes it.

    >>> ontology_id("http://purl.obolibrary.org/obo/hp.json"), ontology_id("hp.obo"), ontology_id("go")
    ('hp', 'hp', 'go')
    """
    return re.sub(r"\.(owl|obo|json)$", "", given.removeprefix(_PURL))


def terminology_of(
    ontology: Ontology, path: Path, *, scopes: Collection[str], hierarchy: bool
) -> Terminology:
    """Make the tables of a terminology from an ontology's classes, and warn about what is left out."""
    classes = list(ontology.classes.values())
    _check_lengths(classes, path)
    labels = [one.label or None for one in classes]
    rows = {one.id: row for row, one in enumerate(classes)}
    concepts = pl.DataFrame(
        {
            "id": list(rows),
            "name": [one.name or None for one in classes],
            "label": labels,
            "tag": [one.namespace or ontology.namespace or None for one in classes],
            "active": [not one.obsolete for one in classes],
            "is_metadata": [False] * len(classes),
        },
        schema={"id": pl.String, "name": pl.String, "label": pl.String, "tag": pl.String}
        | {"active": pl.Boolean, "is_metadata": pl.Boolean},
    )
    active = [(row, one) for row, one in enumerate(classes) if not one.obsolete]
    synonyms = [(row, text) for row, one in active for scope, text in one.synonyms if scope in scopes]
    by_scope = Counter(scope for _, one in active for scope, _ in one.synonyms)
    version = release(ontology.id, ontology.version)
    title = clean_name(ontology.id) or plain_name(path)
    return Terminology(
        form="obo",
        title=f"{title} ({version})" if version else title,
        version=version,
        files={clean_name(path.name): remembered_sha256(path)},
        concepts=concepts,
        synonyms=pl.DataFrame(synonyms, {"concept": pl.UInt32, "term": pl.String}, orient="row"),
        associations=_associations(classes, rows, labels, path),
        parents=_parents(active, rows, classes) if hierarchy else None,
        terms={"name": sum(one.label != "" for _, one in active)}
        | {f"{scope.lower()} synonym": by_scope[scope] for scope in SCOPES},
        nameless=tuple(_nameless(classes)),
        appeared=pl.Series("appeared", [one.created for one in classes], pl.Date),
        xrefs=_xrefs(active),
    )


def _check_lengths(classes: list[OntologyClass], path: Path) -> None:
    for number, one in enumerate(classes, 1):
        longest = max(len(one.label), *(len(text) for _, text in one.synonyms), 0)
        if problem := problem_of_length(longest):
            raise FileError(path, problem, place=f"class {number}")


def _associations(
    classes: list[OntologyClass], rows: dict[str, int], labels: list[str | None], path: Path
) -> pl.DataFrame:
    """Link each obsolete class with the classes that replace it, each once; both need a label."""
    named = [
        (kind, source, rows.get(target))
        for source, one in enumerate(classes)
        if one.obsolete
        for kind, targets in (("replaced-by", one.replaced_by), ("possibly-equivalent-to", one.consider))
        for target in dict.fromkeys(targets)
    ]
    kept = [
        (kind, source, target, True)
        for kind, source, target in named
        if target is not None and labels[source] and labels[target]
    ]
    if left_out := len(named) - len(kept):
        many = (
            "1 replacement of an obsolete class was"
            if left_out == 1
            else (f"{left_out} replacements of obsolete classes were")
        )
        warnings.warn(
            f"{path.name}: {many} left out because one of the two has no label in the file",
            MedgaugeWarning,
            stacklevel=4,
        )
    columns = {"kind": pl.String, "source": pl.UInt32, "target": pl.UInt32, "active": pl.Boolean}
    return pl.DataFrame(kept, columns, orient="row")


def _parents(
    active: list[tuple[int, OntologyClass]], rows: dict[str, int], classes: list[OntologyClass]
) -> pl.DataFrame:
    edges = [
        (child, rows[parent])
        for child, one in active
        for parent in dict.fromkeys(one.parents)
        if parent in rows and not classes[rows[parent]].obsolete
    ]
    return pl.DataFrame(edges, {"child": pl.UInt32, "parent": pl.UInt32}, orient="row")


def _xrefs(active: list[tuple[int, OntologyClass]]) -> pl.DataFrame:
    found = [(row, xref) for row, one in active for xref in dict.fromkeys(one.xrefs)]
    return pl.DataFrame(found, {"concept": pl.UInt32, "xref": pl.String}, orient="row")


def _nameless(classes: list[OntologyClass]) -> Iterator[str]:
    """Yield the ids of active classes without a name, except stubs with the prefix of another ontology."""
    prefixes = Counter(_prefix(one.id) for one in classes if one.label)
    own = prefixes.most_common(1)[0][0] if prefixes else None
    for one in classes:
        if not one.obsolete and not one.label and own in (_prefix(one.id), None):
            yield one.id


def _prefix(identifier: str) -> str:
    return identifier.rpartition(":")[0]
