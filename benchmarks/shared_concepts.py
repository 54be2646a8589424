"""Made-up pairs that share concepts, for the calibrations of `medgauge compare`."""

import math

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.differences.dyadic import Dyads

MANY, FEW = 2_263 / 3_630, 1.5
"""Concepts for each pair: as in EHR-RelB, and so many that most pairs share none."""

_OWN = 0.5  # noise of a score besides that of its concepts


def drawn_dyads(pairs: int, concepts: float, rng: np.random.Generator) -> Dyads:
    """Draw two different concepts for each pair."""
    count = round(pairs * concepts)
    first = rng.integers(0, count, pairs)
    return Dyads(first, (first + rng.integers(1, count, pairs)) % count)


def of_concepts(dyads: Dyads, systems: int, rng: np.random.Generator) -> Doubles:
    """Draw values of pairs (systems × pairs) that are the sums of their concepts' values."""
    values = rng.standard_normal((systems, int(max(dyads.first.max(), dyads.second.max())) + 1))
    return np.asarray(values[:, dyads.first] + values[:, dyads.second], np.float64)


def errors(dyads: Dyads, rng: np.random.Generator, *, by_concept: bool) -> Doubles:
    """Draw the errors of two systems, of the same variance whether they come from concepts or from pairs."""
    pairs = dyads.first.size
    shared = of_concepts(dyads, 2, rng) if by_concept else math.sqrt(2) * rng.standard_normal((2, pairs))
    return np.asarray(shared + _OWN * rng.standard_normal((2, pairs)), np.float64)
