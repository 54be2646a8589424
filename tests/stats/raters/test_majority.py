"""The majority and the quality of labels, against counting by hand, scikit-learn and statsmodels."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, precision_score, recall_score
from statsmodels.stats.proportion import proportion_confint

from medgauge.stats.raters.majority import label_quality, majority

ANSWERS = ("same", "not same", "unsure", "none")
VALUES = {"same": 1.0, "not same": 0.0, "unsure": math.nan, "none": math.nan}
LABELS = st.lists(st.sampled_from([0.0, 1.0, math.nan]), max_size=30)


def arrays(panel):
    values = [[VALUES[answer] for answer in answers] for answers in panel]
    unsure = [[answer == "unsure" for answer in answers] for answers in panel]
    shape = (len(panel), len(panel[0]) if panel else 3)
    return np.array(values, float).reshape(shape), np.array(unsure, bool).reshape(shape)


def slow_majority(answers):
    given_answers = [answer for answer in answers if answer != "none"]
    for answer, count in Counter(given_answers).items():
        if count > len(given_answers) / 2:
            return VALUES[answer]
    return math.nan


@pytest.mark.parametrize(
    ("answers", "truth"),
    [
        (["same", "same", "not same"], 1.0),
        (["not same", "same", "not same"], 0.0),
        (["same", "same", "unsure"], 1.0),
        (["same", "not same", "unsure"], math.nan),
        (["same", "unsure", "unsure"], math.nan),
        (["unsure", "unsure", "unsure"], math.nan),
        (["same", "unsure", "none"], math.nan),
        (["same", "none", "none"], 1.0),
        (["not same", "same", "none"], math.nan),
        (["none", "none", "none"], math.nan),
        (["same", "same", "not same", "not same"], math.nan),
        (["same", "same", "unsure", "unsure"], math.nan),
        (["same", "same", "same", "unsure", "not same"], 1.0),
        (["same", "same", "not same", "unsure", "none"], math.nan),
    ],
)
def test_the_majority_is_more_than_half_of_all_answers(answers, truth):
    np.testing.assert_array_equal(majority(*arrays([answers])), [truth])


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.tuples(*[st.sampled_from(ANSWERS)] * n), max_size=12)))
def test_the_majority_is_what_counting_says(panel):
    np.testing.assert_array_equal(majority(*arrays(panel)), [slow_majority(answers) for answers in panel])


def test_no_pairs_have_no_majority_and_undefined_quality():
    assert majority(np.empty((0, 3)), np.empty((0, 3), bool)).shape == (0,)
    found = label_quality(np.array([]), np.array([]))
    assert all(map(math.isnan, (found.accuracy, found.recall, found.precision)))
    assert found.intervals == {}


def test_a_hand_worked_case():
    """Of 10 pairs, 2 lack truth or label; 3 are found, 1 is missed, 2 are labelled 1 and not the same."""
    labels = np.array([1.0, 1, 1, 0, 1, 1, 0, 0, 1, math.nan])
    truth = np.array([1.0, 1, 1, 1, 0, 0, 0, 0, math.nan, 1])
    found = label_quality(labels, truth)
    assert (found.accuracy, found.recall, found.precision) == (5 / 8, 3 / 4, 3 / 5)
    for name, right, of in (("accuracy", 5, 8), ("recall", 3, 4), ("precision", 3, 5)):
        assert found.intervals[name] == pytest.approx(proportion_confint(right, of, method="wilson"))


@given(LABELS, st.randoms(use_true_random=False))
def test_quality_is_that_of_scikit_learn(labels, random):
    truth = [random.choice([0.0, 1.0, math.nan]) for _ in labels]
    found = label_quality(np.array(labels, float), np.array(truth, float))
    both = [(t, y) for t, y in zip(truth, labels, strict=True) if not math.isnan(t) and not math.isnan(y)]
    if not both:
        assert math.isnan(found.accuracy)
        return
    same, labelled = zip(*both, strict=True)
    expected = {
        "accuracy": accuracy_score(same, labelled),
        "recall": recall_score(same, labelled, zero_division=math.nan),
        "precision": precision_score(same, labelled, zero_division=math.nan),
    }
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, nan_ok=True)
        assert (name in found.intervals) != math.isnan(value)
    for name, (low, high) in found.intervals.items():
        assert 0 <= low <= getattr(found, name) <= high <= 1


@pytest.mark.parametrize(
    ("labels", "truth", "defined"),
    [
        ([0.0, 0.0], [1.0, 0.0], {"accuracy", "recall"}),
        ([1.0, 0.0], [0.0, 0.0], {"accuracy", "precision"}),
        ([0.0], [0.0], {"accuracy"}),
        ([math.nan], [1.0], set()),
        ([1.0], [math.nan], set()),
    ],
)
def test_a_share_of_no_pairs_is_undefined_and_has_no_interval(labels, truth, defined):
    found = label_quality(np.array(labels), np.array(truth))
    assert set(found.intervals) == defined
    for name in ("accuracy", "recall", "precision"):
        assert math.isnan(getattr(found, name)) == (name not in defined)
