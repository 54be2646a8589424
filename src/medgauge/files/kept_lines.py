"""Answers kept in the user's private cache, a line for each as soon as it has arrived."""

import hashlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock

from medgauge.errors import FileError
from medgauge.files.private import private_folder

_KEY = 64  # characters of a SHA-256


@dataclass
class KeptLines:
    """Lines of text by what was asked, appended to one file of a private folder.

    A line that a kill cut in two is ignored; another process may append at the same time. Without `remembers`
    they are kept in memory only. What was asked is stored as a digest.
    """

    folder: str
    name: str
    remembers: bool = True
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __getitem__(self, asked: str) -> str | None:
        """Return the line that was kept for a question, None if there is none."""
        return self._found.get(_key(asked))

    def keep(self, asked: str, line: str) -> None:
        """Keep a line, which has no line break."""
        with self._lock:
            self._found[_key(asked)] = line
            if self.remembers:
                self._append(f"{_key(asked)} {line}\n")

    @property
    def _file(self) -> Path:
        return private_folder(self.folder) / f"{self.name}.txt"

    @cached_property
    def _found(self) -> dict[str, str]:
        if not self.remembers:
            return {}
        try:
            lines = self._file.read_text("utf-8", errors="replace").splitlines()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise FileError(self._file, f"cannot be read: {error.strerror or error}") from error
        split = (line.partition(" ") for line in lines)
        return {key: rest for key, _, rest in split if len(key) == _KEY}

    def _append(self, line: str) -> None:
        path = self._file
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(descriptor, "rb+") as stream:
                size = stream.seek(0, os.SEEK_END)
                if size:
                    stream.seek(size - 1)
                    line = line if stream.read(1) == b"\n" else f"\n{line}"
                stream.write(line.encode())
        except OSError as error:
            raise FileError(path, f"cannot be written: {error.strerror or error}") from error


def _key(asked: str) -> str:
    return hashlib.sha256(asked.encode()).hexdigest()
