"""Small runs with given scores, for tests of what is computed from runs."""

import numpy as np
import polars as pl

from medgauge.evaluation.evaluate import evaluate
from medgauge.evaluation.run import Run
from medgauge.models.base import ModelCard
from medgauge.pairs import Card, PairSet
from tests.vectors import WORDS


class Laid:
    """A model with a given score for each pair; NaN means not covered."""

    card = ModelCard(name="laid", family="pairs")

    def __init__(self, scores):
        self._scores = np.asarray(scores, np.float64)

    def score(self, pairs):
        return self._scores[: len(pairs)]


def pair_set(gold, *, name="mine", labelled=False, **columns) -> PairSet:
    """Make a set with this gold and further columns."""
    rows = [(f"a{number}", f"b{number}", float(value)) for number, value in enumerate(gold)]
    pairs = PairSet.of(rows, card=Card(name=name, title=name), labelled=labelled)
    return PairSet(
        pairs.frame.with_columns(pl.Series(key, value) for key, value in columns.items()), pairs.card
    )


def word_pairs(name="mine", *, labelled=False, count=50, seed=0) -> PairSet:
    """Make a set of random pairs of the tests' words, with random gold or alternating labels."""
    rng = np.random.default_rng(seed)
    rows = [
        (WORDS[i], WORDS[j], float(k % 2) if labelled else float(rng.random()))
        for k, (i, j) in enumerate(rng.integers(30, size=(count, 2)))
    ]
    return PairSet.of(rows, card=Card(name=name, title=name), labelled=labelled)


def laid_run(gold, systems, *, labelled=False, seed=0, out=None, **columns) -> Run:
    """Evaluate systems, given by their scores, on one set."""
    models = {name: Laid(scores) for name, scores in systems.items()}
    return evaluate(models, [pair_set(gold, labelled=labelled, **columns)], seed=seed, out=out)


def noisy(gold, noise, seed):
    """Return scores that follow the gold with this much noise."""
    gold = np.asarray(gold, np.float64)
    return gold + noise * np.random.default_rng(seed).standard_normal(gold.size)


class Trained(Laid):
    """A model with given scores whose card says what it was trained on."""

    def __init__(self, scores, sources):
        super().__init__(scores)
        self.card = ModelCard(name="trained", family="pairs", sources=sources)


def contaminated_run(*, sources=("umls",), made_of=("snomed-ct",), **options) -> Run:
    """Evaluate a model that was trained on these sources, and a clean one, on two sets, one made of this."""
    gold = np.arange(40.0)
    models = {"trained": Trained(noisy(gold, 4, 0), sources), "clean": Laid(noisy(gold, 9, 1))}
    mine, other = pair_set(gold), pair_set(gold, name="other", part=["x", "y"] * 20)
    mine = PairSet(
        mine.frame.with_columns(part=pl.Series(["x", "y"] * 20)),
        mine.card.model_copy(update={"made_of": made_of}),
    )
    return evaluate(models, [mine, other], **options)
