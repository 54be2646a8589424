"""What trains: an object with the arrays that training changes, and a method that trains on a piece."""

from typing import Protocol

import numpy as np

from medgauge.arrays import Floats, Places
from medgauge.errors import InputError, option


class Trainer(Protocol):
    """Trains word vectors on one piece of a corpus after another; several threads may do so at once."""

    @property
    def arrays(self) -> dict[str, Floats]:
        """Everything that training changes, by name; to go on from a checkpoint they are overwritten."""

    def learn(self, piece: Places, rate: float, seed: int) -> None:
        """Train on a piece, with a learning rate and a seed for what is drawn."""

    def vectors(self) -> Floats:
        """Return the vector of each word, in the order of the vocabulary."""


def initial_rows(count: int, dim: int, seed: int) -> Floats:
    """Return rows as word2vec begins with: uniform between ±1/2, divided by the dimensions."""
    rows = np.random.default_rng(seed).random((count, dim), np.float32)
    return (rows - np.float32(0.5)) / np.float32(dim)


def check_finite(trainer: Trainer, lr: float) -> None:
    """Refuse to keep what has grown without bound, as it does with a learning rate that is too high."""
    with np.errstate(invalid="ignore"):  # a sum is finite if all numbers are, and needs no second array
        sums = [array.sum(dtype=np.float64) for array in trainer.arrays.values()]
    if not np.isfinite(sums).all():
        raise InputError(
            f"the vectors are no longer finite numbers; train again with {option('lr')} lower than {lr:g}"
        )
