"""Files written whole or not at all, by one process at a time."""

import glob
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from medgauge.errors import FileError

if sys.platform != "win32":
    import fcntl


@contextmanager
def writing(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield an empty file next to `path` to write to; it is renamed to `path` once it is safely on disk.

    A symbolic link is kept and its target is written; a folder or a device is refused. What a killed process
    left of an earlier attempt is removed. Only its owner can ever read a file that is `private`.
    """
    path = path.resolve() if path.is_symlink() else path
    if path.exists() and not path.is_file():
        raise FileError(path, "is not a regular file, and is not overwritten")
    with _temporary(path, private=private) as temporary:
        yield temporary
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        temporary.replace(path)


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Claim a file until the block ends; refuse one that another process has claimed or is writing."""
    path = path.resolve() if path.is_symlink() else path
    with _temporary(path):
        if len(_live(path)) > 1:
            raise FileError(path, "is being written by another process; wait until it is done")
        yield


@contextmanager
def _temporary(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield an empty file next to another, which is locked; if the block fails, leave nothing behind."""
    new_folders = [folder for folder in path.parents if not folder.exists()]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _live(path)
        temporary, descriptor = _locked_temporary(path, 0o600 if private else 0o666)
        try:
            yield temporary
        finally:
            temporary.unlink(missing_ok=True)
            if descriptor is not None:
                os.close(descriptor)
    except BaseException as error:
        with suppress(OSError):
            for folder in new_folders:
                folder.rmdir()
        if not isinstance(error, OSError) or not _is_about(error, path):
            raise
        raise FileError(path, f"cannot be written: {error.strerror or error}") from error


def _is_about(error: OSError, path: Path) -> bool:
    """Return whether an error is about a file, its folders or its temporary file; a full disk names none."""
    if not isinstance(error.filename, str | os.PathLike):
        return True
    named = Path(error.filename)
    return named in (path, *path.parents) or named.name.startswith(f".{path.name}.")


def _locked_temporary(path: Path, mode: int) -> tuple[Path, int | None]:
    """Create a temporary file; return it with what holds its lock, None where the system has no locks."""
    while True:
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL, mode)
        locked = _lock(descriptor)
        if locked and temporary.exists():
            return temporary, descriptor
        os.close(descriptor)
        if locked is None:
            return temporary, None  # closed: Windows renames no open file


def _live(path: Path) -> list[Path]:
    """Return the temporary files that processes hold; remove those that killed ones left."""
    held = []
    for temporary in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
        with suppress(OSError):
            descriptor = os.open(temporary, os.O_RDONLY)
            try:
                locked = _lock(descriptor)
                if locked:
                    temporary.unlink()
                elif locked is False:
                    held.append(temporary)
            finally:
                os.close(descriptor)
    return held


def can_write(path: Path) -> bool:
    """Return whether a file could be written there, creating its folders if needed."""
    folder = next(one for one in path.absolute().parents if one.exists())
    return not path.is_dir() and folder.is_dir() and os.access(folder, os.W_OK)


def check_not_read(path: Path, given: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, such as a source of what is written."""
    if path.exists() and any(one.exists() and path.samefile(one) for one in given):
        raise FileError(path, "is read here, and would be overwritten; choose another place")


@contextmanager
def lock_folder(folder: Path) -> Iterator[bool]:
    """Lock a folder until the block or the process ends; yield False if another process holds the lock.

    Where the system has no such locks (Windows, some network drives), every process gets True.
    """
    if sys.platform == "win32":  # which does not open folders
        yield True
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        is_mine = _lock(descriptor) is not False
        # Its last owner may have renamed the folder between opening and locking.
        yield is_mine and folder.exists() and os.path.samestat(os.fstat(descriptor), folder.stat())
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> bool | None:
    """Lock an open file; return False if another process holds the lock, None if the system has no locks."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with writing(path) as temporary:
        temporary.write_text(text, "utf-8", newline="\n")
