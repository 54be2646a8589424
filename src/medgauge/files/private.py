"""Folders of the user's cache that only the user can read, for what repeats terms or belongs to a service."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.digests import user_folder

_OPEN = {"digests"}  # folders of the cache that say nothing of what a user has


def private_folder(*names: str) -> Path:
    """Return a folder in the user's medgauge cache with the mode 0700, made where it is missing.

    One that others could read is closed to them.
    """
    folder = user_folder("XDG_CACHE_HOME", ".cache")
    try:
        for name in names:
            folder = folder / name
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
    except OSError as error:
        raise FileError(folder, f"cannot be made private to you: {error.strerror or error}") from error
    return folder


@dataclass(frozen=True)
class PrivateContent:
    """How many files a private folder has, and how many bytes; `kept` are files that cannot be removed."""

    name: str
    files: int
    bytes: int
    kept: int = 0


def private_contents() -> list[PrivateContent]:
    """Return what is in each private folder, by name."""
    return [_measured(folder) for folder in _private_folders()]


def clear_private(name: str) -> PrivateContent:
    """Remove everything from a private folder; return what was removed."""
    removed, freed, kept = 0, 0, 0
    top = user_folder("XDG_CACHE_HOME", ".cache") / name
    for folder, _, files in os.walk(top, topdown=False):
        for file in files:
            path = Path(folder, file)
            try:
                size = path.lstat().st_size
                path.unlink()
            except OSError:
                kept += 1
            else:
                removed, freed = removed + 1, freed + size
        with suppress(OSError):
            Path(folder).rmdir()
    return PrivateContent(name, removed, freed, kept)


def _private_folders() -> list[Path]:
    top = user_folder("XDG_CACHE_HOME", ".cache")
    if not top.is_dir():
        return []
    return sorted(path for path in top.iterdir() if path.is_dir() and path.name not in _OPEN)


def _measured(folder: Path) -> PrivateContent:
    count, size = 0, 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            if not path.is_dir():
                count, size = count + 1, size + path.lstat().st_size
    return PrivateContent(folder.name, count, size)
