"""Raters who stand out, by hand."""

import math

import numpy as np
import pytest

from medgauge.stats.raters.outlying import RULE, outlying


def test_the_score_is_that_of_the_formula():
    """Median 0.68, deviations 0.03, 0.00, 0.36, 0.02, 0.02, so MAD 0.02 and z = -0.6745 * 0.36 / 0.02."""
    [found] = outlying(np.array([0.71, 0.68, 0.32, 0.70, 0.66]))
    assert (found.rater, found.agreement, found.median) == (2, 0.32, 0.68)
    assert found.score == pytest.approx(-12.141)


@pytest.mark.parametrize(
    ("agreement", "named"),
    [
        ([0.70, 0.69, 0.67, 0.68, 0.60], []),  # EHR-RelA's averages of ρ: the paper keeps E
        ([0.58, 0.62, 0.63, 0.63, 0.55], []),  # EHR-RelB's
        ([0.5, 0.5, 0.5, 0.4], [3]),  # half are equal, and 0.1 is enough
        ([0.5, 0.5, 0.5, 0.41], []),
        ([0.9, 0.3, 0.7, 0.1, 0.5], []),  # all are far apart
        ([0.6, 0.61, 0.62, 0.1, 0.63, -0.2], [5, 3]),
        ([0.6, 0.61, math.nan, 0.62, 0.1], [4]),
        ([0.9, 0.91, 0.2], [2]),
        ([0.3, 0.3], []),
        ([math.nan], []),
        ([], []),
    ],
)
def test_who_stands_out(agreement, named):
    assert [one.rater for one in outlying(np.array(agreement, float))] == named


def test_a_high_rater_never_stands_out():
    assert outlying(np.array([0.2, 0.21, 0.22, 0.9])) == []


def test_the_rule_names_its_numbers():
    assert "0.1" in RULE
    assert "3.5" in RULE
