"""Files of FHIR resources: finds them, and reads what their bundles and lines hold.

A place in them is the ordinal of the file, in the order of their paths, and the line: "file 3, line 2". The
names of files often hold the names of patients.
"""

import codecs
import gc
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any

from medgauge.errors import FileError, MissingExtraError
from medgauge.files.opening import check_unpacked, most_unpacked, open_bytes, read_bytes

Skip = Callable[[str, str], None]
"""Receives a place that cannot be read and what is wrong there, to follow the place in a sentence."""

TRIED = 10
"""How many files, and lines of each, are looked at for a resource."""

_WHOLE = re.compile(r".+\.json(\.gz)?", re.IGNORECASE)
_LINES = re.compile(r".+\.(ndjson|jsonl)(\.gz)?", re.IGNORECASE)


def fhir_files(source: Path) -> list[Path]:
    """Return the files that may hold FHIR resources: those of a folder, by path, or the one file itself.

    Their names end in .json, .ndjson or .jsonl, with or without .gz. Hidden files and __MACOSX are left out.
    """
    if source.is_file():
        return [source] if _may_hold_resources(source) else []
    found = {path.relative_to(source): path for path in source.rglob("*") if _may_hold_resources(path)}
    shown = [inner for inner in found if not _is_junk(inner)]
    return [found[inner] for inner in sorted(shown, key=Path.as_posix) if found[inner].is_file()]


def is_fhir(source: Path) -> bool:
    """Return whether the first files of a folder, or a file, hold FHIR resources, by their content."""
    return any(
        isinstance(document.get("resourceType"), str)
        for path in fhir_files(source)[:TRIED]
        for _, document in islice(documents(path, 1, lambda _place, _problem: None), TRIED)
    )


def documents(path: Path, ordinal: int, skip: Skip) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the JSON objects of a file, one or one for each line, with their places.

    `skip` is called for what cannot be read.
    """
    problem = ""
    try:
        for place, content in _contents(path, f"file {ordinal}"):
            try:
                document = _parsed(content)
                wrong = "" if isinstance(document, dict) else "is not a JSON object"
            except ValueError:
                wrong = "is not JSON"
            if wrong:
                skip(place, wrong)
            else:
                yield place, document
    except FileError as error:
        problem = _without_its_name(error)
    except OSError:
        problem = "cannot be read"
    if problem:
        skip(f"file {ordinal}", problem)


def unbundled(document: Mapping[str, Any]) -> Iterator[tuple[Any, Mapping[str, str]]]:
    """Yield the resources of a bundle, also of bundles in it, or else the resource itself.

    With each comes what the full URLs of its bundle stand for: the id of a patient, or "" if they stand for
    something else. What should be a resource and is not an object is yielded all the same.

    >>> patient = {"resourceType": "Patient", "id": "7"}
    >>> entry = [{"fullUrl": "urn:uuid:1", "resource": patient}]
    >>> list(unbundled({"resourceType": "Bundle", "entry": entry}))
    [({'resourceType': 'Patient', 'id': '7'}, {'urn:uuid:1': '7'})]
    """
    if document.get("resourceType") != "Bundle":
        yield document, {}
        return
    entries = document.get("entry")
    if entries is None:
        return
    if not isinstance(entries, list):
        yield None, {}
        return
    patients = _patients_by_url(entries)
    for entry in entries:
        if not isinstance(entry, dict):
            yield entry, patients
            continue
        resource = entry.get("resource")
        if isinstance(resource, dict) and resource.get("resourceType") == "Bundle":
            yield from unbundled(resource)
        elif resource is not None:
            yield resource, patients


def _may_hold_resources(path: Path) -> bool:
    return any(ending.fullmatch(path.name) for ending in (_WHOLE, _LINES))


def _is_junk(inner: Path) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in inner.parts)


def _contents(path: Path, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield the texts of a file that are to be JSON each, with their places."""
    is_empty = path.stat().st_size == 0
    if _WHOLE.fullmatch(path.name):
        yield place, b"" if is_empty else read_bytes(path).removeprefix(codecs.BOM_UTF8)
    elif not is_empty:  # without lines it says that there are no resources of a type
        yield from _lines(path, place)


def _lines(path: Path, place: str) -> Iterator[tuple[str, bytes]]:
    limit = most_unpacked()
    with open_bytes(path) as stream:
        for number in count(1):
            line = stream.readline(limit + 1)
            if not line:
                return
            check_unpacked(path, len(line), limit)
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.strip():
                yield f"{place}, line {number}", line


def _parsed(content: bytes) -> Any:
    """Return what a JSON text in UTF-8 holds; raise a ValueError if it is not one."""
    try:
        import orjson
    except ImportError as error:
        raise MissingExtraError("orjson", extra="records") from error
    collects = gc.isenabled()
    gc.disable()  # a bundle is 100,000 objects and more, which the collector visits again and again
    try:
        return orjson.loads(content)
    finally:
        if collects:
            gc.enable()


def _without_its_name(error: FileError) -> str:
    """Say what is wrong with a file, without its name or the words of what unpacks it."""
    if isinstance(error.__cause__, PermissionError):
        return "cannot be read by this user"
    return error.problem if error.__cause__ is None else "is compressed and damaged"


def _patients_by_url(entries: list[Any]) -> dict[str, str]:
    """Return the ids of patients by the full URLs of their entries; URLs of other resources have none."""
    found = {}
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        url, resource = entry.get("fullUrl"), entry.get("resource")
        if not isinstance(url, str) or not isinstance(resource, dict):
            continue
        if resource.get("resourceType") != "Patient":
            found[url] = ""
        elif isinstance(name := resource.get("id"), str) and name:
            found[url] = name
    return found
