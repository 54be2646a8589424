"""Small files of word vectors in each format, for tests."""

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
