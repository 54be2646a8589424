"""Reading 20,000 words from a word2vec binary file of 1.6 GB, compared with gensim and a plain read.

The file has 2,000,000 × 200 values. Each reader runs in a separate process, whose peak resident memory is
what the system reports at its end. The file is in the page cache for all of them; gensim's reader is called
as its documentation shows. Times exclude compilation, but include loading the kernel from numba's cache.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from common import best_process, print_table

WORDS, DIM, WANTED = 2_000_000, 200, 20_000


def write_file(path: Path) -> None:
    """Write the vectors."""
    rng = np.random.default_rng(0)
    block = 20_000
    with path.open("wb") as out:
        out.write(f"{WORDS} {DIM}\n".encode())
        for start in range(0, WORDS, block):
            rows = rng.standard_normal((block, DIM), dtype=np.float32)
            out.write(b"".join(b"w%d " % (start + k) + rows[k].tobytes() + b"\n" for k in range(block)))


def wanted() -> list[str]:
    """Return the words to look for, a fifth of them unknown."""
    rng = np.random.default_rng(1)
    return [f"w{number}" for number in rng.choice(WORDS * 5 // 4, WANTED, replace=False)]


def read_plainly(path: Path) -> float:
    """Read the file and do nothing with it."""
    buffer = bytearray(1 << 22)
    with path.open("rb", buffering=0) as stream:
        while stream.readinto(buffer):
            pass
    return 0.0


def read_with_medgauge(path: Path) -> float:
    """Look the words up."""
    from medgauge.models.words.word2vec import BinaryFile

    return float(BinaryFile(path, WORDS, DIM).read(wanted()).vectors.sum(dtype=np.float64))


def hash_and_read(path: Path) -> float:
    """Load the model as a user does the first time, when the digest of the file is not yet known."""
    import os

    from medgauge.models.load import load_model

    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        return float(load_model(path).vectors(wanted())[0].sum(dtype=np.float64))  # type: ignore[union-attr]


def read_with_gensim(path: Path) -> float:
    """Load all vectors, as gensim's documentation shows, and look the words up."""
    from gensim.models import KeyedVectors

    vectors = KeyedVectors.load_word2vec_format(str(path), binary=True)
    known = [word for word in wanted() if word in vectors]
    return float(vectors[known].sum(dtype=np.float64))


READERS = {
    "plain read": read_plainly,
    "medgauge": read_with_medgauge,
    "medgauge, first use": hash_and_read,
    "gensim": read_with_gensim,
}


def run_one(name: str, path: Path) -> None:
    """Time a reader in this process, without the imports, and print what it took."""
    if name.startswith("medgauge"):
        import medgauge.models.load  # noqa: F401
    elif name == "gensim":
        import gensim.models  # noqa: F401
    start = time.perf_counter()
    total = READERS[name](path)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "total": total}))


def main() -> None:
    """Measure the three readers on the same file and print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.bin"
        write_file(path)
        best_process(__file__, "medgauge", path, repeats=1)  # fills the page cache and numba's
        results = {name: best_process(__file__, name, path) for name in READERS}
    assert abs(results["medgauge"]["total"] - results["gensim"]["total"]) < 1e-3
    theirs = results["gensim"]["seconds"]
    rows = [
        [name, f"{run['seconds']:.2f}", f"{run['peak']:.0f}", f"{theirs / run['seconds']:.1f}"]
        for name, run in results.items()
    ]
    print_table(
        f"{WANTED:,} words from a word2vec binary file of {WORDS:,} × {DIM}",
        ["reader", "seconds", "peak MB", "times faster than gensim"],
        rows,
        [
            "Best of 3 processes, the file in the page cache, imports not counted; the same vectors.",
            "First use computes the SHA-256 of the file too, which is then remembered.",
        ],
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run_one(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
