"""How often `evaluate --by` finds a difference between subsets where there is none.

Two or three subsets on which a model is equally good: Spearman's ρ of a gold of five values, the AUC of
labels, and the advantage of one of two models that are equally good everywhere. The share of draws with p
below a level is printed with its standard error. One process, some minutes; `make bench` leaves it out.
"""

import math

import numpy as np

from common import print_table
from medgauge.arrays import Doubles
from medgauge.stats.differences.subset_estimates import equality_test, subset_estimates, untestable

DRAWS = 2_500
LEVELS = (0.05, 0.005)
SIZES = ((15, 20), (30, 30), (30, 100), (100, 100, 100))
NOISES = (0.7, 2.5)


def share(found: int, draws: int) -> str:
    """Return a share with its standard error, as text."""
    rate = found / draws
    return f"{rate:.4f} ± {math.sqrt(rate * (1 - rate) / draws):.4f}"


def drawn(pairs: int, noise: float, labelled: bool, rng: np.random.Generator) -> tuple[Doubles, Doubles]:
    """Draw gold or labels, and the scores of two equally good systems, that can be tested."""
    while True:
        gold = rng.permutation(np.arange(pairs) % 2.0) if labelled else np.round(rng.normal(2, 1, pairs))
        scores = gold + noise * rng.standard_normal((2, pairs))
        if untestable(gold, scores, labelled=labelled) is None:
            return gold, scores


def false_findings(sizes: tuple[int, ...], noise: float, labelled: bool) -> list[str]:
    """Count false findings for the figure of a model, and for its advantage over another."""
    rng = np.random.default_rng([*sizes, round(10 * noise), labelled])
    found = np.zeros((2, len(LEVELS)), int)
    for _ in range(DRAWS):
        subsets = [subset_estimates(*drawn(size, noise, labelled, rng), labelled=labelled) for size in sizes]
        for row, estimates in enumerate(([one[0][0] for one in subsets], [one[1][0][1] for one in subsets])):
            found[row] += equality_test(estimates) < np.array(LEVELS)
    return [share(int(count), DRAWS) for count in found.ravel()]


def main() -> None:
    """Print a table for ρ and one for the AUC."""
    for labelled in (False, True):
        rows = [
            [" + ".join(map(str, sizes)), f"{noise}", *false_findings(sizes, noise, labelled)]
            for sizes in SIZES
            for noise in NOISES
        ]
        header = [
            "pairs",
            "noise",
            *(f"{what}, {level}" for what in ("figure", "advantage") for level in LEVELS),
        ]
        print_table("AUC" if labelled else "Spearman's ρ", header, rows, [f"{DRAWS:,} draws"])


if __name__ == "__main__":
    main()
