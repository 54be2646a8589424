"""Krippendorff's α: agreement of any number of raters beyond chance, with ratings missing."""

import math
import warnings
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import UndefinedWarning, UnknownNameError
from medgauge.stats.choices import Level

Floats = NDArray[np.float64]


def krippendorff_alpha(ratings: Floats, *, level: Level) -> float:
    """Krippendorff's α = 1 − Dₒ/Dₑ, the disagreement that is there against that of chance.

    `ratings` is pairs × raters, NaN where a rater did not rate; pairs with one rating do not count. With
    the coincidences oₓᵧ (how often x and y meet in a pair, each pair of its mᵤ ratings weighing 1/(mᵤ − 1)),
    their sums nₓ and n = Σ nₓ:

        Dₒ = Σ oₓᵧ δ²(x, y) / n        Dₑ = Σ nₓ nᵧ δ²(x, y) / (n (n − 1))

    δ² is 1 for different nominal values; (x − y)² for intervals; ((x − y)/(x + y))² for ratios, 0 for two
    zeros; and (Σ nᵥ over v from x to y − (nₓ + nᵧ)/2)² for ordinal ones. α is undefined, NaN with an
    UndefinedWarning, when no pair has two ratings, or all ratings are equal.

    Reference: Krippendorff (2004). Content Analysis, 2nd edition, chapter 11.

    >>> ratings = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [1.0, 2.0]])
    >>> round(krippendorff_alpha(ratings, level="nominal"), 4)
    0.6667
    """
    if level not in get_args(Level):
        raise UnknownNameError("level", level, get_args(Level))
    rated = ~np.isnan(ratings)
    several = rated.sum(axis=1) > 1
    values, codes = np.unique(ratings[several][rated[several]], return_inverse=True)
    if values.size < 2:
        reason = "all ratings are equal" if values.size else "no pair has two ratings"
        warnings.warn(f"Krippendorff's α is undefined: {reason}", UndefinedWarning, stacklevel=2)
        return math.nan
    counts = np.zeros((int(several.sum()), values.size))
    np.add.at(counts, (np.nonzero(rated[several])[0], codes), 1.0)
    weights = 1 / (counts.sum(axis=1) - 1)
    met = (counts * weights[:, None]).T @ counts
    coincidences = met - np.diag(weights @ counts)
    totals = counts.sum(axis=0)
    squares = order_squares(totals) if level == "ordinal" else value_squares(values, level)
    n = totals.sum()
    observed = (coincidences * squares).sum() / n
    expected = (np.outer(totals, totals) * squares).sum() / (n * (n - 1))
    return float(1 - observed / expected)


def value_squares(values: Floats, level: Level) -> Floats:
    """Give δ² of each two values that are not ordinal."""
    low, high = values[:, None], values[None, :]
    if level == "nominal":
        return np.asarray(low != high, np.float64)
    if level == "interval":
        return np.asarray(np.square(low - high))
    sums = low + high
    return np.asarray(np.square(np.divide(low - high, sums, out=np.zeros_like(sums), where=sums != 0)))


def order_squares(totals: Floats) -> Floats:
    """Give δ² of each two ordinal values, of which there are so many."""
    # Between x and y lie all ratings, and half of those at the ends.
    middles = np.cumsum(totals) - totals / 2
    return np.asarray(np.square(middles[:, None] - middles[None, :]))
