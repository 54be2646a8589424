"""How often `medgauge compare` finds a difference of two ρ where there is none, and where there is one.

Pairs have a true value, a gold that is the mean of four rounded ratings of it, and systems that are equally
good: their errors are independent and alike (`plain`, `strong`, `unrelated`: no system knows anything), share
a part (`alike`), or are rounded to five scores (`tied`); or nearly all their scores are the same (`sparse`,
with 2 of 313 pairs that differ, or a tenth), against another such system or against a dense one with the same
true ρ. The share of draws with p at or below a level is printed with its standard error. Pairs with shared
concepts are tested as `compare` does by default and, for comparison, as independent ones. Ten equal systems:
any significant difference under Bonferroni's correction. Power and intervals are compared with those of the
BCa bootstrap, on pairs that share no concept, and on pairs that do. Two processes, half an hour; `make bench`
leaves it out. Swaps: 999 where the level is .05 or .005, for which that is exact, and 9,999 for ten systems.
`calibration_labelled.py` has labelled pairs.
"""

import math
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache, partial
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from common import print_table
from medgauge.arrays import Doubles
from medgauge.comparison.dependent import DyadicContest
from medgauge.comparison.graded import CorrelationTests
from medgauge.comparison.outcome import Outcome
from medgauge.progress import track
from medgauge.stats.differences.dyadic import Dyads
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.resampled_spearman import resample_spearman
from shared_concepts import EHR_REL, Sharing, errors, of_concepts

SIZES = (29, 100, 313, 1_000, 3_630)
LEVELS = (0.05, 0.005)
SYSTEMS = 10
DRAWS = 20_000
SWAPS = 999
silent = partial(track, "swapping")

Drawn = tuple[Doubles, Doubles]
"""A gold and the scores of two systems."""

OnConcepts = tuple[Doubles, Doubles, Dyads]
"""The same, and the concepts of the pairs."""


def share(found: int, draws: int) -> str:
    """Return a share with its standard error, as text."""
    rate = found / draws
    return f"{rate:.4f} ± {math.sqrt(rate * (1 - rate) / draws):.4f}"


def rated(truth: Doubles, rng: np.random.Generator) -> Doubles:
    """Return the mean of four rounded ratings."""
    ratings = truth + 0.7 * rng.standard_normal((4, truth.size))
    return np.asarray(np.clip(np.round(ratings), -2, 2).mean(axis=0))


def dense(
    pairs: int, rng: np.random.Generator, *, noise: float = 1.0, shared: float = 0.0, levels: int = 0
) -> Drawn:
    """Draw two systems with the same noise, of which they may share a part, rounded to so many levels."""
    truth = rng.standard_normal(pairs)
    common, own = rng.standard_normal(pairs), rng.standard_normal((2, pairs))
    scores = truth + noise * (math.sqrt(shared) * common + math.sqrt(1 - shared) * own)
    return rated(truth, rng), np.clip(np.round(scores), -(levels // 2), levels // 2) if levels else scores


@cache
def matched(share_above: float, strength: float) -> tuple[float, float]:
    """Return the threshold for a sparse system, and the strength of a dense one with the same ρ."""
    rng = np.random.default_rng(5)
    truth, noise, other = rng.standard_normal((3, 1_000_000))
    latent = strength * truth + math.sqrt(1 - strength**2) * noise
    gold = rankdata(rated(truth, rng))
    threshold = float(np.quantile(latent, 1 - share_above))
    target = np.corrcoef(gold, latent > threshold)[0, 1]
    low, high = 0.0, 1.0
    for _ in range(14):
        middle = (low + high) / 2
        rho = np.corrcoef(gold, rankdata(middle * truth + math.sqrt(1 - middle**2) * other))[0, 1]
        low, high = (middle, high) if rho < target else (low, middle)
    return threshold, low


def sparse(
    pairs: int, rng: np.random.Generator, *, above: float, strength: float, against_dense: bool
) -> Drawn:
    """Draw a system that scores a share of the pairs 1 and the rest 0, and another one, or a dense one."""
    threshold, dense_strength = matched(above, strength)
    truth = rng.standard_normal(pairs)
    latent = strength * truth + math.sqrt(1 - strength**2) * rng.standard_normal((2, pairs))
    scores = (latent > threshold).astype(np.float64)
    if against_dense:
        noise = rng.standard_normal(pairs)
        scores[1] = dense_strength * truth + math.sqrt(1 - dense_strength**2) * noise
    return rated(truth, rng), scores


RARE = 2 / 313
SCENARIOS: dict[str, Callable[[int, np.random.Generator], Drawn]] = {
    "plain": dense,
    "strong": partial(dense, noise=0.3),
    "alike": partial(dense, shared=0.8),
    "unrelated": partial(dense, noise=1e6),
    "tied": partial(dense, levels=5),
    "sparse (2 of 313) against sparse": partial(sparse, above=RARE, strength=0.0, against_dense=False),
    "sparse (2 of 313) against dense, equal ρ ≠ 0": partial(
        sparse, above=RARE, strength=0.7, against_dense=True
    ),
    "sparse (1 of 10) against sparse": partial(sparse, above=0.1, strength=0.0, against_dense=False),
    "sparse (1 of 10) against dense, equal ρ ≠ 0": partial(
        sparse, above=0.1, strength=0.7, against_dense=True
    ),
    "sparse (1 of 10) against dense, ρ = 0": partial(sparse, above=0.1, strength=0.0, against_dense=True),
}


def false_findings(name: str, pairs: int) -> list[str]:
    """Count false findings at each level; draws on which a system has no ρ are drawn again."""
    rng = np.random.default_rng([pairs, list(SCENARIOS).index(name)])
    draws, found = DRAWS, np.zeros(len(LEVELS), int)
    for _ in range(draws):
        gold, scores = SCENARIOS[name](pairs, rng)
        while not np.ptp(scores, axis=1).all():
            gold, scores = SCENARIOS[name](pairs, rng)
        tests = CorrelationTests.of(gold, scores, level=LEVELS[-1], swaps=SWAPS, rng=rng, track=silent)
        found += tests.difference(0, 1).p_value <= np.array(LEVELS)
    return [share(int(count), draws) for count in found]


CONCEPTS = {
    "2,263 concepts for 3,630 pairs, which err on concepts": (EHR_REL, True),
    "2,263 concepts for 3,630 pairs, which do not": (EHR_REL, False),
    "3 concepts for 2 pairs, which err on concepts": (Sharing(1.5), True),
    "3 concepts for 2 pairs, which do not": (Sharing(1.5), False),
    "1 concept for 10 pairs, which err on concepts": (Sharing(0.1), True),
    "1 concept for 20 pairs on one side, which err on concepts": (Sharing(0.05, one_side=True), True),
}


def on_concepts(
    pairs: int, rng: np.random.Generator, sharing: Sharing, *, by_concept: bool, systems: int = 2
) -> OnConcepts:
    """Draw a gold that depends on concepts, and the scores of systems, whose errors may, too."""
    dyads = sharing.draw(pairs, rng)
    truth = of_concepts(dyads, 1, rng)[0] + rng.standard_normal(pairs)
    return rated(truth, rng), truth + errors(dyads, rng, by_concept=by_concept, systems=systems), dyads


def by_default(
    drawn: OnConcepts, rng: np.random.Generator, swaps: int, level: float = 0.005
) -> tuple[CorrelationTests, Outcome]:
    """Test systems on independent pairs, and as `compare` does by default."""
    gold, scores, dyads = drawn
    tests = CorrelationTests.of(gold, scores, level=level, swaps=swaps, rng=rng, track=silent)
    outcome = Outcome("", tests.rhos, tests.influence / gold.size, np.empty((0, 2)), tests.difference)
    return tests, replace(outcome, difference=DyadicContest(outcome, dyads, graded=True).difference)


APART = Dyads(np.array([0]), np.array([1]))
"""In place of the concepts of pairs that share none."""


def shared_concepts(name: str, pairs: int) -> list[str]:
    """Count false findings at each level by default, and if pairs are treated as independent."""
    rng = np.random.default_rng([pairs, list(CONCEPTS).index(name)])
    sharing, by_concept = CONCEPTS[name]
    draws, found = DRAWS, np.zeros(2 * len(LEVELS), int)
    for _ in range(draws):
        tests, outcome = by_default(on_concepts(pairs, rng, sharing, by_concept=by_concept), rng, SWAPS)
        p_values = [one.difference(0, 1).p_value for one in (outcome, tests)]
        found += np.repeat(p_values, len(LEVELS)) <= np.tile(LEVELS, 2)
    return [share(int(count), draws) for count in found]


def ten_systems(pairs: int, sharing: Sharing | None = None) -> list[str]:
    """Count the draws with any false finding among ten systems, corrected, and all findings at 0.05."""
    rng = np.random.default_rng([10, pairs])
    draws, level = 5_000, 0.05 / math.comb(SYSTEMS, 2)
    two = list(combinations(range(SYSTEMS), 2))
    any_found, alone = 0, 0
    for _ in range(draws):
        if sharing is None:
            truth = rng.standard_normal(pairs)
            drawn = (rated(truth, rng), truth + rng.standard_normal((SYSTEMS, pairs)), APART)
        else:
            drawn = on_concepts(pairs, rng, sharing, by_concept=True, systems=SYSTEMS)
        gold, scores, dyads = drawn
        which = 0 if sharing is None else 1
        tested = by_default(drawn, rng, SWAPS, level)[which]
        p_values = {pair: tested.difference(*pair).p_value for pair in two}
        alone += sum(p <= 0.05 for p in p_values.values())
        # Only what 999 swaps leave open is tested by 9,999.
        for pair in [pair for pair, p in p_values.items() if p < 10 * level]:
            again = by_default((gold, scores[list(pair)], dyads), rng, 9_999, level)[which]
            if again.difference(0, 1).p_value < level:
                any_found += 1
                break
    return [share(any_found, draws), f"{alone / draws / len(two):.4f}"]


def population_rho(r: float) -> float:
    """Return Spearman's ρ of a bivariate normal distribution with Pearson's r (Pearson 1907)."""
    return 6 / math.pi * math.asin(r / 2)


def power(pairs: int, sharing: Sharing | None = None) -> list[str]:
    """Compare how often r = 0.7 and r = 0.6 are told apart, and intervals that contain the difference.

    Pairs may share concepts, but no error comes from them.
    """
    rng = np.random.default_rng([7, pairs])
    draws, correlations = 1_000, np.array([0.7, 0.6])
    true = population_rho(0.7) - population_rho(0.6)
    found, covered = np.zeros((2, 2), int), np.zeros((2, 2), int)
    for _ in range(draws):
        gold = rng.standard_normal(pairs)
        noise = rng.standard_normal((2, pairs))
        scores = correlations[:, None] * gold + np.sqrt(1 - correlations**2)[:, None] * noise
        if sharing is None:
            ours = CorrelationTests.of(gold, scores, level=0.005, swaps=1_999, rng=rng, track=silent)
            interval_of = ours.difference(0, 1).interval
        else:
            dyads = sharing.draw(pairs, rng)
            interval_of = by_default((gold, scores, dyads), rng, 1_999)[1].difference(0, 1).interval
        boot = resample_spearman(gold, scores, resamples=1_999, rng=rng, workers=1)
        parts = (boot.whole, boot.resamples.T, boot.jackknife.T)
        bca = Bca.of(*(part[0] - part[1] for part in parts))
        for row, interval in enumerate((interval_of, bca.interval)):
            for column, level in enumerate(LEVELS):
                low, high = interval(level)
                found[row, column] += not low <= 0 <= high
                covered[row, column] += low <= true <= high
    ratios = [f"{mine / theirs:.2f}" for mine, theirs in found.T]
    return [
        *(share(int(count), draws) for count in found.T.ravel()),
        *ratios,
        *(share(int(c), draws) for c in covered.T.ravel()),
    ]


def main() -> None:
    """Print the tables, or those whose names are given."""
    wanted = sys.argv[1:] or ["false", "concepts", "ten", "power"]
    sizes = [str(pairs) for pairs in SIZES]
    with ProcessPoolExecutor(2) as pool:
        if "false" in wanted:
            jobs = {name: [pool.submit(false_findings, name, pairs) for pairs in SIZES] for name in SCENARIOS}
            for column, level in enumerate(LEVELS):
                rows = [[name, *(job.result()[column] for job in found)] for name, found in jobs.items()]
                print_table(f"Two equal systems, at level {level}", ["systems", *sizes], rows, [])
        if "concepts" in wanted:
            shared = {
                name: [pool.submit(shared_concepts, name, pairs) for pairs in SIZES] for name in CONCEPTS
            }
            for column, treated in enumerate(
                ("by default", "by default", "as independent", "as independent")
            ):
                rows = [[name, *(job.result()[column] for job in found)] for name, found in shared.items()]
                title = f"Two equal systems on pairs that share concepts, {treated}, at {LEVELS[column % 2]}"
                print_table(title, ["pairs of", *sizes], rows, [])
        if "ten" in wanted:
            header = ["pairs", "any, with Bonferroni's correction at 0.05", "each, at 0.05"]
            for title, sharing in (("", None), (" that err on concepts", EHR_REL)):
                of = [pool.submit(ten_systems, pairs, sharing) for pairs in SIZES[:2]]
                rows = [[str(pairs), *job.result()] for pairs, job in zip(SIZES, of, strict=False)]
                print_table(f"Ten equal systems{title}", header, rows, [])
        if "power" in wanted:
            few = (50, 100, 300, 1_000)
            header = ["pairs", "found at 0.05", "by BCa", "found at 0.005", "by BCa"]
            header += ["ratio at 0.05", "ratio at 0.005", "95% interval", "BCa", "99.5% interval", "BCa"]
            for title, sharing in (("", None), (", on pairs that share concepts", EHR_REL)):
                jobs_of = [pool.submit(power, pairs, sharing) for pairs in few]
                rows = [[str(pairs), *job.result()] for pairs, job in zip(few, jobs_of, strict=True)]
                print_table(f"r = 0.7 against r = 0.6{title}", header, rows, [])


if __name__ == "__main__":
    main()
