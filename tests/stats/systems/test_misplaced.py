import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

from medgauge.stats.systems.misplaced import ranks_from_top, wrong_sides

values = st.lists(st.integers(-3, 3).map(lambda number: number / 4), min_size=1, max_size=12)
labelled = st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 4).map(float)), min_size=1)


def slow_ranks(given):
    """Count the higher values, and half of the equal ones."""
    return [
        1 + sum(other > value for other in given) + (sum(other == value for other in given) - 1) / 2
        for value in given
    ]


def slow_shares(labels, scores):
    """Look at every pair with the other label."""
    shares = []
    for label, score in zip(labels, scores, strict=True):
        others = [other for one, other in zip(labels, scores, strict=True) if one != label]
        sign = 1 if label else -1
        wrong = [1.0 if sign * (other - score) > 0 else 0.5 if other == score else 0.0 for other in others]
        shares.append(sum(wrong) / len(wrong) if wrong else float("nan"))
    return shares


@given(values)
def test_ranks_count_from_the_top_and_ties_share_their_average(given):
    found = ranks_from_top(np.array(given))
    assert found.tolist() == slow_ranks(given)
    assert found.tolist() == (len(given) + 1 - rankdata(given)).tolist()


@given(labelled)
def test_wrong_sides_are_counted_one_by_one(rows):
    labels, scores = (np.array(column) for column in zip(*rows, strict=True))
    np.testing.assert_allclose(wrong_sides(labels, scores), slow_shares(labels, scores), atol=1e-12)


def test_the_mean_over_either_label_is_what_the_area_lacks():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 200).astype(float)
    scores = labels + rng.integers(0, 9, 200)
    shares = wrong_sides(labels, scores)
    for label in (0, 1):
        assert shares[labels == label].mean() == pytest.approx(1 - roc_auc_score(labels, scores))
