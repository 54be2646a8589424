"""Intervals over raters: the jackknife that leaves out one rater at a time."""

from collections.abc import Callable, Mapping

import numpy as np

from medgauge.arrays import Doubles, Positions
from medgauge.stats.raters.kernel import rated_by_several
from medgauge.stats.resampling.jackknife import FEWEST_UNITS, Limits, jackknife_interval
from medgauge.stats.resampling.span import Span

FEWEST_RATERS = FEWEST_UNITS
MOST_BLOCKS = 100
"""The most blocks of raters that are left out; each takes as long as the figures themselves."""


def rater_blocks(ratings: Doubles) -> list[Positions]:
    """Return the raters (columns) to leave out together: each alone, or blocks if there are more than 100.

    Raters who share no pair with another are left out, as no figure depends on them. Blocks are dealt in
    turn, since neighbours may have rated the same pairs.

    >>> rater_blocks(np.array([[1.0, 2.0, np.nan, 1.0], [np.nan, np.nan, 3.0, np.nan]]))
    [array([0]), array([1]), array([3])]
    """
    rated = ~np.isnan(ratings[rated_by_several(ratings)])
    linked = np.flatnonzero(rated.any(axis=0))
    count = min(linked.size, MOST_BLOCKS)
    return [linked[start::count] for start in range(count)]


def figures_without(
    figures: Callable[[Doubles], Mapping[str, float]], ratings: Doubles, blocks: list[Positions]
) -> dict[str, Doubles]:
    """Compute figures of ratings (pairs × raters) without each block of raters, by their names.

    >>> def mean(ratings):
    ...     return {"mean": float(np.nanmean(ratings))}
    >>> figures_without(mean, np.array([[1.0, 2.0, 6.0]]), [np.array([0]), np.array([2])])
    {'mean': array([4. , 1.5])}
    """
    found = [figures(np.delete(ratings, block, axis=1)) for block in blocks]
    names = found[0] if found else ()
    return {name: np.array([one[name] for one in found]) for name in names}


def spearman_brown(single: float, k: float) -> float:
    """Return the reliability of the mean of k ratings from that of a single one, k x / (1 + (k − 1) x).

    Reference: Spearman (1910) and Brown (1910). British Journal of Psychology 3:271-322.

    >>> spearman_brown(0.5, 3)
    0.75
    """
    return k * single / (1 + (k - 1) * single)


def interval_over_raters(estimate: float, without: Doubles, level: float, *, span: Span) -> Limits:
    """Return the jackknife's interval over raters, from five raters up.

    It holds the pairs fixed and takes the raters as a sample of all who might have rated them. Raters are not
    resampled: a rater drawn twice would agree with a copy of themselves. `without` has the figure without
    each rater, or block of raters.
    """
    return jackknife_interval(estimate, without, level, span=span, unit="annotator")
