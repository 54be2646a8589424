import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.stats.differences.dyadic import Dyads, dyadic_covariance


def plain_covariance(parts, first, second):
    """The sum over all pairs of pairs that share a concept, in loops."""
    total = np.zeros((len(parts), len(parts)))
    for i in range(first.size):
        for j in range(first.size):
            if {first[i], second[i]} & {first[j], second[j]}:
                total += np.outer(parts[:, i], parts[:, j])
    fewer = min(first.size, len({*first, *second}))
    return total * fewer / (fewer - 1)


@given(st.data())
@settings(deadline=None)
def test_it_is_the_sum_over_pairs_that_share_a_concept(data):
    pairs = data.draw(st.integers(2, 15))
    sides = st.lists(st.integers(0, 8), min_size=pairs, max_size=pairs).map(np.array)
    first, second = data.draw(sides), data.draw(sides)
    if len({*first, *second}) < 2:
        return
    numbers = st.lists(st.integers(-9, 9).map(float), min_size=pairs, max_size=pairs)
    parts = np.array([data.draw(numbers), data.draw(numbers)])
    expected = plain_covariance(parts, first, second)
    assert dyadic_covariance(parts, first, second) == pytest.approx(expected, abs=1e-8)
    found = Dyads(first, second).variance(parts[0])
    assert found.dyadic == pytest.approx(expected[0, 0], abs=1e-8)


def test_a_hand_worked_case():
    """Pairs AB, AC and DE: only the first two share a concept.

    (0.1 + 0.1)² + 0.2² = 0.08, times 3/2 for three pairs; independent: 0.06 · 3/2.
    """
    found = Dyads(np.array([0, 0, 3]), np.array([1, 2, 4])).variance(np.array([0.1, 0.1, -0.2]))
    assert found.dyadic == pytest.approx(0.12)
    assert found.independent == pytest.approx(0.09)
    assert found.added == pytest.approx(0.03)


def test_pairs_without_a_common_concept_are_independent():
    parts = np.random.default_rng(0).standard_normal(20)
    found = Dyads(np.arange(20), np.arange(20, 40)).variance(parts)
    assert found.dyadic == pytest.approx(found.independent)
    assert found.added == pytest.approx(0)


def test_a_group_that_shares_its_first_concept_is_a_cluster():
    """With every second concept different, the dyadic sum is the clustered one (Obuchowski 1998)."""
    rng = np.random.default_rng(0)
    groups, parts = rng.integers(0, 10, 60), rng.standard_normal(60)
    sums = np.bincount(groups, parts)
    found = Dyads(groups, np.arange(100, 160)).variance(parts)
    assert found.dyadic == pytest.approx((sums**2).sum() * 60 / 59)


def test_the_standard_error_of_a_mean_of_dyads_is_the_true_one():
    """Σ of two concept effects of variance 1 each: var of the mean = Σ_c n_c² / n² + 1/n."""
    rng = np.random.default_rng(3)
    first = rng.integers(0, 40, 200)
    second = (first + rng.integers(1, 40, 200)) % 40
    counts = np.bincount(np.concatenate([first, second]), minlength=40)
    true = (counts**2).sum() / 200**2 + 1 / 200
    found = []
    for _ in range(400):
        effects = rng.standard_normal(40)
        values = effects[first] + effects[second] + rng.standard_normal(200)
        found.append(Dyads(first, second).variance((values - values.mean()) / 200).dyadic)
    assert np.mean(found) == pytest.approx(true, rel=0.1)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=20))
def test_others_are_counted_one_pair_at_a_time(pairs):
    counted = [
        sum(len({*pair} & {*other}) for place, other in enumerate(pairs) if place != own)
        for own, pair in enumerate(pairs)
    ]
    dyads = Dyads(*np.array(pairs).T)
    assert dyads.others == pytest.approx(np.mean(counted))
    assert dyads.is_shared == any(counted)


def test_a_single_concept_says_nothing_of_how_a_figure_varies():
    found = Dyads(np.zeros(5, int), np.zeros(5, int)).variance(np.arange(5.0) - 2)
    assert math.isnan(found.added)


def test_swaps_may_use_twice_the_concepts_only_where_few_pairs_share_each():
    parts = np.random.default_rng(0).standard_normal(60)
    few = Dyads(np.arange(60) // 2, 30 + np.arange(60))
    many = Dyads(np.arange(60) // 20, 30 + np.arange(60))
    assert few.variance(parts).swap_freedom == pytest.approx(2 * few.variance(parts).freedom + 1)
    assert many.variance(parts).swap_freedom == many.variance(parts).freedom
