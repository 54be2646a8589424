"""Mappings in SSSOM, the Simple Standard for Sharing Ontological Mappings, in its TSV form.

https://mapping-commons.github.io/sssom/spec-formats-tsv: a block of YAML in lines that begin with #, which
may be missing, and a table of which `subject_id`, `predicate_id` and `object_id` are read. Ids are CURIEs;
IRIs, which older files have, are shortened by the curie_map. A mapping with the modifier Not is left out, and
so is one that says that there is no term (sssom:NoTermFound).
"""

import csv
import io
from collections.abc import Collection, Iterator
from pathlib import Path

from medgauge.errors import FileError, InputError, quoted
from medgauge.files.digests import remembered_sha256
from medgauge.files.file_names import clean_name
from medgauge.files.opening import read_text
from medgauge.mapping.concept_systems import ConceptSystem
from medgauge.mapping.routes import PairsRoute

EXACT = "skos:exactMatch"
"""The predicate that counts unless others are named."""

_NEEDED = ("subject_id", "predicate_id", "object_id")
_NONE = "sssom:NoTermFound"
_BUILT_IN = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sssom": "https://w3id.org/sssom/",
    "semapv": "https://w3id.org/semapv/vocab/",
}
# A predicate and the one that holds in the other direction.
_INVERSE = {
    "skos:exactMatch": "skos:exactMatch",
    "skos:closeMatch": "skos:closeMatch",
    "skos:relatedMatch": "skos:relatedMatch",
    "skos:broadMatch": "skos:narrowMatch",
    "skos:narrowMatch": "skos:broadMatch",
    "owl:equivalentClass": "owl:equivalentClass",
    "owl:sameAs": "owl:sameAs",
}


def read_sssom(
    path: str | Path, source: ConceptSystem, target: ConceptSystem, *, predicates: Collection[str] = (EXACT,)
) -> PairsRoute:
    """Read the mappings between two code systems, in either direction, with one of some predicates."""
    path = Path(path)
    if not predicates or any(":" not in one for one in predicates):
        raise InputError(f"{quoted(', '.join(predicates))} is not a predicate such as {EXACT}")
    pairs = []
    for subject, predicate, obj in _mappings(path):
        for one, way, other in ((subject, predicate, obj), (obj, _INVERSE.get(predicate, ""), subject)):
            code, mapped = source.id_of(one), target.id_of(other)
            if way in predicates and ":" in one and ":" in other and code and mapped:
                pairs.append((code, mapped))
    if not pairs:
        raise FileError(
            path, f"has no mapping between {source.title} and {target.title} with {' or '.join(predicates)}"
        )
    return PairsRoute(clean_name(path.name), {clean_name(path.name): remembered_sha256(path)}, pairs)


def _mappings(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the subject, predicate and object of each mapping."""
    lines = read_text(path).split("\n")
    start = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    prefixes = _prefixes(lines[:start])
    # Line breaks in quotes make rows longer than a line, so that the reader counts them itself.
    reader = csv.reader(io.StringIO("\n".join(lines[start:]), newline=""), delimiter="\t", strict=True)
    line = start + 1
    header: list[str] = []
    try:
        for row in reader:
            place, line = f"line {line}", start + reader.line_num + 1
            if not any(map(str.strip, row)):
                continue
            if not header:
                header = _checked_header(path, row, place)
                continue
            if len(row) != len(header):
                problem = f"the row has {len(row)} fields, but {len(header)} are expected"
                raise FileError(path, problem, place=place)
            cells = dict(zip(header, row, strict=True))
            ids = [_curie(cells[name].strip(), prefixes) for name in _NEEDED]
            if not ids[1]:
                raise FileError(path, "the predicate_id is missing", place=place)
            if cells.get("predicate_modifier", "").strip() or not all(ids) or _NONE in ids:
                continue
            yield ids[0], ids[1], ids[2]
    except csv.Error as error:
        problem = "a quote is opened but not closed, or misplaced"
        raise FileError(path, problem, place=f"line {line}") from error
    if not header:
        raise FileError(path, f"has no table; an SSSOM file has the columns {', '.join(_NEEDED)}")


def _checked_header(path: Path, row: list[str], place: str) -> list[str]:
    header = [name.strip() for name in row]
    missing = [name for name in _NEEDED if header.count(name) != 1]
    if missing:
        raise FileError(
            path,
            f"needs the columns {', '.join(missing)}, once each; an SSSOM file has them, separated by tabs",
            place=place,
        )
    return header


def _prefixes(lines: list[str]) -> dict[str, str]:
    """Return the curie_map of a metadata block: what IRIs begin with, by the prefix.

    >>> _prefixes(["#curie_map:", "#  HP: http://purl.obolibrary.org/obo/HP_", "#license: x"])["HP"]
    'http://purl.obolibrary.org/obo/HP_'
    """
    found = dict(_BUILT_IN)
    inside: int | None = None
    for line in lines:
        text = line[1:]
        name, colon, value = text.partition(":")
        indent = len(text) - len(text.lstrip())
        if inside is not None and text.strip() and indent <= inside:
            inside = None
        if inside is not None and colon:
            # A comment begins with a blank; an IRI may have a # in it.
            found[name.strip().strip("'\"")] = value.partition(" #")[0].strip().strip("'\"")
        elif name.strip() == "curie_map":
            inside = indent
    return found


def _curie(written: str, prefixes: dict[str, str]) -> str:
    """Return an id as a CURIE; the longest prefix that fits decides.

    >>> _curie("http://www.w3.org/2004/02/skos/core#exactMatch", _BUILT_IN), _curie("HP:1", {})
    ('skos:exactMatch', 'HP:1')
    """
    if not written.startswith(("http://", "https://", "<http")):
        return written
    written = written.strip("<>")
    fitting = [(iri, prefix) for prefix, iri in prefixes.items() if iri and written.startswith(iri)]
    if not fitting:
        return written
    iri, prefix = max(fitting, key=lambda one: len(one[0]))
    return f"{prefix}:{written.removeprefix(iri)}"
