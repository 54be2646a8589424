import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from medgauge.stats.systems.correlation import (
    critical_r,
    mean_correlation,
    pearson,
    power_of_r,
    spearman,
)


def average_rank(x, i):
    return sum(one < x[i] for one in x) + (sum(one == x[i] for one in x) + 1) / 2


def slow_spearman(x, y):
    ranks = [(average_rank(x, i), average_rank(y, i)) for i in range(len(x))]
    middle = (len(x) + 1) / 2
    product = sum((a - middle) * (b - middle) for a, b in ranks)
    squares = [sum((pair[side] - middle) ** 2 for pair in ranks) for side in (0, 1)]
    return product / math.sqrt(squares[0] * squares[1])


@given(
    st.integers(3, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))
)
@settings(max_examples=200, deadline=None)
def test_spearman_is_pearson_of_average_ranks(lists):
    x, y = (np.array(one, float) for one in lists)
    found = spearman(x, y)
    assert found.n == len(x)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert math.isnan(found.value)
        side = "gold scores" if np.ptp(x) == 0 else "scores"
        assert found.undefined == f"all {len(x)} {side} are equal"
    else:
        assert found.value == pytest.approx(slow_spearman(x, y))
        assert found.undefined is None


def test_spearman_of_a_hand_worked_case_without_ties():
    """ρ = 1 − 6 Σd² / (n³ − n) with d = 2, 3, 0, 0, 5, 7, 3, 6, 7, 1, so Σd² = 182."""
    x = np.array([7, 4, 3, 10, 6, 2, 9, 8, 1, 5], float)
    y = np.array([5, 7, 3, 10, 1, 9, 6, 2, 8, 4], float)
    assert spearman(x, y).value == pytest.approx(1 - 6 * 182 / 990)


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (0, "no pair is covered"),
        (1, "only 1 pair; at least 3 are needed"),
        (2, "only 2 pairs; at least 3 are needed"),
    ],
)
def test_two_pairs_in_perfect_order_are_not_a_rho_of_1(count, reason):
    found = spearman(np.arange(count, dtype=float), np.arange(count, dtype=float), confidence=0.9)
    assert not found.is_defined
    assert (found.undefined, found.n, found.confidence) == (reason, count, 0.9)


def test_the_interval_of_a_hand_worked_case():
    """ρ = 0.6, n = 100: z = 0.69315, standard error √(1.18/97) = 0.11030, so z ± 0.21618.

    The swaps give Σd² = 2 (99² + 97² + 95² + 71² + 7² + 2² + 1²) = 66,660, and ρ = 1 − 6 Σd² / (n³ − n).
    """
    x = np.arange(1.0, 101)
    y = x.copy()
    for one, other in ((1, 100), (2, 99), (3, 98), (4, 75), (76, 83), (84, 86), (87, 88)):
        y[[one - 1, other - 1]] = other, one
    found = spearman(x, y)
    assert found.value == pytest.approx(0.6)
    assert found.interval == pytest.approx((math.tanh(0.47697), math.tanh(0.90932)), abs=1e-4)


def test_more_confidence_makes_wider_intervals():
    rng = np.random.default_rng(1)
    x = rng.standard_normal(30)
    y = x + rng.standard_normal(30)
    for correlation in (spearman, lambda *data, confidence: pearson(*data, confidence=confidence).r):
        narrow, wide = (correlation(x, y, confidence=confidence) for confidence in (0.8, 0.99))
        assert (narrow.confidence, wide.confidence) == (0.8, 0.99)
        assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


@pytest.mark.slow
@pytest.mark.parametrize(("correlation", "n"), list(itertools.product([0.0, 0.5, 0.8], [30, 200])))
def test_the_interval_covers_the_truth_as_often_as_it_says(correlation, n):
    rng = np.random.default_rng(7)
    truth = 6 / math.pi * math.asin(correlation / 2)  # of a bivariate normal
    covered = 0
    for _ in range(1000):
        x = rng.standard_normal(n)
        y = correlation * x + math.sqrt(1 - correlation**2) * rng.standard_normal(n)
        low, high = spearman(x, y).interval
        covered += low <= truth <= high
    assert 0.925 <= covered / 1000 <= 0.975


def test_too_few_pairs_and_a_perfect_order_have_no_interval():
    three = spearman(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert three.value == pytest.approx(0.5)
    assert all(map(math.isnan, three.interval))
    assert three.no_interval == "only 2 of 3 gold scores differ from the commonest"
    for sign, reason in ((1, "the order is perfect"), (-1, "the order is perfectly reversed")):
        perfect = spearman(np.arange(30.0), sign * np.arange(30.0))
        assert perfect.value == pytest.approx(sign)
        assert all(map(math.isnan, perfect.interval))
        assert perfect.no_interval == reason


@pytest.mark.parametrize("side", [0, 1])
def test_nearly_constant_scores_had_an_interval_as_narrow_as_any(side):
    """Two of 313 scores differ from 0: ρ depends on where these two stand."""
    arrays = [np.arange(313.0), np.arange(313.0)]
    arrays[side] = (np.arange(313.0) >= 311).astype(float)
    found = spearman(*arrays)
    assert found.value == pytest.approx(0.138, abs=1e-3)
    assert all(map(math.isnan, found.interval))
    what = ("gold scores", "scores")[side]
    assert found.no_interval == f"only 2 of 313 {what} differ from the commonest"
    assert found.undefined is None


def test_five_scores_that_differ_from_the_commonest_are_enough():
    gold = np.arange(20.0)
    four, five = ((gold >= 20 - count).astype(float) for count in (4, 5))
    assert spearman(gold, four).no_interval == "only 4 of 20 scores differ from the commonest"
    found = spearman(gold, five)
    assert found.no_interval is None
    assert found.low < found.value < found.high


def slow_pearson(x, y):
    """r from exact sums, and p from the null distribution of r itself: with r = sin θ, ∝ cosⁿ⁻³ θ dθ."""
    n = len(x)
    exact = [[Fraction(one) for one in side] for side in (x, y)]
    a, b = ([one - sum(side) / n for one in side] for side in exact)
    product = sum(u * v for u, v in zip(a, b, strict=True))
    squares = sum(u * u for u in a) * sum(v * v for v in b)
    r = math.copysign(math.sqrt(product * product / squares), product)
    angle = math.asin(min(abs(r), 1.0))
    total, tail = (np.cos(middles(start)) ** (n - 3) * (math.pi / 2 - start) for start in (0.0, angle))
    return r, tail.mean() / total.mean()


def middles(start, steps=20_000):
    """The middles of equal steps from start to π/2."""
    return start + (np.arange(steps) + 0.5) * (math.pi / 2 - start) / steps


def two_lists(values, *, least):
    sizes = st.integers(least, 10)
    return sizes.flatmap(lambda n: st.tuples(*[st.lists(values, min_size=n, max_size=n)] * 2))


@given(two_lists(st.integers(-5, 5), least=3))
@settings(max_examples=200, deadline=None)
def test_pearson_is_what_exact_sums_and_the_null_distribution_of_r_give(lists):
    x, y = (np.array(one, float) for one in lists)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert math.isnan(pearson(x, y).r.value)
    else:
        found = pearson(x, y)
        assert (found.r.value, found.p) == pytest.approx(slow_pearson(*lists), abs=1e-7)


@given(two_lists(st.floats(-100, 100).map(lambda one: round(one, 2)), least=4))
@settings(max_examples=200, deadline=None)
def test_pearson_is_scipys(lists):
    x, y = (np.array(one) for one in lists)
    assume(np.ptp(x) > 0 and np.ptp(y) > 0)
    found, known = pearson(x, y), scipy.stats.pearsonr(x, y)
    assert (found.r.value, found.p) == pytest.approx((known.statistic, known.pvalue), rel=1e-6, abs=1e-7)
    if abs(found.r.value) < 1 - 1e-9:
        assert found.r.interval == pytest.approx(tuple(known.confidence_interval(0.95)), abs=1e-7)


@pytest.mark.parametrize(("n", "critical"), [(5, 0.878), (7, 0.754), (9, 0.666), (12, 0.576), (32, 0.349)])
def test_pearson_has_p_5_percent_at_the_printed_critical_values(n, critical):
    """The usual table of critical values of r, two-tailed 5%, for n − 2 = 3, 5, 7, 10 and 30."""
    x = np.arange(n) - (n - 1) / 2
    noise = x**2 - np.mean(x**2)  # even, so uncorrelated with x
    unit = [one / np.linalg.norm(one) for one in (x, noise)]
    for r, is_significant in ((critical - 0.0006, False), (critical + 0.0006, True)):
        found = pearson(x, r * unit[0] + math.sqrt(1 - r * r) * unit[1])
        assert found.r.value == pytest.approx(r)
        assert (found.p < 0.05) is is_significant


@pytest.mark.parametrize(("n", "critical"), [(5, 0.878), (7, 0.754), (9, 0.666), (12, 0.576), (32, 0.349)])
def test_the_critical_r_is_the_printed_one(n, critical):
    assert critical_r(n) == pytest.approx(critical, abs=5e-4)


def test_there_is_no_critical_r_of_two_models():
    assert math.isnan(critical_r(2))


@pytest.mark.parametrize(("r", "n"), [(0.1, 783), (0.3, 85), (0.5, 28)])
def test_the_power_is_that_of_cohens_table(r, n):
    """Cohen (1992). A power primer. Psychological Bulletin 112:155-159, table 2: n for a power of 0.80."""
    assert power_of_r(r, n) == pytest.approx(0.80, abs=0.01)
    assert power_of_r(-r, n) == pytest.approx(power_of_r(r, n))


def test_the_power_is_that_of_r():
    """pwr.r.test(r = 0.3, n = 50, sig.level = 0.05), an example of R's package pwr (Champely)."""
    assert power_of_r(0.3, 50) == pytest.approx(0.5715558, abs=5e-7)


def test_the_power_is_about_how_often_samples_of_nine_are_significant():
    rng = np.random.default_rng(5)
    x, noise = rng.standard_normal((2, 20_000, 9))
    y = 0.7 * x + math.sqrt(1 - 0.7**2) * noise
    found = scipy.stats.pearsonr(x, y, axis=1).pvalue < 0.05
    assert power_of_r(0.7, 9) == pytest.approx(found.mean(), abs=0.03)


@pytest.mark.parametrize(("r", "n"), [(0.7, 3), (1.0, 9), (-1.0, 9)])
def test_the_power_is_undefined_without_a_spread_of_z(r, n):
    assert math.isnan(power_of_r(r, n))


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_the_interval_of_pearson_covers_the_truth_as_often_as_it_says(correlation):
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(1000):
        x = rng.standard_normal(9)
        found = pearson(x, correlation * x + math.sqrt(1 - correlation**2) * rng.standard_normal(9)).r
        covered += found.low <= correlation <= found.high
    assert 0.93 <= covered / 1000 <= 0.97


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e300])
def test_pearson_does_not_depend_on_the_scale(scale):
    x, y = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 4.0, 3.0])
    assert pearson(x * scale, -y).r.value == pytest.approx(-0.6)
    assert pearson(x, y * scale).p == pytest.approx(0.4)


def test_a_perfect_line_has_p_0_and_no_interval():
    x = np.array([0.1, 0.2, 0.3, 0.7, 0.9])
    for y, r in ((3 * x + 0.1, 1.0), (0.7 - x / 3, -1.0)):
        found = pearson(x, y)
        assert (found.r.value, found.p) == (r, 0.0)
        assert all(map(math.isnan, found.r.interval))


def test_three_points_have_a_p_value_and_no_interval():
    found = pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    assert (found.r.value, found.p) == pytest.approx((0.5, 2 / 3))  # p = 1 − (2/π) asin r for n = 3
    assert all(map(math.isnan, found.r.interval))


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "no model has both figures"),
        ([1.0], [2.0], "only 1 model has both figures"),
        ([1.0, 2.0], [1.0, 3.0], "only 2 models have both figures"),
        ([1.0, 2.0, 3.0], [5.0, 5.0, 5.0], "all 3 figures of F1 are equal"),
        ([0.0, 0.0, 0.0], [1.0, 2.0, 3.0], "all 3 figures of rho are equal"),
        ([0.1 + 0.2, 0.3, 0.3], [1.0, 2.0, 3.0], "all 3 figures of rho are equal"),
    ],
    ids=["none", "one", "two", "constant", "zeros", "constant but for rounding"],
)
def test_pearson_is_undefined_for_two_points_and_for_a_constant(x, y, reason):
    names = ("figures of rho", "figures of F1")
    found = pearson(np.array(x), np.array(y), names=names, confidence=0.9)
    assert all(map(math.isnan, (found.r.value, found.p, *found.r.interval)))
    assert (found.r.undefined, found.r.n, found.r.confidence) == (reason, len(x), 0.9)


def test_an_interval_of_a_perfect_order_does_not_hang_on_rounding():
    """scipy gives 0.9999999999999999 for some perfect orders."""
    for n in range(4, 60):
        x = np.arange(n, dtype=float)
        assert all(map(math.isnan, spearman(x, x).interval))


def test_the_mean_by_fishers_z_worked_by_hand():
    """(1 + r) / (1 - r) is 3 for 0.5 and 9 for 0.8; their geometric mean 27 ** 0.5 belongs to 0.6772."""
    ratio = 27**0.5
    found = mean_correlation(np.array([0.5, 0.8]))
    assert found.value == pytest.approx((ratio - 1) / (ratio + 1))
    assert (found.n, found.undefined) == (2, None)
    assert all(map(math.isnan, found.interval))


@given(st.lists(st.floats(-0.999, 0.999), min_size=1, max_size=20))
def test_the_mean_by_fishers_z_is_that_of_a_geometric_mean(coefficients):
    """atanh r is half the logarithm of (1 + r) / (1 - r)."""
    ratio = scipy.stats.gmean([(1 + r) / (1 - r) for r in coefficients])
    assert mean_correlation(np.array(coefficients)).value == pytest.approx(
        (ratio - 1) / (ratio + 1), abs=1e-12
    )


@pytest.mark.parametrize(
    ("coefficients", "reason"),
    [
        ([], "there is no correlation"),
        ([0.5, math.nan], "1 of 2 correlations is undefined"),
        ([math.nan, math.nan, 1.0], "2 of 3 correlations are undefined"),
        ([0.5, 1.0], "a correlation of 1 or -1 has no finite z"),
        ([1.0, -0.9999999999999999], "a correlation of 1 or -1 has no finite z"),
    ],
)
def test_a_mean_correlation_is_undefined_where_a_z_is(coefficients, reason):
    found = mean_correlation(np.array(coefficients, np.float64))
    assert math.isnan(found.value)
    assert (found.undefined, found.n) == (reason, len(coefficients))
