import pytest

from medgauge.demo import interpretation
from medgauge.evaluation.figures import Figure, best_figures

BASELINES = ("levenshtein", "token-jaccard", "char-tfidf")


class RunWith:
    """A run with these AUCs and intervals of ±0.01."""

    def shown_figures(self):
        return best_figures(self.figures)

    def __init__(self, **aucs):
        self.figures = [
            Figure(
                model=model,
                dataset=f"hpo-{dataset}",
                measure="fj",
                metric="auc",
                value=value - (number > 0) * 0.1,
                low=value - 0.01,
                high=value + 0.01,
                n=9,
                covered=9,
            )
            for dataset, (spelling, glove) in aucs.items()
            for model, value, number in (
                *((name, spelling, number) for number, name in enumerate(BASELINES)),
                ("glove-6b-50d", glove, 0),
            )
        ]


@pytest.mark.parametrize(
    ("random", "nearest", "first", "second"),
    [
        ((0.93, 0.88), (0.38, 0.36), "does not beat", "spelling is worse than chance, by design, with 0.380"),
        ((0.88, 0.93), (0.38, 0.36), "GloVe, trained on general English, beats", "so is GloVe, with 0.360"),
        ((0.88, 0.885), (0.38, 0.7), "does not beat", "GloVe is better than chance, with 0.700"),
        (
            (0.88, 0.8),
            (0.6, 0.5),
            "does not beat",
            "is better than chance, with 0.600 at best; GloVe is at",
        ),
        ((0.88, 0.8), (0.5, 0.5), "does not beat", "spelling is at chance, with 0.500 at best; so is GloVe"),
    ],
)
def test_the_sentences_follow_the_figures(random, nearest, first, second):
    said = interpretation(RunWith(random=random, nearest=nearest)).splitlines()
    assert first in said[0]
    assert second in said[1]
