"""OBO Graphs, the JSON form of OBO ontologies."""

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from medgauge.errors import FileError
from medgauge.terminology.classes import SCOPES, Flaws, Ontology, OntologyClass, curie, one_line, ontology_id

_OIO = "http://www.geneontology.org/formats/oboInOwl#"
_OWL = "http://www.w3.org/2002/07/owl#"
_REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_CREATED = (f"{_OIO}creation_date", "http://purl.org/dc/terms/created")
_SCOPE_OF = {f"has{scope.capitalize()}Synonym": scope for scope in SCOPES}


def parse_obographs(path: Path, text: str) -> Ontology:
    """Read the classes of all graphs in a document."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        is_cut = not text[error.pos :].strip() or error.msg.startswith("Unterminated")
        problem = "the JSON is truncated" if is_cut else f"is not valid JSON ({error.msg})"
        raise FileError(path, f"{problem}; get the file again", place=f"line {error.lineno}") from error
    except (RecursionError, ValueError) as error:
        raise FileError(path, f"is not an OBO Graphs document: its JSON cannot be read ({error})") from error
    graphs = list(_objects(document, "graphs"))
    if not graphs:
        raise FileError(path, "is JSON, but not an OBO Graphs document: it has no graphs")
    first = _properties(graphs[0])
    ontology = Ontology(
        Flaws("node"),
        id=ontology_id(_text(graphs[0].get("id"))),
        version=_version(graphs[0], first),
        namespace=one_line(next(iter(first.get(f"{_OIO}default-namespace", [])), "")),
    )
    nodes = [node for graph in graphs for node in _objects(graph, "nodes")]
    alternative = {
        curie(one) for node in nodes for one in _properties(node).get(f"{_OIO}hasAlternativeId", [])
    }
    for number, node in enumerate(nodes, 1):
        if node.get("type") == "CLASS":
            _add(ontology, _class_of(node, ontology.flaws, number), alternative, number)
    if not ontology.classes:
        raise FileError(path, "has no classes: no node of its graphs has the type CLASS")
    for edge in (edge for graph in graphs for edge in _objects(graph, "edges")):
        child = ontology.classes.get(curie(_text(edge.get("sub"))))
        if edge.get("pred") == "is_a" and child is not None:
            child.parents.append(curie(_text(edge.get("obj"))))
    return ontology


def _add(ontology: Ontology, one: OntologyClass, alternative: set[str], number: int) -> None:
    if not one.id:
        ontology.flaws.note("class without an id", number)
    elif one.obsolete and not one.name and one.id in alternative:
        return  # an alt_id, for which OBO has no frame
    elif one.id in ontology.classes:
        ontology.classes[one.id].merge(one)  # usually from another graph
    else:
        ontology.classes[one.id] = one


def _class_of(node: Mapping[str, Any], flaws: Flaws, number: int) -> OntologyClass:
    said = _properties(node)
    one = OntologyClass(
        id=curie(_text(node.get("id"))),
        name=_text(node.get("lbl")).strip(),
        namespace=one_line(next(iter(said.get(f"{_OIO}hasOBONamespace", [])), "")),
        # Some writers store deprecation as a field, some as a property.
        obsolete=_meta(node).get("deprecated") is True or "true" in said.get(f"{_OWL}deprecated", []),
        replaced_by=[curie(value) for value in said.get(_REPLACED_BY, [])],
        consider=[curie(value) for value in said.get(f"{_OIO}consider", [])],
        created=_created(said, flaws, number),
    )
    for synonym in _objects(_meta(node), "synonyms"):
        scope = _SCOPE_OF.get(_text(synonym.get("pred")).removeprefix(_OIO))
        if scope is None:
            flaws.note("synonym without a scope", number)
        if text := one_line(_text(synonym.get("val"))):
            one.synonyms.append((scope or "RELATED", text))
    one.xrefs += [curie(xref) for there in _objects(_meta(node), "xrefs") if (xref := _id_in(there))]
    return one


def _id_in(xref: Mapping[str, Any]) -> str:
    """Return the id of an xref, without what some writers put behind it."""
    return next(iter(_text(xref.get("val")).split()), "")


def _created(said: Mapping[str, list[str]], flaws: Flaws, number: int) -> date | None:
    for written in (value for name in _CREATED for value in said.get(name, [])):
        try:
            return datetime.fromisoformat(written.strip()).date()
        except ValueError:
            flaws.note("bad date", number)
    return None


def _version(graph: Mapping[str, Any], said: Mapping[str, list[str]]) -> str:
    """Return the version IRI, from which OBO's data-version is made, or else versionInfo."""
    return _text(_meta(graph).get("version")) or next(iter(said.get(f"{_OWL}versionInfo", [])), "")


def _objects(holder: object, key: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in the list at a key, if there is one."""
    listed = holder.get(key) if isinstance(holder, dict) else None
    yield from (one for one in listed if isinstance(one, dict)) if isinstance(listed, list) else ()


def _meta(holder: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = holder.get("meta")
    return meta if isinstance(meta, dict) else {}


def _properties(holder: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the values of each basic property, in their order."""
    values: dict[str, list[str]] = {}
    for one in _objects(_meta(holder), "basicPropertyValues"):
        values.setdefault(_text(one.get("pred")), []).append(_text(one.get("val")))
    return values


def _text(value: object) -> str:
    """Return text that can be written as UTF-8, empty if the value is not text."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""
