from medgauge.evaluation.measure_choice import measure_choice
from tests.evaluation.test_measure_choice import FIGURES


def test_every_measure_has_a_ring_and_the_best_is_filled_and_named():
    [axes] = measure_choice(FIGURES[:6], ["m"]).plot()
    rings = [list(line.get_xdata()) for line in axes.lines if line.get_fillstyle() == "none"]
    filled = [line.get_xdata()[0] for line in axes.lines if line.get_fillstyle() == "full"]
    assert rings == [[0.5, 0.8], [0.8, 0.7], [0.1, 0.2]]
    assert filled == [0.8, 0.8, 0.2]
    assert [text.get_text() for text in axes.texts] == ["fj", "avg_cos", "fj"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["one ρ", "two ρ", "three ρ"]
