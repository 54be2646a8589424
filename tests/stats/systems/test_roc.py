import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap, ttest_ind
from sklearn.metrics import roc_auc_score

from medgauge.stats.systems.roc import auc, auc_covariance, auc_freedom, auc_parts

sets = st.lists(
    st.tuples(st.integers(0, 1).map(float), st.integers(0, 5).map(lambda k: k / 4)), min_size=3, max_size=12
).map(lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows])))


def slow_auc(labels, scores):
    wins = [
        1.0 if p > n else 0.5 if p == n else 0.0 for p in scores[labels == 1] for n in scores[labels == 0]
    ]
    return sum(wins) / len(wins)


@given(sets)
@settings(max_examples=200, deadline=None)
def test_auc_counts_wins_and_half_the_ties(data):
    labels, scores = data
    found = auc(labels, scores)
    assert found.n == labels.size
    if len(set(labels)) < 2:
        assert math.isnan(found.value)
        assert found.undefined == f"no pair has label {1 - int(labels[0])}"
    else:
        assert found.undefined is None
        assert found.value == pytest.approx(slow_auc(labels, scores))
        assert found.value == pytest.approx(roc_auc_score(labels, scores))


def test_two_pairs_in_perfect_order_are_not_an_area_of_1():
    found = auc(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert math.isnan(found.value)
    assert found.undefined == "only 2 pairs; at least 3 are needed"


def test_without_pairs_there_is_no_area():
    found = auc(np.array([]), np.array([]), confidence=0.9)
    assert not found.is_defined
    assert (found.undefined, found.confidence) == ("no pair is covered", 0.9)


def slow_delong(labels, scores):
    positives, negatives = scores[labels == 1], scores[labels == 0]
    wins = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
    return wins.mean(axis=1).var(ddof=1) / len(positives) + wins.mean(axis=0).var(ddof=1) / len(negatives)


@given(sets.filter(lambda data: min((data[0] == 0).sum(), (data[0] == 1).sum()) >= 2))
@settings(max_examples=100, deadline=None)
def test_the_auc_interval_has_delongs_variance(data):
    labels, scores = data
    variance = slow_delong(labels, scores)
    if variance < 1e-12:
        assert all(map(math.isnan, auc(labels, scores).interval))
        return
    half = 1.959964 * math.sqrt(variance)
    area = slow_auc(labels, scores)
    expected = max(0, area - half), min(1, area + half)
    assert auc(labels, scores).interval == pytest.approx(expected, abs=1e-6)


def test_the_auc_interval_is_as_wide_as_scipys_bootstrap_says():
    rng = np.random.default_rng(3)
    negatives, positives = rng.standard_normal(150), rng.standard_normal(120) + 0.7
    labels = np.repeat([0.0, 1.0], [150, 120])

    def area(x, y):
        return auc(labels, np.concatenate([x, y])).value

    resampled = bootstrap(
        (negatives, positives), area, vectorized=False, n_resamples=999, method="basic", rng=rng
    )
    low, high = auc(labels, np.concatenate([negatives, positives])).interval
    assert (high - low) / (2 * 1.959964) == pytest.approx(resampled.standard_error, rel=0.1)


def test_one_positive_or_negative_has_an_area_and_no_interval():
    for labels in (np.array([0.0, 0, 1]), np.array([0.0, 1, 1])):
        found = auc(labels, np.array([1.0, 2, 3]))
        assert found.value == 1.0
        assert all(map(math.isnan, found.interval))


def test_more_confidence_makes_a_wider_interval():
    rng = np.random.default_rng(5)
    labels = np.repeat([0.0, 1.0], 40)
    scores = labels + 2 * rng.standard_normal(80)
    narrow, wide = (auc(labels, scores, confidence=confidence) for confidence in (0.8, 0.99))
    assert (narrow.confidence, wide.confidence) == (0.8, 0.99)
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high


def test_delongs_components_of_a_hand_worked_case():
    """Positives 2 and 4, negatives 1 and 3: 2 outscores one negative of two, 4 both."""
    area, parts = auc_parts(np.array([1.0, 1, 0, 0]), np.array([2.0, 4, 1, 3]))
    assert area == 0.75
    assert parts.tolist() == [(0.5 - 0.75) / 2, (1 - 0.75) / 2, (1 - 0.75) / 2, (0.5 - 0.75) / 2]


@given(st.integers(2, 8), st.integers(2, 8), st.integers(0, 2**32 - 1), st.integers(1, 4))
@settings(max_examples=100, deadline=None)
def test_the_covariance_is_that_of_the_components(positives, negatives, seed, systems):
    """As DeLong and others define it: over the matrix of every positive against every negative."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat([1.0, 0.0], [positives, negatives]))
    scores = rng.integers(0, 4, (systems, labels.size)).astype(float)
    wins = np.array(
        [
            (row[labels == 1][:, None] > row[labels == 0])
            + 0.5 * (row[labels == 1][:, None] == row[labels == 0])
            for row in scores
        ]
    )
    s10, s01 = np.cov(wins.mean(axis=2)), np.cov(wins.mean(axis=1))
    found = auc_covariance(labels, np.array([auc_parts(labels, row)[1] for row in scores]))
    assert found == pytest.approx(np.atleast_2d(s10 / positives + s01 / negatives), abs=1e-12)


def test_one_positive_has_no_covariance():
    labels = np.array([0.0, 0, 1])
    parts = auc_parts(labels, np.array([1.0, 2, 3]))[1]
    assert np.isnan(auc_covariance(labels, parts[None, :])).all()


def test_the_degrees_of_freedom_are_those_of_welchs_test():
    """The variance is a sum of those of two means, as in Welch's test: scipy's degrees of freedom."""
    rng = np.random.default_rng(4)
    labels = np.repeat([0.0, 1.0], [9, 14])
    systems = labels + rng.standard_normal((2, 23))
    apart = np.subtract(*(auc_parts(labels, row)[1] for row in systems))
    positives, negatives = apart[labels == 1] * 14, apart[labels == 0] * 9
    assert auc_freedom(labels, apart) == pytest.approx(ttest_ind(positives, negatives, equal_var=False).df)


def test_degrees_of_freedom_without_variance_or_with_one_positive():
    assert auc_freedom(np.array([0.0, 0, 1, 1]), np.zeros(4)) == math.inf
    assert math.isnan(auc_freedom(np.array([0.0, 0, 1]), np.zeros(3)))
