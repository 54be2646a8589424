"""ICC against pingouin and an analysis of variance written out, Kendall's W against Friedman's test."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import friedmanchisquare

from medgauge.errors import UndefinedWarning
from medgauge.stats.raters.reliability import intraclass_correlations, kendall_w

RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(3, 9), st.integers(2, 5)),
    elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.5]),
)


def by_pingouin(ratings) -> dict[str, float]:
    import pingouin

    pairs, raters = ratings.shape
    table = pd.DataFrame(
        {
            "pair": np.repeat(np.arange(pairs), raters),
            "rater": np.tile(np.arange(raters), pairs),
            "rating": ratings.ravel(),
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pingouin.intraclass_corr(table, targets="pair", raters="rater", ratings="rating")
    return dict(zip(found["Type"], found["ICC"], strict=True))


def test_icc_is_that_of_pingouin():
    rng = np.random.default_rng(0)
    for _ in range(10):
        ratings = rng.integers(0, 5, (12, 4)) + rng.normal(0, 0.2, (12, 4)) + np.arange(12)[:, None] / 4
        found, theirs = intraclass_correlations(ratings), list(by_pingouin(ratings).values())
        ours = [
            *(found.one, found.absolute_one, found.consistency_one),
            *(found.mean, found.absolute_mean, found.consistency_mean),
        ]
        assert ours == pytest.approx(theirs, abs=1e-9)


@given(RATINGS)
@settings(max_examples=50)
def test_icc_is_that_of_an_analysis_of_variance_written_out(ratings):
    assume(np.ptp(ratings) > 0)
    pairs, raters = ratings.shape
    mean = sum(map(sum, ratings.tolist())) / ratings.size
    rows = sum((sum(row) / raters - mean) ** 2 for row in ratings.tolist()) * raters
    columns = sum((sum(column) / pairs - mean) ** 2 for column in ratings.T.tolist()) * pairs
    total = sum((value - mean) ** 2 for row in ratings.tolist() for value in row)
    r, e = rows / (pairs - 1), (total - rows - columns) / ((pairs - 1) * (raters - 1))
    assume(r > 1e-9)
    found = intraclass_correlations(ratings)
    assert found.consistency_mean == pytest.approx((r - e) / r, abs=1e-6)
    assert found.consistency_one == pytest.approx((r - e) / (r + (raters - 1) * e), abs=1e-6)


def test_the_example_of_shrout_and_fleiss():
    """Shrout and Fleiss (1979), Intraclass correlations, table 4: six targets, four judges."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = intraclass_correlations(np.array(ratings, np.float64))
    single = (found.one, found.absolute_one, found.consistency_one)
    assert [round(value, 2) for value in single] == [0.17, 0.29, 0.71]
    mean = (found.mean, found.absolute_mean, found.consistency_mean)
    assert [round(value, 2) for value in mean] == [0.44, 0.62, 0.91]


@given(RATINGS)
def test_w_is_that_of_friedmans_statistic(ratings):
    """Friedman's χ², raters as blocks and pairs as treatments, is m (n − 1) W; scipy corrects it for ties."""
    assume(all(np.ptp(column) > 0 for column in ratings.T))
    statistic = friedmanchisquare(*ratings).statistic
    pairs, raters = ratings.shape
    assert kendall_w(ratings) == pytest.approx(statistic / (raters * (pairs - 1)), abs=1e-9)


@given(RATINGS)
def test_w_lies_between_0_and_1(ratings):
    assume(any(np.ptp(column) > 0 for column in ratings.T))
    assert -1e-12 <= kendall_w(ratings) <= 1 + 1e-12


@pytest.mark.parametrize("ratings", [np.ones((3, 2)), np.ones((1, 2)), np.array([[1.0], [2.0]])])
def test_undefined_is_nan_with_a_warning(ratings):
    with pytest.warns(UndefinedWarning, match="W is undefined"):
        assert math.isnan(kendall_w(ratings))
    with pytest.warns(UndefinedWarning, match="intra-class correlations are undefined"):
        assert math.isnan(intraclass_correlations(ratings).consistency_mean)
