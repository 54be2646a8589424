"""The architectures that medgauge's own kernels train."""

from collections.abc import Callable

import numpy as np

from medgauge.arrays import Floats, Places
from medgauge.train.encoded_corpus import EncodedCorpus
from medgauge.train.trainers import Trainer, initial_rows
from medgauge.train.training_kernels import learn_attention, learn_pairs, learn_structured
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts


class _KernelTrainer:
    """The arrays that all kernels have: a row for each word, and output rows for each word and position."""

    def __init__(
        self, parameters: TrainingParameters, counts: WordCounts, *, positions: int, drawn: WordCounts
    ) -> None:
        self.parameters = parameters
        self.keep = counts.thresholds(parameters.sample)
        self.table = drawn.table()
        self.inputs = initial_rows(len(counts.words), parameters.dim, parameters.seed)
        self.outputs = np.zeros((len(drawn.words), positions, parameters.dim), np.float32)

    @property
    def arrays(self) -> dict[str, Floats]:
        """Everything that training changes."""
        return {"inputs": self.inputs, "outputs": self.outputs}

    def vectors(self) -> Floats:
        """Return the input row of each word."""
        return self.inputs


class StructuredTrainer(_KernelTrainer):
    """Structured skip-gram."""

    def __init__(self, parameters: TrainingParameters, counts: WordCounts, _encoded: EncodedCorpus) -> None:
        super().__init__(parameters, counts, positions=2 * parameters.window, drawn=counts)

    def learn(self, piece: Places, rate: float, seed: int) -> None:
        """Train on a piece."""
        window, negative = self.parameters.window, self.parameters.negative
        learn_structured(
            piece,
            self.keep,
            self.table,
            self.inputs,
            self.outputs,
            window,
            negative,
            np.float32(rate),
            np.uint64(seed),
        )


class AttentionTrainer(_KernelTrainer):
    """CBOW with attention; every weight and bias of the attention is 0 at first, as its authors have it."""

    def __init__(self, parameters: TrainingParameters, counts: WordCounts, _encoded: EncodedCorpus) -> None:
        super().__init__(parameters, counts, positions=1, drawn=counts)
        self.weights = np.zeros((len(counts.words), 2 * parameters.window), np.float32)
        self.biases = np.zeros(2 * parameters.window, np.float32)

    @property
    def arrays(self) -> dict[str, Floats]:
        """Everything that training changes."""
        return {**super().arrays, "weights": self.weights, "biases": self.biases}

    def learn(self, piece: Places, rate: float, seed: int) -> None:
        """Train on a piece."""
        learn_attention(
            piece,
            self.keep,
            self.table,
            self.inputs,
            self.outputs,
            self.weights,
            self.biases,
            self.parameters.window,
            self.parameters.negative,
            np.float32(rate),
            np.uint64(seed),
        )


class PairTrainer(_KernelTrainer):
    """Skip-gram on pairs of a word and a context."""

    def __init__(self, parameters: TrainingParameters, counts: WordCounts, encoded: EncodedCorpus) -> None:
        assert encoded.contexts is not None
        super().__init__(parameters, counts, positions=1, drawn=encoded.contexts)

    def learn(self, piece: Places, rate: float, seed: int) -> None:
        """Train on a piece."""
        learn_pairs(
            piece,
            self.keep,
            self.table,
            self.inputs,
            self.outputs,
            self.parameters.negative,
            np.float32(rate),
            np.uint64(seed),
        )


KERNEL_TRAINERS: dict[str, Callable[[TrainingParameters, WordCounts, EncodedCorpus], Trainer]] = {
    "ssg": StructuredTrainer,
    "attention": AttentionTrainer,
    "dependency": PairTrainer,
}
