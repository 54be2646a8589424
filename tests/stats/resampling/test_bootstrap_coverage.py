"""Does a 95% interval hold the true difference 95 times in 100? By simulation, with the true one known.

Only so many draws as show a gross error; benchmarks/calibration.py has enough to tell 94% from 95%.
"""

import math

import numpy as np
import pytest
from scipy import stats

from medgauge.stats.resampling.bca import Bca
from medgauge.stats.resampling.resampled_spearman import resample_spearman


def population_rho(r):
    """Spearman's ρ of a bivariate normal distribution with Pearson's r (Pearson 1907)."""
    return 6 / math.pi * math.asin(r / 2)


@pytest.mark.slow
def test_the_interval_of_a_difference_holds_the_truth_as_often_as_it_says():
    draws, pairs, first, second = 200, 200, 0.7, 0.5
    true = population_rho(first) - population_rho(second)
    rng = np.random.default_rng(2020)
    held = 0
    for _ in range(draws):
        gold = rng.standard_normal(pairs)
        noise = rng.standard_normal((2, pairs))
        scores = np.array(
            [r * gold + math.sqrt(1 - r * r) * mine for r, mine in zip((first, second), noise, strict=True)]
        )
        found = resample_spearman(gold, scores, resamples=999, rng=rng, workers=1)
        one, two = (stats.spearmanr(gold, row).statistic for row in scores)
        boot = Bca.of(
            one - two,
            found.resamples[:, 0] - found.resamples[:, 1],
            found.jackknife[:, 0] - found.jackknife[:, 1],
        )
        low, high = boot.interval(0.05)
        held += low <= true <= high
    assert held / draws == pytest.approx(0.95, abs=0.046)  # three standard errors
