"""Estimate: a value with its interval, and the reason when there is none."""

import math
from dataclasses import dataclass

from medgauge.errors import InputError

CONFIDENCE = 0.95
"""The confidence of intervals unless another one is asked for."""


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval, and the number of pairs (or models, terms, …) it rests on.

    NaN is undefined: `undefined` then says why, in words ("all 855 scores are equal"). A value that is
    defined can still have no interval, as one of certainty would claim too much.

    >>> Estimate(0.61, 0.55, 0.66, n=300).is_defined, Estimate(undefined="no pair is covered").is_defined
    (True, False)
    """

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    confidence: float = CONFIDENCE
    n: int = 0
    undefined: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the interval; NaN where there is none."""
        return self.low, self.high


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is not between 0 and 1.

    >>> check_confidence(0.95)
    """
    if not 0 < confidence < 1:
        raise InputError(f"the confidence must be between 0 and 1, such as 0.95, not {confidence:g}")
