"""What a trial draws: first weights, the order of the training windows, and which units are dropped."""

import math

import numpy as np

from medgauge.arrays import Flags, Floats, Integers

_LEVELS = 1 << 16


class TrialDraws:
    """The random choices of a trial, which are the same for all vectors and on every device.

    Weights, orders and dropped units have streams of their own. Networks with different vectors therefore
    start alike, and see the sentences in the same order: what differs between them is the vectors.
    """

    def __init__(self, seed: int, trial: int) -> None:
        self._weights, self._orders, self._units = np.random.default_rng([seed, trial]).spawn(3)

    def weights(self, into: int, out: int) -> Floats:
        """Draw the weights between two layers, uniform between ±√(6/(into + out)).

        Reference: Glorot and Bengio (2010). Understanding the difficulty of training deep feedforward neural
        networks. AISTATS 9:249-256.
        """
        limit = math.sqrt(6 / (into + out))
        return self._weights.uniform(-limit, limit, (into, out)).astype(np.float32)

    def order(self, count: int) -> Integers:
        """Draw the order of an epoch."""
        return self._orders.permutation(count)

    def kept(self, rows: int, units: int, dropout: float) -> Flags:
        """Draw which hidden units are kept, by a probability that is a multiple of 2⁻¹⁶."""
        drawn = self._units.integers(0, _LEVELS, (rows, units), dtype=np.uint16)
        return np.asarray(drawn >= round(dropout * _LEVELS), np.bool_)
