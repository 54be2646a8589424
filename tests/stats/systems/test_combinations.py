import math
import statistics

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from medgauge.stats.systems.combinations import combination_baseline, combination_medians


def slow_medians(rows):
    """For each pair, the median over all pairs of the same two categories, in whichever order."""
    predicted = []
    for _, one, two in rows:
        same = [gold for gold, first, second in rows if {first, second} == {one, two}]
        counts = len(same) > 1 and one != "" and two != ""
        predicted.append(statistics.median(same) if counts else math.nan)
    return predicted


CATEGORIES = st.sampled_from(["", "drug", "disease", "sign", "é"])
ROWS = st.lists(st.tuples(st.integers(0, 6), CATEGORIES, CATEGORIES), max_size=12)


def arrays(rows):
    gold, first, second = zip(*rows, strict=True) if rows else ((), (), ())
    return np.array(gold, float), np.array(first, str), np.array(second, str)


@given(ROWS)
@settings(max_examples=200, deadline=None)
def test_the_prediction_is_the_median_of_the_combination(rows):
    assert combination_medians(*arrays(rows)).tolist() == pytest.approx(slow_medians(rows), nan_ok=True)


def test_a_hand_worked_case():
    """drug-disease (either order) 1, 4, 2: median 2; sign-sign 3, 3: median 3; drug-sign occurs once.

    Gold 1, 4, 2, 3, 3 against 2, 2, 2, 3, 3: ranks 1, 5, 2, 3.5, 3.5 and 2, 2, 2, 4.5, 4.5, so
    Σ(x − 3)(y − 3) = 2 − 2 + 1 + 0.75 + 0.75 = 2.5, Σ(x − 3)² = 9.5, Σ(y − 3)² = 7.5.
    """
    rows = [
        (1, "drug", "disease"),
        (4, "disease", "drug"),
        (2, "drug", "disease"),
        (3, "sign", "sign"),
        (3, "sign", "sign"),
        (0, "drug", "sign"),
        (4, "", "sign"),
    ]
    found = combination_baseline(*arrays(rows))
    assert found.rho.value == pytest.approx(2.5 / math.sqrt(9.5 * 7.5))
    assert (found.rho.n, found.combinations) == (5, 2)


def test_polars_and_scipy_give_the_same():
    rng = np.random.default_rng(3)
    gold = rng.random(200)
    first, second = rng.choice(["a", "b", "c", "d", "e"], (2, 200))
    low, high = np.where(first < second, [first, second], [second, first])
    frame = pl.DataFrame({"gold": gold, "low": low, "high": high})
    frame = frame.with_columns(pl.col("gold").median().over("low", "high").alias("median"))
    frame = frame.filter(pl.len().over("low", "high") > 1)
    found = combination_baseline(gold, first, second)
    assert found.rho.value == pytest.approx(spearmanr(frame["gold"], frame["median"]).statistic)
    assert found.rho.n == frame.height
    assert found.combinations == frame.select("low", "high").n_unique()


@pytest.mark.parametrize(
    ("rows", "reason", "pairs", "combinations"),
    [
        ([], "no combination of categories occurs twice", 0, 0),
        ([(1, "a", "b"), (2, "a", "c")], "no combination of categories occurs twice", 0, 0),
        ([(1, "a", "b"), (2, "b", "a"), (3, "a", "b"), (9, "a", "c")], "all 3 medians are equal", 3, 1),
        ([(3, "a", "b"), (3, "a", "b"), (3, "a", "a"), (3, "a", "a")], "all 4 gold scores are equal", 4, 2),
    ],
)
def test_the_reason_why_it_is_undefined_is_the_true_one(rows, reason, pairs, combinations):
    found = combination_baseline(*arrays(rows), confidence=0.9)
    assert math.isnan(found.rho.value)
    assert found.rho.undefined == reason
    assert (found.rho.n, found.rho.confidence, found.combinations) == (pairs, 0.9, combinations)
