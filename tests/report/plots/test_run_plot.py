import numpy as np
import pytest

from medgauge.evaluation.run import HumanBound
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


def test_the_best_annotator_and_the_ceiling_are_lines_with_a_legend():
    run = laid_run(GOLD, {"good": noisy(GOLD, 0.5, 1)})
    human = HumanBound(
        with_own=0.8,
        with_own_rater="A",
        without_own=0.7,
        without_own_rater="A",
        ceiling=0.9,
        reliability=0.81,
    )
    [used] = run.datasets
    rated = run.model_copy(update={"datasets": [used.model_copy(update={"human": human})]})
    panels = rated.plot()
    lines = {line.get_label(): line.get_xdata()[0] for line in panels[0].lines if line.get_linestyle() != "-"}
    lines = {label: value for label, value in lines.items() if not label.startswith("_")}
    assert lines == {"best annotator, own rating excluded": 0.7, "ceiling √G(q,k), approximate": 0.9}
    [legend] = panels.figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(lines)


def test_a_run_of_an_earlier_version_has_no_ceiling_to_draw():
    run = laid_run(GOLD, {"good": noisy(GOLD, 0.5, 1)})
    human = HumanBound(with_own=0.8, with_own_rater="A", without_own=0.7, without_own_rater="A")
    rated = run.model_copy(update={"datasets": [run.datasets[0].model_copy(update={"human": human})]})
    labels = [line.get_label() for line in rated.plot()[0].lines]
    assert "best annotator, own rating excluded" in labels
    assert not any("ceiling" in label for label in labels)
