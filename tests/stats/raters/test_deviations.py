"""The mean standard deviation of a pair against Python's statistics."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.stats.raters.deviations import Deviations
from medgauge.stats.raters.kernel import plain_estimates

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(0, 9), st.integers(0, 4)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.5, 7.0]),
)


@given(RATINGS)
def test_it_is_the_mean_of_each_pairs_deviation(ratings):
    given = [[value for value in row if not math.isnan(value)] for row in ratings.tolist()]
    deviations = [statistics.stdev(row) for row in given if len(row) > 1]
    found = plain_estimates(Deviations(ratings), len(ratings))["mean_sd"]
    assert found.n == len(deviations)
    if deviations:
        assert found.value == pytest.approx(statistics.mean(deviations), abs=1e-12)
    else:
        assert found.undefined == "no pair has two ratings"
