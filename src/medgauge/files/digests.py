"""Digests that identify files, remembered in the user's cache."""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from medgauge.errors import FileError, InputError
from medgauge.files.writing import write_text
from medgauge.progress import track

_BLOCK = 1 << 20


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file in hexadecimal.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a"
    ...     _ = path.write_bytes(b"abc")
    ...     sha256_of(path)[:16]
    'ba7816bf8f01cfea'
    """
    digest = hashlib.sha256()
    with path.open("rb") as stream, track(f"hashing {path.name}", path.stat().st_size) as advance:
        while block := stream.read(_BLOCK):
            digest.update(block)
            advance(len(block))
    return digest.hexdigest()


def remembered_sha256(path: Path) -> str:
    """Return a file's SHA-256, from the user's cache if its size and modification time are unchanged."""
    path = path.resolve()
    state = path.stat()
    mark = f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    try:
        memory = user_folder("XDG_CACHE_HOME", ".cache") / "digests" / name
    except InputError:  # a user without a home
        return sha256_of(path)
    try:
        seen, _, digest = memory.read_text("ascii").partition("\n")
        if seen == mark and len(digest) == 64:
            return digest
    except (OSError, UnicodeDecodeError):
        pass
    digest = sha256_of(path)
    with suppress(FileError):  # a cache that cannot be written only costs time
        write_text(memory, f"{mark}\n{digest}")
    return digest


def user_folder(variable: str, default: str) -> Path:
    """Find the user's medgauge folder under an XDG variable, or under its default below home.

    >>> user_folder("XDG_CACHE_HOME", ".cache").name
    'medgauge'
    """
    base = os.environ.get(variable)
    try:
        return (Path(base) if base else Path.home() / default) / "medgauge"
    except RuntimeError as error:
        raise InputError(f"this user has no home folder; set the variable HOME or {variable}") from error
