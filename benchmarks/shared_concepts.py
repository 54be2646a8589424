"""Made-up pairs that share concepts, for the calibrations of `medgauge compare`."""

import math
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.differences.dyadic import Dyads

_OWN = 0.5  # noise of a score besides that of its concepts
_LEAST = 12  # concepts


@dataclass(frozen=True)
class Sharing:
    """How many concepts there are for each pair, and whether only one side shares them."""

    concepts: float
    one_side: bool = False

    def draw(self, pairs: int, rng: np.random.Generator) -> Dyads:
        """Draw two different concepts for each pair."""
        count = max(round(pairs * self.concepts), _LEAST if not self.one_side else _LEAST // 2)
        first = rng.integers(0, count, pairs)
        if self.one_side:
            return Dyads(first, count + np.arange(pairs))
        return Dyads(first, (first + rng.integers(1, count, pairs)) % count)


EHR_REL = Sharing(2_263 / 3_630)
"""As many concepts as EHR-RelB has."""


def of_concepts(dyads: Dyads, systems: int, rng: np.random.Generator) -> Doubles:
    """Draw values of pairs (systems × pairs) that are the sums of their concepts' values."""
    values = rng.standard_normal((systems, int(max(dyads.first.max(), dyads.second.max())) + 1))
    return np.asarray(values[:, dyads.first] + values[:, dyads.second], np.float64)


def errors(dyads: Dyads, rng: np.random.Generator, *, by_concept: bool, systems: int = 2) -> Doubles:
    """Draw the errors of systems, of the same variance whether they come from concepts or from pairs."""
    own = rng.standard_normal((2, systems, dyads.first.size))
    shared = of_concepts(dyads, systems, rng) if by_concept else math.sqrt(2) * own[0]
    return np.asarray(shared + _OWN * own[1], np.float64)
