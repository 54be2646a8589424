import math

import pytest

from medgauge.errors import FileError, InputError
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.measure_choice import MeasureChoice, measure_choice
from tests.results import damaged, example


def figure(dataset, measure, value, *, model="m", metric="spearman", subset=None):
    return Figure(
        model=model,
        dataset=dataset,
        measure=measure,
        metric=metric,
        value=value,
        low=math.nan,
        high=math.nan,
        n=9,
        covered=9,
        subset=subset,
    )


FIGURES = [
    figure("one", "avg_cos", 0.5),
    figure("one", "fj", 0.8),
    figure("two", "avg_cos", 0.8),
    figure("two", "fj", 0.7),
    figure("three", "avg_cos", 0.1),
    figure("three", "fj", 0.2),
    figure("three", "fj", 0.9, subset="long"),
    figure("labels", "avg_cos", 0.6, metric="auc"),
    figure("labels", "fj", 0.5, metric="auc"),
    figure("labels", "fj", 0.9, metric="accuracy_best"),
    figure("one", "score", 0.3, model="letters"),
]


@pytest.fixture
def choice() -> MeasureChoice:
    return measure_choice(FIGURES, ["m", "letters"])


def test_the_best_measure_of_each_set_and_its_distance_from_the_worst(choice):
    found = [(one.dataset, one.metric, one.best, round(one.distance, 6)) for one in choice.measured]
    assert found == [
        ("one", "spearman", "fj", 0.3),
        ("two", "spearman", "avg_cos", 0.1),
        ("three", "spearman", "fj", 0.1),
        ("labels", "auc", "avg_cos", 0.1),
    ]


def test_what_is_said_of_a_model_follows_from_its_sets(choice):
    assert choice.most_often_best("m", "spearman") == (["fj"], 2)
    assert choice.mean_distance("m", "spearman") == pytest.approx(0.5 / 3)
    assert choice.largest_distance("m", "spearman").dataset == "one"
    assert choice.with_one_measure == ["letters"]


def test_the_mean_of_a_measure_is_over_the_graded_sets_alone(choice):
    means = choice.mean_correlations("m")
    assert {name: mean.n for name, mean in means.items()} == {"avg_cos": 3, "fj": 3}
    expected = math.tanh((math.atanh(0.8) + math.atanh(0.7) + math.atanh(0.2)) / 3)
    assert means["fj"].value == pytest.approx(expected)


def test_of_measures_equal_in_print_the_first_is_best():
    figures = [figure("one", "avg_cos", 0.5), figure("one", "pair_cos", 0.50001)]
    [one] = measure_choice(figures, ["m"]).measured
    assert one.best == "avg_cos"


def test_an_undefined_figure_is_neither_best_nor_worst():
    figures = [
        figure("one", "avg_cos", 0.5),
        figure("one", "fj", math.nan),
        figure("two", "avg_cos", math.nan),
    ]
    found = measure_choice([*figures, figure("two", "fj", math.nan)], ["m"])
    assert [one.best for one in found.measured] == ["avg_cos", None]
    assert all(math.isnan(one.distance) for one in found.measured)
    assert math.isnan(found.mean_distance("m", "spearman"))
    assert found.largest_distance("m", "spearman") is None


def test_a_run_with_one_measure_says_so():
    with pytest.raises(InputError, match="one measure for each model, so there is no choice to show"):
        measure_choice([figure("one", "fj", 0.5)], ["m"])


@pytest.mark.filterwarnings("ignore::medgauge.errors.MedgaugeWarning")
@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("measured", [], "is damaged: it has no figures; evaluate again"),
        ("measured.0.metric", "accuracy_best", "measured.0.metric: does not hold a MeasureChoice"),
        ("measured.0.metric", "auc", "the figures of some model on some set are missing"),
        ("measured.0.model", "other", "the figures of some model on some set are missing"),
        ("measured.0.dataset", "other", "the figures of some model on some set are missing"),
        (
            "measured.0.values",
            {"avg_cos": 0.5, "fj": 0.4},
            "the figures of some measure on some set are missing",
        ),
        ("measured.0.values", {"avg_cosin": 0.5, "fj": 0.4}, "there is no measure 'avg_cosin'"),
    ],
)
def test_a_choice_that_contradicts_itself_is_one_sentence(place, value, said, tmp_path):
    with pytest.raises(FileError) as caught:
        MeasureChoice.load(damaged(example("MeasureChoice"), tmp_path / "m.json", place, value))
    assert said in str(caught.value)
