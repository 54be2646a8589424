"""Recall at 1: how often the right candidate is the most similar one."""

import numpy as np

from medgauge.arrays import Doubles


def recall_at_one(own: Doubles, others: Doubles) -> Doubles:
    """Return for each query whether its answer is more similar to it than all other candidates.

        r = 0                   if another candidate is more similar than the answer
        r = 1 / (1 + ties)      otherwise, with the number of others that are as similar

    so that a tie counts as often as an answer drawn from the tied candidates would be right. `own` has the
    similarity of each query to its answer, `others` (queries × candidates) to the other candidates, NaN where
    one is not a candidate of a query or has no similarity. r is NaN for a query without `own`.

    >>> recall_at_one(np.array([0.9, 0.5, 0.5]), np.array([[0.1, 0.2], [0.5, 0.1], [0.6, np.nan]]))
    array([1. , 0.5, 0. ])
    """
    beaten = (others > own[:, None]).any(axis=1)
    tied = (others == own[:, None]).sum(axis=1)
    found = np.where(beaten, 0.0, 1 / (1 + tied))
    return np.where(np.isnan(own), np.nan, found)
