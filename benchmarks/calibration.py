"""How often the tests of `medgauge compare` on graded sets find a difference where there is none.

Ten systems with the same true ρ on graded pairs, whose gold is the mean of four ratings: any significant
difference under Bonferroni's correction at 0.05. Two systems with different true ρ: how often the 95%
interval of the difference contains the true one. Standard errors are those of a share. Takes some minutes;
`make bench` leaves it out. calibration_labelled.py has labelled sets.
"""

import math
from itertools import combinations

import numpy as np

from common import print_table
from medgauge.comparison.graded import compare_correlations, resamples_for
from medgauge.progress import track

DRAWS, SYSTEMS = 1000, 10


def share(found: int, draws: int) -> str:
    """Return a share with its standard error, as text."""
    rate = found / draws
    return f"{rate:.3f} ± {math.sqrt(rate * (1 - rate) / draws):.3f}"


def graded(pairs: int, draws: int, rng: np.random.Generator) -> list[str]:
    """Count the draws with any false finding among ten systems, and the findings at 0.05 uncorrected."""
    tests = math.comb(SYSTEMS, 2)
    any_found, alone = 0, 0
    for _ in range(draws):
        truth = rng.standard_normal(pairs)
        ratings = np.clip(np.round(truth + 0.7 * rng.standard_normal((4, pairs))), -2, 2)
        scores = truth + rng.standard_normal((SYSTEMS, pairs))
        outcome = compare_correlations(
            ratings.mean(axis=0),
            scores,
            groups=None,
            level=0.05 / tests,
            resamples=resamples_for(0.05 / tests),  # without further resamples, which would take hours
            rng=rng,
            track=lambda count: track("resampling", count),
        )
        p_values = [outcome.difference(*two).p_value for two in combinations(range(SYSTEMS), 2)]
        any_found += min(p_values) < 0.05 / tests
        alone += sum(p < 0.05 for p in p_values)
    return [share(any_found, draws), f"{alone / draws / tests:.3f}"]


def population_rho(r: float) -> float:
    """Return Spearman's ρ of a bivariate normal distribution with Pearson's r (Pearson 1907)."""
    return 6 / math.pi * math.asin(r / 2)


def covered(pairs: int, rng: np.random.Generator) -> str:
    """Count the draws in which the interval of a difference of two ρ contains the true one."""
    correlations = np.array([0.7, 0.5])
    true = population_rho(0.7) - population_rho(0.5)
    held = 0
    for _ in range(DRAWS):
        gold = rng.standard_normal(pairs)
        noise = rng.standard_normal((2, pairs))
        scores = correlations[:, None] * gold + np.sqrt(1 - correlations**2)[:, None] * noise
        outcome = compare_correlations(
            gold,
            scores,
            groups=None,
            level=0.05,
            resamples=999,
            rng=rng,
            track=lambda count: track("resampling", count),
        )
        low, high = outcome.difference(0, 1).interval(0.05)
        held += low <= true <= high
    return share(held, DRAWS)


def print_covered() -> None:
    """Print the table of the intervals."""
    rng = np.random.default_rng(2020)
    rows = [[f"{pairs} pairs", covered(pairs, rng)] for pairs in (50, 200, 500)]
    header = ["r = 0.7 and r = 0.5", "intervals that contain the true difference"]
    print_table(f"95% intervals of the difference, {DRAWS:,} draws, 999 resamples each", header, rows, [])


def main() -> None:
    """Print the tables."""
    rng = np.random.default_rng(0)
    rows = [
        [f"{pairs} pairs", *graded(pairs, draws, rng)] for pairs, draws in ((29, 400), (100, 300), (300, 300))
    ]
    header = [f"{SYSTEMS} equal systems", "any, with Bonferroni's correction", "each, at 0.05"]
    print_table("False findings of the BCa bootstrap", header, rows, [])
    print_covered()


if __name__ == "__main__":
    main()
