import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import permutation_test

from medgauge.stats.systems.combination_chance import combination_chance
from medgauge.stats.systems.combinations import combination_baseline
from tests.stats.systems.test_combinations import ROWS, arrays


def found(rows, *, seed=0, count=99):
    return combination_chance(*arrays(rows), permutations=count, rng=np.random.default_rng(seed))


def slow_distribution(rows, seed, count):
    """Permute the gold of the pairs that are predicted, and evaluate the baseline again each time."""
    combinations = [tuple(sorted(two)) for _, *two in rows]
    kept = [
        (one, row)
        for one, row in zip(combinations, rows, strict=True)
        if combinations.count(one) > 1 and "" not in one
    ]
    gold, first, second = arrays([row for _, row in sorted(kept, key=lambda pair: pair[0])])
    rng = np.random.default_rng(seed)
    rhos = [
        combination_baseline(gold[rng.permutation(len(gold))], first, second).rho.value for _ in range(count)
    ]
    return sorted(np.nan_to_num(rhos))


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_each_permutation_has_the_rho_of_the_baseline_on_it(rows):
    chance = found(rows, count=7)
    observed = combination_baseline(*arrays(rows)).rho
    assert chance.rho == pytest.approx(observed.value, abs=1e-11, nan_ok=True)
    expected = slow_distribution(rows, 0, 7) if observed.is_defined else []
    assert chance.permuted.tolist() == pytest.approx(expected, abs=1e-11)


class EveryPermutation:
    """In place of a generator: each permutation of a few places once."""

    def __init__(self, count):
        self._orders = permutations(range(count))

    def permutation(self, _count):
        return np.array(next(self._orders))


def test_all_permutations_are_the_exact_distribution_of_scipy():
    rows = [
        (1.0, "drug", "sign"),
        (2.5, "sign", "drug"),
        (2.5, "drug", "drug"),
        (4.0, "drug", "drug"),
        (0.5, "sign", "sign"),
        (3.0, "sign", "sign"),
    ]
    gold, first, second = arrays(rows)

    def rho(permuted):
        return np.nan_to_num(combination_baseline(permuted, first, second).rho.value)

    exact = permutation_test(
        (gold,),
        rho,
        permutation_type="pairings",
        n_resamples=np.inf,
        alternative="greater",
        vectorized=False,
    )
    # The combinations are alphabetical, as the numbers of drug-drug, drug-sign and sign-sign are.
    chance = combination_chance(gold, first, second, permutations=720, rng=EveryPermutation(6))
    assert chance.permuted == pytest.approx(np.sort(exact.null_distribution), abs=1e-11)
    assert chance.p_value == pytest.approx((720 * exact.pvalue + 1) / 721)


def test_types_that_say_nothing_seem_to_predict_and_are_found_out():
    """500 random scores in about 100 combinations: the fit alone gives a ρ far above 0."""
    rng = np.random.default_rng(5)
    types = np.array([f"type {number}" for number in range(14)])
    rows = list(zip(rng.random(500), rng.choice(types, 500), rng.choice(types, 500), strict=True))
    chance = found(rows, count=199)
    assert chance.rho > 0.3
    assert abs(chance.permuted.mean() - chance.rho) < 0.1
    assert 0.05 < chance.p_value < 0.95


def test_types_that_say_all_are_beyond_every_permutation():
    rows = [(float(number % 3), f"type {number % 3}", "sign") for number in range(60)]
    chance = found(rows)
    assert chance.rho == 1
    assert chance.p_value == 1 / 100


def test_the_batch_does_not_change_the_draws(monkeypatch):
    rng = np.random.default_rng(5)
    rows = [(float(rng.integers(9)), f"type {rng.integers(3)}", "sign") for _ in range(50)]
    whole = found(rows)
    monkeypatch.setattr("medgauge.stats.systems.combination_chance._AT_ONCE", 120)
    assert found(rows).permuted.tolist() == whole.permuted.tolist()
    assert found(rows, seed=1).permuted.tolist() != whole.permuted.tolist()


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [(1, "drug", "sign"), (2, "drug", "drug"), (3, "sign", "sign")],
        [(2, "drug", "sign")] * 4,
        [(1, "drug", "sign"), (2, "drug", "sign"), (4, "drug", "sign")],
    ],
    ids=["nothing", "each once", "equal scores", "one combination"],
)
def test_without_a_rho_there_is_no_distribution(rows):
    chance = found(rows)
    assert math.isnan(chance.rho)
    assert math.isnan(chance.p_value)
    assert chance.permuted.size == 0
