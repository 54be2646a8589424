"""Folders that appear whole or not at all; some keep the finished parts of interrupted work."""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os.path import samestat
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import polars as pl

from medgauge.errors import FileError, InputError, option
from medgauge.files.file_names import clean_name
from medgauge.files.intact import is_sealed
from medgauge.files.opening import require_file
from medgauge.files.parquet import parquet_metadata, write_parquet
from medgauge.files.writing import lock_folder

Whole = TypeVar("Whole")

_KEY = "medgauge.key"


@dataclass(frozen=True)
class WholeFolder:
    """A folder that has a provisional name until it is complete.

    Subclasses say what it is called in messages (`WHAT`), which file identifies it (`MAIN`), which patterns
    its other files match (`PARTS`), and which folders in it are filled by others (`WITHIN`); a folder with
    anything else is refused, as it would be lost.
    """

    folder: Path
    WHAT: ClassVar[str]
    MAIN: ClassVar[str]
    PARTS: ClassVar[tuple[str, ...]]
    WITHIN: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def at(cls, path: str | Path) -> Self:
        """Return the folder at a path, which may be relative or a link."""
        try:
            return cls(Path(path).resolve())
        except (OSError, RuntimeError) as error:
            raise InputError(f"{path} is a broken link; choose another folder") from error

    @property
    def partial(self) -> Path:
        """The provisional folder."""
        return self.folder.with_name(f"{self.folder.name}.partial")

    @contextmanager
    def made(self) -> Iterator[Path]:
        """Yield the empty provisional folder; rename it after the block, or remove it if the block failed.

        What a killed process left in it is removed. A folder that is not empty is not replaced.
        """
        with self.locked():
            self._keep_only(set())
            try:
                yield self.partial
                self._rename()
            except BaseException:
                self._keep_only(set())
                raise

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the same folder until this block or this process ends."""
        self._check_name()
        new_parents = [path for path in self.folder.parents if not path.exists()]
        self.partial.mkdir(parents=True, exist_ok=True)
        self._check_content(self.partial)
        with lock_folder(self.partial) as is_mine:
            if not is_mine:
                raise InputError(
                    f"another {self.WHAT} is being written to {self.folder}; wait until it is done"
                )
            mine = self.partial.stat()
            try:
                yield
            finally:
                with suppress(OSError):
                    if samestat(self.partial.stat(), mine):
                        self.partial.rmdir()  # if nothing was kept in it
                        for path in new_parents:
                            path.rmdir()

    def _check_name(self) -> None:
        """Refuse a folder that a rename cannot put in place."""
        if not str(self.folder).isprintable() or clean_name(str(self.folder)) != str(self.folder):
            raise InputError(
                f"the name of the folder for the {self.WHAT} has characters that cannot be written"
            )
        if self.folder.name.endswith(".partial"):
            raise InputError(
                f"{self.folder}: names that end in .partial are for an unfinished {self.WHAT}; "
                "choose another name"
            )
        if self.folder in (Path.cwd(), *Path.cwd().parents):
            raise InputError(
                f"{self.folder} is the current folder, or above it; choose a new folder for the {self.WHAT}"
            )
        if self.folder.is_mount():
            raise InputError(f"{self.folder} is a mount point and cannot be renamed; choose a folder in it")

    def _check_content(self, folder: Path) -> None:
        for path in sorted(folder.rglob("*")):
            if not self._is_part(path.relative_to(folder)):
                raise InputError(
                    f"{folder} contains {path.name}, which is not part of a {self.WHAT}; "
                    "choose another folder"
                )

    def _is_part(self, path: Path) -> bool:
        if path.suffix == ".tmp" or path.parts[0] in self.WITHIN:  # the first: what a kill left of a file
            return True
        folders = [str(Path(pattern).parent) for pattern in self.PARTS]
        if str(path) == self.MAIN or str(path) in folders:
            return True
        return any(
            str(path.parent) == folder and path.match(pattern)
            for folder, pattern in zip(folders, self.PARTS, strict=True)
        )

    def _take_name(self, needed: set[str]) -> None:
        """Remove the parts that are not needed, and give the folder its final name."""
        self._keep_only(needed)
        self._rename()

    def _keep_only(self, needed: set[str]) -> None:
        for path in self.partial.rglob("*"):
            if path.is_file() and path.relative_to(self.partial).as_posix() not in needed:
                path.unlink()

    def _rename(self) -> None:
        try:
            self.partial.replace(self.folder)
        except OSError as error:  # the system replaces only an empty folder
            if self.folder.exists():
                raise InputError(f"{self.folder} already exists; choose another folder") from error
            raise


@dataclass(frozen=True)
class ResumableFolder(WholeFolder):
    """A folder whose finished parts survive a kill, and which may replace an earlier one.

    Parts are Parquet files with a key derived from everything they depend on, by which they are found again.
    """

    @property
    def _replaced(self) -> Path:
        return self.folder.with_name(f".{self.folder.name}.replaced")

    def exists(self) -> bool:
        """Return whether the complete folder exists; refuse anything else in its place."""
        self._restore()
        if not self.folder.exists():
            return False
        if not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file; a {self.WHAT} needs a folder")
        self._check_content(self.folder)
        if not any(self.folder.iterdir()):
            return False
        if not (self.folder / self.MAIN).is_file():
            raise InputError(
                f"{self.folder} exists and is not a {self.WHAT} made by medgauge; choose another folder"
            )
        return True

    def read_whole(self, load: Callable[[Path], Whole], *, damaged: bool) -> Whole | None:
        """Load what the folder holds, None if it does not exist; with `damaged`, None if it is broken."""
        if not self.exists():
            return None
        try:
            return load(self.folder)
        except FileError as error:
            if damaged:
                return None
            how = option("replace", True)
            raise InputError(f"{error}; add {how} to make the {self.WHAT} again") from error

    def has(self, path: str, key: str) -> bool:
        """Return whether a part with this key is kept."""
        return _has_key(self.partial / path, key)

    def places(self, path: str, key: str) -> Iterator[Path]:
        """Yield the files of a part with this key: those a kill left, then those to be replaced."""
        for folder in (self.partial, self.folder):
            if _has_key(folder / path, key):
                yield folder / path

    def keep(
        self, path: str, frame: pl.DataFrame, metadata: dict[str, str] | None = None, key: str = ""
    ) -> None:
        """Write a part at once, so that a kill loses nothing that was computed."""
        write_parquet(self.partial / path, frame, (metadata or {}) | ({_KEY: key} if key else {}))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from writing to the same folder, and remove the one that a kill left."""
        with super().locked():
            self._restore()
            shutil.rmtree(self._replaced, ignore_errors=True)
            yield

    def _restore(self) -> None:
        if self._replaced.exists() and not self.folder.exists():
            self._replaced.rename(self.folder)  # killed between the two renames of `_rename`

    def _rename(self) -> None:
        if self.folder.exists():
            self.folder.rename(self._replaced)
        self.partial.rename(self.folder)
        shutil.rmtree(self._replaced, ignore_errors=True)


def _has_key(path: Path, key: str) -> bool:
    """Return whether a part has the key, and the content that was written under it."""
    with suppress(FileError):
        return bool(is_sealed(require_file(path))) and parquet_metadata(path).get(_KEY) == key
    return False


def key_of(**inputs: Any) -> str:
    """Make a key from everything a result depends on.

    >>> key_of(a=1)[:8] == key_of(a=1)[:8] != key_of(a=2)[:8]
    True
    """
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


def part_name(*names: str) -> str:
    """Return a file name made of names; unusual names get a suffix that keeps it unique.

    >>> part_name("bio-simlex", "glove"), part_name("a/b") == part_name("a_b")
    ('bio-simlex--glove', False)
    """
    plain = [re.sub(r"[^\w.+-]|--+", "_", name)[:80] for name in names]
    mark = "" if plain == list(names) else f"--{key_of(names=names)[:8]}"
    return f"{'--'.join(plain)}{mark}"
