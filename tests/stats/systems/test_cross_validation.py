import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.stats.systems.classification import (
    best_threshold,
    cross_validated_accuracy,
    proportion_interval,
)
from medgauge.stats.systems.cross_validation import right_at_others, split_half_covariance

sets = st.lists(
    st.tuples(st.integers(0, 1).map(float), st.integers(0, 9).map(lambda k: k / 4)), min_size=4, max_size=30
).map(lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows])))


def slow_fold_by_fold(labels, scores, fold):
    """Classify each fold at the best threshold of the others."""
    right = np.empty(len(labels))
    for number in set(fold):
        held = fold == number
        threshold = best_threshold(labels[~held], scores[~held])
        right[held] = (scores[held] >= threshold) == (labels[held] == 1)
    return right


def slow_deal(labels, parts, rng):
    fold = np.empty(len(labels), int)
    for label in (0, 1):
        fold[labels == label] = rng.permutation(np.arange((labels == label).sum()) % parts)
    return fold


def slow_right_at_others(labels, scores, deals, rng):
    folds = min(10, (labels == 0).sum(), (labels == 1).sum())
    found = [slow_fold_by_fold(labels, scores, slow_deal(labels, folds, rng)) for _ in range(deals)]
    return np.mean(found, axis=0)


@given(sets.filter(lambda data: min((data[0] == 0).sum(), (data[0] == 1).sum()) >= 2), st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_each_pair_is_classified_by_thresholds_of_the_other_folds_of_every_deal(data, seed):
    labels, scores = data
    found = right_at_others(labels, scores, deals=3, rng=np.random.default_rng(seed))
    assert found == pytest.approx(slow_right_at_others(labels, scores, 3, np.random.default_rng(seed)))


def test_the_pairs_are_dealt_50_times_into_ten_stratified_folds():
    rng = np.random.default_rng(1)
    labels = np.repeat([0.0, 1.0], [17, 31])
    scores = labels + rng.standard_normal(48)
    right = right_at_others(labels, scores, rng=np.random.default_rng(2))
    assert right == pytest.approx(slow_right_at_others(labels, scores, 50, np.random.default_rng(2)))
    found = cross_validated_accuracy(labels, scores, rng=np.random.default_rng(2))
    assert (found.value, found.n) == (right.mean(), 48)
    assert found.interval == proportion_interval(right.mean(), 48)


def test_neighbouring_floats_are_told_apart():
    low = 0.3
    labels = np.repeat([0.0, 1.0], 4)
    scores = np.where(labels == 1, np.nextafter(low, 1), low)
    assert right_at_others(labels, scores, rng=np.random.default_rng(0)).min() == 1


def test_each_pair_is_classified_by_the_others():
    """Leave-one-out in effect: two pairs of each label, the threshold from the other fold."""
    labels, scores = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 10.0, 11.0])
    assert right_at_others(labels, scores, rng=np.random.default_rng(0)).all()
    assert right_at_others(labels, -scores, rng=np.random.default_rng(0)).mean() < 0.75


def test_the_figure_hardly_depends_on_the_seed():
    """Of one deal, it varied by 0.02 and more between seeds."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 100)
    scores = labels / 2 + rng.standard_normal(200)
    once, often = (
        [right_at_others(labels, scores, deals=deals, rng=np.random.default_rng(k)).mean() for k in range(30)]
        for deals in (1, 50)
    )
    assert np.std(once) > 0.01
    assert np.std(often) < np.std(once) / 4


def test_the_same_seed_gives_the_same_folds():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 60).astype(float)
    scores = labels + rng.standard_normal(60)
    runs = [right_at_others(labels, scores, rng=np.random.default_rng(5)) for _ in range(3)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] == runs[2]).all()


@given(sets.filter(lambda data: min((data[0] == 0).sum(), (data[0] == 1).sum()) >= 4))
@settings(max_examples=30, deadline=None)
def test_the_covariance_is_that_of_two_halves_by_themselves(data):
    labels, scores = data
    systems = np.stack([scores, scores[::-1]])
    rng = np.random.default_rng(3)
    folds = min(10, min((labels == 0).sum(), (labels == 1).sum()) // 2)
    expected = np.zeros((2, 2))
    for _ in range(4):
        part = slow_deal(labels, 2 * folds, rng)
        halves = [
            [slow_fold_by_fold(labels[mine], row[mine], part[mine]).mean() for row in systems]
            for mine in (part % 2 == 0, part % 2 == 1)
        ]
        apart = np.subtract(*halves)
        expected += np.outer(apart, apart) / 16
    found = split_half_covariance(labels, systems, splits=4, rng=np.random.default_rng(3))
    assert found == pytest.approx(expected)


def test_split_halves_estimate_the_variance_of_a_mean_where_thresholds_do_not_vary():
    """Two levels leave one sensible threshold, so the accuracy is a mean over pairs."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 200)
    scores = (rng.random((1, 400)) < 0.2 + 0.6 * labels).astype(float)
    right = scores[0] == labels
    usual = sum(right[labels == label].var(ddof=1) * 200 for label in (0, 1)) / 400**2
    found = split_half_covariance(labels, scores, splits=4000, rng=rng)[0, 0]
    assert found == pytest.approx(usual, rel=0.1)


def test_halves_show_that_pairs_share_thresholds():
    """The variance of the difference over 300 sets is that of the halves, and 1.3 times that over pairs."""
    rng = np.random.default_rng(0)
    labels = np.repeat([0.0, 1.0], 50)
    found, halves, pairs = [], [], []
    for _ in range(300):
        systems = labels / 2 + rng.standard_normal((2, 100))
        right = np.array([right_at_others(labels, row, deals=20, rng=rng) for row in systems])
        apart = right[0] - right[1]
        found.append(apart.mean())
        pairs.append(apart.var(ddof=1) / 100)
        halves.append(
            np.array([1, -1]) @ split_half_covariance(labels, systems, splits=20, rng=rng) @ [1, -1]
        )
    assert np.var(found) / np.mean(pairs) > 1.25
    assert 0.75 < np.var(found) / np.mean(halves) < 1.25


@pytest.mark.parametrize("positives", [2, 3])
def test_halves_need_two_pairs_of_each_label(positives):
    labels = np.repeat([0.0, 1.0], [20, positives])
    assert np.isnan(split_half_covariance(labels, labels[None, :], rng=np.random.default_rng(0))).all()


def test_every_half_of_four_and_four_by_hand():
    """Perfect and reversed scores: right in every half, and wrong in every half."""
    labels = np.repeat([0.0, 1.0], 4)
    found = split_half_covariance(labels, np.stack([labels, -labels]), rng=np.random.default_rng(0))
    assert found.tolist() == [[0, 0], [0, 0]]
