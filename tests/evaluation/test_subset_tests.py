import json
import math
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from medgauge import as_pairs, evaluate
from medgauge.errors import FileError
from medgauge.evaluation.run import Run
from medgauge.evaluation.subset_tests import subset_tests
from medgauge.models.base import ModelCard
from medgauge.report.run_tables import grids
from medgauge.report.subsets.subset_tables import subset_tests_grid
from medgauge.stats.differences.subset_estimates import equality_test, subset_estimates

RNG = np.random.default_rng(0)
MEMBER = np.repeat([0, 1, 2, -1], [40, 50, 60, 10])
GOLD = RNG.standard_normal(160)
SCORES = {
    ("good", "avg_cos"): GOLD + np.where(MEMBER == 0, 0.2, 2.0) * RNG.standard_normal(160),
    ("even", "cos"): GOLD + RNG.standard_normal(160),
}


def found(scores=SCORES, names=("a", "b", "c")):
    return subset_tests(GOLD, scores, MEMBER, names, labelled=False, confidence=0.95)


def test_each_model_and_the_advantage_of_one_over_the_other_are_tested():
    tests = found()
    assert [(one.model, one.other) for one in tests] == [("good", None), ("even", None), ("good", "even")]
    rows = np.array(list(SCORES.values()))
    chosen = [np.flatnonzero(np.equal(MEMBER, k)) for k in range(3)]
    parts = [subset_estimates(GOLD[mine], rows[:, mine], labelled=False) for mine in chosen]
    expected = [
        equality_test([singles[0] for singles, _ in parts]),
        equality_test([singles[1] for singles, _ in parts]),
        equality_test([advantages[0][1] for _, advantages in parts]),
    ]
    assert [one.p for one in tests] == pytest.approx(expected)
    assert [one.p_adjusted for one in tests] == pytest.approx([min(1, 3 * p) for p in expected])
    for one in tests:
        assert [(d.subset_1, d.subset_2) for d in one.differences] == list(combinations("abc", 2))
        for difference in one.differences:
            assert difference.p_adjusted == pytest.approx(min(1, 9 * difference.p))
            assert difference.low < difference.value < difference.high
    assert tests[0].p_adjusted < 0.001
    assert tests[1].p_adjusted > 0.05


def test_a_subset_with_few_pairs_is_left_out_of_the_test():
    member = np.where(np.arange(160) < 5, 3, MEMBER)
    [one, *_] = subset_tests(GOLD, SCORES, member, ("a", "b", "c", "d"), labelled=False, confidence=0.95)
    assert one.subsets == ["a", "b", "c"]


def test_a_single_subset_is_not_tested():
    tests = found(names=("a",))
    assert {one.undefined for one in tests} == {"only 1 subset has enough pairs and different scores"}
    assert all(math.isnan(one.p) and not one.differences for one in tests)


def test_advantages_of_many_models_are_left_out():
    many = {(f"m{k}", "cos"): GOLD + RNG.standard_normal(160) for k in range(11)}
    assert [one.other for one in found(many)] == [None] * 11


class Laid:
    """A model that returns scores as they are."""

    def __init__(self, name, scores):
        self.card = ModelCard(name=name, family="pairs")
        self.scores = scores

    def score(self, _pairs):
        return self.scores


def run_of(out=None, by="kind"):
    frame = pl.DataFrame(
        {
            "term_1": [f"x{k}" for k in range(150)],
            "term_2": [f"y{k}" for k in range(150)],
            "gold": GOLD[:150],
            "kind": ["abc"[k] for k in MEMBER[:150]],
        }
    )
    pairs = as_pairs(frame, name="mine")
    models = {name: Laid(name, scores[:150]) for (name, _), scores in SCORES.items()}
    return evaluate(models, [pairs], by=by, out=out)


def test_a_run_with_subsets_has_the_tests_in_its_table_and_its_json(tmp_path):
    run = run_of(tmp_path / "run")
    assert Run.load(tmp_path / "run") == run
    tests = run.datasets[0].between_subsets
    assert [one.p for one in tests] == pytest.approx([one.p for one in found()])
    grid = subset_tests_grid(run)
    assert [row[1].text for row in grid.rows] == ["good", "even", "good − even"]
    assert grid.rows[0][3].text == "< 0.001"
    assert grid.rows[0][3].bold
    assert grid.rows[0][4].text.startswith("a − ")
    assert grid.title in [one.title for one in grids(run)]


def test_a_run_without_subsets_has_no_such_tests():
    run = run_of(by=None)
    assert run.datasets[0].between_subsets == []
    assert "between_subsets" not in run.to_json()
    assert len(grids(run)) == 2


def test_tests_of_another_model_are_rejected(tmp_path):
    run_of(tmp_path / "run")
    path = tmp_path / "run" / "results.json"
    results = json.loads(path.read_text("utf-8"))
    results["datasets"][0]["between_subsets"][0]["model"] = "other"
    path.write_text(json.dumps(results), "utf-8")
    with pytest.raises(FileError, match="a test between subsets is of another model"):
        Run.load(path)


def test_a_model_with_nearly_constant_scores_leaves_the_others_their_tests():
    rng = np.random.default_rng(0)
    gold, member = rng.random(80), np.repeat([0, 1], 40)
    scores = {
        ("good", "score"): gold + np.where(member == 0, 0.1, 2.0) * rng.standard_normal(80),
        ("flat", "score"): np.where(np.arange(80) % 40 < 2, 1.0, 0.0),
    }
    good, flat, both = subset_tests(gold, scores, member, ["a", "b"], labelled=False, confidence=0.95)
    assert (good.subsets, good.undefined) == (["a", "b"], None)
    assert flat.undefined == both.undefined == "no subset has enough pairs and different scores"
