"""The ten measures on 100,000 pairs, each compared with a Python loop over scipy's or numpy's functions.

The loop is a straightforward use of those libraries: for each pair the rows of the two terms are taken, and
the library is called as its documentation shows. It runs on a sample of the pairs and is extrapolated; it
uses one thread, the kernels two. The kernels are compiled before the clock starts. All terms are different,
which is the worst case for kernels that prepare each term once.
"""

import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from scipy import stats

from common import best_time, print_table
from medgauge.arrays import Floats
from medgauge.measures.declared import measures_for
from medgauge.measures.score import TermVectors, score

PAIRS, WORDS, DIM, LONGEST = 100_000, 20_000, 200, 6
Basic = Callable[[Floats, Floats], Any]


def cos(x: Floats, y: Floats) -> float:
    """Return the cosine, with numpy."""
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))


BASIC: dict[str, Basic] = {
    "cos": cos,
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "kendall": lambda x, y: stats.kendalltau(x, y).statistic,
}


def fuzzy_jaccard(x: Floats, y: Floats) -> float:
    """Return DynaMax-Jaccard, with numpy, as its authors published it."""
    universe = np.vstack((x, y))
    mine = np.maximum(np.max(x @ universe.T, axis=0), 0)
    yours = np.maximum(np.max(y @ universe.T, axis=0), 0)
    return float(np.sum(np.minimum(mine, yours)) / np.sum(np.maximum(mine, yours)))


def max_jaccard(x: Floats, y: Floats) -> float:
    """Return MaxPool-Jaccard, with numpy."""
    mine, yours = np.maximum(np.max(x, axis=0), 0), np.maximum(np.max(y, axis=0), 0)
    return float(np.sum(np.minimum(mine, yours)) / np.sum(np.maximum(mine, yours)))


def peer(measure: str) -> tuple[str, Callable[[Floats, Floats], float], int]:
    """Return the library's name, its function of two terms' rows, and how many pairs to run it on."""
    if measure in ("fj", "mj"):
        return "numpy", fuzzy_jaccard if measure == "fj" else max_jaccard, 5000
    how, basic = measure.split("_")
    function = BASIC[basic]
    library, sample = ("numpy", 5000) if basic == "cos" else ("scipy", 500)
    if how == "avg":
        return library, lambda x, y: function(x.mean(axis=0), y.mean(axis=0)), sample
    return library, lambda x, y: float(np.mean([function(a, b) for a in x for b in y])), sample


def main() -> None:
    """Measure both sides in one run and print the ratios."""
    numba.set_num_threads(min(2, numba.get_num_threads()))
    rng = np.random.default_rng(0)
    vectors = rng.standard_normal((WORDS, DIM)).astype(np.float32)
    offsets = np.concatenate([[0], np.cumsum(rng.integers(1, LONGEST + 1, 2 * PAIRS))])
    members = rng.integers(WORDS, size=offsets[-1])
    terms = TermVectors(vectors, offsets, members)
    left, right = np.arange(PAIRS), np.arange(PAIRS, 2 * PAIRS)
    measures = measures_for("words")
    start = time.perf_counter()
    score(measures, *terms.only(left[:10], right[:10]))
    first = time.perf_counter() - start
    rows = []
    for measure in measures:
        library, function, sample = peer(measure)

        def loop(function: Callable[[Floats, Floats], float] = function, sample: int = sample) -> list[float]:
            return [
                function(
                    vectors[members[offsets[i] : offsets[i + 1]]],
                    vectors[members[offsets[j] : offsets[j + 1]]],
                )
                for i, j in zip(left[:sample], right[:sample], strict=True)
            ]

        np.testing.assert_allclose(
            score([measure], terms, left[:sample], right[:sample])[measure], loop(), atol=1e-5
        )

        theirs = best_time(loop) * PAIRS / sample
        ours = best_time(lambda measure=measure: score([measure], terms, left, right))  # type: ignore[misc]
        rows.append([measure, f"{ours:.3f}", library, f"{theirs:.1f}", f"{theirs / ours:.0f}"])
    together = best_time(lambda: score(measures, terms, left, right))
    rows.append(["all ten", f"{together:.2f}", "", "", ""])
    print_table(
        f"{PAIRS:,} pairs of terms of 1 to {LONGEST} words, {DIM} dimensions",
        ["measure", "medgauge, s", "peer", "loop, s", "ratio"],
        rows,
        [
            f"{2 * PAIRS:,} different terms of {WORDS:,} words. Both sides: best of 3; scores agree to 1e-5.",
            "Loops: one thread, extrapolated from 500 (scipy, which computes a p-value too) or 5,000 pairs.",
            f"Kernels: {numba.get_num_threads()} threads, compiled beforehand (first call: {first:.1f} s).",
        ],
    )


if __name__ == "__main__":
    main()
