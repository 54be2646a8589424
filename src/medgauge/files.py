"""Files on disk: opened with clear errors, written whole or not at all, identified by their digest."""

import codecs
import glob
import gzip
import hashlib
import os
import secrets
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from medgauge.errors import FileError, InputError
from medgauge.intact import problem_with, seal
from medgauge.progress import track

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    import polars as pl

GZIP_MAGIC = b"\x1f\x8b"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
MOST_UNPACKED = "MEDGAUGE_MAX_UNPACKED_GB"
"""The environment variable with the most that a compressed text may unpack to, in GB."""
_MOST_UNPACKED = 1.0
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BLOCK = 1 << 20


def require_file(path: str | Path) -> Path:
    """Return the path if it is a non-empty file; otherwise raise a FileError that says what is wrong."""
    path = Path(path)
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


def packed_form(path: str | Path) -> str | None:
    """Return how a file is compressed, going by how it begins: gzip, zstd or not at all."""
    if is_gzip(path):
        return "gzip"
    return "zstd" if _begins_with(path, ZSTD_MAGIC) else None


def _opened(path: Path, form: str | None) -> IO[bytes]:
    if form is None:
        return path.open("rb")
    if form == "gzip":
        return cast(IO[bytes], gzip.open(path))
    zstd = _zstd()
    if zstd is None:
        raise FileError(
            path, "is compressed with zstd: pip install 'medgauge[zstd]', or unpack it with unzstd"
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
        if packed_form(path) is None:
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


@contextmanager
def _parquet_errors(path: Path) -> Iterator[None]:
    import polars as pl

    try:
        if (problem := problem_with(path)) is not None:
            raise FileError(path, f"cannot be read as Parquet: {problem}")
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, UnicodeError) as error:
        raise FileError(path, f"cannot be read as Parquet: {error}") from error


def read_parquet(path: str | Path) -> "pl.DataFrame":
    """Read a Parquet file; a damaged one is a FileError, and cannot end the process."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.read_parquet(path, glob=False)


def parquet_metadata(path: str | Path) -> dict[str, str]:
    """Read the metadata of a Parquet file."""
    import polars as pl

    path = require_file(path).absolute()
    with _parquet_errors(path):
        return pl.read_parquet_metadata(path)


def is_parquet(path: str | Path) -> bool:
    """Return whether a file begins like Parquet."""
    return _begins_with(path, b"PAR1")


def is_gzip(path: str | Path) -> bool:
    """Return whether a file begins like gzip."""
    return _begins_with(path, GZIP_MAGIC)


def _begins_with(path: str | Path, magic: bytes) -> bool:
    with require_file(path).open("rb") as stream:
        return stream.read(len(magic)) == magic


def sha256_of(path: Path) -> str:
    """Compute the SHA-256 of a file in hexadecimal.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a"
    ...     _ = path.write_bytes(b"abc")
    ...     sha256_of(path)[:16]
    'ba7816bf8f01cfea'
    """
    digest = hashlib.sha256()
    with path.open("rb") as stream, track(f"hashing {path.name}", path.stat().st_size) as advance:
        while block := stream.read(_BLOCK):
            digest.update(block)
            advance(len(block))
    return digest.hexdigest()


def remembered_sha256(path: Path) -> str:
    """Return a file's SHA-256, from the user's cache if its size and modification time are unchanged."""
    path = path.resolve()
    state = path.stat()
    mark = f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
    try:
        memory = user_folder("XDG_CACHE_HOME", ".cache") / "digests" / name
    except InputError:  # a user without a home
        return sha256_of(path)
    try:
        seen, _, digest = memory.read_text("ascii").partition("\n")
        if seen == mark and len(digest) == 64:
            return digest
    except (OSError, UnicodeDecodeError):
        pass
    digest = sha256_of(path)
    with suppress(FileError):  # a cache that cannot be written only costs time
        write_text(memory, f"{mark}\n{digest}")
    return digest


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
        # Another process took it for what a dead one left before it was locked, and removed it.


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


def write_parquet(path: Path, frame: "pl.DataFrame", metadata: dict[str, str]) -> None:
    """Write a Parquet file whole or not at all, with a seal by which damage is noticed."""
    import polars as pl

    with writing(path) as temporary:
        try:
            frame.write_parquet(temporary, metadata=metadata)
        except pl.exceptions.PolarsError as error:
            raise FileError(path, f"cannot be written: {error}") from error
        seal(temporary)


def can_write(path: Path) -> bool:
    """Return whether a file could be written there, creating its folders if needed."""
    folder = next(one for one in path.absolute().parents if one.exists())
    return not path.is_dir() and folder.is_dir() and os.access(folder, os.W_OK)


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


def clean_name(text: str) -> str:
    r"""Turn a file name or an option into a name that can be written and shown anywhere.

    >>> clean_name("glove\x1b[31m")
    'glove?[31m'
    """
    text = text.encode("utf-8", "replace").decode()
    return "".join(character if character.isprintable() else "?" for character in text)


def plain_name(path: Path) -> str:
    """Name a table or list after its file.

    >>> plain_name(Path("data/my.pairs.csv.gz"))
    'my.pairs'
    """
    return clean_name(path.name.removesuffix(".gz").removesuffix(".zst").rsplit(".", 1)[0])


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all."""
    with writing(path) as temporary:
        temporary.write_text(text, "utf-8", newline="\n")


def user_folder(variable: str, default: str) -> Path:
    """Find the user's medgauge folder under an XDG variable, or under its default below home.

    >>> user_folder("XDG_CACHE_HOME", ".cache").name
    'medgauge'
    """
    base = os.environ.get(variable)
    try:
        return (Path(base) if base else Path.home() / default) / "medgauge"
    except RuntimeError as error:
        raise InputError(f"this user has no home folder; set the variable HOME or {variable}") from error
