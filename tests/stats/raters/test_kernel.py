import math

import numpy as np
import pytest

from medgauge.stats.raters.alpha import Alpha
from medgauge.stats.raters.kernel import no_two_ratings_differ, plain_estimates, rated_by_several

NAN = math.nan


def test_a_plain_estimate_has_a_value_or_a_reason_and_no_interval():
    ratings = np.array([[1.0, 2.0], [2.0, 2.0], [3.0, NAN]])
    found = plain_estimates(Alpha(ratings, "nominal"), 3)["alpha"]
    assert (found.n, found.undefined) == (2, None)
    assert np.isnan(found.interval).all()
    # One of two pairs disagrees; by chance, 1 and 2 would meet in half of all twos of 1, 2, 2, 2.
    assert found.value == pytest.approx(1 - 0.5 / 0.5)
    equal = plain_estimates(Alpha(np.ones((3, 2)), "nominal"), 3)["alpha"]
    assert (math.isnan(equal.value), equal.undefined) == (True, "all 6 ratings are equal")


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (np.empty((0, 2)), "no pair has two ratings"),
        (np.full((3, 2), NAN), "no pair has two ratings"),
        (np.full((285, 3), 4.0), "all 855 ratings are equal"),
        (np.array([[1.0, 1.0], [2.0, NAN]]), "all 2 ratings of pairs with several are equal"),
        (np.array([[1.0, 1.0], [2.0, 2.0]]), None),
    ],
)
def test_the_reason_is_the_one_that_is_true(ratings, reason):
    assert no_two_ratings_differ(ratings) == reason


def test_pairs_with_several_ratings():
    ratings = np.array([[1.0, 2.0, NAN], [NAN, NAN, 1.0], [NAN, NAN, NAN], [1.0, 1.0, 1.0]])
    assert rated_by_several(ratings).tolist() == [True, False, False, True]
