"""How often the 95% intervals of `medgauge agreement` contain the true figure.

Ratings are a pair's value plus an annotator's error, both normal with known variances and the same for all
annotators, so that the true figures are known in closed form (tests/stats/raters/test_agreement_coverage.py
has them too). Two further tables are for few pairs, where the jackknife's intervals are compared with others,
and for intervals over annotators. Standard errors are those of a share; draws in which medgauge gives no
interval are counted separately. Takes some minutes; `make bench` leaves it out. Arguments choose tables:
`designs`, `few`, `annotators` and `reml`.
"""

import math
import sys
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri, stdtrit
from scipy.stats import rankdata
from tests.support.mcgraw_wong import mcgraw_wong_interval

from common import print_table
from medgauge.arrays import Doubles
from medgauge.progress import track
from medgauge.ratings.overall import estimate_agreement, estimate_over_raters
from medgauge.stats.raters.agreement_statistics import FIGURES, prepare
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.resampled_agreement import resample_agreement
from medgauge.stats.raters.variance.mean_reliability import Design, MeanReliability
from medgauge.stats.raters.variance.variance_components import CrossedRatings
from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.span import Span

DRAWS, RESAMPLES, R = 500, 999, 0.6
FEW_DRAWS, OVER_DRAWS, REML_DRAWS, LEVEL = 500, 400, 300, 0.05
NORMAL = "ICC(C,1), normal"


def truth(each: int) -> dict[str, float]:
    """Return the true figures if each pair has `each` annotators."""

    def spearman(pearson: float) -> float:
        return 6 / math.pi * math.asin(pearson / 2)

    rho, with_others = spearman(R), spearman(R / math.sqrt(R + (1 - R) / (each - 1)))
    return {
        "alpha": R,
        "packed_icc_c1": R,
        "packed_icc_ck": each * R / (1 + (each - 1) * R),
        "packed_kendall_w": (1 + (each - 1) * rho) / each,
        "panel_icc_c1": R,
        "panel_kendall_w": (1 + (each - 1) * rho) / each,
        "mean_rho": rho,
        "iaa_1": rho,
        "iaa_2": with_others,
        "human_upper_bound": spearman(math.sqrt(R + (1 - R) / each)),
        "human_upper_bound_excluding_self": with_others,
    }


def rated(pairs: int, annotators: int, rng: np.random.Generator) -> Doubles:
    """Simulate ratings of every pair by every annotator."""
    true = math.sqrt(R) * rng.standard_normal((pairs, 1))
    return true + math.sqrt(1 - R) * rng.standard_normal((pairs, annotators))


def three_of_five(pairs: int, rng: np.random.Generator) -> Doubles:
    """Simulate ratings of each pair by three of five annotators."""
    ratings = rated(pairs, 5, rng)
    ratings[rng.random(ratings.shape).argsort(axis=1) >= 3] = math.nan
    return ratings


def groups(count: int, annotators: int, pairs: int, rng: np.random.Generator) -> Doubles:
    """Simulate groups of annotators with their own pairs."""
    ratings = np.full((count * pairs, count * annotators), math.nan)
    for group in range(count):
        rows = slice(group * pairs, (group + 1) * pairs)
        ratings[rows, group * annotators : (group + 1) * annotators] = rated(pairs, annotators, rng)
    return ratings


DESIGNS: dict[str, tuple[int, Callable[[np.random.Generator], Doubles]]] = {
    "50 pairs, 3 of 5": (3, lambda rng: three_of_five(50, rng)),
    "150 pairs, 3 of 5": (3, lambda rng: three_of_five(150, rng)),
    "1,000 pairs, 3 of 5": (3, lambda rng: three_of_five(1000, rng)),
    "20 groups of 8, 50 pairs each": (8, lambda rng: groups(20, 8, 50, rng)),
}


def covered(name: str) -> list[str]:
    """Count how often each interval contains the true figure."""
    each, draw = DESIGNS[name]
    true = truth(each)
    hits, given = dict.fromkeys(true, 0), dict.fromkeys(true, 0)
    rng = np.random.default_rng(0)
    with track(name, DRAWS) as advance:
        for number in range(DRAWS):
            found = estimate_agreement(draw(rng), "interval", resamples=RESAMPLES, seed=number)
            for figure in true:
                low, high = found.estimates[figure].interval
                if not math.isnan(low):
                    given[figure] += 1
                    hits[figure] += low <= true[figure] <= high
            advance(1)
    return [_share(hits[figure], given[figure]) for figure in true]


def _share(hits: int, given: int, draws: int = DRAWS) -> str:
    if not given:
        return "no interval"
    share = hits / given
    some = "" if given == draws else f" (of {given / draws:.0%})"
    return f"{share:.3f} ± {math.sqrt(share * (1 - share) / given):.3f}{some}"


OFFSET = 0.15
"""The variance of annotators' offsets where figures come from all ratings."""


def from_all_ratings(pairs: int, given: float) -> list[str]:
    """Count how often the intervals from REML contain the true ICC(C,1) and G(q,k), for ratings with gaps.

    Five annotators with offsets, each of whom rated a share of the pairs; a pair has at least one rating.
    """
    rng = np.random.default_rng([pairs, round(100 * given)])
    hits, of = dict.fromkeys(("icc_c1", "g_qk"), 0), dict.fromkeys(("icc_c1", "g_qk"), 0)
    for _ in range(REML_DRAWS):
        ratings = rated(pairs, 5, rng) + math.sqrt(OFFSET) * rng.standard_normal(5)
        gaps = rng.random(ratings.shape) >= given
        gaps[np.arange(pairs), rng.integers(0, 5, pairs)] = False
        ratings[gaps] = math.nan
        kernel = MeanReliability(ratings)
        design = Design.of(CrossedRatings.of(ratings))
        true = {"icc_c1": R, "g_qk": R / (R + design.q * OFFSET + (1 - R) / design.k)}
        found = estimate_agreement(ratings, "interval", resamples=19, seed=0)
        for name in hits:
            low, high = found.estimates[kernel.prefix + name].interval
            if not math.isnan(low):
                of[name] += 1
                hits[name] += low <= true[name] <= high
    return [_share(hits[name], of[name], REML_DRAWS) for name in hits]


def with_slips(pairs: int, rng: np.random.Generator) -> Doubles:
    """Simulate three annotators who give the same rating, 0 to 3, and one time in twenty the next one."""
    true, slips = rng.integers(0, 4, (pairs, 1)), rng.random((pairs, 3)) < 0.05
    ratings: Doubles = np.clip(true + slips * rng.choice([-1, 1], slips.shape), 0, 3).astype(np.float64)
    return ratings


FEW: dict[str, Callable[[int, np.random.Generator], Doubles]] = {
    "normal": lambda pairs, rng: rated(pairs, 3, rng),
    "slips": with_slips,
}
FEW_FIGURES = (
    *("alpha", "packed_kendall_w", "packed_icc_1", "packed_icc_c1", "packed_icc_ck", "packed_icc_a1"),
    *("mean_rho", "iaa_2", "mean_sd"),
)
METHODS = ("jackknife", "BCa", "estimate ± z s", "McGraw and Wong")


def on_few_pairs(kind: str, pairs: int) -> list[list[str]]:
    """Count how often intervals of several methods contain the true figure, a row for each figure."""
    many = FEW[kind](200_000, np.random.default_rng(1))
    true = {
        kernel.prefix + name: one.value
        for kernel in prepare(many, "interval")
        for name, one in plain_estimates(kernel, len(many)).items()
    }
    hits = {(figure, method): 0 for figure in FEW_FIGURES for method in METHODS}
    given = dict.fromkeys(hits, 0)
    rng = np.random.default_rng(0)
    with track(f"{kind}, {pairs} pairs", FEW_DRAWS) as advance:
        for number in range(FEW_DRAWS):
            ratings = FEW[kind](pairs, rng)
            for one, (low, high) in _few_intervals(ratings, number).items():
                if not math.isnan(low):
                    given[one] += 1
                    hits[one] += low <= true[one[0]] <= high
            advance(1)
    return [
        [
            f"{kind}, {pairs} pairs",
            figure,
            *(_share(hits[figure, one], given[figure, one], FEW_DRAWS) for one in METHODS),
        ]
        for figure in FEW_FIGURES
    ]


def _few_intervals(ratings: Doubles, seed: int) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the intervals of each figure by each method."""
    own = estimate_agreement(ratings, "interval", resamples=RESAMPLES, seed=seed)
    kernels, rng = prepare(ratings, "interval"), np.random.default_rng(seed)
    drawn = resample_agreement(kernels, len(ratings), resamples=RESAMPLES, rng=rng)
    found = {}
    for figure in FEW_FIGURES:
        column = list(FIGURES).index(figure)
        value, without = float(drawn.whole[column]), drawn.jackknife[:, column]
        half = ndtri(1 - LEVEL / 2) * math.sqrt((without.size - 1) * without.var())
        if figure in own.jackknifed or figure in own.no_interval:
            found[figure, "jackknife"] = own.estimates[figure].interval
        found[figure, "BCa"] = Bca.of(value, drawn.resamples[:, column], without).interval(LEVEL)
        found[figure, "estimate ± z s"] = value - half, value + half
    if own.estimates["packed_icc_a1"].value < 1:
        found["packed_icc_a1", "McGraw and Wong"] = mcgraw_wong_interval(ratings, LEVEL)
    return found


def over_annotators(annotators: int, *, each: int | None = None, pairs: int = 150) -> list[str]:
    """Count how often intervals over annotators contain the figures of all annotators on the same pairs.

    Annotators differ: the standard deviation of their errors is uniform between 0.4 and 1.2. The figures of
    all annotators are known for α and ICC, and simulated with 1,000 of them for ρ. With `each`, so many of
    the annotators rate each pair.
    """
    mean_square = (1.2**3 - 0.4**3) / (3 * 0.8)
    names = ("alpha", "icc_c1", "icc_ck", "mean_rho", NORMAL)
    span = Span(-1 / ((each or annotators) - 1), 1)
    hits, given = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    rng = np.random.default_rng(0)
    with track(f"{annotators} annotators", OVER_DRAWS) as advance:
        for _ in range(OVER_DRAWS):
            pair_values = rng.standard_normal((pairs, 1))
            single = float(pair_values.var(ddof=1) / (pair_values.var(ddof=1) + mean_square))
            k = each or annotators
            ranks = rankdata(_differing(pair_values, 1000, rng), axis=0)
            rho = (np.corrcoef(ranks.T).sum() - 1000) / (1000 * 999)
            true = {"alpha": single, "icc_c1": single, "icc_ck": k * single / (1 + (k - 1) * single)}
            true["mean_rho"] = float(rho)
            ratings = _differing(pair_values, annotators, rng)
            if each:
                ratings[rng.random(ratings.shape).argsort(axis=1) >= each] = math.nan
            found = estimate_over_raters(ratings, "interval").intervals
            middle, half = (
                (span.place(found["icc_c1"][1]) + sign * span.place(found["icc_c1"][0])) / 2
                for sign in (1, -1)
            )
            half *= ndtri(1 - LEVEL / 2) / stdtrit(annotators - 1, 1 - LEVEL / 2)
            found[NORMAL] = span.value(middle - half), span.value(middle + half)
            true[NORMAL] = single
            for name, (low, high) in found.items():
                given[name] += 1
                hits[name] += low <= true[name] <= high
            advance(1)
    return [_share(hits[name], given[name], OVER_DRAWS) for name in names]


def _differing(pair_values: Doubles, annotators: int, rng: np.random.Generator) -> Doubles:
    errors = rng.uniform(0.4, 1.2, annotators) * rng.standard_normal((len(pair_values), annotators))
    return pair_values + errors


def main() -> None:
    """Print the tables that the arguments name, or all."""
    chosen = sys.argv[1:] or ["designs", "few", "annotators", "reml"]
    if "designs" in chosen:
        columns = [covered(name) for name in DESIGNS]
        print_table(
            "Share of 95% intervals that contain the true figure",
            ["figure", *DESIGNS],
            [[name, *(column[row] for column in columns)] for row, name in enumerate(truth(3))],
            [f"{DRAWS} draws, {RESAMPLES} resamples each; ICC(C,1) of all annotators {R}"],
        )
    if "few" in chosen:
        print_table(
            "Few pairs, three annotators: share of 95% intervals that contain the true figure",
            ["ratings", "figure", *METHODS],
            [row for kind in FEW for pairs in (8, 12, 20, 29) for row in on_few_pairs(kind, pairs)],
            [f"{FEW_DRAWS} draws, {RESAMPLES} resamples each"],
        )
    if "annotators" in chosen:
        designs = {"5": (5, None), "8": (8, None), "20": (20, None), "3 of 8": (8, 3)}
        print_table(
            "Over annotators: share of 95% intervals that contain the figure of all annotators",
            ["annotators", "α", "ICC(C,1)", "ICC(C,k)", "mean ρ", NORMAL],
            [[name, *over_annotators(count, each=each)] for name, (count, each) in designs.items()],
            [f"{OVER_DRAWS} draws of annotators and of 150 pairs, which are held fixed"],
        )
    if "reml" in chosen:
        print_table(
            "From all ratings by REML: share of 95% intervals that contain the true figure",
            ["pairs", "rated by each", "ICC(C,1)", "G(q,k)"],
            [
                [str(n), f"{share:.0%}", *from_all_ratings(n, share)]
                for n in (30, 100)
                for share in (0.5, 0.8)
            ],
            [f"{REML_DRAWS} draws; five annotators with offsets"],
        )


if __name__ == "__main__":
    main()
