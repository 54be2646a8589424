"""Fetch published files from the network or from a folder: verified, resumed, never partial."""

import io
import shutil
import urllib.error
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from medgauge.catalog.cards import SourceFile, check_digest, data_folder, find_file
from medgauge.errors import FetchError, FileError
from medgauge.files.writing import writing
from medgauge.network import CONNECTION_ERRORS, Response, connect
from medgauge.progress import remark, track

_BLOCK = 1 << 16

Connect = Callable[[str, int], Response]
"""Requests a URL from a given byte on; tests replace it."""


def fetch(file: SourceFile, *, connect: Connect = connect) -> tuple[Path, bool]:
    """Download a published file; return its path and whether it was downloaded now.

    An interrupted download is kept next to it as .part and resumed.
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
    """Copy a published file from a folder and verify it; return as `fetch` does."""
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
    """Return the file's path if it is already on this machine; raise an error if it was changed."""
    here = find_file(file)
    if here is not None:
        check_digest(here, file)
    return here


@contextmanager
def _writing_to(folder: Path) -> Iterator[None]:
    """Create a folder, and report errors in the block as problems of writing to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except (OSError, FileError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if not isinstance(cause, OSError):
            raise
        raise FileError(
            folder, f"cannot be written to ({cause.strerror}); set MEDGAUGE_DATA to a writable folder"
        ) from error


@contextmanager
def _talking_to(url: str) -> Iterator[None]:
    """Report errors in the block as problems of the connection."""
    try:
        yield
    except urllib.error.HTTPError as error:
        raise FetchError(f"{url}: the server responded {error.code} {error.reason}") from error
    except CONNECTION_ERRORS as error:
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
    if mode == "ab":
        remark(f"resuming: {start:,} bytes of {part.stem} are kept")
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
    """Rename a download to its final name if its digest is right, and remove it otherwise."""
    try:
        check_digest(part, file)
    except FileError as error:
        part.unlink()
        problem = error.problem.split(";")[0]
        raise FetchError(
            f"{file.url}: the download is not the published file ({problem}); it was removed"
        ) from None
    part.replace(target)


def _unpack(part: Path, file: SourceFile, target: Path) -> None:
    """Extract the wanted member from a downloaded archive, and remove the archive."""
    content = part.read_bytes()
    part.unlink()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            [name] = [name for name in archive.namelist() if Path(name).name == file.member]
            member = archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise FetchError(
            f"{file.url}: the download is not a zip with one {file.member}; it was removed"
        ) from error
    unpacked = target.with_name(f"{target.name}.part")
    unpacked.write_bytes(member)
    _accept(unpacked, file, target)
