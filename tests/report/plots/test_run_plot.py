import numpy as np
import pytest

from tests.runs import laid_run, noisy

GOLD = np.tile(np.arange(5.0), 8)


def test_points_and_intervals_stand_at_the_figures_of_their_models():
    run = laid_run(GOLD, {"good": noisy(GOLD, 0.5, 1), "poor": noisy(GOLD, 20, 2)})
    [axes] = run.plot()
    assert axes.get_title("left") == "mine ρ"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["good", "poor"]
    points = {(line.get_ydata()[0], line.get_xdata()[0]) for line in axes.lines if line.get_marker() == "o"}
    assert points == {(height, one.value) for height, one in enumerate(run.figures)}
    ends = {tuple(line.get_xdata()) for line in axes.lines if line.get_marker() != "o"}
    assert ends == {(one.low, one.high) for one in run.figures}


def test_a_labelled_set_is_drawn_by_its_auc():
    labels = np.tile([0.0, 1.0], 20)
    run = laid_run(labels, {"one": noisy(labels, 1, 1)}, labelled=True)
    [axes] = run.plot()
    [auc] = [one.value for one in run.figures if one.metric == "auc"]
    assert axes.get_title("left") == "mine AUC"
    assert [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"] == [pytest.approx(auc)]
