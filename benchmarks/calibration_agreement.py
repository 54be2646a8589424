"""How often the 95% intervals of `medgauge agreement` have the true figure in them.

Ratings are a pair's value plus an annotator's error, both normal with known variances, so that the true
figures are known in closed form (tests/stats/test_agreement_coverage.py has them); each pair has three of
five annotators. Standard errors are those of a share. Takes some minutes; `make bench` leaves it out.
"""

import math

import numpy as np

from common import print_table
from medgauge.progress import track
from medgauge.stats.bca import Bca
from medgauge.stats.resampled_agreement import FIGURES, resample_agreement

DRAWS, RESAMPLES, R, ANNOTATORS, EACH = 400, 299, 0.6, 5, 3
RHO, RHO_WITH_MEAN = (6 / math.pi * math.asin(r / 2) for r in (R, R / math.sqrt(R + (1 - R) / (EACH - 1))))
TRUTH = {
    "alpha": R,
    "packed_icc_c1": R,
    "packed_icc_ck": EACH * R / (1 + (EACH - 1) * R),
    "packed_kendall_w": (1 + (EACH - 1) * RHO) / EACH,
    "panel_icc_c1": R,
    "panel_kendall_w": (1 + (EACH - 1) * RHO) / EACH,
    "mean_rho": RHO,
    "iaa_2": RHO_WITH_MEAN,
}


def covered(pairs: int, rng: np.random.Generator) -> list[str]:
    """Count how often each interval has its true figure in it."""
    hits = dict.fromkeys(TRUTH, 0)
    with track(f"{pairs} pairs", DRAWS) as advance:
        for _ in range(DRAWS):
            true = math.sqrt(R) * rng.standard_normal((pairs, 1))
            ratings = true + math.sqrt(1 - R) * rng.standard_normal((pairs, ANNOTATORS))
            ratings[rng.random(ratings.shape).argsort(axis=1) >= EACH] = math.nan
            found = resample_agreement(ratings, level="interval", resamples=RESAMPLES, rng=rng)
            for name, truth in TRUTH.items():
                column = FIGURES.index(name)
                bca = Bca.of(found.whole[column], found.resamples[:, column], found.jackknife[:, column])
                low, high = bca.interval(0.05)
                hits[name] += low <= truth <= high
            advance(1)
    shares = [count / DRAWS for count in hits.values()]
    return [f"{share:.3f} ± {math.sqrt(share * (1 - share) / DRAWS):.3f}" for share in shares]


def main() -> None:
    """Print the table."""
    rng = np.random.default_rng(0)
    sizes = (50, 150, 1000)
    columns = [covered(pairs, rng) for pairs in sizes]
    print_table(
        "Share of 95% intervals that have the true figure in them",
        ["figure", *(f"{pairs} pairs" for pairs in sizes)],
        [[name, *(column[row] for column in columns)] for row, name in enumerate(TRUTH)],
        [f"{DRAWS} draws, {RESAMPLES} resamples each, three of five annotators for each pair, ICC(C,1) {R}"],
    )


if __name__ == "__main__":
    main()
