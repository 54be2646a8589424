"""Correction of p-values for the number of tests."""

import numpy as np
from numpy.typing import NDArray

from medgauge.stats.choices import Correction

Doubles = NDArray[np.float64]


def adjusted(p_values: Doubles, correction: Correction) -> Doubles:
    """Adjust p-values, so that each is to be held against the level of the whole family.

        bonferroni   m pᵢ
        holm         max over j ≤ i of (m − j + 1) p₍ⱼ₎
        bh           min over j ≥ i of (m / j) p₍ⱼ₎

    cut at 1, with p₍₁₎ ≤ … ≤ p₍ₘ₎. NaN stays NaN and is not counted as a test.

    References: Holm (1979), Scandinavian Journal of Statistics 6:65-70; Benjamini and Hochberg (1995),
    Journal of the Royal Statistical Society B 57:289-300.

    >>> adjusted(np.array([0.01, 0.02, 0.04]), "holm")
    array([0.03, 0.04, 0.04])
    """
    result = np.full(p_values.shape, np.nan)
    tested = ~np.isnan(p_values)
    tests = int(tested.sum())
    order = np.argsort(p_values[tested], kind="stable")
    rising = p_values[tested][order]
    place = np.arange(1, tests + 1)
    if correction == "bonferroni":
        corrected = tests * rising
    elif correction == "holm":
        corrected = np.maximum.accumulate((tests - place + 1) * rising)
    elif correction == "bh":
        corrected = np.minimum.accumulate((tests / place * rising)[::-1])[::-1]
    else:
        corrected = rising
    back = np.empty(tests)
    back[order] = np.minimum(corrected, 1.0)
    result[tested] = back
    return result


def interval_level(alpha: float, correction: Correction, *, tests: int, rejected: int | None = None) -> float:
    """Give the level of each interval that goes with the correction.

    α/m for Bonferroni, and for Holm, whose own intervals are no wider; α without a correction; for
    Benjamini-Hochberg α R/m with R rejected tests, at least α/m, at which the intervals of the rejected ones
    miss no larger share of true values than α.

    Reference: Benjamini and Yekutieli (2005), Journal of the American Statistical Association 100:71-81.

    >>> round(interval_level(0.05, "bonferroni", tests=253), 4)
    0.0002
    """
    if correction == "none" or tests == 0:
        return alpha
    return alpha * max(rejected or 1, 1) / tests if correction == "bh" else alpha / tests
