"""The files of a SNOMED CT release, in a folder or in the zip as downloaded."""

import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes

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
# In front of each member: magic, flags and the length of its name.
_MEMBER = struct.Struct("<4s2xH18xH")
_MAGIC, _IS_UTF8, _EXTRA = b"PK\x03\x04", 0x800, 2
_ENTRY = 46  # bytes of an entry in the directory, besides its texts
_ENDING = 40  # bytes after the directory that have the number of members
# What zipfile raises for a damaged directory of a zip, or a damaged file in it.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, IndexError, ValueError),
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
        if self.source.is_dir():
            with open_bytes(self.path) as stream:
                return stream.read()
        with _opened(self.source) as archive:
            content = archive.read(self.member)
        if not content:
            raise FileError(self.path, "the file is empty")
        return content


def find_files(sources: Sequence[Path]) -> list[ReleaseFile]:
    """Find the files of each source, in the order of their paths; Full files override Snapshots."""
    return [file for source in sources for file in _files_of(source)]


def missing_file(source: Path, kind: Kind) -> FileError:
    """Return the error that says which file a release lacks."""
    pattern = f"{_BEGINNINGS[kind]}Full*.txt or {_BEGINNINGS[kind]}Snapshot*.txt"
    return FileError(source, f"has no {kind} file ({pattern}); give the whole release")


def _files_of(source: Path) -> list[ReleaseFile]:
    members = _members(source)
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
    parts = _parts(member)
    if any(part.startswith(".") or part == "__MACOSX" for part in parts):
        return None
    for kind, pattern in _NAMES.items():
        if match := pattern.fullmatch(parts[-1]):
            return ReleaseFile(cast(Kind, kind), source, member, **match.groupdict())
    return None


def _without_form(file: ReleaseFile) -> str:
    """Return what the names of a file's Full and Snapshot versions have in common."""
    return _parts(file.member)[-1].replace(file.form, "", 1)


def _parts(member: str) -> list[str]:
    """Split a path; some zips made on Windows have backslashes in their paths."""
    return re.split(r"[/\\]", member)


def _unreadable(error: OSError) -> None:
    raise FileError(error.filename, "is not readable; check its permissions") from error


def _members(source: Path) -> list[str]:
    """Return the paths of the files below a folder or in a zip."""
    if source.is_dir():
        walked = os.walk(source, onerror=_unreadable)
        files = (Path(folder, name) for folder, _, names in walked for name in names)
        texts = (file for file in files if file.suffix == ".txt" and file.is_file())
        return [file.relative_to(source).as_posix() for file in texts]
    if not source.exists():
        raise FileError(source, "there is no such file or folder")
    with _opened(source) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    for entry in entries:
        parts = _parts(entry.filename)
        if parts[0] in ("", "..") or parts[0].endswith(":") or ".." in parts:
            raise FileError(source, "is unsafe: a path in it leads out of the zip; get it from its publisher")
        if entry.flag_bits & 1:
            raise FileError(source, "is encrypted; unzip it and give the folder")
    _check_names(source)
    return [entry.filename for entry in entries]


def _check_names(source: Path) -> None:
    """Refuse a zip whose directory lacks or misnames a member: a file would be skipped unnoticed."""
    with _opened(source) as archive, source.open("rb") as stream:
        end = archive.start_dir
        for entry in archive.infolist():
            stream.seek(entry.header_offset)
            magic, flags, length = _MEMBER.unpack(stream.read(_MEMBER.size))
            stream.seek(_EXTRA, os.SEEK_CUR)
            name = stream.read(length).decode("utf-8" if flags & _IS_UTF8 else "cp437")
            if magic != _MAGIC or name != entry.orig_filename:
                raise zipfile.BadZipFile
            end += _ENTRY + length + len(entry.extra) + len(entry.comment)
        stream.seek(end)
        if _entries(stream.read(_ENDING)) != len(archive.infolist()):
            raise zipfile.BadZipFile


def _entries(ending: bytes) -> int | None:
    """Return how many members a zip has according to what follows its directory, None if that is damaged."""
    if ending.startswith(b"PK\x06\x06"):  # zip64
        return int.from_bytes(ending[32:40], "little")
    return int.from_bytes(ending[10:12], "little") if ending.startswith(b"PK\x05\x06") else None


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    with open_bytes(path) as stream:
        begins_as_zip = stream.read(2) == b"PK"
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except _DAMAGE as error:
        problem = (
            "the zip is truncated or damaged; get it again" if begins_as_zip else f"is not a zip; {_EXPECTED}"
        )
        raise FileError(path, problem) from error
    except NotImplementedError as error:
        raise FileError(path, "has an unsupported compression; unzip it and give the folder") from error
