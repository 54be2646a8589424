"""How often the 95% intervals of `medgauge agreement` contain the true figure.

Ratings are a pair's value plus an annotator's error, both normal with known variances and the same for all
annotators, so that the true figures are known in closed form (tests/stats/raters/test_agreement_coverage.py
has them too). Standard errors are those of a share; draws in which medgauge gives no interval are counted
separately. Takes some minutes; `make bench` leaves it out.
"""

import math
from collections.abc import Callable

import numpy as np

from common import print_table
from medgauge.arrays import Doubles
from medgauge.progress import track
from medgauge.ratings.overall import estimate_agreement

DRAWS, RESAMPLES, R = 500, 999, 0.6


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


def _share(hits: int, given: int) -> str:
    if not given:
        return "no interval"
    share = hits / given
    some = "" if given == DRAWS else f" (of {given / DRAWS:.0%})"
    return f"{share:.3f} ± {math.sqrt(share * (1 - share) / given):.3f}{some}"


def main() -> None:
    """Print the table."""
    columns = [covered(name) for name in DESIGNS]
    print_table(
        "Share of 95% intervals that contain the true figure",
        ["figure", *DESIGNS],
        [[name, *(column[row] for column in columns)] for row, name in enumerate(truth(3))],
        [f"{DRAWS} draws, {RESAMPLES} resamples each; ICC(C,1) of all annotators {R}"],
    )


if __name__ == "__main__":
    main()
