import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from medgauge.composition.type_combinations import set_types
from medgauge.pairs import Card, Pairs, PairSet
from tests.composition.small import pair_set

TYPES = st.sampled_from(["", "Finding", "Disease", "Sign"])
ROWS = st.lists(st.tuples(st.integers(0, 6), TYPES, TYPES), min_size=1, max_size=25)


def described(rows, pairs=None, **options):
    gold, first, second = zip(*rows, strict=True)
    pairs = pairs or pair_set([(f"a{number}", f"b{number}", one) for number, one in enumerate(gold)])
    options = {"source": "columns", "permutations": 9, "seed": 0} | options
    return set_types(pairs, np.array(first, np.str_), np.array(second, np.str_), **options)


@given(ROWS)
@settings(max_examples=100, deadline=None)
def test_combinations_and_their_baseline_are_those_of_pandas_and_scipy(rows):
    frame = pd.DataFrame(rows, columns=["gold", "first", "second"])
    frame = frame[(frame["first"] != "") & (frame["second"] != "")]
    frame["types"] = ["|".join(sorted(types)) for types in zip(frame["first"], frame["second"], strict=True)]
    found = described(rows)
    assert found.pairs == len(frame)
    assert {"|".join(one.types): one.pairs for one in found.combinations} == dict(
        frame["types"].value_counts()
    )
    counts = [one.pairs for one in found.combinations]
    assert counts == sorted(counts, reverse=True)
    repeated = frame[frame.groupby("types")["gold"].transform("size") > 1]
    medians = repeated.groupby("types")["gold"].transform("median")
    assert found.baseline.combinations == repeated["types"].nunique()
    if len(repeated) > 2 and repeated["gold"].nunique() > 1 and medians.nunique() > 1:
        expected = spearmanr(repeated["gold"], medians).statistic
        assert found.baseline.rho == pytest.approx(expected)
        assert len(found.baseline.permuted) == 9
        assert 1 / 10 <= found.baseline.p <= 1
    else:
        assert math.isnan(found.baseline.rho)
        assert found.baseline.undefined
        assert found.baseline.permuted == []


def test_the_seed_decides_the_permutations():
    rng = np.random.default_rng(1)
    rows = [(int(rng.integers(7)), *rng.choice(["Finding", "Disease", "Sign"], 2)) for _ in range(60)]
    one, two, other = (described(rows, seed=seed).baseline for seed in (0, 0, 1))
    assert one == two
    assert one.rho == other.rho
    assert one.permuted != other.permuted
    mean, low, high = one.usual
    assert low <= mean <= high
    assert mean == pytest.approx(np.mean(one.permuted))


@pytest.mark.parametrize(
    ("pairs", "reason"),
    [
        (Pairs.of([("a", "b")] * 3, card=Card(name="x", title="X")), "the set has no scores"),
        (
            PairSet.of(
                [("a", "b", 1), ("a", "c", 0), ("b", "c", 0)], card=Card(name="x", title="X"), labelled=True
            ),
            "the set has labels, not graded scores",
        ),
    ],
    ids=["no gold", "labels"],
)
def test_without_graded_scores_combinations_are_counted_and_predict_nothing(pairs, reason):
    found = described([(0, "Sign", "Finding")] * 3, pairs)
    assert [(one.types, one.pairs) for one in found.combinations] == [(("Finding", "Sign"), 3)]
    assert found.baseline.undefined == reason
    assert math.isnan(found.baseline.usual[0])
