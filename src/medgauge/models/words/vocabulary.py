"""How much the vocabularies of word-vector files overlap (table A.2 of Schulz and Juric 2020)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import FileError
from medgauge.models.recognise import recognise
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.words.fasttext import FastTextFile
from medgauge.models.words.reading import VectorFile
from medgauge.models.words.scan import Hashes


def vocabulary(file: VectorFile, *, strict: bool = True) -> Hashes:
    """Read the words of a file as sorted 64-bit hashes, each once."""
    return np.unique(file.read([], keys=True, strict=strict).keys)


def composes_words(path: str) -> bool:
    """Return whether a file makes vectors of subwords for words outside its vocabulary."""
    file = recognise(path)
    return isinstance(file, FastTextFile) and bool(file.composes(["word"]).any())


def vocabulary_overlap(paths: Sequence[str], *, strict: bool = True) -> tuple[list[int], NDArray[np.float64]]:
    """Compute the share of each column's vocabulary that is in each row's; the diagonal is NaN.

        overlap[i, j] = |Vᵢ ∩ Vⱼ| / |Vⱼ|

    Returns the sizes of the vocabularies too. Words are compared as spelled, by 64-bit hashes.
    """
    vocabularies = []
    for path in paths:
        file = recognise(path)
        if isinstance(file, ParquetTable | ZippedTable):
            raise FileError(path, "holds vectors of terms; an overlap needs vectors of words")
        vocabularies.append(vocabulary(file, strict=strict))
    shares = np.full((len(paths), len(paths)), np.nan)
    for i, rows in enumerate(vocabularies):
        for j, columns in enumerate(vocabularies):
            if i != j:
                common = np.intersect1d(rows, columns, assume_unique=True).size
                shares[i, j] = common / columns.size if columns.size else np.nan
    return [words.size for words in vocabularies], shares
