"""The cache of vectors: 100,000 vectors of 768 dimensions written and read, compared with two peers.

numpy.load reads the same rows from one file, without finding any by its term: the fastest there can be.
SQLite has a table with a row for each term, as caches of embeddings often do; its keys are the plain terms.
Files are in the page cache. Vectors arrive in batches of 1,400, as from an encoder, and are read into one
array; the term of each is hashed under the user's key, and each is checked against its checksum.
"""

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from common import best_time, print_table
from medgauge.arrays import Floats
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch, encoded
from medgauge.models.vector_cache.cached_source import CachedSource

TERMS, DIM, BATCH, FEW = 100_000, 768, 1_400, 300
VECTORS = np.random.default_rng(0).standard_normal((TERMS, DIM), dtype=np.float32)
NAMES = [f"chronic obstructive lung disease {number}" for number in range(TERMS)]


class Ready:
    """A source that has its vectors already."""

    def __init__(self, digest: str) -> None:
        self.card = ModelCard(name="ready", family="vectors", digest=digest)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors."""
        for start in range(0, len(texts), BATCH):
            places = np.arange(start, min(start + BATCH, len(texts)))
            yield Batch(places, VECTORS[places], np.ones(len(places), np.int64))

    def facts(self) -> dict[str, object]:
        """Return nothing."""
        return {}


def with_medgauge(texts: Sequence[str], digest: str = "full") -> Floats:
    """Encode texts through the cache."""
    return encoded(CachedSource(Ready(digest)), texts)[0]


def fill_sqlite(path: Path) -> None:
    """Write a row for each term, a transaction for each batch."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as base:
        base.execute("pragma journal_mode=wal")
        base.execute("create table vectors (term text primary key, vector blob) without rowid")
        for start in range(0, TERMS, BATCH):
            pairs = zip(NAMES[start : start + BATCH], VECTORS[start : start + BATCH], strict=True)
            base.executemany(
                "insert into vectors values (?, ?)", ((term, row.tobytes()) for term, row in pairs)
            )
            base.commit()


def read_sqlite(path: Path, texts: Sequence[str]) -> Floats:
    """Look the terms up one by one, which SQLite does as fast as in groups."""
    rows = np.empty((len(texts), DIM), np.float32)
    with sqlite3.connect(path) as base:
        for place, term in enumerate(texts):
            [blob] = base.execute("select vector from vectors where term = ?", (term,)).fetchone()
            rows[place] = np.frombuffer(blob, np.float32)
    return rows


def main() -> None:
    """Measure writing, reading everything and reading a few, and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        base, file = Path(folder) / "vectors.sqlite", Path(folder) / "vectors.npy"
        few = [NAMES[place] for place in np.random.default_rng(1).permutation(TERMS)[:FEW]]
        rounds = iter(range(1_000))
        work: dict[str, dict[str, Callable[[], object]]] = {
            "write all": {
                "medgauge": lambda: with_medgauge(NAMES, f"{next(rounds)}"),
                "numpy": lambda: np.save(file, VECTORS),
                "SQLite": lambda: fill_sqlite(base),
            },
            "read all": {
                "medgauge": lambda: with_medgauge(NAMES),
                "numpy": lambda: np.load(file),
                "SQLite": lambda: read_sqlite(base, NAMES),
            },
            f"read {FEW}": {
                "medgauge": lambda: with_medgauge(few),
                "numpy": lambda: np.load(file),
                "SQLite": lambda: read_sqlite(base, few),
            },
        }
        seconds = {"write all": {name: best_time(one) for name, one in work["write all"].items()}}
        assert (with_medgauge(NAMES) == with_medgauge(NAMES)).all()
        assert (with_medgauge(few) == read_sqlite(base, few)).all()
        for what in ("read all", f"read {FEW}"):
            seconds[what] = {name: best_time(one) for name, one in work[what].items()}
    rows = [
        [
            what,
            *(f"{times[name]:.2f}" for name in ("medgauge", "numpy", "SQLite")),
            f"{times['medgauge'] / times['numpy']:.1f}",
            f"{times['SQLite'] / times['medgauge']:.1f}",
        ]
        for what, times in seconds.items()
    ]
    print_table(
        f"{TERMS:,} vectors of {DIM} dimensions in a cache",
        ["work", "medgauge s", "numpy s", "SQLite s", "times numpy's", "times faster than SQLite"],
        rows,
        ["Best of 3; numpy always reads the whole file, and finds no term in it."],
    )


if __name__ == "__main__":
    main()
