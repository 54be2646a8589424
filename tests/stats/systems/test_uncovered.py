import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from medgauge.stats.systems.uncovered import completed_auc, completed_spearman


def placements(scores, covered):
    """Yield all completions of scores in which uncovered pairs are tied with nothing."""
    levels = sorted({score for score, known in zip(scores, covered, strict=True) if known})
    missing = [place for place, known in enumerate(covered) if not known]
    gaps = len(levels) + 1
    step = 1 / (len(missing) + 1)
    for order in itertools.permutations(missing):
        for chosen in itertools.combinations_with_replacement(range(gaps), len(missing)):
            filled = [float(levels.index(one)) if one in levels else math.nan for one in scores]
            for number, (place, gap) in enumerate(zip(order, chosen, strict=True), 1):
                filled[place] = gap - 1 + number * step
            yield filled


@st.composite
def cases(draw, gold):
    n = draw(st.integers(3, 6))
    values = [draw(gold) for _ in range(n)]
    scores = np.array([draw(st.integers(0, 3)) for _ in range(n)], float)
    covered = np.array([draw(st.booleans()) or number < n - 3 for number in range(n)])
    assume(len(set(values)) > 1)
    return np.array(values, float), np.where(covered, scores, math.nan), covered


@given(cases(st.integers(0, 3)))
@settings(max_examples=40, deadline=None)
def test_the_bounds_of_rho_are_those_of_all_placements(case):
    gold, scores, covered = case
    found = completed_spearman(gold, scores, covered)
    with np.errstate(all="ignore"):
        everything = [
            scipy.stats.spearmanr(gold, filled).statistic
            for filled in placements(scores.tolist(), covered.tolist())
            if len(set(filled)) > 1
        ]
    if everything:
        assert (found.worst, found.best) == pytest.approx((min(everything), max(everything)))
    else:
        assert math.isnan(found.best)
    lowest = np.where(covered, scores, -1)
    if np.ptp(lowest) > 0:
        assert found.lowest == pytest.approx(scipy.stats.spearmanr(gold, lowest).statistic)


@given(cases(st.integers(0, 1)))
@settings(max_examples=40, deadline=None)
def test_the_bounds_of_the_auc_are_those_of_all_placements(case):
    labels, scores, covered = case
    found = completed_auc(labels, scores, covered)
    everything = [area(labels, filled) for filled in placements(scores.tolist(), covered.tolist())]
    assert (found.worst, found.best) == pytest.approx((min(everything), max(everything)))
    assert found.lowest == pytest.approx(area(labels, np.where(covered, scores, -1)))


def area(labels, scores):
    wins = [
        (scores[one] > scores[other]) + (scores[one] == scores[other]) / 2
        for one in range(len(labels))
        for other in range(len(labels))
        if labels[one] == 1 and labels[other] == 0
    ]
    return sum(wins) / len(wins)


def test_a_hand_worked_case():
    """Scores put 1, 2, 3 in the order 1, 3, 2; a fourth pair with the highest gold is placed last or first.

    ρ = 1 − 6 Σd²/60: last d = 0, 1, 1, 0, so 0.8; first d = 1, 2, 0, 3, so 1 − 84/60 = −0.4.
    """
    gold, scores = np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, np.nan])
    found = completed_spearman(gold, scores, ~np.isnan(scores))
    assert (found.best, found.worst) == pytest.approx((0.8, -0.4))


def test_without_uncovered_pairs_all_three_are_the_figure():
    gold, scores = np.array([1.0, 2, 2, 4, 5]), np.array([2.0, 2, 1, 5, 4])
    rho = scipy.stats.spearmanr(gold, scores).statistic
    found = completed_spearman(gold, scores, np.ones(5, bool))
    assert (found.lowest, found.worst, found.best) == pytest.approx((rho, rho, rho))


def test_what_is_undefined_is_nan():
    two = np.array([1.0, 2.0])
    assert math.isnan(completed_spearman(two, two, np.ones(2, bool)).best)
    assert math.isnan(completed_spearman(np.ones(4), np.arange(4.0), np.ones(4, bool)).best)
    assert math.isnan(completed_spearman(np.arange(4.0), np.ones(4), np.ones(4, bool)).best)
    assert math.isnan(completed_auc(np.ones(4), np.arange(4.0), np.ones(4, bool)).best)
