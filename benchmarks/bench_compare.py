"""All differences of 23 systems on 3,630 graded pairs, compared with scipy; figures on 600,000 labelled ones.

The peer is scipy.stats.bootstrap with method="BCa" on the difference of two Spearman's correlations, paired
and vectorized with batches, as its documentation recommends for speed (ranks and Pearson's r along the axis,
which is faster than calling spearmanr for each resample). It runs for three of the 253 differences and is
extrapolated; one thread. medgauge resamples all systems at once, on two threads, and computes the interval
and p-value of all 253. Its kernels are compiled before the clock starts; scipy's are compiled as shipped.
"""

import math
import time
from itertools import combinations

import numpy as np
from scipy import stats

from common import best_time, print_table
from medgauge.arrays import Doubles
from medgauge.evaluation.figures import figures
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.resampled_spearman import resample_spearman
from medgauge.stats.systems.correlation import spearman

SYSTEMS, PAIRS, RESAMPLES, MANY = 23, 3_630, 9_999, 100_000
LABELLED = 600_000
LEVEL = 0.05 / math.comb(SYSTEMS, 2)


def made() -> tuple[Doubles, Doubles]:
    """Make gold with ties, as means of three ratings from 0 to 3 have, and systems that follow it loosely."""
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 9, PAIRS)) / 3
    return gold, gold + rng.uniform(0.5, 4, (SYSTEMS, 1)) * rng.standard_normal((SYSTEMS, PAIRS))


def all_differences(gold: Doubles, scores: Doubles, resamples: int) -> dict[tuple[int, int], Bca]:
    """Compute the interval and p-value of every difference."""
    found = resample_spearman(gold, scores, resamples=resamples, rng=np.random.default_rng(1))
    rho = [spearman(gold, row).value for row in scores]
    results = {}
    for one, two in combinations(range(len(scores)), 2):
        boot = Bca.of(
            rho[one] - rho[two],
            found.resamples[:, one] - found.resamples[:, two],
            found.jackknife[:, one] - found.jackknife[:, two],
        )
        boot.interval(LEVEL)
        _ = boot.p_value
        results[one, two] = boot
    return results


def correlation(x: Doubles, y: Doubles, axis: int) -> Doubles:
    """Return Spearman's ρ along an axis."""
    ranks = [stats.rankdata(values, axis=axis) for values in (x, y)]
    mine, yours = (rank - rank.mean(axis=axis, keepdims=True) for rank in ranks)
    squares = (mine**2).sum(axis=axis) * (yours**2).sum(axis=axis)
    return np.asarray((mine * yours).sum(axis=axis) / np.sqrt(squares))


def difference(gold: Doubles, one: Doubles, two: Doubles, axis: int = -1) -> Doubles:
    """Compute the statistic in the form that scipy expects."""
    return np.asarray(correlation(gold, one, axis) - correlation(gold, two, axis))


def main() -> None:
    """Print both tables."""
    gold, scores = made()
    resample_spearman(gold[:50], scores[:, :50], resamples=16, rng=np.random.default_rng(0))
    few = best_time(lambda: all_differences(gold, scores, RESAMPLES))
    many = best_time(lambda: all_differences(gold, scores, MANY), repeats=1)
    ours = all_differences(gold, scores, RESAMPLES)
    times = []
    for one, two in ((0, 1), (5, 17), (20, 22)):
        start = time.perf_counter()
        theirs = stats.bootstrap(
            (gold, scores[one], scores[two]),
            difference,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            batch=100,
            method="BCa",
            rng=np.random.default_rng(2),
        )
        times.append(time.perf_counter() - start)
        spread = float(theirs.standard_error)
        ends = zip(ours[one, two].interval(0.05), theirs.confidence_interval, strict=True)
        # The resamples differ, so the ends differ by the uncertainty of 9,999 of them.
        assert all(abs(mine - yours) < 0.2 * spread for mine, yours in ends)
    peer = sum(times) / len(times) * math.comb(SYSTEMS, 2)
    print_table(
        f"{math.comb(SYSTEMS, 2)} differences of {SYSTEMS} systems, {PAIRS:,} pairs",
        ["what", "resamples", "seconds", "times faster"],
        [
            ["scipy.stats.bootstrap(method='BCa'), extrapolated", f"{RESAMPLES:,}", f"{peer:.0f}", "1"],
            ["medgauge", f"{RESAMPLES:,}", f"{few:.2f}", f"{peer / few:.0f}"],
            ["medgauge", f"{MANY:,}", f"{many:.1f}", ""],
        ],
        ["two threads; scipy: one thread, three of the differences, vectorized, batch=100"],
    )
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, LABELLED).astype(float)
    system = labels + 2 * rng.standard_normal(LABELLED)

    def closed_forms() -> None:
        figures(
            model="m",
            dataset="d",
            measure="score",
            gold=labels,
            scores=system,
            labelled=True,
            n=LABELLED,
            seed=0,
        )

    print_table(
        f"AUC and two accuracies with intervals, {LABELLED:,} labelled pairs",
        ["what", "seconds per system"],
        [["medgauge (closed forms, tenfold cross-validation)", f"{best_time(closed_forms):.2f}"]],
        [],
    )


if __name__ == "__main__":
    main()
