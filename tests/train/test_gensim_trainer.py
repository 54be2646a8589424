"""gensim's models, trained piece by piece, against gensim's own `train`."""

import sys
from collections import Counter

import numpy as np
import pytest

from medgauge.errors import MissingExtraError
from medgauge.train.gensim_trainer import GensimTrainer
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts
from tests.train.corpora import topic_text

models = pytest.importorskip("gensim.models")


@pytest.mark.parametrize("arch", ["sg", "cbow", "fasttext"])
def test_a_piece_changes_the_vectors_as_gensim_does(arch):
    sentences = [line.split() for line in topic_text(60).splitlines()]
    counts = WordCounts.of(Counter(word for line in sentences for word in line).items(), 1)
    parameters = TrainingParameters(arch=arch, dim=8, window=3, negative=4, sample=1e-2, min_count=1, seed=3)
    trainer = GensimTrainer(parameters, counts)
    before = trainer.vectors().copy()
    piece = [place for line in sentences for place in [*(counts.places[word] for word in line), -1]]
    trainer.learn(np.array(piece, np.int32), 0.05, seed=7)

    kind = models.FastText if arch == "fasttext" else models.Word2Vec
    options = {"vector_size": 8, "window": 3, "negative": 4, "sample": 1e-2, "min_count": 1, "seed": 3}
    model = kind(sg=int(arch != "cbow"), workers=1, **options)
    model.build_vocab_from_freq(dict(zip(counts.words, counts.counts.tolist(), strict=True)))
    model.random = np.random.RandomState(7)
    model.train(sentences, total_examples=60, epochs=1, start_alpha=0.05, end_alpha=0.05)
    np.testing.assert_array_equal(trainer.vectors(), np.array([model.wv[word] for word in counts.words]))
    assert not np.array_equal(trainer.vectors(), before)


def test_a_sample_of_1_keeps_every_word():
    counts = WordCounts(["gout", "rash"], np.array([1000, 10]))
    expected = counts.thresholds(1.0).tolist()
    trainer = GensimTrainer(TrainingParameters(dim=2, sample=1.0), counts)
    kept = [trainer._model.wv.get_vecattr(word, "sample_int") for word in counts.words]
    assert kept == expected == [2**32 - 1] * 2


def test_without_gensim_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gensim.models", None)
    with pytest.raises(MissingExtraError, match=r"needs the package gensim: run .*\[train\]"):
        GensimTrainer(TrainingParameters(), WordCounts(["gout"], np.array([5])))
