"""Leaving out raters: against figures computed again without them, and how often the intervals hold."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.ratings.overall import estimate_over_raters, overall_figures
from medgauge.stats.raters.iaa import RaterCorrelations, rater_agreement
from medgauge.stats.raters.intervals.over_raters import (
    MOST_BLOCKS,
    figures_without,
    rater_blocks,
    spearman_brown,
)
from medgauge.stats.resampling.jackknife import jackknife_interval
from medgauge.stats.resampling.span import CORRELATION, Span

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(3, 12), st.integers(2, 7)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)


def differing(pairs: int, raters: int, seed: int = 0) -> np.ndarray:
    """Ratings by raters some of whom are better than others."""
    rng = np.random.default_rng(seed)
    errors = np.linspace(0.3, 1.2, raters) * rng.standard_normal((pairs, raters))
    return rng.standard_normal((pairs, 1)) + errors


@given(RATINGS)
@settings(max_examples=80, deadline=None)
def test_mean_rho_without_raters_is_that_of_the_others(ratings):
    blocks = [np.array([rater]) for rater in range(ratings.shape[1])] + [np.array([0, 1])]
    found = RaterCorrelations(ratings).mean_rho_without(blocks)
    slow = [rater_agreement(np.delete(ratings, block, axis=1)).mean_rho.value for block in blocks]
    assert found == pytest.approx(slow, abs=1e-12, nan_ok=True)


def test_each_rater_with_pairs_in_common_is_left_out_once():
    ratings = np.full((6, 7), 1.0)
    ratings[:, 2] = NAN  # rated nothing
    ratings[5] = [NAN, NAN, NAN, NAN, NAN, NAN, 2.0]
    assert [block.tolist() for block in rater_blocks(ratings)] == [[0], [1], [3], [4], [5], [6]]


def test_many_raters_are_left_out_in_blocks_of_raters_who_are_not_neighbours():
    blocks = rater_blocks(np.ones((2, 250)))
    assert len(blocks) == MOST_BLOCKS
    assert sorted(np.concatenate(blocks)) == list(range(250))
    assert blocks[0].tolist() == [0, 100, 200]


def test_figures_without_are_those_of_the_others():
    ratings = differing(20, 5)
    found = figures_without(lambda left: {"sum": left.sum()}, ratings, rater_blocks(ratings))
    assert found["sum"] == pytest.approx(ratings.sum() - ratings.sum(axis=0))


def test_intervals_over_raters_are_those_of_figures_without_each():
    """Computed again without each annotator, by the functions that the table uses."""
    ratings = differing(40, 6)
    found = estimate_over_raters(ratings, "interval")
    whole = overall_figures(ratings, "interval")
    left = [overall_figures(np.delete(ratings, rater, axis=1), "interval") for rater in range(6)]
    spans = {"alpha": Span(-1 / 5, 1), "icc_c1": Span(-1 / 5, 1), "mean_rho": CORRELATION}
    assert found.blocks == 6
    assert set(found.intervals) == {*spans, "icc_ck"}
    for name, span in spans.items():
        without = np.array([one.figure(name) for one in left])
        expected = jackknife_interval(whole.figure(name), without, 0.05, span=span).ends
        assert found.intervals[name] == pytest.approx(expected), name
    of_mean = [spearman_brown(end, 6) for end in found.intervals["icc_c1"]]
    assert found.intervals["icc_ck"] == pytest.approx(of_mean)
    assert spearman_brown(whole.icc_c1, 6) == pytest.approx(whole.icc_ck)


def test_other_figures_may_be_left_to_the_jackknife():
    ratings = differing(40, 6)
    own = {"alpha": 0.1, "icc_c1": 0.2}
    found = estimate_over_raters(
        ratings, "interval", figures=lambda left, _level: own | {"alpha": left.mean()}
    )
    assert "alpha" in found.intervals
    assert found.no_interval == dict.fromkeys(("icc_c1", "icc_ck"), "it is the same without each annotator")


def test_fewer_than_five_raters_have_no_interval():
    assert estimate_over_raters(differing(40, 4), "interval").intervals == {}
    # A fifth who shares no pair with the others does not count.
    apart = np.full((41, 5), NAN)
    apart[:40, :4], apart[40, 4] = differing(40, 4), 1.0
    assert estimate_over_raters(apart, "interval").intervals == {}


@pytest.mark.slow
def test_an_interval_over_raters_has_the_figure_of_all_raters_in_it():
    """Six raters of all whose errors have a standard deviation between 0.4 and 1.2, on fixed pairs.

    The ICC of all is the variance of the pairs over its sum with the mean square error, 0.693. Of 100 draws,
    6.5% is three standard errors.
    """
    hits = 0
    rng = np.random.default_rng(4)
    for _ in range(100):
        pairs = rng.standard_normal((80, 1))
        true = pairs.var(ddof=1) / (pairs.var(ddof=1) + (1.2**3 - 0.4**3) / 2.4)
        ratings = pairs + rng.uniform(0.4, 1.2, 6) * rng.standard_normal((80, 6))
        low, high = estimate_over_raters(ratings, "interval").intervals["icc_c1"]
        hits += low <= true <= high
    assert hits / 100 == pytest.approx(0.95, abs=0.065)
