"""The user's own key, under which the names of models and terms in the cache say nothing to others."""

import hashlib
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from medgauge.arrays import Words
from medgauge.errors import FileError

_BYTES = 32
_BLOCK = 64  # bytes in a block of SHA-256
_KEPT = 16  # bytes of an HMAC: no two of 10**15 terms are taken for each other


def own_key(folder: Path) -> bytes:
    """Return the key that is kept in a folder; make one at the first use, or in place of a damaged one.

    What was kept under a damaged key is not found again. A key that others could read is closed to them, and
    one that belongs to another user is refused.
    """
    path = folder / "key"
    key = _read(path)
    if len(key) != _BYTES:
        _make(path)
        key = _read(path)
    if len(key) != _BYTES:
        raise FileError(path, "is not a key; remove it")
    return key


def _read(path: Path) -> bytes:
    """Read a key, nothing if it is not there."""
    try:
        state = path.stat()
        if hasattr(os, "geteuid") and state.st_uid != os.geteuid():
            raise FileError(path, "belongs to another user")
        if state.st_mode & 0o077:
            path.chmod(0o600)
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def _make(path: Path) -> None:
    """Put a new key in place, whole; the first of several processes does."""
    temporary = path.with_name(f".key.{secrets.token_hex(4)}.tmp")
    try:
        temporary.touch(0o600, exist_ok=False)
        temporary.write_bytes(secrets.token_bytes(_BYTES))
        if len(_read(path)) != _BYTES:
            path.unlink(missing_ok=True)
            try:
                path.hardlink_to(temporary)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


class KeyedNames:
    """HMAC-SHA256 under a key, cut to 128 bits, of many terms of the same model.

    The two inner states of an HMAC are prepared once, which takes a third of the time of `hmac.digest`.
    """

    def __init__(self, key: bytes, prefix: bytes = b"") -> None:
        padded = key.ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + prefix)
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded))

    def of(self, term: str) -> bytes:
        """Return the 16 bytes by which a term is found."""
        inner = self._inner.copy()
        inner.update(term.encode("utf-8", "surrogatepass"))
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()[:_KEPT]

    def of_all(self, terms: Iterable[str]) -> Words:
        """Return the names of terms, a row of two 64-bit words for each."""
        return np.frombuffer(b"".join(map(self.of, terms)), "<u8").reshape(-1, 2)
