"""Correction of p-values for the number of tests."""

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.settings import Correction


def adjusted(p_values: Doubles, correction: Correction) -> Doubles:
    """Adjust p-values, so that each can be compared with the level of the whole family.

        bonferroni   m pᵢ
        holm         max over j ≤ i of (m − j + 1) p₍ⱼ₎
        bh           min over j ≥ i of (m / j) p₍ⱼ₎

    cut at 1, with p₍₁₎ ≤ … ≤ p₍ₘ₎. NaN stays NaN, and counts as a test that found nothing.

    References: Holm (1979), Scandinavian Journal of Statistics 6:65-70; Benjamini and Hochberg (1995),
    Journal of the Royal Statistical Society B 57:289-300.

    >>> adjusted(np.array([0.01, 0.02, 0.04]), "holm")
    array([0.03, 0.04, 0.04])
    """
    tests = p_values.size
    order = np.argsort(p_values, kind="stable")  # NaN comes last
    rising = np.where(np.isnan(p_values), 1.0, p_values)[order]
    place = np.arange(1, tests + 1)
    if correction == "bonferroni":
        corrected = tests * rising
    elif correction == "holm":
        corrected = np.maximum.accumulate((tests - place + 1) * rising)
    elif correction == "bh":
        corrected = np.minimum.accumulate((tests / place * rising)[::-1])[::-1]
    else:
        corrected = rising
    result = np.empty(tests)
    result[order] = np.minimum(corrected, 1.0)
    return np.where(np.isnan(p_values), np.nan, result)


def interval_level(alpha: float, correction: Correction, *, tests: int) -> float:
    """Return the level of each interval under the correction: α/m for m tests, α without one.

    With Bonferroni's correction an interval excludes 0 exactly when its test is significant. Holm's and
    Benjamini and Hochberg's find more: their intervals are as wide, and may include 0 though the test is
    significant.

    >>> round(interval_level(0.05, "bonferroni", tests=253), 4)
    0.0002
    """
    return alpha if correction == "none" else alpha / tests
