"""How far a model's scores put each pair from where the gold has it."""

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles


def ranks_from_top(values: Doubles) -> Doubles:
    """Rank values, 1 for the highest; equal values share the average of their ranks.

    >>> ranks_from_top(np.array([0.2, 0.9, 0.2, 0.5]))
    array([3.5, 1. , 3.5, 2. ])
    """
    return np.asarray(stats.rankdata(-values), np.float64)


def wrong_sides(labels: Doubles, scores: Doubles) -> Doubles:
    """Return, for each pair, the share of pairs with the other label that lie on the wrong side of it.

    For a positive pair, these are the negatives that score higher; for a negative pair, the positives that
    score lower; ties count half. The mean over the positives is 1 − AUC, and so is that over the negatives.
    Undefined, NaN, where no pair has the other label. By ranks, in O(n log n).

    Reference: DeLong et al. (1988). Comparing the areas under two or more correlated receiver operating
    characteristic curves. Biometrics 44:837-845; the shares are 1 less its components.

    >>> wrong_sides(np.array([1.0, 1, 0, 0]), np.array([0.9, 0.3, 0.4, 0.3]))
    array([0.  , 0.75, 0.5 , 0.25])
    """
    positive = labels == 1
    shares = np.full(labels.size, np.nan)
    ranks = ranks_from_top(scores)
    for side, wrongly_above in ((positive, True), (~positive, False)):
        others = labels.size - int(side.sum())
        if others and side.any():
            above = ranks[side] - ranks_from_top(scores[side])
            shares[side] = (above if wrongly_above else others - above) / others
    return shares
