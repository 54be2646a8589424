"""The file with everyone's sign-in link, for the coordinator to hand out and then delete."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from medgauge.annotate.store.links import host_of, is_loopback
from medgauge.errors import FileError
from medgauge.files.spreadsheets import protected
from medgauge.files.writing import writing

LINKS = "links.csv"
"""The name of the file in a study's folder."""
_BASE = re.compile(rb"https?://[^/\s,\"]+(?=/s/)")


class LinksMoved(NamedTuple):
    """Where the links of a file led, and where they lead now."""

    before: str
    now: str


def write_links(path: Path, tokens: Mapping[str, str], base: str) -> None:
    """Write everyone's link, by name, to a file that only its owner may read."""
    quoted = ('"' + protected(name).replace('"', '""') + '"' for name in tokens)
    rows = (f"{name},{base}/s/{token}" for name, token in zip(quoted, tokens.values(), strict=True))
    _write(path, ("\n".join(["name,link", *rows]) + "\n").encode())


def _write(path: Path, content: bytes) -> None:
    with writing(path, private=True) as temporary:
        temporary.write_bytes(content)


def move_links(folder: Path, base: str) -> LinksMoved | None:
    """Have the links in a study's file begin with the address at which it is served, if they lead elsewhere.

    Links to this machine are changed, since they work at no other address. Those to another machine, such as
    a proxy, are left as they are, and so is a file that cannot be written. None is returned if there is no
    file, or nothing in it leads elsewhere.
    """
    path = folder / LINKS
    try:
        content = path.read_bytes()
    except OSError:
        return None
    elsewhere = [found[0].decode("ascii", "replace") for found in _BASE.finditer(content)]
    elsewhere = [one for one in elsewhere if one != base]
    if not elsewhere:
        return None
    if not all(is_loopback(host_of(one)) for one in elsewhere):
        return LinksMoved(elsewhere[0], elsewhere[0])
    try:
        _write(path, _BASE.sub(base.encode(), content))
    except FileError:
        return LinksMoved(elsewhere[0], elsewhere[0])
    return LinksMoved(elsewhere[0], base)
