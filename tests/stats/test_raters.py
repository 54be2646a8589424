"""IAA-1 and IAA-2 against scipy's Spearman in plain loops."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from medgauge.errors import UndefinedWarning
from medgauge.stats.raters import groups_of_raters, rated_by_all, rater_agreement

NAN = math.nan
COMPLETE = arrays(
    np.float64,
    st.tuples(st.integers(3, 8), st.integers(2, 5)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 5.0]),
)


def loops(ratings) -> tuple[list[float], list[float]]:
    each, mean = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one in range(ratings.shape[1]):
            others = [other for other in range(ratings.shape[1]) if other != one]
            found = [spearmanr(ratings[:, one], ratings[:, other]).statistic for other in others]
            found = [rho for rho in found if not math.isnan(rho)]
            each.append(sum(found) / len(found) if found else NAN)
            mean.append(spearmanr(ratings[:, one], ratings[:, others].mean(axis=1).round(12)).statistic)
    return each, mean


@given(COMPLETE)
@pytest.mark.filterwarnings("ignore::medgauge.errors.UndefinedWarning")
def test_agreement_is_that_of_loops_over_scipy(ratings):
    found = rater_agreement(ratings)
    each, mean = loops(ratings)
    assert found.with_each.tolist() == pytest.approx(each, abs=1e-12, nan_ok=True)
    assert found.with_mean.tolist() == pytest.approx(mean, abs=1e-9, nan_ok=True)


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
    assert found.iaa_1 == pytest.approx(0.75)


def test_a_rater_alone_is_nan_and_does_not_count():
    ratings = np.array([[1.0, 1.0, NAN], [2.0, 2.0, 7.0], [3.0, 4.0, NAN]])
    found = rater_agreement(ratings)
    assert math.isnan(found.with_each[2])
    assert found.iaa_1 == found.iaa_2 == pytest.approx(1.0)


@pytest.mark.parametrize("ratings", [[[1.0], [2.0]], [[1.0, NAN], [NAN, 2.0]], [[1.0, 1.0], [1.0, 2.0]]])
def test_undefined_is_nan_with_a_warning(ratings):
    with pytest.warns(UndefinedWarning, match="agreement between raters is undefined"):
        assert math.isnan(rater_agreement(np.array(ratings)).iaa_1)


def test_pairs_that_all_rated_are_found():
    assert rated_by_all(np.array([[1.0, 2.0], [NAN, 2.0]])).tolist() == [True, False]
