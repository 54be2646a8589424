"""The outcome of one contest, before the total number of tests is known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from medgauge.arrays import Doubles

Ends = tuple[float, float]
"""The ends of an interval."""

RANK_DRAWS = 10_000
"""Resamples, or draws where nothing is resampled, for the ranges of ranks."""


SHARED = ", with the errors of pairs that share concepts"
"""After the name of a test that allows for them."""


class PairedDifference(Protocol):
    """The difference of two systems on the same pairs."""

    @property
    def estimate(self) -> float:
        """The first figure minus the second."""

    @property
    def deviation(self) -> float:
        """The standard error of the difference; 0 where every pair contributes the same."""

    @property
    def freedom(self) -> float:
        """The degrees of freedom of the standard error; infinite where the test does not use them."""

    @property
    def largest(self) -> float:
        """The largest difference that there can be."""

    @property
    def p_value(self) -> float:
        """The p-value of the test that there is no difference."""

    @property
    def floored(self) -> bool:
        """Whether the p-value is the smallest that the test can give, so that the true one may be smaller."""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true difference with probability `level`."""


def unchanged(_system: int, _figure: float, ends: Ends) -> Ends:
    """Return the interval of a figure as it is."""
    return ends


@dataclass(frozen=True)
class Outcome:
    """The systems' `figures`, the difference of any two, and the resamples for their ranks.

    `parts` are what each pair contributes to each figure (systems × pairs; they sum to 0). `resampled` are
    the figures on resamples, or drawn (rows × systems). `swaps` counts those of the test with the most, if it
    swaps. `interval` returns that of a system's own figure at a level, where groups of pairs make it differ
    from the run's; `widened` makes the run's wider where pairs share concepts, from a system's number, figure
    and interval. `untested` says why a p-value is undefined, if one is; `no_interval` why the interval of the
    difference of two systems is refused.
    """

    test: str
    figures: Doubles
    parts: Doubles
    resampled: Doubles
    difference: Callable[[int, int], PairedDifference]
    swaps: int | None = None
    interval: Callable[[int, float], Ends] | None = None
    widened: Callable[[int, float, Ends], Ends] = unchanged
    untested: str | None = None
    no_interval: Callable[[int, int], str | None] = lambda _one, _two: None
