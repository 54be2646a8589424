"""Tables of concept vectors in every form that is read, and a set of pairs with ids and CUIs."""

import csv
import gzip
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from medgauge.pairs import Card, PairSet
from tests.vectors import Vectors, write_binary, write_text


def as_csv(
    vectors: Vectors, separator: str = ",", header: list[str] | None = None, quoting: int = 0
) -> bytes:
    """Write vectors as delimited text, by default without a header."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n", quoting=quoting)
    if header is not None:
        writer.writerow(header)
    for key, vector in vectors.items():
        writer.writerow([key, *map(float, vector)])
    return stream.getvalue().encode()


def as_cui2vec(vectors: Vectors) -> bytes:
    """Write vectors as cui2vec is published: by R's write.csv, which names no column of row names."""
    dim = len(next(iter(vectors.values())))
    names = ["", *(f"V{number}" for number in range(1, dim + 1))]
    return as_csv(vectors, header=names, quoting=csv.QUOTE_NONNUMERIC)


def as_write_table(vectors: Vectors) -> bytes:
    """Write vectors as R's write.table does, whose header lacks a column."""
    dim = len(next(iter(vectors.values())))
    names = "\t".join(f"V{number}" for number in range(1, dim + 1))
    return f"{names}\n".encode() + as_csv(vectors, "\t")


def as_pandas(vectors: Vectors) -> bytes:
    """Write vectors as pandas does with an index that has no name."""
    dim = len(next(iter(vectors.values())))
    return as_csv(vectors, header=["", *map(str, range(dim))])


def as_lists(vectors: Vectors, name: str = "cui") -> bytes:
    """Write vectors as Parquet with a list column."""
    lists = [list(map(float, vector)) for vector in vectors.values()]
    return _parquet(pl.DataFrame({name: list(vectors), "vector": lists}))


def as_columns(vectors: Vectors, name: str = "id") -> bytes:
    """Write vectors as Parquet with a column for each dimension."""
    matrix = np.stack(list(vectors.values()))
    columns = {f"x{number}": matrix[:, number] for number in range(matrix.shape[1])}
    return _parquet(pl.DataFrame({name: list(vectors), **columns}))


def as_npz(vectors: Vectors, name: str = "keys") -> bytes:
    """Write vectors as .npz."""
    stream = io.BytesIO()
    np.savez(stream, **{name: np.array(list(vectors)), "vectors": np.stack(list(vectors.values()))})
    return stream.getvalue()


def written(path: Path, content: bytes) -> Path:
    """Write a file and return its path."""
    path.write_bytes(content)
    return path


FORMS: dict[str, Callable[[Path, Vectors], Path]] = {
    "word2vec binary": write_binary,
    "word2vec text": write_text,
    "GloVe text": lambda path, vectors: write_text(path, vectors, header=False),
    "CSV": lambda path, vectors: written(path, as_csv(vectors)),
    "CSV with a header": lambda path, vectors: written(path, as_csv(vectors, header=["cui", *"abcd"])),
    "semicolons": lambda path, vectors: written(path, as_csv(vectors, ";", ["code", *"abcd"])),
    "TSV": lambda path, vectors: written(path, as_csv(vectors, "\t")),
    "cui2vec": lambda path, vectors: written(path, as_cui2vec(vectors)),
    "write.table": lambda path, vectors: written(path, as_write_table(vectors)),
    "pandas": lambda path, vectors: written(path, as_pandas(vectors)),
    "gzipped CSV": lambda path, vectors: written(path, gzip.compress(as_csv(vectors), mtime=0)),
    "a byte-order mark": lambda path, vectors: written(path, b"\xef\xbb\xbf" + as_csv(vectors)),
    "Windows lines": lambda path, vectors: written(path, as_csv(vectors).replace(b"\n", b"\r\n")),
    "Parquet with lists": lambda path, vectors: written(path, as_lists(vectors)),
    "Parquet with columns": lambda path, vectors: written(path, as_columns(vectors)),
    "npz": lambda path, vectors: written(path, as_npz(vectors)),
}
"""Writers of vectors of 4 dimensions, by the form of the file."""


def concept_pairs(
    rows: list[tuple[str | None, str | None]], kind: str = "cui", name: str = "concepts"
) -> PairSet:
    """Make a set whose pairs have these ids or CUIs."""
    columns = {
        "pair_id": [str(number) for number in range(len(rows))],
        "term_1": [f"first {number}" for number in range(len(rows))],
        "term_2": [f"second {number}" for number in range(len(rows))],
        "gold": [float(number) for number in range(len(rows))],
        f"{kind}_1": [one for one, _ in rows],
        f"{kind}_2": [two for _, two in rows],
    }
    texts = {f"{kind}_{side}": pl.String for side in (1, 2)}
    return PairSet(pl.DataFrame(columns, schema_overrides=texts), Card(name=name, title=name))


def _parquet(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()
