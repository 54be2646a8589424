"""Trained vectors as files: word2vec's binary or text, with a card beside it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from medgauge.arrays import Floats
from medgauge.files.writing import writing
from medgauge.progress import track

TEXT_SUFFIXES = (".txt", ".vec")
"""What the name of a file of text ends in; others are binary."""


def is_text(path: Path) -> bool:
    """Return whether the name of a file says that it is text.

    >>> is_text(Path("vectors.vec")), is_text(Path("vectors.bin"))
    (True, False)
    """
    return path.suffix.lower() in TEXT_SUFFIXES


def write_vectors(path: Path, words: Sequence[str], rows: Floats) -> None:
    """Write words and their vectors in the format that the name says, whole or not at all.

    In text, numbers have the fewest digits from which single precision is read back exactly.
    """
    header = f"{len(words)} {rows.shape[1]}\n".encode()
    with (
        writing(path) as temporary,
        temporary.open("wb") as stream,
        track(f"writing {path.name}", len(words), "words") as advance,
    ):
        stream.write(header)
        for word, row in zip(words, np.ascontiguousarray(rows, "<f4"), strict=True):
            if is_text(path):
                numbers = " ".join(row.astype(np.str_).tolist())
                stream.write(f"{word} {numbers}\n".encode())
            else:
                stream.write(word.encode() + b" " + row.tobytes() + b"\n")
            advance(1)
