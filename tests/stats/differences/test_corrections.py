import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from medgauge.stats.differences.corrections import adjusted, interval_level

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


@given(p_values)
@settings(max_examples=30, deadline=None)
@pytest.mark.parametrize(
    ("ours", "theirs"), [("bonferroni", "bonferroni"), ("holm", "holm"), ("bh", "fdr_bh")]
)
def test_corrections_are_statsmodels(ours, theirs, p_values):
    assert adjusted(p_values, ours) == pytest.approx(multipletests(p_values, method=theirs)[1])


@given(p_values)
def test_none_leaves_p_values_alone(p_values):
    assert (adjusted(p_values, "none") == p_values).all()


@pytest.mark.parametrize("correction", ["bonferroni", "holm", "bh", "none"])
def test_an_undefined_p_value_counts_as_a_test_that_found_nothing(correction):
    found = adjusted(np.array([0.01, np.nan, 0.04]), correction)
    assert np.isnan(found[1])
    assert found[[0, 2]].tolist() == adjusted(np.array([0.01, 1.0, 0.04]), correction)[[0, 2]].tolist()


def test_no_tests_have_no_p_values():
    assert adjusted(np.empty(0), "holm").size == 0


@pytest.mark.parametrize(
    ("correction", "level"), [("bonferroni", 0.005), ("holm", 0.005), ("bh", 0.005), ("none", 0.05)]
)
def test_the_level_of_the_intervals(correction, level):
    assert interval_level(0.05, correction, tests=10) == pytest.approx(level)


def test_the_papers_levels():
    """0.05 over 253 differences of 23 models, 45 of ten measures, 6 of four (Schulz and Juric 2020)."""
    levels = [round(interval_level(0.05, "bonferroni", tests=tests), 4) for tests in (253, 45, 6)]
    assert levels == [0.0002, 0.0011, 0.0083]
