"""Probe words: how a service that was changed without a word is noticed.

Some services return slightly different numbers for the same word each time. So the vectors that were seen
first are remembered on this machine, and while new ones point the same way, the digest is that of the first.
"""

import hashlib
import io
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from medgauge.arrays import Floats
from medgauge.errors import InputError
from medgauge.files.private import private_folder
from medgauge.files.writing import writing

PROBE_WORDS = (
    "fever",
    "heart attack",
    "myocardial infarction",
    "type 2 diabetes mellitus",
    "left",
    "right",
    "water",
    "metoprolol 50 mg",
)
"""What a service is asked to tell one state of its model from another."""

_SAME = 0.9999  # cosine; services vary by about 1e-6, other weights give 0.99 and less


@dataclass(frozen=True)
class Memory:
    """The vectors of the probe words that a service returned first, on this machine.

    `of` says which service, model and dimension.
    """

    of: tuple[str, str, int | None]

    @property
    def known(self) -> bool:
        """Whether the service was asked before."""
        return self._read() is not None

    def digest_of(self, vectors: Floats, *, remember: bool = True) -> str:
        """Return the digest of the vectors, or of those remembered if these are the same up to noise."""
        if remember:
            before = self._read()
            if before is not None and is_same(before, vectors):
                return _digest(before)
            self._write(vectors)
        return _digest(vectors)

    def _file(self) -> Path:
        name = hashlib.sha256(json.dumps(self.of).encode()).hexdigest()[:32]
        return private_folder("services") / f"{name}.npy"

    def _read(self) -> Floats | None:
        try:
            content = self._file().read_bytes()
            vectors = np.load(io.BytesIO(content), allow_pickle=False)
        except (OSError, ValueError, EOFError, InputError):
            return None
        usable = vectors.dtype == np.float32 and vectors.ndim == 2 and len(vectors) == len(PROBE_WORDS)
        return vectors if usable else None

    def _write(self, vectors: Floats) -> None:
        content = io.BytesIO()
        np.save(content, vectors, allow_pickle=False)
        with suppress(InputError), writing(self._file(), private=True) as temporary:
            temporary.write_bytes(content.getvalue())


def is_same(before: Floats, now: Floats) -> bool:
    """Return whether two rows of vectors point the same way, up to the noise of a service.

    >>> rows = np.array([[1, 0], [1, 1]], np.float32)
    >>> is_same(rows, rows + np.float32(1e-6)), is_same(rows, rows[::-1])
    (True, False)
    """
    if before.shape != now.shape:
        return False
    first, second = before.astype(np.float64), now.astype(np.float64)
    lengths = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    same_way = (first * second).sum(axis=1) >= _SAME * lengths[0] * lengths[1]
    return bool(same_way.all() and np.allclose(*lengths, rtol=1e-3, atol=0))


def _digest(vectors: Floats) -> str:
    state = hashlib.sha256(json.dumps([PROBE_WORDS, vectors.shape]).encode())
    state.update(np.ascontiguousarray(vectors, "<f4").tobytes())
    return state.hexdigest()
