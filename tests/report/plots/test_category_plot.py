import math

from tests.report.test_category_tables import result, separation


def test_the_best_and_the_worst_measure_of_each_model_are_drawn_in_percent():
    found = result(
        separation("m", "fj", 0.2),
        separation("m", "mj", 0.1),
        separation("m", "avg_cos", 0.3),
        separation("b", "score", 0.5, low=math.nan, high=math.nan),
    )
    [axes] = found.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == ["m, mj", "m, avg_cos", "b"]
    points = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert [round(point, 9) for point in points] == [10, 30, 50]
    assert len(axes.lines) == 5  # the last has no interval
