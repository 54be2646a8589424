"""Figures under weights against the plain functions on rows that are really repeated."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from medgauge.catalog.datasets import load_dataset
from medgauge.errors import UndefinedWarning
from medgauge.stats.raters.alpha import krippendorff_alpha
from medgauge.stats.raters.compared import each_two, with_mean
from medgauge.stats.raters.panels import averaged, packed, panels_of, reliability
from medgauge.stats.raters.resampled_agreement import FIGURES, resample_agreement
from medgauge.stats.raters.upper_bound import human_upper_bound
from tests.stats.systems.test_correlation import slow_spearman

NAN = math.nan
RATINGS = arrays(
    np.float64,
    st.tuples(st.integers(2, 14), st.integers(1, 5)),
    elements=st.sampled_from([NAN, 0.0, 1.0, 2.0, 3.5]),
)
LEVELS = st.sampled_from(["nominal", "ordinal", "interval", "ratio"])


def mean(values: list[float]) -> float:
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else NAN


def rho(one, rows) -> float:
    """ρ of a comparison on rows that are drawn, with scipy-free plain ranks."""
    drawn = [place for row in rows for place in np.flatnonzero(one.rows == row)]
    own, others = one.own[drawn].tolist(), one.others[drawn].tolist()
    return slow_spearman(own, others) if len(set(own)) > 1 and len(set(others)) > 1 else NAN


def slow_figures(ratings, rows, level) -> list[float]:
    """Every figure on rows as drawn; who is compared with whom is decided on all rows."""
    drawn = ratings[rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedWarning)
        figures = [krippendorff_alpha(drawn, level=level)]
        whole = packed(ratings)
        k = whole.ratings.shape[1]
        inside = [row for row in rows if row in whole.rows]
        figures += reliability(packed(ratings[inside])).figures.tolist() if k and inside else [NAN] * 7
        found, weights = [], []
        for panel in panels_of(ratings):
            places = [place for row in rows for place in np.flatnonzero(panel.rows == row)]
            if len(places) > 1:
                found.append(reliability(type(panel)(panel.rows[places], panel.ratings[places])).figures)
                weights.append(len(places))
        figures += averaged(np.array(found).reshape(-1, 7), np.array(weights, float)).tolist()
    twos = each_two(ratings)
    rhos = [rho(one, rows) for one in twos]
    of_rater = [
        mean([value for one, value in zip(twos, rhos, strict=True) if rater in (one.rater, one.other)])
        for rater in range(ratings.shape[1])
    ]
    others = [rho(one, rows) for one in with_mean(ratings, own=False)]
    bounds = [[rho(one, rows) for one in with_mean(ratings, own=own, fewest=10)] for own in (True, False)]
    figures += [mean(rhos), mean(of_rater), mean(others)]
    figures += [max([value for value in one if not math.isnan(value)], default=NAN) for one in bounds]
    deviations = [np.std(row[~np.isnan(row)], ddof=1) for row in drawn if (~np.isnan(row)).sum() > 1]
    return [*figures, mean(deviations)]


@given(RATINGS, LEVELS, st.integers(0, 2**32 - 1))
@example(np.array([[3.5, 0, 0], [0, 0, 0], [0, 0, 0]]), "nominal", 0)  # the first resample is all equal
@example(np.array([[0, 3.5, 2, 2, 2], [2, 2, 2, 2, 2], [2, 2, 2, 2, 2]]), "interval", 0)  # and so here
@settings(max_examples=150, deadline=None)
def test_resamples_are_those_of_repeated_rows(ratings, level, seed):
    found = resample_agreement(ratings, level=level, resamples=3, rng=np.random.default_rng(seed))
    draws = np.random.default_rng(seed).spawn(1)[0].integers(0, len(ratings), (3, len(ratings)), np.uint16)
    for row, drawn in zip(found.resamples, draws, strict=True):
        slow = slow_figures(ratings, drawn.tolist(), level)
        assert dict(zip(FIGURES, row, strict=True)) == pytest.approx(
            dict(zip(FIGURES, slow, strict=True)), abs=1e-9, nan_ok=True
        )


@given(RATINGS, LEVELS)
@settings(max_examples=60, deadline=None)
def test_the_jackknife_leaves_out_each_pair_and_the_whole_none(ratings, level):
    assume(len(ratings) > 1)
    found = resample_agreement(ratings, level=level, resamples=1, rng=np.random.default_rng(0))
    every = list(range(len(ratings)))
    assert found.whole == pytest.approx(slow_figures(ratings, every, level), abs=1e-9, nan_ok=True)
    for row in every:
        slow = slow_figures(ratings, [one for one in every if one != row], level)
        assert found.jackknife[row] == pytest.approx(slow, abs=1e-9, nan_ok=True)


def test_the_number_of_threads_changes_no_byte():
    ratings = np.random.default_rng(3).integers(0, 4, (60, 5)).astype(float)
    ratings[np.random.default_rng(4).random(ratings.shape) < 0.3] = NAN
    one, three = (
        resample_agreement(
            ratings, level="ordinal", resamples=1500, rng=np.random.default_rng(1), workers=workers
        )
        for workers in (1, 3)
    )
    assert one.resamples.tobytes() == three.resamples.tobytes()
    assert one.jackknife.tobytes() == three.jackknife.tobytes()


def test_the_whole_of_ehr_rel_b_is_that_of_the_plain_functions(real_data):
    real_data("published/EHR-RelB.tsv")
    ratings = load_dataset("ehr-rel-b").ratings
    found = resample_agreement(ratings, level="ordinal", resamples=1, rng=np.random.default_rng(0))
    figures = dict(zip(FIGURES, found.whole.tolist(), strict=True))
    plain = reliability(packed(ratings))
    bound = human_upper_bound(ratings)
    assert figures["alpha"] == pytest.approx(krippendorff_alpha(ratings, level="ordinal"), abs=1e-12)
    assert figures["packed_kendall_w"] == pytest.approx(plain.kendall_w, abs=1e-12)
    assert figures["packed_icc_c1"] == pytest.approx(plain.icc.consistency_one, abs=1e-12)
    assert figures["human_upper_bound"] == pytest.approx(bound.with_own, abs=1e-12)
