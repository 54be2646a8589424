import numpy as np
import pytest

from medgauge.comparison.compare import compare
from medgauge.comparison.conclusion import (
    Conclusion,
    by_mean_rank,
    conclusions,
    difference_of,
    models_by_measure,
    passed_over,
    verdict_on,
)
from medgauge.evaluation.evaluate import evaluate
from tests.runs import Laid, laid_run, noisy, pair_set
from tests.vectors import some_vectors, write_binary

GOLD = np.tile(np.arange(5.0), 30)
LABELS = np.tile([0.0, 1.0], 75)
SYSTEMS = {"poor": noisy(GOLD, 20, 3), "good": noisy(GOLD, 0.5, 1), "fair": noisy(GOLD, 2, 2)}


@pytest.fixture(scope="module")
def mixed():
    """Return two models on three sets: on one set the second wins, on the labelled one nobody does."""
    noise = np.random.default_rng(0).standard_normal(GOLD.size)

    class Other(Laid):
        def score(self, pairs):
            return noise if pairs.card.name == "first" else super().score(pairs)

    models = {"fair": Laid(noisy(GOLD, 2, 2)), "odd": Other(noisy(GOLD, 0.3, 1))}
    sets = [pair_set(GOLD, name=name) for name in ("first", "second", "third")]
    return compare(evaluate(models, [*sets, pair_set(LABELS, name="labels", labelled=True)]), resamples=4999)


def test_sets_are_counted_once_whatever_their_metrics(mixed):
    [found] = conclusions(mixed)
    assert [contest.metric for contest in found.contests] == ["spearman"] * 3 + ["auc"]
    assert found.record("odd", "fair") == (2, 1, 1, 0)
    assert found.record("fair", "odd") == (1, 2, 1, 0)
    assert found.record("odd", "fair").sets == 4


def test_a_win_counts_more_than_a_better_mean_rank():
    """Two are hardly different on two sets, and different on the third."""
    near = noisy(GOLD, 2, 2)

    class Sure(Laid):
        def score(self, pairs):
            return GOLD if pairs.card.name == "third" else super().score(pairs)

    models = {"ranked": Laid(near), "sure": Sure(near + 0.3 * noisy(0 * GOLD, 1, 5))}
    sets = [pair_set(GOLD, name=name) for name in ("first", "second", "third")]
    comparison = compare(evaluate(models, sets), resamples=999)
    assert by_mean_rank(comparison.contests) == ["ranked", "sure"]
    [found] = conclusions(comparison)
    assert found.record("sure", "ranked") == (1, 0, 2, 0)
    assert found.order == ("sure", "ranked")


def test_systems_are_ordered_by_wins_and_the_first_beats_those_it_beats_on_most_sets():
    [found] = conclusions(compare(laid_run(GOLD, SYSTEMS), resamples=999))
    assert found.order == ("good", "fair", "poor")
    assert found.beaten() == ["fair", "poor"]


def test_a_difference_is_found_in_either_direction():
    [contest] = compare(laid_run(GOLD, SYSTEMS), resamples=999).contests
    there, back = difference_of(contest, "good", "poor"), difference_of(contest, "poor", "good")
    assert there.value == -back.value > 0
    assert (there.low, there.high) == (-back.high, -back.low)
    assert (back.model_1, back.model_2, back.p) == ("poor", "good", there.p)
    assert (verdict_on(contest, "good", "poor"), verdict_on(contest, "poor", "good")) == (
        "better",
        "worse",
    )
    assert verdict_on(contest, "good", "absent") is None


def test_no_system_is_passed_over_where_letters_follow_the_figures():
    [contest] = compare(laid_run(GOLD, SYSTEMS), resamples=999).contests
    assert passed_over(contest) is None


def test_measures_have_a_conclusion_for_each_model(tmp_path):
    pairs = pair_set(GOLD)
    files = [
        write_binary(tmp_path / f"{name}.bin", some_vectors(*pairs.terms, dim=12)) for name in ("one", "two")
    ]
    found = compare(evaluate(files, [pairs], measures=["avg_cos", "fj"]), by="measure", resamples=999)
    assert [(one.model, sorted(one.order)) for one in conclusions(found)] == [
        ("one", ["avg_cos", "fj"]),
        ("two", ["avg_cos", "fj"]),
    ]


def test_a_difference_without_a_p_value_is_not_undecided():
    [contest] = compare(laid_run(GOLD, SYSTEMS), resamples=999).contests
    untested = [
        one.model_copy(update={"p": np.nan, "p_adjusted": np.nan, "significant": False})
        for one in contest.differences
    ]
    contest = contest.model_copy(update={"differences": untested})
    assert verdict_on(contest, "good", "poor") == "untested"
    assert Conclusion(None, (contest,), ("good", "poor")).record("good", "poor") == (0, 0, 0, 1)


def test_a_system_beaten_on_the_only_set_of_both_is_not_beaten_on_most_sets():
    [contest] = compare(laid_run(GOLD, SYSTEMS), resamples=999).contests
    [without] = compare(
        laid_run(GOLD, {"good": SYSTEMS["good"], "fair": SYSTEMS["fair"]}), resamples=999
    ).contests
    found = Conclusion(None, (contest, without, without), ("good", "fair", "poor"))
    assert found.record("good", "poor").wins == 1
    assert found.beaten() == ["fair"]


def test_models_are_listed_once_with_the_measure_they_are_compared_with(mixed):
    assert models_by_measure(mixed.contests) == {}
    [contest, *_] = mixed.contests
    systems = [system.model_copy(update={"measure": "fj"}) for system in contest.systems]
    named = contest.model_copy(update={"systems": systems})
    assert models_by_measure([named, named]) == {"fj": [system.model for system in systems]}
