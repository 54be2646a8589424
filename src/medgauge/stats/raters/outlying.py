"""Raters who stand out: whose agreement with the others is far below the rest."""

import math
from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles

_GAP = 0.1
_SCORE = -3.5
RULE = f"IAA-1 at least {_GAP} below the median and a modified z-score below −{-_SCORE}"
"""When a rater stands out, in words."""


@dataclass(frozen=True)
class Outlier:
    """A rater, their agreement, the median of all and the modified z-score (−∞ if half are equal)."""

    rater: int
    agreement: float
    median: float
    score: float


def outlying(agreement: Doubles) -> list[Outlier]:
    """Find raters whose agreement with the others is far below the rest, lowest first.

    The modified z-score of rater j, with the median absolute deviation of all raters' agreement xⱼ, is

        zⱼ = 0.6745 (xⱼ − median) / MAD,    MAD = median |xₖ − median|

    A rater stands out when zⱼ < −3.5 and xⱼ is 0.1 or more below the median: where raters agree closely, a
    small difference would be many deviations. NaN means undefined agreement and never stands out.

    Reference: Iglewicz and Hoaglin (1993). How to Detect and Handle Outliers. ASQC, section 3.3.

    >>> [one.rater for one in outlying(np.array([0.71, 0.68, 0.32, 0.70, 0.66]))]
    [2]
    """
    defined = agreement[~np.isnan(agreement)]
    if not defined.size:
        return []
    median = float(np.median(defined))
    deviation = float(np.median(np.abs(defined - median)))
    found = []
    for rater in np.argsort(agreement, kind="stable").tolist():
        gap = median - float(agreement[rater])
        if not gap >= _GAP - 1e-12:
            break
        score = -0.6745 * gap / deviation if deviation else -math.inf
        if score < _SCORE:
            found.append(Outlier(rater, float(agreement[rater]), median, score))
    return found
