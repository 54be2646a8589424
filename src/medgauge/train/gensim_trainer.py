"""Skip-gram, CBOW and fastText, trained by gensim's compiled functions."""

from itertools import pairwise
from typing import Any

import numpy as np

from medgauge.arrays import Floats, Places
from medgauge.errors import MissingExtraError
from medgauge.train.training_kernels import SENTENCE_END
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts


class GensimTrainer:
    """A model of gensim, given one piece after another.

    Pieces are given to what gensim's own threads call for a batch: `train` would neither stop for a
    checkpoint within an epoch nor draw the same after one.
    """

    def __init__(self, parameters: TrainingParameters, counts: WordCounts) -> None:
        try:
            from gensim.models import FastText, Word2Vec
        except ImportError as error:
            raise MissingExtraError("gensim", extra="train") from error
        self._words = counts.words
        # For the words of a piece at once; with dtype=str, every word would need the room of the longest.
        self._texts = np.array(counts.words, object)
        self._with_parts = parameters.arch == "fasttext"
        kind: Any = FastText if self._with_parts else Word2Vec
        self._model = kind(
            sg=int(parameters.arch != "cbow"),
            vector_size=parameters.dim,
            window=parameters.window,
            negative=parameters.negative,
            # gensim takes a share of 1, by which every word is kept, for a count.
            sample=parameters.sample if parameters.sample < 1 else 0.0,
            alpha=parameters.lr,
            seed=parameters.seed,
            min_count=1,  # of what is counted already
        )
        self._model.build_vocab_from_freq(dict(zip(counts.words, counts.counts.tolist(), strict=True)))

    @property
    def arrays(self) -> dict[str, Floats]:
        """Everything that training changes."""
        words = self._model.wv
        if self._with_parts:
            return {
                "words": words.vectors_vocab,
                "parts": words.vectors_ngrams,
                "outputs": self._model.syn1neg,
            }
        return {"words": words.vectors, "outputs": self._model.syn1neg}

    def learn(self, piece: Places, rate: float, seed: int) -> None:
        """Train on a piece."""
        words = self._texts[piece].tolist()  # with some word in place of each end
        ends = np.flatnonzero(piece == SENTENCE_END).tolist()
        texts = [words[start + 1 : end] for start, end in pairwise([-1, *ends]) if end > start + 1]
        dim = self._model.layer1_size
        work, sums = np.zeros(dim, np.float32), np.zeros(dim, np.float32)
        self._model.random = np.random.RandomState(seed % 2**32)
        self._model._do_train_job(texts, rate, (work, sums))

    def vectors(self) -> Floats:
        """Return the vector of each word; for fastText, the mean of its own and those of its n-grams."""
        words = self._model.wv
        if self._with_parts:
            words.adjust_vectors()
        rows: Floats = words.vectors[[words.key_to_index[word] for word in self._words]]
        return rows
