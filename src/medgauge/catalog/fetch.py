"""Published files from the network, or from a folder: verified, resumed, never half under their name.

The only module of medgauge that opens a network connection.
"""

import io
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Protocol

from medgauge.catalog.published import SourceFile, check_digest, data_folder, find_file
from medgauge.errors import DigestError, FetchError, FileError
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
    here = find_file(file)
    if here is not None:
        check_digest(here, file)
        return here, False
    target = _folder() / file.name
    archive = target.with_name(Path(file.url).name) if file.member else target
    part = archive.with_name(f"{archive.name}.part")
    _download(file.url, part, connect)
    if file.member is None:
        _accept(part, file, target)
    else:
        _unpack(part, file, target)
    return target, True


def take(file: SourceFile, folder: Path) -> tuple[Path, bool]:
    """Copy a published file from a folder instead, verified."""
    here = find_file(file)
    if here is not None:
        check_digest(here, file)
        return here, False
    source = next(
        (place for place in (folder / file.name, folder / "published" / file.name) if place.is_file()),
        None,
    )
    if source is None:
        raise FileError(folder, f"has no file {file.name}")
    check_digest(source, file)
    target = _folder() / file.name
    with writing(target) as temporary:
        shutil.copyfile(source, temporary)
        check_digest(temporary, file)
    return target, True


def _folder() -> Path:
    folder = data_folder() / "published"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            folder,
            f"cannot be written to ({error.strerror}); set MEDGAUGE_DATA to a folder that can",
        ) from error
    return folder


def _download(url: str, part: Path, connect: Connect) -> None:
    start = part.stat().st_size if part.exists() else 0
    try:
        response = connect(url, start)
    except urllib.error.HTTPError as error:
        if start and error.code == 416:  # nothing is left to send
            return
        raise FetchError(f"{url}: the server answered {error.code} {error.reason}") from error
    except OSError as error:
        raise FetchError(f"{url}: no connection ({error}); try again later") from error
    try:
        resumed = response.status == 206
        length = response.getheader("Content-Length")
        with (
            part.open("ab" if resumed else "wb") as out,
            track(f"fetching {part.stem}", int(length or 0)) as advance,
        ):
            received = _copy(response, out, advance)
    except OSError as error:
        raise FetchError(f"{url}: the connection broke ({error}); run it again to resume") from error
    finally:
        response.close()
    if length is not None and received < int(length):
        raise FetchError(
            f"{url}: the connection broke after {received} of {length} bytes; run it again to resume"
        )


def _copy(response: Response, out: IO[bytes], advance: Callable[[int], None]) -> int:
    received = 0
    while block := response.read(_BLOCK):
        out.write(block)
        received += len(block)
        advance(len(block))
    return received


def _accept(part: Path, file: SourceFile, target: Path) -> None:
    """Give a verified download its name; a wrong one is removed."""
    try:
        check_digest(part, file)
    except DigestError as error:
        part.unlink()
        raise FetchError(
            f"{file.url}: what came is not the published file ({error.problem.split(';')[0]}); it was removed"
        ) from None
    part.replace(target)


def _unpack(part: Path, file: SourceFile, target: Path) -> None:
    """Take the one member that is wanted out of a downloaded archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(part.read_bytes())) as archive:
            names = [name for name in archive.namelist() if Path(name).name == file.member]
            if len(names) != 1:
                raise FetchError(f"{file.url}: the archive has no member {file.member}")
            content = archive.read(names[0])
    except zipfile.BadZipFile as error:
        part.unlink()
        raise FetchError(f"{file.url}: what came is no zip archive; it was removed") from error
    part.unlink()
    member = target.with_name(f"{target.name}.part")
    member.write_bytes(content)
    _accept(member, file, target)
