import math

import numpy as np
import pytest
from scipy import stats

from medgauge.stats.differences.rank_influence import rho_influence
from medgauge.stats.differences.subset_estimates import (
    SubsetEstimate,
    difference_interval,
    equality_test,
    subset_estimates,
    untestable,
)


def plain(value, variance, freedom):
    return SubsetEstimate(value, value, variance, freedom, "plain")


def means(*samples):
    """The means of samples as estimates, whose equality is tested by Welch's analysis of variance."""
    return [plain(one.mean(), one.var(ddof=1) / one.size, one.size - 1) for one in samples]


def test_of_two_means_it_is_scipys_welch_test():
    rng = np.random.default_rng(0)
    one, two = rng.standard_normal(9), 2 * rng.standard_normal(23) + 1
    expected = stats.ttest_ind(one, two, equal_var=False).pvalue
    assert equality_test(means(one, two)) == pytest.approx(expected)


def test_of_three_means_it_is_welchs_analysis_of_variance():
    """The p-value of R 4.2.2, package stats: oneway.test(c(samples) ~ rep(1:3, c(5, 4, 6)))."""
    samples = (np.array([1.0, 2, 3, 4, 6]), np.array([2.0, 4, 7, 9]), np.array([5.0, 6, 6, 8, 11, 12]))
    assert equality_test(means(*samples)) == pytest.approx(0.0456884316752, abs=1e-12)


def test_with_known_variances_it_is_cochrans_q():
    estimates = [plain(x, v, 1e12) for x, v in ((0.2, 0.01), (0.5, 0.02), (0.6, 0.04))]
    weights = np.array([100, 50, 25])
    mean = (weights * [0.2, 0.5, 0.6]).sum() / 175
    q = (weights * (np.array([0.2, 0.5, 0.6]) - mean) ** 2).sum()
    assert equality_test(estimates) == pytest.approx(stats.chi2.sf(q, 2))


def test_the_interval_of_a_difference_by_hand():
    """r = .49 on 145 pairs and .36 on 87, each with the limits of Fisher's z with the variance 1/(n − 3).

    z = .5361 ± 1.96/√142 and .3769 ± 1.96/√84, so the limits are (.3554, .6046) and (.1616, .5305).
    """
    one, two = (
        SubsetEstimate(r, math.atanh(r), 1 / (n - 3), math.inf, "fisher")
        for r, n in ((0.49, 145), (0.36, 87))
    )
    down, up = math.hypot(0.49 - 0.3554, 0.5305 - 0.36), math.hypot(0.6046 - 0.49, 0.36 - 0.1616)
    found = difference_interval(one, two, confidence=0.95)
    assert found == pytest.approx((0.13 - down, 0.13 + up), abs=3e-4)


def test_correlations_are_on_fishers_scale_with_the_variance_of_their_influence():
    rng = np.random.default_rng(1)
    gold = rng.standard_normal(40)
    systems = gold + rng.standard_normal((2, 40))
    rhos, influence = rho_influence(gold, systems)
    singles, advantages = subset_estimates(gold, systems, labelled=False)
    for found, rho, mine in zip(singles, rhos, influence, strict=True):
        assert (found.value, found.scaled) == pytest.approx((rho, math.atanh(rho)))
        assert found.variance == pytest.approx((mine**2).sum() / (40 * 39) / (1 - rho**2) ** 2)
    assert advantages[0][1].value == pytest.approx(rhos[0] - rhos[1])
    apart = influence[0] - influence[1]
    assert advantages[0][1].variance == pytest.approx((apart**2).sum() / (40 * 39))


def test_areas_are_on_the_scale_of_the_logit_with_delongs_variance():
    rng = np.random.default_rng(1)
    labels = np.repeat([0.0, 1.0], [15, 20])
    systems = labels + rng.standard_normal((2, 35))
    singles, advantages = subset_estimates(labels, systems, labelled=True)
    wins = [(row[labels == 1][:, None] > row[labels == 0]).astype(float) for row in systems]

    def variance(cube):
        return cube.mean(axis=1).var(ddof=1) / 20 + cube.mean(axis=0).var(ddof=1) / 15

    for found, mine in zip(singles, wins, strict=True):
        area = mine.mean()
        assert (found.value, found.scaled) == pytest.approx((area, math.log(area / (1 - area))))
        assert found.variance == pytest.approx(variance(mine) / (area * (1 - area)) ** 2)
    assert advantages[0][1].variance == pytest.approx(variance(wins[0] - wins[1]))


@pytest.mark.parametrize("labelled", [False, True])
def test_a_perfect_system_has_no_variance_and_no_test(labelled):
    gold = np.repeat([0.0, 1.0], 10) if labelled else np.arange(20.0)
    singles, _ = subset_estimates(gold, gold[None, :], labelled=labelled)
    assert math.isnan(singles[0].variance)
    assert math.isnan(equality_test([singles[0], singles[0]]))
    assert all(map(math.isnan, difference_interval(singles[0], singles[0], confidence=0.95)))


@pytest.mark.parametrize(
    ("gold", "scores", "labelled", "reason"),
    [
        (np.arange(9.0), np.arange(9.0), False, "fewer than 10 pairs"),
        (np.arange(20.0), np.eye(20)[0], False, "only 1 of 20 scores differs from the commonest"),
        (np.repeat([0.0, 1.0], [16, 4]), np.arange(20.0), True, "only 4 pairs have label 1"),
        (np.repeat([0.0, 1.0], [15, 5]), np.arange(20.0), True, None),
        (np.arange(10.0), np.arange(10.0), False, None),
    ],
)
def test_why_a_subset_is_not_tested(gold, scores, labelled, reason):
    assert untestable(gold, scores[None, :], labelled=labelled) == reason


@pytest.mark.parametrize("labelled", [False, True])
def test_equal_figures_on_small_subsets_are_rarely_told_apart(labelled):
    """20 and 60 pairs; at most 0.065 of 500 at level 0.05."""
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(500):
        estimates = []
        for size in (20, 60):
            gold = np.arange(size) % 2.0 if labelled else rng.standard_normal(size)
            scores = gold + rng.standard_normal(size)
            estimates += subset_estimates(gold, scores[None, :], labelled=labelled)[0]
        found += equality_test(estimates) < 0.05
    assert found <= 32
