"""What the tests of the readers share: small buffers, gzipped copies, words of every kind, subwords."""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from medgauge.models.base import ModelCard
from medgauge.models.words import reading


@contextmanager
def buffer_of(size: int) -> Iterator[None]:
    """Make the readers take a file in pieces of so many bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "BUFFER", size)
        yield


def gzipped(path: Path) -> Path:
    """Write a gzipped copy beside the file, under a name that does not tell."""
    copy = path.with_name(f"{path.name}-copy")
    copy.write_bytes(gzip.compress(path.read_bytes()))
    return copy


def words(*, largest: int = 6) -> st.SearchStrategy[str]:
    """Draw words without white space, at most 4 times `largest` bytes long, often the same ones."""
    spelled = st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n\0"),
        min_size=1,
        max_size=largest,
    )
    return st.sampled_from(["a", "b", "heart", "œdème", "心"]) | spelled


floats = st.floats(-(2.0**100), 2.0**100, width=32)


class OpenWords:
    """A model that knows heart and attack, and makes vectors of subwords for other words of 3 letters."""

    card = ModelCard(name="open", family="words", digest="0")
    known = ("heart", "attack")

    def vectors(self, tokens: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        rows = [[len(token), token.count("t"), 1.0] for token in tokens]
        return np.array(rows, np.float32).reshape(-1, 3), np.array([len(one) > 2 for one in tokens], np.bool_)

    def in_vocabulary(self, tokens: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([token in self.known for token in tokens], np.bool_)
