"""The files of a SNOMED CT release, in a folder or in the zip as downloaded."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from medgauge.errors import FileError
from medgauge.files.zip_folders import is_hidden, member_files, open_member, path_parts

Kind = Literal["concept", "description", "association", "relationship", "language"]

# Prefixes of the file names. Some editions put a word of their own before Full and Snapshot (UKCL, MONO), and
# some have a file for each association reference set (SameAsAssociation).
_BEGINNINGS = {
    "concept": r"sct2_Concept_",
    "description": r"sct2_Description_",
    "association": r"der2_cRefset_[A-Za-z]*Association",
    "relationship": r"sct2_Relationship_",
    "language": r"der2_cRefset_[A-Za-z]*Language",
}
_NAMES = {
    kind: re.compile(
        rf"x?{beginning}[A-Za-z0-9]*?(?P<form>Full|Snapshot|Delta)"
        r"(?:[-_](?P<language>[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*))?"
        r"_(?P<package>[A-Za-z0-9]+)_(?P<date>\d{8})(?:T\d{6}Z?)?\.txt"
    )
    for kind, beginning in _BEGINNINGS.items()
}
_EXPECTED = (
    "expected a release in RF2, with files such as sct2_Concept_Full_INT_20190131.txt, in a folder or in the "
    ".zip as downloaded"
)


@dataclass(frozen=True)
class ReleaseFile:
    """A text file of a release: where it is, and what its name says about it."""

    kind: Kind
    source: Path
    member: str
    form: str
    language: str | None
    package: str
    date: str

    @property
    def path(self) -> Path:
        """The path of the file, continued into the zip, for messages."""
        return self.source / self.member

    def may_hold(self, language: str) -> bool:
        """Return whether the file may hold terms in a language, going by its name."""
        names = (self.language or language).lower().split("-")
        return language.lower().split("-")[0] in names

    def read(self) -> bytes:
        """Read the whole file."""
        with open_member(self.source, self.member, _EXPECTED) as stream:
            return stream.read()


def find_files(sources: Sequence[Path]) -> list[ReleaseFile]:
    """Find the files of each source, in the order of their paths; Full files override Snapshots."""
    return [file for source in sources for file in _files_of(source)]


def missing_file(source: Path, kind: Kind) -> FileError:
    """Return the error that says which file a release lacks."""
    pattern = f"{_BEGINNINGS[kind]}Full*.txt or {_BEGINNINGS[kind]}Snapshot*.txt"
    return FileError(source, f"has no {kind} file ({pattern}); give the whole release")


def _files_of(source: Path) -> list[ReleaseFile]:
    members = member_files(source, _EXPECTED)
    found = [file for member in sorted(members) if (file := _recognise(source, member)) is not None]
    if not found:
        raise FileError(source, f"has no files of a SNOMED CT release; {_EXPECTED}")
    states = [file for file in found if file.form != "Delta"]
    if not states:
        raise FileError(
            source,
            "has only Delta files, which hold changes and not the full state; give Full or Snapshot files",
        )
    full = {_without_form(file) for file in states if file.form == "Full"}
    return [file for file in states if file.form == "Full" or _without_form(file) not in full]


def _recognise(source: Path, member: str) -> ReleaseFile | None:
    if is_hidden(member):
        return None
    for kind, pattern in _NAMES.items():
        if match := pattern.fullmatch(path_parts(member)[-1]):
            return ReleaseFile(cast(Kind, kind), source, member, **match.groupdict())
    return None


def _without_form(file: ReleaseFile) -> str:
    """Return what the names of a file's Full and Snapshot versions have in common."""
    return path_parts(file.member)[-1].replace(file.form, "", 1)
