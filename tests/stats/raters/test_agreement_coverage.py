"""Intervals of agreement hold what they promise, on ratings whose true figures are known in closed form.

A rating is the pair's value plus the rater's error, both normal, so with the share r of the pairs' variance
in all of it: ICC(C,1) and α (interval) are r; Spearman's ρ of two raters is (6/π) asin(r/2) (Pearson 1907);
Kendall's W of k raters is (1 + (k − 1) ρ)/k; and ρ with the mean of two others is (6/π) asin(c/2), c = r /
√(r + (1 − r)/2). Averages over panels of a dozen pairs are not held to it: ICC is biased there. Only so many
draws as show a gross error; benchmarks/calibration_agreement.py has more, and more resamples.
"""

import math

import numpy as np
import pytest

from medgauge.stats.raters.agreement_statistics import FIGURES, prepare
from medgauge.stats.raters.resampled_agreement import resample_agreement
from medgauge.stats.resampling.bca import Bca

R, PAIRS, RATERS, EACH, DRAWS = 0.6, 60, 5, 3, 100


def spearman_of(r: float) -> float:
    return 6 / math.pi * math.asin(r / 2)


TRUTH = {
    "alpha": R,
    "packed_icc_1": R,
    "packed_icc_c1": R,
    "packed_icc_ck": EACH * R / (1 + (EACH - 1) * R),
    "packed_kendall_w": (1 + (EACH - 1) * spearman_of(R)) / EACH,
    "mean_rho": spearman_of(R),
    "iaa_1": spearman_of(R),
    "iaa_2": spearman_of(R / math.sqrt(R + (1 - R) / 2)),
}


@pytest.fixture(scope="module")
def covered() -> dict[str, float]:
    """How often the 95% interval has the true figure in it, each pair being rated by three of five."""
    rng = np.random.default_rng(2026)
    hits = dict.fromkeys(TRUTH, 0)
    for _ in range(DRAWS):
        pairs = math.sqrt(R) * rng.standard_normal((PAIRS, 1))
        ratings = pairs + math.sqrt(1 - R) * rng.standard_normal((PAIRS, RATERS))
        ratings[rng.random(ratings.shape).argsort(axis=1) >= EACH] = math.nan
        found = resample_agreement(prepare(ratings, "interval"), PAIRS, resamples=199, rng=rng)
        for name, truth in TRUTH.items():
            column = list(FIGURES).index(name)
            bca = Bca.of(found.whole[column], found.resamples[:, column], found.jackknife[:, column])
            low, high = bca.interval(0.05)
            hits[name] += low <= truth <= high
    return {name: count / DRAWS for name, count in hits.items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(TRUTH))
def test_an_interval_of_95_percent_has_the_truth_in_95_percent(covered, name):
    """Of 100 draws, 6.5% is three standard errors."""
    assert covered[name] == pytest.approx(0.95, abs=0.065)
