"""Precision, recall and F of things that were found, such as entities."""

from typing import NamedTuple

import numpy as np

from medgauge.arrays import Doubles


class FMeasure(NamedTuple):
    """Precision, recall and F, each an array (or a number) as the counts were."""

    precision: Doubles
    recall: Doubles
    f: Doubles


def f_measure(right: Doubles, found: Doubles, gold: Doubles) -> FMeasure:
    """Compute precision, recall and F from counts, elementwise.

        P = right / found,    R = right / gold,    F = 2 right / (found + gold)

    F is the harmonic mean of P and R, and 0 where only one of the two is undefined. Undefined, NaN: P where
    nothing was found, R where there is nothing to find, and F where both are so. (conlleval prints 0 there.)

    Reference: van Rijsbergen (1979). Information Retrieval, chapter 7.

    >>> [round(float(one), 4) for one in f_measure(*np.array([5.0, 7.0, 10.0]))]
    [0.7143, 0.5, 0.5882]
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return FMeasure(right / found, right / gold, 2 * right / (found + gold))
