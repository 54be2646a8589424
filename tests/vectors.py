"""Small files of word vectors in each format, for tests."""

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = Mapping[str, NDArray[np.float32]]


WORDS = [f"w{number}" for number in range(30)]
"""Words for pairs and vectors whose meaning does not matter."""


def some_vectors(*words: str, dim: int = 4, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Make a random vector for each word."""
    rng = np.random.default_rng(seed)
    return {word: rng.standard_normal(dim).astype(np.float32) for word in words}


def write_binary(path: Path, vectors: Vectors, *, newlines: bool = True, count: int | None = None) -> Path:
    """Write word2vec's binary format; `count` is the number in the header."""
    dim = len(next(iter(vectors.values())))
    parts = [f"{len(vectors) if count is None else count} {dim}\n".encode()]
    for word, vector in vectors.items():
        parts.append(word.encode() + b" " + vector.astype("<f4").tobytes() + (b"\n" if newlines else b""))
    path.write_bytes(b"".join(parts))
    return path


def write_text(path: Path, vectors: Vectors, *, header: bool = True, count: int | None = None) -> Path:
    """Write word2vec's text format, or GloVe's without a header."""
    dim = len(next(iter(vectors.values())))
    lines = [f"{len(vectors) if count is None else count} {dim}"] if header else []
    lines += [" ".join([word, *(repr(float(value)) for value in vector)]) for word, vector in vectors.items()]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def write_model(
    path: Path,
    matrix: NDArray[np.float32],
    words: list[bytes],
    *,
    labels: list[bytes] | None = None,
    shortest: int = 3,
    longest: int = 4,
    buckets: int = 10,
    version: int = 12,
    supervised: bool = False,
    pruned: int = -1,
    quantised: bool = False,
) -> Path:
    """Write the part of a fastText model that is read, as FastText::saveModel does."""
    labels = labels or []
    dim = matrix.shape[1]
    kind = 3 if supervised else 1
    arguments = (dim, 5, 5, 1, 5, 1, 1, kind, buckets, shortest, longest, 100)
    content = struct.pack("<2i12id", 793712314, version, *arguments, 1e-4)
    content += struct.pack("<3i2q", len(words) + len(labels), len(words), len(labels), 99, pruned)
    for number, word in enumerate(words + labels):
        content += word + b"\0" + struct.pack("<qb", 100 - number, number >= len(words))
    content += struct.pack("<?2q", quantised, *matrix.shape) + matrix.astype("<f4").tobytes()
    path.write_bytes(content)
    return path
