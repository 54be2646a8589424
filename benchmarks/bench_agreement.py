"""Intervals of all figures of agreement, 9,999 resamples of EHR-RelB, compared with scipy's bootstrap.

The peer is scipy.stats.bootstrap over the rows of the table of ratings, with medgauge's own figures on all
pairs, which prepare the table each time, as the statistic: only Krippendorff's α, and the nine headline
figures together. It runs with method="percentile", 20 resamples, and is extrapolated; one thread. medgauge
computes all 21 figures with BCa intervals, for which it also leaves out 1,000 blocks of pairs, on two
threads. Its kernels are compiled before the clock starts. If EHR-RelB is not on the machine, ratings of its
shape are simulated: 3,630 pairs, each with three of five annotators.
"""

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from common import best_time, print_table
from medgauge.arrays import Doubles
from medgauge.catalog.datasets import datasets_here, load_dataset
from medgauge.ratings.overall import estimate_agreement, overall_figures
from medgauge.stats.raters.alpha import krippendorff_alpha

RESAMPLES, PAIRS, ANNOTATORS, EACH = 9_999, 3_630, 5, 3
PEERS = 20  # resamples that the peer is timed for


def ratings() -> tuple[Doubles, str]:
    """Read EHR-RelB's ratings, or simulate similar ones."""
    if "ehr-rel-b" in datasets_here():
        return load_dataset("ehr-rel-b").ratings, "EHR-RelB"
    rng = np.random.default_rng(0)
    true = rng.uniform(-0.5, 3.5, (PAIRS, 1))
    made = np.clip(np.round(true + 0.8 * rng.standard_normal((PAIRS, ANNOTATORS))), 0, 3)
    order = rng.random((PAIRS, ANNOTATORS)).argsort(axis=1)
    made[order >= EACH] = np.nan
    return made, "made-up ratings"


def extrapolated(given: Doubles, statistic: Callable[[Doubles], float]) -> float:
    """Bootstrap a few times, and return the seconds that all resamples would take."""
    rows = np.arange(len(given))

    def of_rows(drawn: NDArray[np.intp]) -> float:
        return statistic(given[drawn])

    def work(resamples: int) -> float:
        start = time.perf_counter()
        stats.bootstrap((rows,), of_rows, n_resamples=resamples, method="percentile", vectorized=False, rng=1)
        return time.perf_counter() - start

    work(2)
    return work(PEERS) / PEERS * RESAMPLES


def main() -> None:
    """Print the table."""
    given, name = ratings()

    def ours(resamples: int = RESAMPLES) -> None:
        estimate_agreement(given, "ordinal", resamples=resamples, seed=0)

    ours(16)
    mine = best_time(ours)
    peers = [
        ("Krippendorff's α, ordinal", "1", lambda rows: krippendorff_alpha(rows, level="ordinal").value),
        ("headline figures", "9", lambda rows: overall_figures(rows, "ordinal").alpha),
    ]
    timed = [(what, count, extrapolated(given, statistic)) for what, count, statistic in peers]
    print_table(
        f"{RESAMPLES:,} resamples of {name}, {len(given):,} pairs with {EACH} of {ANNOTATORS} annotators",
        ["what", "figures", "seconds", "times slower than medgauge"],
        [
            ["medgauge, with BCa intervals", "21", f"{mine:.2f}", "1"],
            *(
                [f"scipy.stats.bootstrap, {what}", count, f"{seconds:.0f}", f"{seconds / mine:.0f}"]
                for what, count, seconds in timed
            ),
        ],
        [f"two threads; scipy: one thread, percentile, {PEERS} of the resamples, extrapolated"],
    )


if __name__ == "__main__":
    main()
