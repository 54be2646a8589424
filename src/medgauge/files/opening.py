"""Files opened for reading, compressed or not, with errors that say what is wrong."""

import codecs
import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from medgauge.errors import FileError, InputError
from medgauge.installation import install_command

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MOST_UNPACKED = "MEDGAUGE_MAX_UNPACKED_GB"
"""The environment variable with the most that a compressed text may unpack to, in GB."""
_MOST_UNPACKED = 1.0
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def require_file(path: str | Path) -> Path:
    """Return the path if it is a non-empty file; otherwise raise a FileError that says what is wrong."""
    path = Path(path)
    with suppress(OSError, ValueError):  # one look is enough for most, of many thousand files
        state = path.stat()
        if stat.S_ISREG(state.st_mode) and state.st_size:
            return path
    if path.is_dir():
        raise FileError(path, "is a directory; a file is needed")
    if not path.exists():
        raise FileError(path, "there is no such file")
    if not path.is_file():
        raise FileError(path, "is not a regular file")
    if path.stat().st_size == 0:
        raise FileError(path, "the file is empty")
    return path


@contextmanager
def open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for reading bytes, decompressing it if its content (not its name) is gzip or zstd."""
    path = require_file(path)
    form = None
    try:
        form = packed_form(path)
        with _opened(path, form) as stream:
            yield stream
    except EOFError as error:
        raise FileError(path, f"the {form} stream is cut off; download the file again") from error
    except _damage(form) as error:
        raise FileError(path, f"the {form} stream is damaged ({error}); download the file again") from error
    except PermissionError as error:
        raise FileError(path, "cannot be read by this user; check its permissions") from error


def position_on_disk(stream: object) -> int:
    """Return how much of a file that `open_bytes` opened has been read, in bytes on disk; 0 if not known."""
    if isinstance(stream, gzip.GzipFile):
        raw: Any = stream.fileobj
        return 0 if raw is None else int(raw.tell())
    return stream.tell() if isinstance(stream, io.BufferedReader) else 0


def packed_form(path: str | Path) -> str | None:
    """Return how a file is compressed, going by how it begins: gzip, zstd or not at all."""
    with require_file(path).open("rb") as stream:
        begin = stream.read(len(ZSTD_MAGIC))
    if begin.startswith(GZIP_MAGIC):
        return "gzip"
    return "zstd" if begin == ZSTD_MAGIC else None


def _opened(path: Path, form: str | None) -> IO[bytes]:
    if form is None:
        return path.open("rb")
    if form == "gzip":
        return cast(IO[bytes], gzip.open(path))
    zstd = _zstd()
    if zstd is None:
        raise FileError(
            path, f"is compressed with zstd; to read it, run {install_command('zstd')}, or unpack it"
        )
    return cast(IO[bytes], zstd.open(path))


def _zstd() -> Any:
    """Return the module for zstd: Python's own from 3.14 on, else its backport; None if it is missing."""
    for name in ("compression.zstd", "backports.zstd"):
        with suppress(ImportError):
            return import_module(name)
    return None


def _damage(form: str | None) -> tuple[type[Exception], ...]:
    """Return the errors that a damaged stream of this form raises."""
    zstd = _zstd() if form == "zstd" else None
    return (gzip.BadGzipFile, zlib.error) if zstd is None else (zstd.ZstdError,)


def read_bytes(path: str | Path) -> bytes:
    """Read a whole file; a compressed one must not unpack to more than the limit.

    The limit is 1 GB, or what the environment variable MEDGAUGE_MAX_UNPACKED_GB says. A small file can
    unpack to more than the memory holds.
    """
    with open_bytes(path) as stream:
        if isinstance(stream, io.BufferedReader):  # as it is
            return stream.read()
        limit = most_unpacked()
        content = stream.read(limit + 1)
    check_unpacked(path, len(content), limit)
    return content


def most_unpacked() -> int:
    """Return how many bytes a compressed file may unpack to."""
    given = os.environ.get(MOST_UNPACKED, "")
    try:
        gigabytes = float(given) if given else _MOST_UNPACKED
    except ValueError:
        gigabytes = -1.0
    if not 0 < gigabytes < 1e6:
        raise InputError(f"the environment variable {MOST_UNPACKED} must be a number of GB, such as 8")
    return int(gigabytes * 1e9)


def check_unpacked(path: str | Path, size: int, limit: int) -> None:
    """Refuse a file that unpacks to more bytes than the limit."""
    if size > limit:
        raise FileError(
            path,
            f"unpacks to more than {limit / 1e9:g} GB; if that is meant, set the environment variable "
            f"{MOST_UNPACKED} to a higher number",
        )


def read_text(path: str | Path) -> str:
    """Read a whole UTF-8 text file, compressed or not, without its byte-order mark."""
    content = read_bytes(path).removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        is_utf16 = content[:2] in _UTF16_MARKS
        found = "the file is UTF-16" if is_utf16 else f"byte 0x{content[error.start]:02x} is not valid UTF-8"
        raise FileError(path, f"{found}; save it as UTF-8", place=f"line {line}") from error


def is_gzip(path: str | Path) -> bool:
    """Return whether a file begins like gzip."""
    return begins_with(path, GZIP_MAGIC)


def begins_with(path: str | Path, magic: bytes) -> bool:
    """Return whether a file begins with these bytes."""
    with require_file(path).open("rb") as stream:
        return stream.read(len(magic)) == magic
