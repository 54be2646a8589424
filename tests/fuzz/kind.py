"""A kind of input: a valid example, what reads it, and how it is damaged."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz.mutations import Mutation

SECRET = "zqx"
"""Every term of an example has this in it; no message may."""

Reader = Callable[[Path], object]
"""Gives a folder's example to medgauge, and returns what it understood, to compare with `==`."""


@dataclass(frozen=True)
class Kind:
    """A kind of input.

    `make` writes a valid example into an empty folder, always the same bytes; one of the `files` is damaged
    at a time, by some of the `mutations`. `sealed` says that the content carries a checksum: blind damage
    must be refused or change nothing. `is_file` is false for the text of an option, which is no file
    that a message could name. `optional` says that a medgauge without the reader refuses the example; the
    kind is then skipped.
    """

    name: str
    make: Callable[[Path], None]
    files: tuple[str, ...]
    read: Reader
    mutations: tuple[Mutation, ...]
    sealed: bool = False
    is_file: bool = True
    optional: bool = False


def content_of(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder, by their paths in it."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def put(folder: Path, content: Mapping[str, bytes]) -> None:
    """Write files below a folder, by their paths in it."""
    for name, data in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
