import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from medgauge.stats.differences.paired import (
    AgreementTable,
    NormalDifference,
    accuracy_difference,
    accuracy_parts,
    agreements,
    clustered_auc_covariance,
    clustered_covariance,
    mcnemar,
    null_deviation,
)
from medgauge.stats.systems.roc import auc_covariance, auc_parts

tables = st.builds(AgreementTable, *[st.integers(0, 40)] * 4)


@given(st.lists(st.tuples(*[st.booleans()] * 3), min_size=1, max_size=20))
def test_agreements_are_counted_pair_by_pair(rows):
    right = np.array(rows, bool).T
    found = agreements(right)
    for i in range(3):
        for j in range(3):
            counted = [
                sum((a, b) == kind for a, b in zip(right[i], right[j], strict=True))
                for kind in [(True, True), (True, False), (False, True), (False, False)]
            ]
            assert found[i][j] == AgreementTable(*counted)
            assert found[i][j].total == len(rows)


@given(tables)
def test_mcnemar_is_statsmodels(table):
    few = table.first + table.second < 25
    theirs = statsmodels_mcnemar(
        [[table.both, table.first], [table.second, table.neither]], exact=few, correction=True
    ).pvalue
    if table.first == table.second:
        # There statsmodels' chi-square is 1 / (b + c), since it corrects |b - c| = 0 to -1.
        assert mcnemar(table) == 1.0
    else:
        assert mcnemar(table) == pytest.approx(theirs)


def test_mcnemar_is_exact_under_25_discordant_pairs():
    assert mcnemar(AgreementTable(0, 8, 16, 0)) == pytest.approx(2 * stats.binom.cdf(8, 24, 0.5))
    assert mcnemar(AgreementTable(0, 8, 17, 0)) == pytest.approx(stats.chi2.sf(64 / 25, 1))


@pytest.mark.parametrize(
    ("table", "ends"),
    [
        # The R package contingencytables, its test of Newcombe_square_and_add_CI_paired_2x2.
        (AgreementTable(59, 6, 16, 80), (-0.1186, -0.0046)),
        # Without the correction of phi, 0.0795, it would be (-0.5017, -0.0361); ad - bc = 5 < n/2 makes it 0.
        (AgreementTable(1, 1, 7, 12), (-0.5069, -0.0256)),
    ],
)
def test_newcombes_interval(table, ends):
    assert accuracy_difference(table) == pytest.approx(ends, abs=5e-5)


def test_newcombes_interval_of_a_hand_worked_case():
    """n = 10, 5 and 3 right, both 2: ad - bc = 8 - 3 = 5 = n/2, so phi is 0 and the squares add up."""
    z2 = 1.959963984540054**2

    def wilson(p, n=10):
        middle, half = (p + z2 / (2 * n)) / (1 + z2 / n), math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n)))
        return middle - half / (1 + z2 / n), middle + half / (1 + z2 / n)

    (low1, high1), (low2, high2) = wilson(0.5), wilson(0.3)
    expected = (0.2 - math.hypot(0.5 - low1, high2 - 0.3), 0.2 + math.hypot(0.3 - low2, high1 - 0.5))
    assert accuracy_difference(AgreementTable(both=2, first=3, second=1, neither=4)) == pytest.approx(
        expected
    )


@given(tables)
def test_newcombes_interval_holds_the_difference_and_turns_with_it(table):
    if table.total == 0:
        assert all(map(math.isnan, accuracy_difference(table)))
        return
    low, high = accuracy_difference(table)
    assert -1 - 1e-12 <= low <= (table.first - table.second) / table.total <= high <= 1 + 1e-12
    turned = AgreementTable(table.both, table.second, table.first, table.neither)
    assert accuracy_difference(turned) == pytest.approx((-high, -low))


def test_classifiers_that_agree_on_every_pair_may_differ_on_others():
    """95 right and 5 wrong by both: phi is (475 - 50)/475, so the reaches do not cancel."""
    low, high = accuracy_difference(AgreementTable(95, 0, 0, 5))
    assert (low, high) == pytest.approx((-0.0385, 0.0385), abs=5e-5)
    assert mcnemar(AgreementTable(95, 0, 0, 5)) == 1.0


def test_delongs_test_of_a_hand_worked_case():
    """Three positives, three negatives, two systems; components and covariances worked out on paper.

    System 1 has V10 = (1, 1, 1/3) and V01 = (1, 2/3, 2/3), AUC 7/9; system 2 has V10 = (2/3, 2/3, 2/3) and
    V01 = (1, 1, 0), AUC 2/3. The differences of the components are V10 (1/3, 1/3, -1/3), with variance 4/27,
    and V01 (0, -1/3, 2/3), with variance 7/27; so the difference 1/9 has variance (4 + 7)/81.
    """
    labels = np.array([1.0, 1, 1, 0, 0, 0])
    one = np.array([6.0, 5, 2, 1, 3, 4])
    two = np.array([4.0, 4.5, 5, 1, 2, 6])
    found = [auc_parts(labels, scores) for scores in (one, two)]
    covariance = auc_covariance(labels, np.array([parts for _, parts in found]))
    difference = NormalDifference.of(np.array([area for area, _ in found]), covariance, 0, 1, units=3)
    assert difference.estimate == pytest.approx(1 / 9)
    assert difference.deviation == pytest.approx(math.sqrt(11 / 81))
    assert difference.p_value == pytest.approx(2 * stats.norm.sf(1 / math.sqrt(11)))
    half = 1.959963984540054 * math.sqrt(11 / 81)
    assert difference.interval(0.05) == pytest.approx((1 / 9 - half, 1 / 9 + half))


def test_equal_systems_have_no_difference_of_auc():
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 30)
    scores = labels + rng.standard_normal(60)
    found = [auc_parts(labels, row) for row in (scores, 2 * scores + 1)]
    covariance = auc_covariance(labels, np.array([parts for _, parts in found]))
    difference = NormalDifference.of(np.array([area for area, _ in found]), covariance, 0, 1, units=3)
    assert difference.p_value == 1.0
    assert all(map(math.isnan, difference.interval(0.05)))


def test_a_difference_without_variance_has_a_sign_and_no_interval():
    difference = NormalDifference(0.5, 0.0, units=8)
    assert difference.p_value == 2**-7
    assert all(map(math.isnan, difference.interval(0.05)))


def test_an_interval_ends_at_one():
    assert NormalDifference(0.9, 0.2, units=50).interval(0.05)[1] == 1.0


def test_few_groups_have_students_t():
    difference = NormalDifference(0.2, 0.1, units=6, freedom=5)
    assert difference.p_value == pytest.approx(2 * stats.t.sf(2, 5))
    assert difference.interval(0.05)[1] == pytest.approx(0.2 + 0.1 * stats.t.isf(0.025, 5))


def test_areas_in_groups_of_their_own_have_obuchowskis_factors():
    """Every pair a group: m/(m - 1) and n/(n - 1), as DeLong has it, and no cross term."""
    rng = np.random.default_rng(3)
    labels = np.repeat([0.0, 1.0], [20, 30])
    parts = np.array([auc_parts(labels, labels + rng.standard_normal(50))[1] for _ in range(3)])
    alone = clustered_auc_covariance(labels, parts, np.arange(50))
    assert alone == pytest.approx(auc_covariance(labels, parts))


def test_areas_in_groups_of_a_hand_worked_case():
    """Groups {+, -}, {+}, {-}: sums .1, -.1 and 0 of positives, .2, 0 and -.2 of negatives.

    2/1 (.01 + .01) + 2/1 (.04 + .04) + 3/2 · 2 (.1 · .2) = .04 + .16 + .06.
    """
    labels, parts = np.array([1.0, 0, 1, 0]), np.array([[0.1, 0.2, -0.1, -0.2]])
    assert clustered_auc_covariance(labels, parts, np.array([0, 0, 1, 2]))[0, 0] == pytest.approx(0.26)


def test_areas_with_all_positives_in_one_group_have_no_variance():
    """With one factor for all it would be smaller than without groups."""
    labels = np.repeat([1.0, 0.0], [5, 10])
    parts = auc_parts(labels, labels + np.random.default_rng(0).standard_normal(15))[1]
    groups = np.concatenate([np.zeros(5, int), np.arange(1, 11)])
    assert np.isnan(clustered_auc_covariance(labels, parts[None, :], groups)).all()


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=2, max_size=20))
def test_the_deviation_under_no_difference_is_the_groups_squares(rows):
    right = np.array([[row[0] for row in rows], [row[1] for row in rows]], bool)
    groups = np.unique([row[2] for row in rows], return_inverse=True)[1]
    count = groups.max() + 1
    found = null_deviation(right, groups, 0, 1)
    if count < 2:
        assert math.isnan(found)
        return
    squares = sum(
        sum(int(row[0]) - int(row[1]) for row, mine in zip(rows, groups, strict=True) if mine == group) ** 2
        for group in range(count)
    )
    assert found == pytest.approx(math.sqrt(count / (count - 1) * squares) / len(rows))


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 3)), min_size=2, max_size=20).filter(
        lambda rows: len({row[2] for row in rows}) > 1
    )
)
@settings(max_examples=100, deadline=None)
def test_clusters_sum_what_their_pairs_contribute(rows):
    right = np.array([[row[0] for row in rows], [row[1] for row in rows]], bool)
    groups = np.unique([row[2] for row in rows], return_inverse=True)[1]
    count, n = groups.max() + 1, len(rows)
    sums = [
        [(right[system][groups == k] - right[system].mean()).sum() / n for k in range(count)]
        for system in range(2)
    ]
    expected = [
        [count / (count - 1) * sum(a * b for a, b in zip(sums[i], sums[j], strict=True)) for j in range(2)]
        for i in range(2)
    ]
    found = clustered_covariance(accuracy_parts(right), groups)
    assert found == pytest.approx(np.array(expected), abs=1e-12)


def test_pairs_that_are_clusters_of_their_own_have_the_usual_variance():
    right = np.array([[True] * 30 + [False] * 10])
    found = clustered_covariance(accuracy_parts(right), np.arange(40))
    assert found[0, 0] == pytest.approx(np.var(right, ddof=1) / 40)


def test_copies_in_clusters_add_no_certainty():
    """Every pair three times, in a cluster: the variance is that of the pairs alone."""
    rng = np.random.default_rng(1)
    right = rng.random((2, 50)) < 0.7
    alone = clustered_covariance(accuracy_parts(right), np.arange(50))
    thrice = clustered_covariance(accuracy_parts(np.repeat(right, 3, axis=1)), np.repeat(np.arange(50), 3))
    assert thrice == pytest.approx(alone)


def test_one_cluster_has_no_variance():
    assert np.isnan(clustered_covariance(np.zeros((2, 5)), np.zeros(5, int))).all()
