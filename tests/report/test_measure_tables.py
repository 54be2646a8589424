import pytest

from medgauge.errors import options_as_flags
from medgauge.evaluation.measure_choice import measure_choice
from medgauge.report.measure_tables import grids, rows, sentences
from tests.evaluation.test_measure_choice import FIGURES, figure

YOURS = [
    figure(dataset, measure, value, model="yours")
    for dataset, measure, value in [
        *[("one", "avg_cos", 0.4), ("one", "mj", 0.1), ("two", "avg_cos", 0.2), ("two", "mj", 0.3)],
        *[("three", "avg_cos", 0.2), ("three", "mj", 0.2)],
    ]
]


@pytest.fixture
def choice():
    return measure_choice([*FIGURES[:7], *YOURS, FIGURES[-1]], ["m", "yours", "letters"])


def test_measures_go_down_and_models_across_with_the_best_in_bold(choice):
    grid = grids(choice)[0]
    assert grid.title == "Mean ρ (Fisher's z) over 3 sets, by measure"
    assert grid.header == ["measure", "m", "yours"]
    means = [choice.mean_correlations("m"), choice.mean_correlations("yours")]
    assert [[cell.text for cell in row] for row in grid.rows[:3]] == [
        ["avg_cos", *(f"{mean['avg_cos'].value:.3f}" for mean in means)],
        ["fj", f"{means[0]['fj'].value:.3f}", "–"],
        ["mj", "–", f"{means[1]['mj'].value:.3f}"],
    ]
    assert [[cell.bold for cell in row[1:]] for row in grid.rows[:3]] == [
        [False, True],
        [True, False],
        [False, False],
    ]
    distance = means[0]["fj"].value - means[0]["avg_cos"].value
    assert [cell.text for cell in grid.rows[3]][:2] == ["best − worst", f"{distance:.3f}"]


def test_the_best_measure_of_each_set_stands_beside_its_distance(choice):
    grid = grids(choice)[-1]
    assert [cell.text for cell in grid.rows[0]] == ["one ρ", "fj 0.300", "avg_cos 0.300"]


def test_a_sentence_for_each_model_says_whether_the_choice_matters(choice):
    assert list(sentences(choice)) == [
        "m: fj is best on 2 of 3 sets; the choice moves ρ by 0.167 on average (at most 0.300, on one)",
        "yours: avg_cos is best on 2 of 3 sets; the choice moves ρ by 0.133 on average (at most 0.300, "
        "on one)",
    ]


def test_measures_that_are_best_equally_often_are_all_named():
    found = measure_choice([*YOURS[:4]], ["yours"])
    [sentence] = sentences(found)
    assert sentence.startswith("yours: avg_cos and mj are each best on 1 of 2 sets;")


def test_another_measure_that_is_best_by_the_mean_is_named():
    values = {"avg_cos": [0.5, 0.5, 0.1], "fj": [0.4, 0.4, 0.9]}
    figures = [
        figure(dataset, measure, value)
        for measure, of in values.items()
        for dataset, value in zip(("one", "two", "three"), of, strict=True)
    ]
    [sentence] = sentences(measure_choice(figures, ["m"]))
    assert sentence.startswith("m: avg_cos is best on 2 of 3 sets (by the mean ρ it is fj); the choice")


def test_one_set_has_no_average():
    [sentence] = sentences(measure_choice(YOURS[:2], ["yours"]))
    assert sentence == "yours: avg_cos is best; the choice moves ρ by 0.300"


def test_no_test_is_claimed_and_the_command_that_tests_is_named(choice):
    with options_as_flags():
        notes = " ".join(grids(choice)[0].notes)
    assert "nothing here is a test: compare the run with --by measure" in notes
    assert "Left out, since they have one measure: letters." in notes


def test_a_labelled_set_and_a_single_graded_one_are_shown_by_themselves():
    found = measure_choice([*FIGURES[:2], *FIGURES[7:10]], ["m"])
    assert [grid.title for grid in grids(found)] == [
        "one ρ by measure",
        "labels AUC by measure",
        "Best measure on each set, and its distance from the worst",
    ]


def test_an_undefined_figure_is_told_with_its_reason():
    figures = [*FIGURES[:3], figure("two", "fj", float("nan"))]
    grid = grids(measure_choice(figures, ["m"]))[0]
    assert grid.rows[1][1].text == "undefined"
    assert "the mean of m with fj is undefined: 1 of 2 correlations is undefined." in grid.notes


def test_csv_has_every_figure_and_marks_the_best(choice):
    columns, lines = rows(choice)
    assert list(columns) == ["model", "dataset", "metric", "measure", "value", "best"]
    assert lines[:2] == [
        ["m", "one", "spearman", "avg_cos", 0.5, False],
        ["m", "one", "spearman", "fj", 0.8, True],
    ]
    assert len(lines) == 12
