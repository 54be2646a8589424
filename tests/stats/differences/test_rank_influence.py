import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from medgauge.stats.differences.rank_influence import rho_influence


def plain_influence(gold, scores):
    """The definition over all pairs of pairs, with κ(x, x′) = 1 where x < x′, ½ where they are equal."""

    def below(values):
        return np.array([[float(y < x) + (x == y) / 2 for y in values] for x in values])

    in_gold, in_scores = below(gold), below(scores)
    g, f = in_gold.mean(axis=1) - 0.5, in_scores.mean(axis=1) - 0.5
    c, v, w = (f * g).mean(), (f * f).mean(), (g * g).mean()
    rho = c / math.sqrt(v * w)
    moved = f * g + in_scores.T @ g / g.size + in_gold.T @ f / g.size - 3 * c
    of_scores = f * f + 2 * in_scores.T @ f / g.size - 3 * v
    of_gold = g * g + 2 * in_gold.T @ g / g.size - 3 * w
    return rho, moved / math.sqrt(v * w) - rho / 2 * (of_scores / v + of_gold / w)


values = st.lists(st.integers(0, 5).map(float), min_size=3, max_size=12).filter(lambda x: len(set(x)) > 1)


@given(st.data())
@settings(deadline=None)
def test_it_is_the_definition_in_loops(data):
    gold = np.array(data.draw(values))
    rows = np.array([data.draw(st.permutations(gold.tolist())) for _ in range(2)])
    rhos, influence = rho_influence(gold, rows)
    for row, rho, found in zip(rows, rhos, influence, strict=True):
        expected_rho, expected = plain_influence(gold, row)
        assert rho == pytest.approx(expected_rho, abs=1e-12)
        assert rho == pytest.approx(stats.spearmanr(gold, row).statistic, abs=1e-12)
        assert found == pytest.approx(expected, abs=1e-10)
        assert found.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("r", [0.0, 0.4, 0.8])
def test_the_variance_is_that_of_a_normal_distribution(r):
    """n var(ρ) of a bivariate normal distribution: the series of David and Mallows (1961), Biometrika 48."""
    series = (1, -1.563465, 0.304743, 0.155286, 0.061552, 0.022099)
    expected = sum(factor * r ** (2 * power) for power, factor in enumerate(series))
    rng = np.random.default_rng(0)
    gold, noise = rng.standard_normal((2, 100_000))
    _, influence = rho_influence(gold, (r * gold + math.sqrt(1 - r * r) * noise)[None, :])
    assert np.square(influence).mean() == pytest.approx(expected, rel=0.03)


def test_it_is_what_a_jackknife_measures():
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 4, 200).astype(float)
    scores = gold + 2 * rng.standard_normal(200)
    rhos, influence = rho_influence(gold, scores[None, :])
    kept = ~np.eye(200, dtype=bool)
    without = np.array([stats.spearmanr(gold[row], scores[row]).statistic for row in kept])
    assert np.corrcoef(influence[0], 199 * (rhos[0] - without))[0, 1] > 0.999


def test_equal_scores_have_no_influence():
    rhos, influence = rho_influence(np.arange(4.0), np.ones((1, 4)))
    assert np.isnan(rhos).all()
    assert np.isnan(influence).all()
