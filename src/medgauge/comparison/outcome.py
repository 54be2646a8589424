"""The outcome of one contest, before the total number of tests is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from medgauge.arrays import Doubles

RANK_DRAWS = 10_000
"""Draws for ranks where nothing is resampled."""


class PairedDifference(Protocol):
    """The difference of two systems on the same pairs."""

    @property
    def estimate(self) -> float:
        """The first figure less the second."""

    @property
    def p_value(self) -> float:
        """The p-value of the test that there is no difference."""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true difference with probability `level`."""


@dataclass(frozen=True)
class Outcome:
    """The systems' `figures`, the difference of any two, and the resamples for their ranks.

    `resampled` are their figures on resamples, or drawn (rows × systems). `beyond` counts the resamples
    beyond the end of an interval with the fewest. `interval` returns that of a system's own figure at a
    level, where groups of pairs make it differ from the run's. `untested` says why a p-value is undefined, if
    one is.
    """

    test: str
    figures: Doubles
    resampled: Doubles
    resamples: int | None
    difference: Callable[[int, int], PairedDifference]
    beyond: float | None = None
    interval: Callable[[int, float], tuple[float, float]] | None = None
    untested: str | None = None
