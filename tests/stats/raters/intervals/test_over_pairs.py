"""Which interval a figure has over pairs, and why another is not the better choice."""

import math

import numpy as np
import pytest

from medgauge.stats.raters.agreement_statistics import FIGURES, prepare
from medgauge.stats.raters.intervals.over_pairs import OverPairs, interval_over_pairs
from medgauge.stats.raters.resampled_agreement import resample_agreement
from tests.support.mcgraw_wong import mcgraw_wong_interval

NAN = math.nan


def over_pairs(ratings: np.ndarray, figure: str, resamples: int = 499) -> OverPairs:
    kernels = prepare(ratings, "interval")
    rng = np.random.default_rng(0)
    found = resample_agreement(kernels, len(ratings), resamples=resamples, rng=rng)
    column = list(FIGURES).index(figure)
    [kernel] = [one for one in kernels for name in one.names if one.prefix + name == figure]
    return interval_over_pairs(
        FIGURES[figure],
        kernel,
        float(found.whole[column]),
        resampled=found.resamples[:, column],
        jackknifed=found.jackknife[:, column],
        level=0.05,
    )


def rated(pairs: int, raters: int = 3) -> np.ndarray:
    rng = np.random.default_rng(pairs)
    return rng.standard_normal((pairs, 1)) + 0.8 * rng.standard_normal((pairs, raters))


@pytest.mark.parametrize("figure", [name for name, one in FIGURES.items() if not one.is_maximum])
@pytest.mark.parametrize(("pairs", "is_jackknifed"), [(29, True), (60, False)])
def test_with_few_pairs_the_interval_is_the_jackknifes(figure, pairs, is_jackknifed):
    found = over_pairs(rated(pairs), figure)
    assert found.is_jackknifed == is_jackknifed
    assert found.limits.low < found.limits.high


@pytest.mark.parametrize("figure", [name for name, one in FIGURES.items() if not one.is_maximum])
def test_on_four_pairs_there_is_no_interval(figure):
    assert over_pairs(rated(4), figure).limits.reason == "fewer than 5 pairs"


def test_a_figure_that_many_resamples_lack_has_no_interval():
    """One of 40 pairs is not rated 0: a resample without it, 36% of them, has nothing to agree on."""
    ratings = np.zeros((40, 3))
    ratings[0] = [1, 2, 1]
    reason = over_pairs(ratings, "alpha").limits.reason
    assert reason.startswith("it is undefined on 3")
    assert reason.endswith("% of the resamples")


def test_perfect_agreement_has_no_interval():
    ratings = np.repeat(np.arange(40.0)[:, None], 3, axis=1)
    assert over_pairs(ratings, "alpha").limits.reason == "it is the same on every resample"
    assert over_pairs(ratings[:12], "alpha").limits.reason == "it is the same on every resample"


def test_the_best_of_many_alike_has_no_interval():
    ratings = np.random.default_rng(0).standard_normal((40, 60))
    assert "best by chance" in over_pairs(ratings, "human_upper_bound").limits.reason


# Shrout and Fleiss (1979), Psychological Bulletin 86:420-428, table 2: six targets, four judges.
JUDGED = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)


@pytest.mark.parametrize(
    ("level", "ends"),
    [(0.05, (0.0187865133747, 0.761084369649)), (0.1, (0.0429011915405, 0.691070606618))],
)
def test_mcgraw_and_wongs_interval_is_that_of_psych(level, ends):
    """R 4.2.2, psych 2.2.9: ICC(JUDGED, lmer = FALSE, alpha = level), row ICC2."""
    assert mcgraw_wong_interval(JUDGED, level) == pytest.approx(ends, abs=1e-9)


def test_mcgraw_and_wongs_interval_is_too_short_for_rare_slips():
    """Why ICC(A,1) has the jackknife's: one slip in twenty ratings of 20 pairs, true ICC(A,1) 0.970.

    100 draws; docs/agreement.md has more.
    """
    rng = np.random.default_rng(7)
    hits, given = np.zeros(2), 0
    for _ in range(100):
        slips = rng.random((20, 3)) < 0.05
        ratings = rng.integers(0, 4, (20, 1)) + slips * rng.choice([-1, 1], slips.shape)
        ratings = np.clip(ratings, 0, 3).astype(float)
        if not np.ptp(ratings, axis=1).any():
            continue
        given += 1
        own = over_pairs(ratings, "packed_icc_a1", resamples=9).limits.ends
        for place, (low, high) in enumerate((own, mcgraw_wong_interval(ratings, 0.05))):
            hits[place] += low <= 0.970 <= high
    own_share, their_share = hits / given
    assert own_share > 0.9
    assert their_share < 0.85
