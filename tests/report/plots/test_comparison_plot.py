import re

import numpy as np
import pytest

from medgauge.comparison.compare import compare
from medgauge.evaluation.evaluate import evaluate
from medgauge.report.plots.canvas import write_plot
from tests.runs import Laid, noisy, pair_set
from tests.vectors import some_vectors, write_binary

GOLD = np.tile(np.arange(5.0), 20)
SYSTEMS = {"good": noisy(GOLD, 0.5, 1), "fair": noisy(GOLD, 2, 2)}


@pytest.fixture
def mixed():
    sets = [pair_set(GOLD, name="graded"), pair_set(np.tile([0.0, 1.0], 50), name="labels", labelled=True)]
    models = {name: Laid(scores) for name, scores in SYSTEMS.items()}
    return compare(evaluate(models, sets), resamples=999)


@pytest.fixture
def by_measure(tmp_path):
    pairs = pair_set(GOLD)
    file = write_binary(tmp_path / "one.bin", some_vectors(*pairs.terms, dim=12))
    return compare(evaluate([file], [pairs], measures=["avg_cos", "fj"]), by="measure", resamples=999)


@pytest.mark.filterwarnings("ignore:.*resamples:medgauge.errors.CoverageWarning")
@pytest.mark.parametrize(("kind", "panels"), [("mixed", 4), ("by_measure", 1)])
def test_every_comparison_can_be_drawn_and_names_its_sets_and_models(kind, panels, request, tmp_path):
    found = request.getfixturevalue(kind)
    write_plot(tmp_path / "plot.svg", found.plot)
    texts = re.findall(r">([^<>]+)</text>", (tmp_path / "plot.svg").read_text("utf-8"))
    for contest in found.contests:
        assert any(text.startswith(contest.dataset) for text in texts)
        assert {system.model for system in contest.systems} <= set(texts)
    assert len(found.plot()) == panels


def test_measures_are_dots_of_which_the_best_and_the_worst_are_named(by_measure):
    """Lines between them looked like confidence intervals."""
    [axes] = by_measure.plot()
    best, worst = by_measure.contests[0].systems[0], by_measure.contests[0].systems[-1]
    assert {text.get_text() for text in axes.texts} == {best.measure, worst.measure}
    assert [line.get_linestyle() for line in axes.lines] == ["None"]
    assert sorted(axes.lines[0].get_xdata()) == [worst.value, best.value]


def test_letters_stand_beside_the_systems_and_points_at_their_figures(mixed):
    axes = mixed.plot()[0]
    contest = mixed.contests[0]
    assert sorted(text.get_text() for text in axes.texts) == sorted(one.letters for one in contest.systems)
    points = {line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"}
    assert points == {one.value for one in contest.systems}
