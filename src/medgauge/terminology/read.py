"""Reads any terminology in the format that its files have."""

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
    """Read SNOMED CT releases (folders or zips, extensions after the edition they extend), or one ontology.

    An ontology is a file in OBO or OBO Graphs JSON, optionally gzipped. `language` and `check_ids` apply to
    releases, `scopes` to ontologies.
    """
    if not sources:
        raise InputError(
            "no terminology was given; give the folder or .zip of a release, or the file of an ontology"
        )
    for source in sources:
        if not source.exists():
            raise FileError(source, "there is no such file or folder")
        if not (source.is_file() or source.is_dir()):
            raise FileError(source, "is neither a file nor a folder")
    releases = [source for source in sources if is_release(source)]
    if len(releases) == len(sources):
        return read_rf2(sources, language=language, check_ids=check_ids, hierarchy=hierarchy)
    if releases:
        raise InputError("releases and ontologies cannot be combined; give one or the other")
    if len(sources) > 1:
        raise InputError(f"{len(sources)} ontologies were given; give one")
    return read_ontology(sources[0], scopes=scopes, hierarchy=hierarchy)


def is_release(source: Path) -> bool:
    """Return whether a source is a SNOMED CT release, and not an ontology."""
    # A truncated zip is recognised only by its name.
    return source.is_dir() or source.suffix.lower() == ".zip" or zipfile.is_zipfile(source)
