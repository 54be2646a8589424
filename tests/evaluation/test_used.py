import json
import math

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from medgauge.errors import InputError
from medgauge.evaluation.run import Settings
from medgauge.evaluation.used import check_types, columns_digest, set_used
from medgauge.pairs import Card, PairSet
from medgauge.stats.raters.kernel import plain_estimates
from medgauge.stats.raters.variance.mean_reliability import MeanReliability
from medgauge.strata.subsets import subsets_by

SETTINGS = Settings(measures=None, oov="uncovered", seed=0, limit=None)
TYPED = SETTINGS.model_copy(update={"types": ("type_1", "type_2")})


def rated(count=40, *, labelled=False):
    rng = np.random.default_rng(5)
    ratings = rng.integers(0, 4, (count, 3)).astype(float)
    ratings[:, 1] = np.clip(ratings[:, 0] + rng.integers(0, 2, count), 0, 3)
    gold = (ratings[:, 0] > 1).astype(float) if labelled else ratings.mean(axis=1)
    frame = pl.DataFrame(
        {
            "pair_id": [str(number) for number in range(count)],
            "term_1": [f"a{number}" for number in range(count)],
            "term_2": [f"b{number}" for number in range(count)],
            "label" if labelled else "gold": gold,
            **{f"rater_{name}": ratings[:, column] for column, name in enumerate("ABC")},
            "type_1": rng.choice(["drug", "sign", ""], count),
            "type_2": rng.choice(["drug", "sign"], count),
        }
    )
    return PairSet(frame, Card(name="rated", title="Rated"))


def test_the_human_bound_is_of_the_compared_pairs_and_names_the_rater():
    pairs = rated()
    compared = np.arange(40) < 25
    bound = set_used(pairs, compared, None, SETTINGS, total=40).human
    ratings = pairs.ratings[compared]
    rhos = [spearmanr(ratings[:, k], ratings.mean(axis=1).round(12)).statistic for k in range(3)]
    assert bound.with_own == pytest.approx(max(rhos))
    assert bound.with_own_rater == "ABC"[int(np.argmax(rhos))]
    assert bound.without_own < bound.with_own


def test_the_ceiling_is_the_root_of_the_reliability_of_the_compared_pairs():
    pairs = rated()
    compared = np.arange(40) < 30
    bound = set_used(pairs, compared, None, SETTINGS, total=40).human
    expected = plain_estimates(MeanReliability(pairs.ratings[compared]), 30)
    assert bound.reliability == pytest.approx(expected["g_qk"].value)
    assert bound.ceiling == pytest.approx(math.sqrt(bound.reliability))
    assert bound.no_ceiling is None


def test_few_compared_pairs_have_no_bound_and_say_so():
    used = set_used(rated(), np.arange(40) < 9, None, SETTINGS, total=40)
    assert math.isnan(used.human.with_own)
    assert used.human.with_own_rater is None
    assert used.human.undefined.startswith("no annotator has 10 pairs that another rated")
    assert json.loads(used.model_dump_json())["human"]["without_own"] is None


def test_sets_without_ratings_or_with_labels_have_no_bound():
    pairs = rated()
    bare = PairSet(pairs.frame.drop(pairs.raters), pairs.card)
    assert set_used(bare, np.ones(40, bool), None, SETTINGS, total=40).human is None
    assert set_used(rated(labelled=True), np.ones(40, bool), None, SETTINGS, total=40).human is None


def test_the_baseline_of_types_counts_compared_pairs_with_both_types():
    pairs = rated()
    compared = np.arange(40) % 3 > 0  # with every second pair, all medians are equal
    found = set_used(pairs, compared, None, TYPED, total=40).types
    typed = pairs.frame.filter(pl.Series(compared)).filter(pl.col("type_1") != "")
    low, high = pl.min_horizontal("type_1", "type_2"), pl.max_horizontal("type_1", "type_2")
    typed = typed.select("gold", low=low, high=high).filter(pl.len().over("low", "high") > 1)
    medians = typed.select("gold", median=pl.col("gold").median().over("low", "high").round(12))
    assert (found.pairs, found.combinations) == (typed.height, typed.select("low", "high").n_unique())
    assert found.rho == pytest.approx(spearmanr(medians["gold"], medians["median"]).statistic)


def test_types_that_say_nothing_have_no_baseline_and_a_reason():
    pairs = rated()
    alone = PairSet(pairs.frame.with_columns(type_1=pl.col("pair_id"), type_2=pl.lit("sign")), pairs.card)
    found = set_used(alone, np.ones(40, bool), None, TYPED, total=40).types
    assert math.isnan(found.rho)
    assert (found.pairs, found.undefined) == (0, "no combination of categories occurs twice")
    assert set_used(pairs, np.ones(40, bool), None, TYPED, total=40).types.undefined is None


def test_types_are_for_graded_sets_that_have_them():
    check_types(rated(), ("type_1", "type_2"))
    with pytest.raises(InputError, match="rated has labels"):
        check_types(rated(labelled=True), ("type_1", "type_2"))
    with pytest.raises(InputError, match="no column of rated called 'type_3'"):
        check_types(rated(), ("type_1", "type_3"))


def test_subsets_are_counted_with_their_compared_pairs():
    pairs = rated()
    compared = np.arange(40) < 30
    used = set_used(pairs, compared, subsets_by(pairs, "type_1"), SETTINGS, total=50)
    types = pairs.frame["type_1"].to_numpy()
    assert [(one.name, one.n, one.compared) for one in used.subsets] == [
        (name, int((types == name).sum()), int((types[:30] == name).sum())) for name in ("drug", "sign")
    ]
    assert (used.cut, used.left_out, used.total) == ("values", {"missing": int((types == "").sum())}, 50)


def test_the_digest_follows_ratings_subsets_and_types():
    pairs = rated()
    bare = PairSet(pairs.frame.drop(pairs.raters), pairs.card)
    assert columns_digest(bare, None, None) == ""
    other = PairSet(pairs.frame.with_columns(rater_A=pl.lit(1.0), type_1=pl.lit("drug")), pairs.card)
    assert pairs.digest == other.digest
    digests = {
        columns_digest(one, subsets_by(one, by) if by else None, types)
        for one in (pairs, other)
        for by in (None, "type_1", "type_2")
        for types in (None, ("type_1", "type_2"))
    }
    assert len(digests) == 12
    assert columns_digest(rated(), None, None) == columns_digest(pairs, None, None) != ""
