"""How often the tests of `medgauge compare` on labelled sets find a difference where there is none.

Two equally good systems, whose scores are d′ higher on average for positive pairs, or the same rounded to
five levels, or on pairs that share concepts, from which the errors come: McNemar's test at best thresholds,
Student's t with split halves for cross-validated accuracies, and DeLong's test with Satterthwaite's degrees
of freedom, as `compare` runs them by default, at levels 0.05 and 0.005.
Standard errors are those of a share. All processors are used, and their number does not change the result; a
cross-validated draw takes 4 to 70 ms of one, so that `make bench` leaves this out.
`python benchmarks/calibration_labelled.py cv 100 2000 concepts` limits the tests, the pairs, the draws, and
the kinds to the last.
"""

import math
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import numba
import numpy as np

from common import print_table
from medgauge.arrays import Doubles
from medgauge.comparison.dependent import DyadicContest
from medgauge.comparison.labelled import compare_accuracies, compare_areas, compare_crossed_accuracies
from medgauge.comparison.outcome import Outcome
from medgauge.stats.systems.classification import right_at_best
from shared_concepts import EHR_REL, errors

LEVELS = (0.05, 0.005)
DRAWS = {29: 20_000, 100: 20_000, 313: 20_000, 1_000: 20_000, 3_630: 2_000}
PART = 500  # draws that a process makes at a time
KINDS = ((0.5, ""), (1.5, ""), (0.5, "five levels"), (1.5, "five levels"), (1.5, "errors of concepts"))

Test = Callable[[Doubles, Doubles, np.random.Generator], Outcome]


def share(found: int, draws: int) -> str:
    """Return a share with its standard error, as text."""
    rate = found / draws
    return f"{rate:.4f} ± {math.sqrt(rate * (1 - rate) / draws):.4f}"


def best(labels: Doubles, scores: Doubles, rng: np.random.Generator) -> Outcome:
    """Compare accuracies at best thresholds."""
    right = np.array([right_at_best(labels, row) for row in scores])
    return compare_accuracies(right, groups=None, rng=rng)


def crossed(labels: Doubles, scores: Doubles, rng: np.random.Generator) -> Outcome:
    """Compare cross-validated accuracies."""
    seed = int(rng.integers(1 << 30))
    return compare_crossed_accuracies(labels, scores, groups=None, seed=seed, rng=rng)


def areas(labels: Doubles, scores: Doubles, rng: np.random.Generator) -> Outcome:
    """Compare AUCs."""
    return compare_areas(labels, scores, groups=None, rng=rng)


def found_in(test: Test, pairs: int, apart: float, kind: str, part: int, draws: int) -> list[int]:
    """Count how often a test finds a difference between two equally good systems, at each level."""
    numba.set_num_threads(1)
    kinds = list(dict.fromkeys(known for _, known in KINDS))
    rng = np.random.default_rng([pairs, round(10 * apart), kinds.index(kind), part])
    found = dict.fromkeys(LEVELS, 0)
    labels = np.repeat([0.0, 1.0], [pairs // 2, pairs - pairs // 2])
    for _ in range(draws):
        dyads = EHR_REL.draw(pairs, rng) if kind == "errors of concepts" else None
        noise = rng.standard_normal((2, pairs)) if dyads is None else errors(dyads, rng, by_concept=True)
        scores = apart * labels + noise
        if kind == "five levels":
            scores = np.clip(np.round(scores), -1, 3)
        outcome = test(labels, scores, rng)
        contest = outcome if dyads is None else DyadicContest(outcome, dyads, graded=False)
        p = contest.difference(0, 1).p_value
        for level in LEVELS:
            found[level] += p < level
    return list(found.values())


def main() -> None:
    """Print a table for each test."""
    tests = {"auc": ("AUC, DeLong's test", areas), "best": ("Best thresholds, McNemar's test", best)}
    tests["cv"] = ("Cross-validated, Student's t with split halves", crossed)
    chosen = [name for name in sys.argv[1:] if name in tests] or list(tests)
    kinds = KINDS[-1:] if "concepts" in sys.argv else KINDS
    only = [int(text) for text in sys.argv[1:] if text.isdigit()]
    with ProcessPoolExecutor() as pool:
        for name, test in (tests[name] for name in chosen):
            cells = [
                (pairs, apart, kind, min([most, *only[1:]]))
                for pairs, most in DRAWS.items()
                if not only or pairs == only[0]
                for apart, kind in kinds
            ]
            # The largest sets first, so that no process is left with one at the end.
            parts = {
                cell: [
                    pool.submit(found_in, test, *cell[:3], part, min(PART, cell[3] - part * PART))
                    for part in range(-(-cell[3] // PART))
                ]
                for cell in reversed(cells)
            }
            rows = []
            for cell in cells:
                pairs, apart, kind, draws = cell
                counts = np.sum([part.result() for part in parts[cell]], axis=0).tolist()
                what = ", ".join(filter(None, [f"{pairs:,} pairs, d′ = {apart}", kind]))
                rows.append([what, f"{draws:,}", *(share(count, draws) for count in counts)])
            header = ["two equal systems", "draws", *(f"found at {level}" for level in LEVELS)]
            print_table(name, header, rows, [])


if __name__ == "__main__":
    main()
