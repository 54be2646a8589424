"""All differences of 23 systems on graded pairs, compared with scipy, and figures on 600,000 labelled ones.

The peer on 3,630 pairs is scipy.stats.bootstrap with method="BCa" on the difference of two Spearman's
correlations, paired and vectorized with batches, as its documentation recommends for speed (ranks and
Pearson's r along the axis, which is faster than calling spearmanr for each resample). It runs for three of
the 253 differences and is extrapolated; one thread. medgauge tests all 253 by Student's t on influence
values, with intervals, and resamples the pairs 9,999 times for the ranges of ranks, on two threads; with
dyadic dependence the variance is summed over pairs that share one of 2,263 concepts. On 313 pairs, where
medgauge swaps systems within pairs, the peer is scipy.stats.permutation_test with permutation_type="samples"
and 9,999 permutations of the same studentised difference, for one difference. Kernels are compiled before the
clock starts; scipy's are compiled as shipped.
"""

import math
import time
from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

from common import best_time, print_table
from medgauge.arrays import Doubles
from medgauge.comparison.dependent import DyadicContest
from medgauge.comparison.graded import compare_correlations
from medgauge.comparison.outcome import Outcome
from medgauge.evaluation.figures import figures
from medgauge.progress import track
from medgauge.stats.differences.dyadic import Dyads
from medgauge.stats.differences.rank_influence import rho_influence
from medgauge.stats.resampling.swaps import standardised

SYSTEMS, PAIRS, FEW_PAIRS, CONCEPTS, RESAMPLES = 23, 3_630, 313, 2_263, 9_999
LABELLED = 600_000
LEVEL = 0.05 / math.comb(SYSTEMS, 2)


def made(pairs: int) -> tuple[Doubles, Doubles]:
    """Make gold with ties, as means of three ratings from 0 to 3 have, and systems that follow it loosely."""
    rng = np.random.default_rng(0)
    gold = np.round(rng.uniform(0, 9, pairs)) / 3
    return gold, gold + rng.uniform(0.5, 4, (SYSTEMS, 1)) * rng.standard_normal((SYSTEMS, pairs))


def decided(outcome: Outcome) -> dict[tuple[int, int], tuple[float, float, float]]:
    """Compute the p-value and the interval of every difference."""
    return {
        two: (outcome.difference(*two).p_value, *outcome.difference(*two).interval(LEVEL))
        for two in combinations(range(SYSTEMS), 2)
    }


def compared(gold: Doubles, scores: Doubles, resamples: int | None) -> Outcome:
    """Compare all systems."""
    return compare_correlations(
        gold,
        scores,
        groups=None,
        level=LEVEL,
        resamples=resamples,
        rng=np.random.default_rng(1),
        track=partial(track, "resampling"),
    )


def correlation(x: Doubles, y: Doubles, axis: int) -> Doubles:
    """Return Spearman's ρ along an axis."""
    ranks = [stats.rankdata(values, axis=axis) for values in (x, y)]
    mine, yours = (rank - rank.mean(axis=axis, keepdims=True) for rank in ranks)
    squares = (mine**2).sum(axis=axis) * (yours**2).sum(axis=axis)
    return np.asarray((mine * yours).sum(axis=axis) / np.sqrt(squares))


def difference(gold: Doubles, one: Doubles, two: Doubles, axis: int = -1) -> Doubles:
    """Compute the statistic in the form that scipy expects."""
    return np.asarray(correlation(gold, one, axis) - correlation(gold, two, axis))


def print_large() -> None:
    """Print the table of 3,630 pairs."""
    gold, scores = made(PAIRS)
    compared(gold[:400], scores[:, :400], 16)
    ours = best_time(lambda: decided(compared(gold, scores, RESAMPLES)))
    rng = np.random.default_rng(4)
    dyads = Dyads(*rng.integers(0, CONCEPTS, (2, PAIRS)))

    def dependent() -> None:
        outcome = compared(gold, scores, RESAMPLES)
        decided(DyadicContest(outcome, dyads, graded=True).dependent(rng))

    dyadic = best_time(dependent)
    times = []
    found = compared(gold, scores, RESAMPLES)
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
        ends = zip(found.difference(one, two).interval(0.05), theirs.confidence_interval, strict=True)
        assert all(abs(mine - yours) < 0.2 * spread for mine, yours in ends)
    peer = sum(times) / len(times) * math.comb(SYSTEMS, 2)
    print_table(
        f"{math.comb(SYSTEMS, 2)} differences of {SYSTEMS} systems, {PAIRS:,} pairs, {RESAMPLES:,} resamples",
        ["what", "seconds", "times faster"],
        [
            ["scipy.stats.bootstrap(method='BCa'), extrapolated", f"{peer:.0f}", "1"],
            ["medgauge", f"{ours:.2f}", f"{peer / ours:.0f}"],
            ["medgauge, dyadic", f"{dyadic:.2f}", f"{peer / dyadic:.0f}"],
        ],
        ["two threads; scipy: one thread, three of the differences, vectorized, batch=100"],
    )


def print_small() -> None:
    """Print the table of 313 pairs."""
    gold, scores = made(FEW_PAIRS)
    compared(gold[:50], scores[:, :50], 16)
    ours = best_time(lambda: decided(compared(gold, scores, RESAMPLES)))
    by_level = best_time(lambda: decided(compared(gold, scores, None)), repeats=1)

    def statistic(one: Doubles, two: Doubles) -> float:
        rhos, influence = rho_influence(gold, np.stack([one, two]))
        return float(abs(rhos[0] - rhos[1]) / math.sqrt(np.square(influence[0] - influence[1]).sum()))

    start = time.perf_counter()
    theirs = stats.permutation_test(
        (standardised(scores[0]), standardised(scores[1])),
        statistic,
        permutation_type="samples",
        vectorized=False,
        n_resamples=RESAMPLES,
        alternative="greater",
        rng=np.random.default_rng(2),
    )
    peer = (time.perf_counter() - start) * math.comb(SYSTEMS, 2)
    mine = compared(gold, scores, RESAMPLES).difference(0, 1).p_value
    assert abs(mine - theirs.pvalue) < 0.03
    print_table(
        f"{math.comb(SYSTEMS, 2)} differences of {SYSTEMS} systems, {FEW_PAIRS} pairs",
        ["what", "swaps", "seconds", "times faster"],
        [
            ["scipy.stats.permutation_test, extrapolated", f"{RESAMPLES:,}", f"{peer:.0f}", "1"],
            ["medgauge", f"{RESAMPLES:,}", f"{ours:.2f}", f"{peer / ours:.0f}"],
            ["medgauge", "as many as the level requires", f"{by_level:.1f}", ""],
        ],
        ["two threads; scipy: one thread, one of the differences"],
    )


def main() -> None:
    """Print all tables."""
    print_large()
    print_small()
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
        [["medgauge (closed forms, 50 deals of tenfold cross-validation)", f"{best_time(closed_forms):.2f}"]],
        [],
    )


if __name__ == "__main__":
    main()
