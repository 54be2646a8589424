import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from medgauge.catalog.datasets import load_dataset
from medgauge.stats.raters.upper_bound import human_upper_bound
from tests.stats.systems.test_correlation import slow_spearman

NAN = math.nan


def slow_bound(rows, fewest, with_own):
    """The best ρ over raters, with exact means; None if no rater counts."""
    best = None
    for rater in range(len(rows[0])):
        mine, means = [], []
        for row in rows:
            others = [Fraction(value) for k, value in enumerate(row) if k != rater and value is not None]
            if row[rater] is not None and others:
                counted = [*others, Fraction(row[rater])] if with_own else others
                mine.append(row[rater])
                means.append(sum(counted) / len(counted))
        if len(mine) >= fewest and len(set(mine)) > 1 and len(set(means)) > 1:
            rho = slow_spearman(mine, means)
            best = rho if best is None else max(best, rho)
    return best


ROWS = st.integers(1, 4).flatmap(
    lambda raters: st.lists(
        st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=raters, max_size=raters),
        max_size=9,
        min_size=1,
    )
)


@given(ROWS, st.integers(1, 4))
@settings(max_examples=200, deadline=None)
def test_the_bound_is_the_best_of_all_raters(rows, fewest):
    ratings = np.array([[NAN if value is None else value for value in row] for row in rows], float)
    slow = [slow_bound(rows, fewest, with_own) for with_own in (True, False)]
    found = human_upper_bound(ratings, fewest=fewest)
    expected = [NAN if value is None else value for value in slow]
    assert [found.with_own.value, found.without_own.value] == pytest.approx(expected, nan_ok=True)
    assert [found.with_own_rater is None, found.without_own_rater is None] == [one is None for one in slow]
    assert [bool(found.with_own.undefined), bool(found.without_own.undefined)] == [
        one is None for one in slow
    ]


def test_the_bound_of_ehr_rel_b_is_that_of_the_paper(real_data):
    """Schulz et al. (2020), Biomedical Concept Relatedness, section 6: 0.88, and 0.70 without the own rating.

    The further digits and the raters are computed here, with scipy alone.
    """
    real_data("published/EHR-RelB.tsv")
    pairs = load_dataset("ehr-rel-b")
    found = human_upper_bound(pairs.ratings)
    assert (f"{found.with_own.value:.2f}", f"{found.without_own.value:.2f}") == ("0.88", "0.70")
    assert (found.with_own.value, found.without_own.value) == pytest.approx((0.878369, 0.699692), abs=1e-6)
    assert [pairs.raters[k] for k in (found.with_own_rater, found.without_own_rater)] == [
        "rater_C",
        "rater_D",
    ]
    rated = pairs.frame.filter(pairs.frame["rater_C"].is_not_null())
    assert found.with_own.value == pytest.approx(spearmanr(rated["rater_C"], rated["gold"]).statistic)


def test_a_rater_with_few_pairs_does_not_count():
    """Rater 2 agrees perfectly, on nine pairs; the others are each other's reverse."""
    ratings = np.array([[k, 11 - k, k if k < 9 else NAN] for k in range(12)], float)
    assert human_upper_bound(ratings).without_own_rater != 2
    assert human_upper_bound(ratings, fewest=9).with_own_rater in (0, 2)


def test_pairs_with_a_single_rating_do_not_raise_the_bound():
    """On those the mean is the rating itself."""
    shared = [[0.0, 3.0], [1.0, 2.0], [2.0, 1.0], [3.0, 1.0]]
    alone = [[float(k), NAN] for k in range(30)]
    with_alone = human_upper_bound(np.array(shared + alone), fewest=4)
    assert with_alone == human_upper_bound(np.array(shared), fewest=4)
    assert with_alone.with_own.n == 4


def test_the_order_of_a_sum_breaks_no_tie():
    """0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 in floats: the two pairs have the same mean all the same."""
    ratings = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.5, 0.5, 0.5], [0.6, 0.6, 0.6]])
    assert np.mean(ratings[0]) != np.mean(ratings[1])
    own = ratings[:, 1]
    exact = spearmanr(own, [2, 2, 5, 6]).statistic
    assert human_upper_bound(ratings, fewest=4).with_own.value == pytest.approx(exact)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (np.empty((0, 3)), "no pair has two ratings"),
        (np.empty((5, 0)), "no pair has two ratings"),
        (np.full((20, 2), 1.0), "all 40 ratings are equal"),
        (np.arange(18.0).reshape(9, 2), "no annotator has 10 pairs that another rated"),
        (np.tile([1.0, 2.0], (12, 1)), "each annotator's ratings are all equal"),
    ],
)
def test_nothing_to_compare_is_undefined(ratings, reason):
    found = human_upper_bound(ratings)
    assert math.isnan(found.with_own.value)
    assert (found.with_own.undefined, found.without_own.undefined) == (reason, reason)
    assert found.without_own_rater is None


def test_one_bound_can_be_undefined_alone():
    """The mean of a rater and their opposite is the same for all pairs, and so is no order."""
    found = human_upper_bound(np.array([[k, 11.0 - k] for k in range(12)]))
    assert found.with_own.undefined == "the mean ratings that annotators are compared with are all equal"
    assert found.without_own.value == pytest.approx(-1)
