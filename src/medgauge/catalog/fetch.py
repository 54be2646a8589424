"""Published files from the network, or from a folder: verified, resumed, never half under their name.

The only module of medgauge that opens a network connection.
"""

import http.client
import io
import shutil
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from medgauge.catalog.cards import SourceFile, check_digest, data_folder, find_file
from medgauge.errors import FetchError, FileError
from medgauge.files import writing
from medgauge.progress import track

_BLOCK = 1 << 16
_TIMEOUT = 60


class Response(Protocol):
    """What a connection answers: a status, headers, and a body to read."""

    status: int

    def getheader(self, name: str) -> str | None:
        """Give a header's value."""

    def read(self, size: int) -> bytes:
        """Read on in the body."""

    def close(self) -> None:
        """Hang up."""


Connect = Callable[[str, int], Response]
"""Asks for a URL from a byte on; the seam that tests replace."""


def connect(url: str, start: int) -> Response:
    """Ask for a URL, from byte `start` on if the server can."""
    request = urllib.request.Request(url, headers={"User-Agent": "medgauge"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    response: Response = urllib.request.urlopen(request, timeout=_TIMEOUT)
    return response


def fetch(file: SourceFile, *, connect: Connect = connect) -> tuple[Path, bool]:
    """Bring a published file to this machine; give its path and whether it was fetched now.

    What had come before a break is kept beside it as .part and resumed.
    """
    if here := _verified(file):
        return here, False
    target = data_folder() / "published" / file.name
    archive = target.with_name(Path(file.url).name) if file.member else target
    part = archive.with_name(f"{archive.name}.part")
    with _writing_to(target.parent):
        _download(file.url, part, connect)
        if file.member is None:
            _accept(part, file, target)
        else:
            _unpack(part, file, target)
    return target, True


def take(file: SourceFile, folder: Path) -> tuple[Path, bool]:
    """Copy a published file from a folder instead, verified."""
    if here := _verified(file):
        return here, False
    source = next(
        (place for place in (folder / file.name, folder / "published" / file.name) if place.is_file()),
        None,
    )
    if source is None:
        raise FileError(folder, f"has no file {file.name}")
    check_digest(source, file)
    target = data_folder() / "published" / file.name
    with _writing_to(target.parent), writing(target) as temporary:
        shutil.copyfile(source, temporary)
        check_digest(temporary, file)
    return target, True


def _verified(file: SourceFile) -> Path | None:
    """Give the file's path if it is on this machine already; refuse one that was changed."""
    here = find_file(file)
    if here is not None:
        check_digest(here, file)
    return here


@contextmanager
def _writing_to(folder: Path) -> Iterator[None]:
    """Make a folder, and say of a disk that does not take the file that it is the disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise FileError(
            folder, f"cannot be written to ({error.strerror}); set MEDGAUGE_DATA to a folder that can"
        ) from error


@contextmanager
def _talking_to(url: str) -> Iterator[None]:
    """Say of a connection that fails that it is the connection."""
    try:
        yield
    except urllib.error.HTTPError as error:
        raise FetchError(f"{url}: the server answered {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:
        raise FetchError(f"{url}: the connection failed ({error}); run it again to resume") from error


def _download(url: str, part: Path, connect: Connect) -> None:
    start = part.stat().st_size if part.exists() else 0
    with _talking_to(url):
        try:
            response = connect(url, start)
        except urllib.error.HTTPError as error:
            if start and error.code == 416:  # nothing is left to send
                error.close()
                return
            raise
    length = response.getheader("Content-Length")
    mode = "ab" if response.status == 206 else "wb"
    received = 0
    try:
        with part.open(mode) as out, track(f"fetching {part.stem}", int(length or 0)) as advance:
            while True:
                with _talking_to(url):
                    block = response.read(_BLOCK)
                if not block:
                    break
                out.write(block)
                received += len(block)
                advance(len(block))
    finally:
        response.close()
    if length is not None and received < int(length):
        raise FetchError(
            f"{url}: the connection broke after {received} of {length} bytes; run it again to resume"
        )


def _accept(part: Path, file: SourceFile, target: Path) -> None:
    """Give a verified download its name; a wrong one is removed."""
    try:
        check_digest(part, file)
    except FileError as error:
        part.unlink()
        problem = error.problem.split(";")[0]
        raise FetchError(
            f"{file.url}: what came is not the published file ({problem}); it was removed"
        ) from None
    part.replace(target)


def _unpack(part: Path, file: SourceFile, target: Path) -> None:
    """Take the one member that is wanted out of a downloaded archive, which is then removed."""
    content = part.read_bytes()
    part.unlink()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            [name] = [name for name in archive.namelist() if Path(name).name == file.member]
            member = archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise FetchError(
            f"{file.url}: what came is no archive with one {file.member}; it was removed"
        ) from error
    unpacked = target.with_name(f"{target.name}.part")
    unpacked.write_bytes(member)
    _accept(unpacked, file, target)
