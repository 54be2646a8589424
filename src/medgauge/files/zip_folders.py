"""Files below a folder or in a zip, found and read in the same way: a download need not be unpacked."""

import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes

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


def member_files(source: Path, expected: str) -> list[str]:
    """Return the paths of the files below a folder or in a zip.

    `expected` says what should have been given, for the error about a file that is not a zip. A zip with an
    unsafe path, a password or a directory that does not fit its members is refused.
    """
    if source.is_dir():
        walked = os.walk(source, onerror=_unreadable)
        files = (Path(folder, name) for folder, _, names in walked for name in names)
        return [file.relative_to(source).as_posix() for file in files if file.is_file()]
    if not source.exists():
        raise FileError(source, "there is no such file or folder")
    with _opened(source, expected) as archive:
        entries = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
    for entry in entries:
        parts = path_parts(entry.filename)
        if parts[0] in ("", "..") or parts[0].endswith(":") or ".." in parts:
            raise FileError(source, "is unsafe: a path in it leads out of the zip; get it from its publisher")
        if entry.flag_bits & 1:
            raise FileError(source, "is encrypted; unzip it and give the folder")
    _check_names(source, expected)
    return [entry.filename for entry in entries]


@contextmanager
def open_member(source: Path, member: str, expected: str) -> Iterator[IO[bytes]]:
    """Open a file below a folder or in a zip for reading; an empty one is an error."""
    if source.is_dir():
        with open_bytes(source / member) as stream:
            yield stream
        return
    with _opened(source, expected) as archive:
        if not archive.getinfo(member).file_size:
            raise FileError(source / member, "the file is empty")
        with archive.open(member) as stream:
            yield stream


def member_size(source: Path, member: str, expected: str) -> int:
    """Return how many bytes a file below a folder has, or one in a zip unpacks to."""
    if source.is_dir():
        return (source / member).stat().st_size
    with _opened(source, expected) as archive:
        return archive.getinfo(member).file_size


def path_parts(member: str) -> list[str]:
    r"""Split a path; some zips made on Windows have backslashes in their paths.

    >>> path_parts("2024AA\\META/MRSTY.RRF")
    ['2024AA', 'META', 'MRSTY.RRF']
    """
    return re.split(r"[/\\]", member)


def is_hidden(member: str) -> bool:
    """Return whether a file is one of the system's own, below a folder or in a zip.

    >>> is_hidden("__MACOSX/META/._MRSTY.RRF"), is_hidden("META/MRSTY.RRF")
    (True, False)
    """
    return any(part.startswith(".") or part == "__MACOSX" for part in path_parts(member))


def _unreadable(error: OSError) -> None:
    raise FileError(error.filename, "is not readable; check its permissions") from error


def _check_names(source: Path, expected: str) -> None:
    """Refuse a zip whose directory lacks or misnames a member: a file would be skipped unnoticed."""
    with _opened(source, expected) as archive, source.open("rb") as stream:
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
def _opened(path: Path, expected: str) -> Iterator[zipfile.ZipFile]:
    with open_bytes(path) as stream:
        begins_as_zip = stream.read(2) == b"PK"
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except _DAMAGE as error:
        problem = (
            "the zip is truncated or damaged; get it again" if begins_as_zip else f"is not a zip; {expected}"
        )
        raise FileError(path, problem) from error
    except NotImplementedError as error:
        raise FileError(path, "has an unsupported compression; unzip it and give the folder") from error
