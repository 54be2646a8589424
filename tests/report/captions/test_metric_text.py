import math

import pytest

from medgauge.evaluation.figures import GRADED_METRICS, LABELLED_METRICS, Figure
from medgauge.report.captions.metric_text import SHORT, figure_cell


def test_every_metric_has_a_short_name():
    assert set(SHORT) == {*GRADED_METRICS, *LABELLED_METRICS}


@pytest.mark.parametrize(
    ("value", "measure", "text"),
    [
        (0.5, "fj", "0.500 [0.400, 0.600] best: fj"),
        (0.5, "score", "0.500 [0.400, 0.600]"),
        (math.nan, "fj", "undefined"),
    ],
)
def test_a_figure_is_shown_with_its_interval_and_the_measure_chosen_for_it(value, measure, text):
    figure = Figure(
        model="m",
        dataset="d",
        measure=measure,
        metric="spearman",
        value=value,
        low=0.4,
        high=0.6,
        n=9,
        covered=9,
    )
    assert figure_cell(figure, chosen=True).text == text
