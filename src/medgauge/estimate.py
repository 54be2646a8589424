"""Estimate: a value with its interval, and the reason when it is undefined."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from medgauge.errors import InputError

CONFIDENCE = 0.95
"""The default confidence of intervals."""


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval, and the number of pairs (or models, terms, …) it is based on.

    NaN is undefined: `undefined` then says why, in words ("all 855 scores are equal"). A defined value can
    still lack an interval, where one would claim more than is known; `no_interval` may say why.

    >>> Estimate(0.61, 0.55, 0.66, n=300).is_defined, Estimate(undefined="no pair is covered").is_defined
    (True, False)
    """

    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    confidence: float = CONFIDENCE
    n: int = 0
    undefined: str | None = None
    no_interval: str | None = None

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


def undefined_sentences(reasons: Mapping[str, str], *, most: int | None = None) -> list[str]:
    """Return a sentence for each reason why figures are undefined, without its full stop.

    `reasons` maps the name of each undefined figure to its reason; a sentence names at most `most` figures.

    >>> undefined_sentences({"α": "no pair has two ratings", "W": "no pair has two ratings"})
    ['α and W are undefined: no pair has two ratings']
    >>> undefined_sentences(dict.fromkeys("abc", "all 9 scores are equal"), most=1)
    ['a and 2 more are undefined: all 9 scores are equal']
    """
    return [
        f"{_listed(names, most, 'is', 'are')} undefined: {reason}"
        for reason, names in _by_reason(reasons).items()
    ]


def no_interval_sentences(reasons: Mapping[str, str], *, most: int | None = None) -> list[str]:
    """Return a sentence for each reason why figures have no interval, as `undefined_sentences` does.

    >>> no_interval_sentences({"ρ of a": "the order is perfect"})
    ['ρ of a has no interval: the order is perfect']
    """
    return [
        f"{_listed(names, most, 'has', 'have')} no interval: {reason}"
        for reason, names in _by_reason(reasons).items()
    ]


def _by_reason(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        names.setdefault(reason, []).append(name)
    return names


def _listed(names: list[str], most: int | None, one: str, several: str) -> str:
    if len(names) == 1:
        return f"{names[0]} {one}"
    if most is not None and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    return f"{', '.join(names[:-1])} and {names[-1]} {several}"
