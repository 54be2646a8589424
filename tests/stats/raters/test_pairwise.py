"""Every two raters against scikit-learn, krippendorff and scipy."""

import math
import warnings

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score

from medgauge.stats.raters.pairwise import agreement_of_two

NAN = math.nan
WEIGHTS = {"kappa": None, "kappa_linear": "linear", "kappa_quadratic": "quadratic"}


@given(
    arrays(
        np.float64,
        st.tuples(st.integers(1, 9), st.integers(1, 4)),
        elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.0]),
    ),
    st.sampled_from(["nominal", "ordinal", "interval", "ratio"]),
)
@settings(max_examples=60, deadline=None)
def test_every_two_raters_are_those_of_the_libraries(ratings, level):
    found = {(two.first, two.second): two for two in agreement_of_two(ratings, level=level)}
    for one in range(ratings.shape[1]):
        for other in range(one + 1, ratings.shape[1]):
            both = ratings[~np.isnan(ratings[:, [one, other]]).any(axis=1)][:, [one, other]]
            if not len(both):
                assert (one, other) not in found
                continue
            two = found[one, other]
            assert two.pairs == len(both)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                rho = spearmanr(*both.T).statistic if len(both) > 2 else NAN
                assert two.rho == pytest.approx(rho, nan_ok=True)
                if len(np.unique(both)) < 2:
                    assert math.isnan(two.alpha)
                    assert math.isnan(two.kappa)
                    continue
                alpha = krippendorff.alpha(both.T, level_of_measurement=level)
                assert two.alpha == pytest.approx(alpha, abs=1e-9)
                for name, weights in WEIGHTS.items():
                    kappa = cohen_kappa_score(*both.T.astype(int), weights=weights, labels=range(4))
                    assert getattr(two, name) == pytest.approx(kappa, abs=1e-9)
