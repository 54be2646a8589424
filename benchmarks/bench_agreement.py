"""Intervals of all figures of agreement, 9,999 resamples of EHR-RelB, beside krippendorff and pingouin.

The peers have no intervals over pairs, so they are called in a loop over resamples of the pairs, as one
writes it: krippendorff.alpha(reliability_data, level_of_measurement="ordinal"), which is vectorized with
numpy, and pingouin.intraclass_corr of a frame; one thread, the first few resamples, extrapolated. Each gives
some of the figures (pingouin: the six ICC at once); medgauge gives all 21 with BCa intervals, for which it
computes them on 3,630 pairs left out besides, on two threads. Its kernels are compiled before the clock
starts. Where EHR-RelB is not on the machine, ratings of its shape are made: 3,630 pairs, each with three of
five annotators.
"""

import time
from collections.abc import Callable

import krippendorff
import numpy as np
import pandas as pd
import pingouin
from numpy.typing import NDArray

from common import best_time, print_table
from medgauge.catalog.load import datasets_here, load_dataset
from medgauge.ratings.figures import all_intervals
from medgauge.stats.panels import packed

RESAMPLES, PAIRS, ANNOTATORS, EACH = 9_999, 3_630, 5, 3
Doubles = NDArray[np.float64]


def ratings() -> tuple[Doubles, str]:
    """Read EHR-RelB's ratings, or make some like them."""
    if "ehr-rel-b" in datasets_here():
        return load_dataset("ehr-rel-b").ratings, "EHR-RelB"
    rng = np.random.default_rng(0)
    true = rng.uniform(-0.5, 3.5, (PAIRS, 1))
    made = np.clip(np.round(true + 0.8 * rng.standard_normal((PAIRS, ANNOTATORS))), 0, 3)
    order = rng.random((PAIRS, ANNOTATORS)).argsort(axis=1)
    made[order >= EACH] = np.nan
    return made, "made-up ratings"


def extrapolated(work: Callable[[NDArray[np.intp]], object], pairs: int, times: int) -> float:
    """Run some of the resamples, and give the seconds that all would take."""
    rng = np.random.default_rng(1)
    work(rng.integers(0, pairs, pairs))
    start = time.perf_counter()
    for _ in range(times):
        work(rng.integers(0, pairs, pairs))
    return (time.perf_counter() - start) / times * RESAMPLES


def main() -> None:
    """Print the table."""
    given, name = ratings()
    side_by_side = packed(given).ratings
    k = side_by_side.shape[1]
    units = np.repeat(np.arange(len(side_by_side)), k)
    raters = np.tile(np.arange(k), len(side_by_side))

    def ours(resamples: int = RESAMPLES) -> None:
        all_intervals(given, "ordinal", resamples=resamples, seed=0, advance=lambda _done: None)

    def alpha(drawn: NDArray[np.intp]) -> None:
        krippendorff.alpha(reliability_data=given[drawn].T, level_of_measurement="ordinal")

    def icc(drawn: NDArray[np.intp]) -> None:
        frame = pd.DataFrame({"pair": units, "rater": raters, "rating": side_by_side[drawn].ravel()})
        pingouin.intraclass_corr(frame, targets="pair", raters="rater", ratings="rating")

    ours(16)
    mine = best_time(ours)
    peers = [
        ("krippendorff.alpha, ordinal", "1", extrapolated(alpha, len(given), 100)),
        ("pingouin.intraclass_corr", "6", extrapolated(icc, len(side_by_side), 20)),
    ]
    print_table(
        f"{RESAMPLES:,} resamples of {name}, {len(given):,} pairs with {EACH} of {ANNOTATORS} annotators",
        ["what", "figures", "seconds", "times the time of medgauge"],
        [
            ["medgauge, with BCa intervals", "21", f"{mine:.2f}", "1"],
            *([peer, count, f"{seconds:.0f}", f"{seconds / mine:.0f}"] for peer, count, seconds in peers),
        ],
        ["two threads; peers: one thread, 100 and 20 of the resamples, extrapolated"],
    )


if __name__ == "__main__":
    main()
