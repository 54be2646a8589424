import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import roc_curve

from medgauge.stats.systems.classification import (
    best_accuracy,
    best_threshold,
    cross_validated_accuracy,
    proportion_interval,
    right_at_best,
)

sets = st.lists(
    st.tuples(st.integers(0, 1).map(float), st.integers(0, 5).map(lambda k: k / 4)), min_size=3, max_size=12
).map(lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows])))


def slow_best(labels, scores):
    ordered = sorted(set(scores))
    candidates = [-math.inf, *((a + b) / 2 for a, b in pairwise(ordered)), math.inf]
    rights = [
        sum((s >= t) == (label == 1) for s, label in zip(scores, labels, strict=True)) for t in candidates
    ]
    best = [t for t, right in zip(candidates, rights, strict=True) if right == max(rights)]
    return best[(len(best) - 1) // 2], max(rights) / len(scores)


@given(sets)
@settings(max_examples=200, deadline=None)
def test_the_best_threshold_is_the_middle_of_the_best(data):
    found = best_accuracy(*data)
    assert (best_threshold(*data), found.value) == pytest.approx(slow_best(*data))
    assert found.n == right_at_best(*data).size
    assert found.value == right_at_best(*data).mean()
    assert found.interval == proportion_interval(found.value, found.n)


def test_the_best_accuracy_is_that_of_sklearns_roc_curve():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 500).astype(float)
    scores = labels + rng.standard_normal(500)
    false, true, _ = roc_curve(labels, scores, drop_intermediate=False)
    accuracies = (true * (labels == 1).sum() + (1 - false) * (labels == 0).sum()) / 500
    assert best_accuracy(labels, scores).value == pytest.approx(accuracies.max())


def test_the_best_threshold_parts_neighbouring_floats():
    low = 0.3
    high = np.nextafter(low, 1)
    labels, scores = np.array([0.0, 1.0, 1.0]), np.array([low, high, high])
    assert best_accuracy(labels, scores).value == 1.0
    assert low < best_threshold(labels, scores) <= high


@pytest.mark.parametrize(
    ("count", "reason"), [(0, "no pair is covered"), (2, "only 2 pairs; at least 3 are needed")]
)
def test_fewer_than_three_pairs_have_no_accuracy(count, reason):
    found = best_accuracy(np.arange(count), np.arange(count), confidence=0.9)
    assert not found.is_defined
    assert (found.undefined, found.n, found.confidence) == (reason, count, 0.9)


def test_cross_validation_is_not_fooled_by_noise():
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 200)
    noise = rng.standard_normal(400)
    crossed = cross_validated_accuracy(labels, noise, rng=np.random.default_rng(1)).value
    assert crossed < best_accuracy(labels, noise).value
    assert crossed == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 0, 1], "only 1 pair has label 1"),
        ([1, 0, 1], "only 1 pair has label 0"),
        ([0, 0, 0], "no pair has label 1"),
        ([1], "only 1 pair; at least 3 are needed"),
        ([], "no pair is covered"),
    ],
)
def test_fewer_than_two_pairs_of_a_label_cannot_be_cross_validated(labels, reason):
    labels = np.array(labels, float)
    found = cross_validated_accuracy(
        labels, np.arange(labels.size), rng=np.random.default_rng(0), confidence=0.9
    )
    assert found.undefined == reason
    assert not found.is_defined
    assert (found.n, found.confidence) == (labels.size, 0.9)


def test_more_confidence_makes_wider_intervals():
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 40)
    scores = labels + rng.standard_normal(80)
    for accuracy in (
        best_accuracy,
        lambda *data, confidence: cross_validated_accuracy(*data, rng=rng.spawn(1)[0], confidence=confidence),
    ):
        narrow, wide = (accuracy(labels, scores, confidence=confidence) for confidence in (0.8, 0.99))
        assert (narrow.confidence, wide.confidence) == (0.8, 0.99)
        assert wide.low < narrow.low < narrow.high < wide.high


def test_wilsons_interval_of_a_hand_worked_case():
    """81 of 263: (p + z²/2n) / (1 + z²/n) = 0.31075 and z √(pq/n + z²/4n²) / (1 + z²/n) = 0.05546."""
    assert proportion_interval(81 / 263, 263) == pytest.approx((0.25529, 0.36621), abs=1e-5)


@pytest.mark.parametrize("count", [0, 1, 57, 100])
def test_wilsons_interval_is_scipys_where_the_count_is_whole(count):
    ends = binomtest(count, 100).proportion_ci(0.9, method="wilson")
    assert proportion_interval(count / 100, 100, confidence=0.9) == pytest.approx((ends.low, ends.high))


def test_a_share_of_half_a_pair_has_an_interval_between_those_of_whole_counts():
    lower, between, upper = (proportion_interval(count / 20, 20) for count in (7, 7.5, 8))
    assert lower[0] < between[0] < upper[0]
    assert lower[1] < between[1] < upper[1]


def test_no_pairs_have_no_proportion():
    assert all(map(math.isnan, proportion_interval(math.nan, 0)))
