import math

import numpy as np
import pytest

from medgauge.evaluation.figures import METRICS, Figure, best_figures, figures


def made(gold, scores, *, labelled, seed=0):
    named = {"model": "m", "dataset": "d", "measure": "fj", "n": 100, "seed": seed}
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
