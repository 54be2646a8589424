"""The category overlap error and mean similarities of large categories, compared with numpy over all triples.

Two cases: avg_cos on 5,000 × 5,000 × 30,000 terms, and all ten measures on 2,000 × 2,000 × 2,000, with word
vectors of 200 dimensions and different terms of 1 to 4 words. Each runs in a separate process, whose peak
resident memory is what the system reports at its end. The peer is straightforward numpy: cosines by a
matrix product, and a broadcast comparison of all triples, some rows at a time. It runs on a small case, on
which both sides have the same number of errors, and is extrapolated by the number of triples; for the ten
measures its similarities are assumed to be given, and only the triples are counted, ten times. The kernels
are compiled before the clock starts.
"""

import json
import resource
import sys
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import medgauge
from common import best_process, print_table
from medgauge.categories.separated import CategorySeparation
from medgauge.models.base import ModelCard

WORDS, DIM, LONGEST = 20_000, 200, 4
CASES: dict[str, tuple[tuple[int, int, int], list[str] | None]] = {
    "avg_cos, 5,000 × 5,000 × 30,000": ((5_000, 5_000, 30_000), ["avg_cos"]),
    "all ten, 2,000 × 2,000 × 2,000": ((2_000, 2_000, 2_000), None),
}
SMALL = (100, 400, 1_000)


class RandomWords:
    """Random vectors of words that are named by their number."""

    card = ModelCard(name="random words", family="words", dim=DIM)

    def __init__(self) -> None:
        self.rows = np.random.default_rng(0).standard_normal((WORDS, DIM)).astype(np.float32)

    def vectors(self, tokens: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Look words up."""
        return self.rows[[int(token[1:]) for token in tokens]], np.ones(len(tokens), np.bool_)


def categories(sizes: tuple[int, int, int]) -> list[list[str]]:
    """Make three lists of terms, all of them different."""
    rng = np.random.default_rng(1)
    terms: dict[str, None] = {}
    while len(terms) < sum(sizes):
        terms[" ".join(f"w{word}" for word in rng.integers(WORDS, size=rng.integers(1, LONGEST + 1)))] = None
    every, ends = list(terms), np.cumsum(sizes)
    return [every[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def separate(sizes: tuple[int, int, int], measures: list[str] | None) -> CategorySeparation:
    """Compute the separation as a user does, including the look-up of terms."""
    a, b, c = categories(sizes)
    return medgauge.category_separation(RandomWords(), close=(a, b), distant=c, measures=measures)


def count_all_triples(sizes: tuple[int, int, int]) -> int:
    """Compare all triples with numpy."""
    model = RandomWords()
    units = []
    for terms in categories(sizes):
        means = np.array([model.vectors(term.split())[0].mean(axis=0, dtype=np.float64) for term in terms])
        units.append(means / np.linalg.norm(means, axis=1, keepdims=True))
    near, far = ((units[0] @ other.T).round(12) for other in units[1:])
    return sum(int((near[row][:, None] <= far[row]).sum()) for row in range(sizes[0]))


def run_one(case: str) -> None:
    """Time a case in this process, without imports and compilation, and print what it took."""
    sizes, measures = CASES[case]
    separate((3, 3, 3), measures)
    start = time.perf_counter()
    separate(sizes, measures)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak}))


def main() -> None:
    """Measure both cases and the peer, and print the ratios."""
    assert count_all_triples(SMALL) == separate(SMALL, ["avg_cos"]).separations[0].errors
    start = time.perf_counter()
    count_all_triples(SMALL)
    for_each = (time.perf_counter() - start) / float(np.prod(SMALL))
    rows = []
    for case, (sizes, measures) in CASES.items():
        best = best_process(__file__, case)
        theirs = for_each * float(np.prod(sizes)) * (1 if measures else 10)
        rows.append(
            [
                case,
                f"{best['seconds']:.1f}",
                f"{best['peak']:.0f}",
                f"{theirs:.0f}",
                f"{theirs / best['seconds']:.0f}",
            ]
        )
    print_table(
        f"Category overlap and means, {DIM} dimensions, terms of 1 to {LONGEST} of {WORDS:,} words",
        ["case", "medgauge, s", "peak MB", "all triples with numpy, s", "ratio"],
        rows,
        [
            "Best of 3 processes, imports and compilation not counted.",
            f"numpy: one thread, extrapolated from {' × '.join(map(str, SMALL))}, same errors.",
        ],
    )


if __name__ == "__main__":
    if len(sys.argv) == 2:
        run_one(sys.argv[1])
    else:
        main()
