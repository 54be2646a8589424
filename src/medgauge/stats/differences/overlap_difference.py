"""The difference of two systems' category overlaps on the same triples of terms."""

import math

import numpy as np

from medgauge.stats.differences.paired import NormalDifference
from medgauge.stats.systems.category_overlap import OverlapCounts


def overlap_difference(one: OverlapCounts, two: OverlapCounts) -> NormalDifference:
    """Compare the category overlaps of two systems on the same triples.

        O₁ − O₂ ± t √(S_A/|A| + S_B/|B| + S_C/|C|)

    S_A, S_B and S_C are the sample variances of the differences between the two systems in the share of
    errors of each a, each b and each c, so that what the two have in common cancels; t is Student's, with
    Satterthwaite's degrees of freedom. Undefined, NaN, with fewer than two terms in a category.

    References: as for `overlap`; Satterthwaite (1946), Biometrics Bulletin 2:110-114.

    >>> from medgauge.stats.systems.category_overlap import overlap_counts
    >>> near, far = np.array([[3.0, 4, 6], [2, 5, 5]]), np.array([[1.0, 2, 5, 1], [3, 0, 1, 4]])
    >>> found = overlap_difference(overlap_counts(near, far), overlap_counts(near, far + 1))
    >>> round(found.estimate, 4), round(found.deviation, 4), round(found.freedom, 2)
    (-0.2083, 0.0992, 5.37)
    """
    triples = one.triples
    sides = list(zip(one.projections, two.projections, strict=True))
    fewest = min(first.size for first, _ in sides)
    estimate = (one.errors - two.errors) / triples if triples else math.nan
    if fewest < 2:
        return NormalDifference(estimate, math.nan, fewest)
    variances = [float(np.var(first - second, ddof=1)) / first.size for first, second in sides]
    total = sum(variances)
    if not any((first != second).any() for first, second in sides) or total < 1e-28:
        return NormalDifference(estimate, 0.0, fewest)
    weighted = sum(v**2 / (first.size - 1) for v, (first, _) in zip(variances, sides, strict=True))
    return NormalDifference(estimate, math.sqrt(total), fewest, freedom=total**2 / weighted)
