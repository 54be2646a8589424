"""Any terminology, known by what it is read from."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

from medgauge.errors import FileError, InputError
from medgauge.terminology.model import Terminology
from medgauge.terminology.obo import read_ontology
from medgauge.terminology.rf2 import read_rf2


def read_terminology(
    sources: Sequence[Path],
    *,
    language: str = "en",
    scopes: Sequence[str] = ("EXACT",),
    check_ids: bool = False,
    hierarchy: bool = True,
) -> Terminology:
    """Read SNOMED CT releases (folders or zips, extensions after what they extend), or one ontology.

    An ontology is a file in OBO or OBO Graphs JSON, gzipped or not. `language` and `check_ids` are about
    releases, `scopes` is about ontologies.
    """
    if not sources:
        raise InputError("a terminology is needed: a release's folder or .zip, or an ontology's file")
    for source in sources:
        if not source.exists():
            raise FileError(source, "there is no such file or folder")
        if not (source.is_file() or source.is_dir()):
            raise FileError(source, "is neither a file nor a folder")
    releases = [source for source in sources if _is_release(source)]
    if len(releases) == len(sources):
        return read_rf2(sources, language=language, check_ids=check_ids, hierarchy=hierarchy)
    if releases:
        raise InputError("releases and ontologies are not read together; give the one or the other")
    if len(sources) > 1:
        raise InputError(f"{len(sources)} ontologies were given; one is read at a time")
    return read_ontology(sources[0], scopes=scopes, hierarchy=hierarchy)


def _is_release(source: Path) -> bool:
    # A zip that is cut off is known by its name alone.
    return source.is_dir() or source.suffix.lower() == ".zip" or zipfile.is_zipfile(source)
