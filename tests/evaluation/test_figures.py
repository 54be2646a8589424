import json
import math

import numpy as np
import pytest

from medgauge.evaluation.figures import METRICS, Figure, best_figures, figures
from medgauge.stats.systems.correlation import spearman


def made(gold, scores, *, labelled, seed=0, **other):
    named = {"model": "m", "dataset": "d", "measure": "fj", "n": 100, "seed": seed, **other}
    return figures(gold=np.array(gold, float), scores=np.array(scores, float), labelled=labelled, **named)


def test_a_graded_set_has_spearman_on_the_pairs_given():
    [figure] = made([1, 2, 3, 4, 5], [1, 3, 2, 4, 5], labelled=False)
    assert (figure.metric, figure.covered, figure.n) == ("spearman", 5, 100)
    assert figure.value == pytest.approx(0.9)


def test_a_labelled_set_has_three_figures():
    found = made([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], labelled=True)
    assert [figure.metric for figure in found] == ["auc", "accuracy_best", "accuracy_cv"]
    assert found[0].value == pytest.approx(8 / 9)
    assert found[1].value == pytest.approx(5 / 6)


def test_cross_validation_follows_the_seed():
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 40)
    scores = labels + rng.standard_normal(80) * 2
    values = [made(labels, scores, labelled=True, seed=seed)[2].value for seed in (1, 1, 2, 3, 4)]
    assert values[0] == values[1]
    assert len(set(values)) > 1


def test_undefined_is_null_in_json_and_nan_again():
    figure = Figure(
        model="m", dataset="d", measure="fj", metric="auc", value=math.nan, low=0, high=1, n=3, covered=0
    )
    assert '"value":null' in figure.model_dump_json()
    assert math.isnan(Figure.model_validate_json(figure.model_dump_json()).value)


def test_a_figure_says_its_confidence_and_reason_where_they_say_something():
    usual, other, undefined = (
        made([1, 2, 3, 4, 5], scores, labelled=False, confidence=confidence)[0]
        for scores, confidence in (([1, 3, 2, 4, 5], 0.95), ([1, 3, 2, 4, 5], 0.9), ([7] * 5, 0.95))
    )
    assert not {"confidence", "undefined"} & set(json.loads(usual.model_dump_json()))
    assert json.loads(other.model_dump_json())["confidence"] == 0.9
    assert json.loads(undefined.model_dump_json())["undefined"] == "all 5 scores are equal"
    for figure in (usual, other):
        assert Figure.model_validate_json(figure.model_dump_json()) == figure
    with pytest.raises(ValueError, match="less than 1"):
        Figure(**(usual.model_dump() | {"confidence": 1.5}))


def test_a_figure_is_an_estimate():
    [figure] = made([1, 2, 3, 4, 5], [1, 3, 2, 4, 5], labelled=False, confidence=0.9)
    assert figure.estimate == spearman(
        np.array([1, 2, 3, 4, 5.0]), np.array([1, 3, 2, 4, 5.0]), confidence=0.9
    )


@pytest.mark.parametrize("labelled", [False, True])
def test_more_confidence_makes_every_interval_wider(labelled):
    rng = np.random.default_rng(0)
    gold = np.repeat([0, 1], 40)
    scores = gold + rng.standard_normal(80)
    narrow, wide = (made(gold, scores, labelled=labelled, confidence=level) for level in (0.8, 0.99))
    for one, other in zip(narrow, wide, strict=True):
        assert one.value == other.value
        assert other.low < one.low < one.high < other.high
        assert (one.estimate.confidence, other.estimate.confidence) == (0.8, 0.99)


@pytest.mark.parametrize(
    ("gold", "scores", "reasons"),
    [
        ([], [], ["no pair is covered"] * 3),
        ([0, 1], [1, 2], ["only 2 pairs; at least 3 are needed"] * 3),
        ([1, 1, 1], [1, 2, 3], ["no pair has label 0", None, "no pair has label 0"]),
        ([0, 0, 1], [1, 2, 3], [None, None, "only 1 pair has label 1"]),
        ([0, 0, 1, 1], [5, 5, 5, 5], [None, None, None]),
    ],
)
def test_labelled_figures_have_the_reason_that_is_true(gold, scores, reasons):
    assert [figure.undefined for figure in made(gold, scores, labelled=True)] == reasons


@pytest.mark.parametrize(
    ("gold", "scores", "reason"),
    [
        ([], [], "no pair is covered"),
        ([1], [1], "only 1 pair; at least 3 are needed"),
        ([2, 2, 2], [1, 2, 3], "all 3 gold scores are equal"),
        ([1, 2, 3], [2, 2, 2], "all 3 scores are equal"),
        ([1, 2], [1, 2], "only 2 pairs; at least 3 are needed"),
        ([1, 2, 3], [1, 2, 3], None),
    ],
)
def test_a_graded_figure_has_the_reason_that_is_true(gold, scores, reason):
    [figure] = made(gold, scores, labelled=False)
    assert figure.undefined == reason
    assert math.isnan(figure.value) == (reason is not None)


def test_every_metric_has_a_meaning():
    found = made([0, 0, 1, 1], [1, 2, 3, 4], labelled=True) + made([1, 2, 3], [1, 2, 3], labelled=False)
    assert {figure.metric for figure in found} == set(METRICS)


def some_figure(measure, value, model="m"):
    return Figure(
        model=model, dataset="d", measure=measure, metric="auc", value=value, low=0, high=1, n=3, covered=3
    )


def test_the_best_figure_is_the_first_of_equals_in_print_and_never_an_undefined_one():
    undefined, first, equal, worse = (
        some_figure(measure, value)
        for measure, value in (("fj", math.nan), ("mj", 0.6122), ("cos", 0.6124), ("pair_cos", 0.5))
    )
    other = some_figure("fj", math.nan, model="other")
    best = best_figures([undefined, first, equal, worse, other])
    assert best == {("m", "d", "auc"): first, ("other", "d", "auc"): other}


def test_a_stored_figure_of_two_pairs_is_read_as_undefined():
    fields = {"model": "m", "dataset": "d", "measure": "fj", "metric": "spearman", "low": None, "high": None}
    found = Figure.model_validate({**fields, "value": 1.0, "n": 9, "covered": 2})
    assert math.isnan(found.value)
    assert found.undefined == "only 2 pairs; at least 3 are needed"
    assert Figure.model_validate({**fields, "value": 1.0, "n": 9, "covered": 3}).value == 1.0
