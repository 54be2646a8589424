"""Compare the kernels of this checkout with those of another one, in the same run.

    git worktree add ../before COMMIT
    python benchmarks/versions.py ../before/src

Each piece of work runs in a separate process, the two versions in turn, after a warm-up that compiles. Only
public functions are used, so that versions with other modules can be compared.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from common import print_table

ROUNDS = 5
HERE = Path(__file__).parents[1] / "src"


def words(count: int) -> list[str]:
    """Return different words."""
    return [f"w{number}" for number in range(count)]


def write_vectors(path: Path, count: int, dim: int) -> None:
    """Write a word2vec binary file."""
    rows = np.random.default_rng(0).normal(size=(count, dim)).astype(np.float32)
    with path.open("wb") as out:
        out.write(f"{count} {dim}\n".encode())
        for word, row in zip(words(count), rows, strict=True):
            out.write(word.encode() + b" " + row.tobytes() + b"\n")


def measures(folder: Path) -> Callable[[], object]:
    """Score all ten measures on 40,000 pairs of terms of one to four words, 200 dimensions."""
    import medgauge

    write_vectors(folder / "v.bin", 5_000, 200)
    rng = np.random.default_rng(1)
    known = words(5_000)

    def term() -> str:
        return " ".join(known[place] for place in rng.integers(5_000, size=rng.integers(1, 5)))

    rows = [(term(), term(), float(rng.random())) for _ in range(40_000)]
    pairs = medgauge.PairSet.of(rows, card=medgauge.Card(name="x", title="X"))
    return lambda: medgauge.evaluate([folder / "v.bin"], [pairs])


def compare(folder: Path) -> Callable[[], object]:  # noqa: ARG001 - as the others
    """Test the differences of 12 systems on 2,000 pairs, 20,000 resamples."""
    import medgauge

    rng = np.random.default_rng(2)
    gold = rng.random(2_000)
    rows = [(f"a{number}", f"b{number}", value) for number, value in enumerate(gold.tolist())]
    pairs = medgauge.PairSet.of(rows, card=medgauge.Card(name="x", title="X"))

    class Noisy:
        def __init__(self, number: int) -> None:
            self.card = medgauge.ModelCard(name=f"m{number}", family="pairs", digest=f"{number}")
            self._scores = gold + rng.normal(size=gold.size) * (1 + number / 10)

        def score(self, _pairs: object) -> np.ndarray:
            return self._scores

    run = medgauge.evaluate([Noisy(number) for number in range(12)], [pairs])
    return lambda: medgauge.compare(run, resamples=20_000)


def nearest(folder: Path) -> Callable[[], object]:  # noqa: ARG001 - as the others
    """Find the five nearest of 60,000 terms of about 30 letters, for 1,500 of them."""
    import medgauge

    rng = np.random.default_rng(3)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz "))
    terms = ["".join(rng.choice(letters, rng.integers(20, 40))) for _ in range(60_000)]
    index = medgauge.NearestTerms(terms)
    return lambda: index.query(terms[:1_500], 5)


def agreement(folder: Path) -> Callable[[], object]:  # noqa: ARG001 - as the others
    """Compute every figure of agreement of 5 raters on 3,000 pairs, three ratings each, 4,999 resamples."""
    import medgauge

    rng = np.random.default_rng(4)
    ratings = (rng.normal(size=(3_000, 1)) + rng.normal(size=(3_000, 5))).round()
    ratings[rng.random(ratings.shape).argsort(axis=1) >= 3] = np.nan
    return lambda: medgauge.agreement(ratings - np.nanmin(ratings), resamples=4_999)


def word2vec(folder: Path) -> Callable[[], object]:
    """Read 5,000 words from a binary file of 200,000 x 200."""
    import medgauge

    write_vectors(folder / "v.bin", 200_000, 200)
    model = medgauge.load_model(folder / "v.bin")
    return lambda: model.vectors(words(200_000)[::40])  # type: ignore[union-attr]


WORK = {one.__name__: one for one in (measures, compare, nearest, agreement, word2vec)}


def seconds(source: str, name: str) -> float:
    """Time a piece of work with the medgauge of a source folder, in a separate process."""
    done = subprocess.run(
        [sys.executable, __file__, "--time", name],
        env={**os.environ, "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return float(done.stdout)


def timed(name: str) -> float:
    """Return the shortest of three times of a piece of work, after a warm-up."""
    with tempfile.TemporaryDirectory() as folder:
        work = WORK[name](Path(folder))
        work()
        found = []
        for _ in range(3):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    """Print the median time of each version and their ratio."""
    if len(sys.argv) < 2:
        sys.exit("give the src folder of another checkout to compare this one with")
    if sys.argv[1] == "--time":
        print(timed(sys.argv[2]))
        return
    before = str(Path(sys.argv[1]).resolve())
    rows = []
    for name in WORK:
        pairs = [(seconds(before, name), seconds(str(HERE), name)) for _ in range(ROUNDS)]
        ratios = sorted(now / old for old, now in pairs)
        old, now = (median(column) for column in zip(*pairs, strict=True))
        span = f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        rows.append([name, f"{old:.3f}", f"{now:.3f}", span])
    notes = [f"Medians of {ROUNDS} rounds, each the shortest of three times after a warm-up."]
    print_table("Two versions", ["work", "before, s", "now, s", "now / before"], rows, notes)


if __name__ == "__main__":
    main()
