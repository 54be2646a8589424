import pytest

from medgauge.comparison.spread import spreads
from medgauge.evaluation.evaluate import evaluate
from tests.runs import word_pairs
from tests.vectors import some_vectors


@pytest.fixture(scope="module")
def run():
    pairs = word_pairs()
    return evaluate({"mine": some_vectors(*pairs.terms)}, pairs, measures=["avg_cos", "fj", "mj"])


@pytest.mark.parametrize(
    ("values", "lowest", "highest"),
    [
        ((0.7549, 0.7551, 0.1), "mj", "avg_cos"),
        ((0.7, 0.1001, 0.0999), "fj", "avg_cos"),
        ((0.1, 0.2, 0.3), "avg_cos", "mj"),
    ],
)
def test_of_measures_equal_in_print_the_first_is_named_as_by_best_measures(run, values, lowest, highest):
    figures = [
        one.model_copy(update={"value": value}) for one, value in zip(run.figures, values, strict=True)
    ]
    changed = run.model_copy(update={"figures": figures})
    [found] = spreads(changed, changed.datasets)
    assert (found.lowest, found.highest) == (lowest, highest)
    assert found.highest == changed.best_measures().measured[0].best
    assert (found.low, found.high) == (min(values), max(values))
