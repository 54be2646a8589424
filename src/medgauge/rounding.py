"""Rounding of what was computed from columns of numbers, so that equal values are equal."""

import math

import numpy as np

from medgauge.arrays import Doubles


def without_noise(values: Doubles) -> Doubles:
    """Round means, differences and the like to thirteen digits, so that binary fractions break no tie.

    The digits are those of the largest value; NaN stays.

    >>> without_noise(np.array([(0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3, (1.7 + 1.4) / 2]))
    array([0.2 , 0.2 , 1.55])
    """
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0)
    return values.round(13 - math.ceil(math.log10(largest))) if largest else values
