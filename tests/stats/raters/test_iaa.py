"""IAA-1 and IAA-2 against scipy's Spearman in plain loops."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from medgauge.stats.raters.compared import groups_of_raters
from medgauge.stats.raters.iaa import rater_agreement

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(1, 9), st.integers(1, 5)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 5.0]),
)
HOLES = arrays(np.bool_, (9, 5))


def rho(one: list[float], other: list[float]) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(spearmanr(one, other).statistic) if len(one) >= 3 else NAN


def mean(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else NAN


def loops(ratings) -> tuple[list[float], list[float], float]:
    """Each rater with each other on the pairs that both rated, and with the mean of the others there."""
    each, with_mean, twos = [], [], []
    raters = range(ratings.shape[1])
    for one in raters:
        found = []
        for other in raters:
            both = [row for row in ratings if other != one and not math.isnan(row[one] + row[other])]
            found.append(rho([row[one] for row in both], [row[other] for row in both]))
            twos += [found[-1]] if other > one else []
        each.append(mean(found))
        mine, means = [], []
        for row in ratings:
            others = [row[other] for other in raters if other != one and not math.isnan(row[other])]
            if others and not math.isnan(row[one]):
                mine.append(row[one])
                means.append(round(sum(others) / len(others), 12))
        with_mean.append(rho(mine, means))
    return each, with_mean, mean(twos)


@given(RATINGS, HOLES, st.booleans())
@settings(max_examples=200, deadline=None)
def test_agreement_is_that_of_loops_over_scipy(ratings, holes, has_holes):
    if has_holes:
        ratings = np.where(holes[: len(ratings), : ratings.shape[1]], NAN, ratings)
    found = rater_agreement(ratings)
    each, with_mean, mean_rho = loops(ratings)
    assert found.with_each.tolist() == pytest.approx(each, abs=1e-9, nan_ok=True)
    assert found.with_mean.tolist() == pytest.approx(with_mean, abs=1e-9, nan_ok=True)
    assert found.mean_rho.value == pytest.approx(mean_rho, abs=1e-9, nan_ok=True)
    assert found.iaa_1.value == pytest.approx(mean(each), abs=1e-9, nan_ok=True)
    assert found.iaa_2.value == pytest.approx(mean(with_mean), abs=1e-9, nan_ok=True)


@given(RATINGS, HOLES, st.randoms())
@settings(max_examples=60, deadline=None)
def test_the_order_of_raters_does_not_matter(ratings, holes, random):
    ratings = np.where(holes[: len(ratings), : ratings.shape[1]], NAN, ratings)
    order = list(range(ratings.shape[1]))
    random.shuffle(order)
    one, other = rater_agreement(ratings), rater_agreement(ratings[:, order])
    assert other.with_each.tolist() == pytest.approx(one.with_each[order].tolist(), abs=1e-12, nan_ok=True)
    assert other.iaa_2.value == pytest.approx(one.iaa_2.value, abs=1e-9, nan_ok=True)


def test_raters_agree_within_their_group_alone():
    first, second = (
        np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]]),
        np.array([[1.0, 1.0], [5.0, 6.0], [4.0, 2.0]]),
    )
    ratings = np.full((6, 4), NAN)
    ratings[:3, [0, 2]], ratings[3:, [1, 3]] = first, second
    assert [group.tolist() for group in groups_of_raters(ratings)] == [[0, 2], [1, 3]]
    found = rater_agreement(ratings)
    assert found.with_each.tolist() == pytest.approx([0.5, 1.0, 0.5, 1.0])
    assert found.iaa_1.value == pytest.approx(0.75)


def test_a_rater_alone_is_nan_and_does_not_count():
    ratings = np.array([[1.0, 1.0, NAN], [2.0, 2.0, NAN], [3.0, 4.0, NAN], [NAN, NAN, 7.0]])
    found = rater_agreement(ratings)
    assert math.isnan(found.with_each[2])
    assert (found.iaa_1.value, found.iaa_2.value) == pytest.approx((1.0, 1.0))


@pytest.mark.parametrize(
    ("ratings", "iaa_1", "iaa_2"),
    [
        ([[1.0], [2.0]], "no pair has two ratings", "no pair has two ratings"),
        ([[1.0, NAN], [NAN, 2.0]], "no pair has two ratings", "no pair has two ratings"),
        (
            [[1.0, 1.0], [1.0, 2.0]],
            "no two annotators rated 3 pairs in common",
            "no annotator has 3 pairs that another rated",
        ),
        (
            [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]],
            "of any two annotators with 3 pairs in common, one rated them all the same",
            "each annotator's ratings, or the mean ratings that they are compared with, are all equal",
        ),
        (
            [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]],
            "of any two annotators with 3 pairs in common, one rated them all the same",
            "each annotator's ratings are all equal",
        ),
        ([[1.0, 1.0]] * 3, "all 6 ratings are equal", "all 6 ratings are equal"),
    ],
)
def test_undefined_is_nan_with_the_reason(ratings, iaa_1, iaa_2):
    found = rater_agreement(np.array(ratings))
    assert math.isnan(found.iaa_1.value)
    assert math.isnan(found.iaa_2.value)
    assert (found.iaa_1.undefined, found.mean_rho.undefined) == (iaa_1, iaa_1)
    assert found.iaa_2.undefined == iaa_2


def test_of_hundreds_of_raters_of_the_same_pairs_each_is_sorted_once(monkeypatch):
    """Of 400 raters there are 79,800 twos, and sorting each of them would take seconds."""
    sorted_values = []
    lexsort = np.lexsort
    monkeypatch.setattr(np, "lexsort", lambda keys: sorted_values.append(keys[0].size) or lexsort(keys))
    ratings = np.random.default_rng(0).integers(0, 7, (20, 400)).astype(float)
    rater_agreement(ratings)
    assert sorted_values == [399 * 20, 399 * 20, 400 * 20, 400 * 20]
