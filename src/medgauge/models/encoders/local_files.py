"""The files of models that are only in folders: found and digested."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import require_file


def require_folder(path: str | Path) -> Path:
    """Return the path if it is a folder; otherwise raise a FileError that says what is wrong."""
    path = Path(path)
    if not path.exists():
        raise FileError(path, "there is no such folder")
    if not path.is_dir():
        raise FileError(path, "is a file; give the folder of the model")
    return path


def only_file(folder: Path, name: str, pattern: str) -> Path:
    """Return the file of that name, or the only one that matches the pattern."""
    if (folder / name).exists():
        return require_file(folder / name)
    found = sorted(folder.glob(pattern))
    if len(found) > 1:
        raise FileError(folder, f"has several files {pattern}; call the one to use {name}")
    if not found:
        raise FileError(folder, f"has no file {name}; give the folder of the whole model")
    return require_file(found[0])


def digest_of(files: Iterable[Path]) -> str:
    """Return a digest of the content of files, in their order."""
    return hashlib.sha256("\n".join(map(remembered_sha256, files)).encode()).hexdigest()
