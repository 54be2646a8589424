"""Krippendorff's α: agreement of any number of raters beyond chance, with ratings missing."""

import math
import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import get_args

import numpy as np

from medgauge.arrays import Doubles, Positions
from medgauge.errors import InputError, UndefinedWarning, UnknownNameError
from medgauge.stats.settings import Level


def krippendorff_alpha(ratings: Doubles, *, level: Level) -> float:
    """Krippendorff's α = 1 − Dₒ/Dₑ, the disagreement that is there against that of chance.

    `ratings` is pairs × raters, NaN where a rater did not rate; pairs with one rating do not count. With
    the coincidences oₓᵧ (how often x and y meet in a pair, each pair of its mᵤ ratings weighing 1/(mᵤ − 1)),
    their sums nₓ and n = Σ nₓ:

        Dₒ = Σ oₓᵧ δ²(x, y) / n        Dₑ = Σ nₓ nᵧ δ²(x, y) / (n (n − 1))

    δ² is 1 for different nominal values; (x − y)² for intervals; ((x − y)/(x + y))² for ratios, 0 for two
    zeros; and (Σ nᵥ over v from x to y − (nₓ + nᵧ)/2)² for ordinal ones. Ordinal and interval values lie on a
    line, on which Σ (f − g)² over all ordered twos of m of them is 2 m Σ (f − f̄)². α is undefined, NaN with
    an UndefinedWarning, when no pair has two ratings, or all ratings are equal.

    Reference: Krippendorff (2004). Content Analysis, 2nd edition, chapter 11.

    >>> ratings = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [1.0, 2.0]])
    >>> round(krippendorff_alpha(ratings, level="nominal"), 4)
    0.6667
    """
    coded = Coded.of(ratings)
    check_level(level, coded.values)
    if coded.values.size < 2:
        reason = "all ratings are equal" if coded.values.size else "no pair has two ratings"
        warnings.warn(f"Krippendorff's α is undefined: {reason}", UndefinedWarning, stacklevel=2)
        return math.nan
    totals = np.bincount(coded.codes, minlength=coded.values.size).astype(np.float64)
    n = totals.sum()
    if level in ("ordinal", "interval"):
        # Between x and y lie all ratings, and half of those at the ends.
        line = np.cumsum(totals) - totals / 2 if level == "ordinal" else coded.values
        line = line - (totals @ line) / n
        observed = _apart_on(line[coded.codes], coded)
        expected = 2 * n * (totals @ line**2)
    else:
        observed = disagreements(coded, level).sum()
        expected = n * n - totals @ totals if level == "nominal" else _ratios_apart(coded.values, totals)
    return float(1 - (n - 1) * observed / expected)


@dataclass(frozen=True)
class Coded:
    """The ratings of pairs (rows) with several, pair by pair from their start on, as places in `values`."""

    rows: Positions
    starts: Positions
    codes: Positions
    values: Doubles

    @classmethod
    def of(cls, ratings: Doubles) -> "Coded":
        """Give the different values numbers, in order; `starts` has one end more than there are rows."""
        rated = ~np.isnan(ratings)
        counts = rated.sum(axis=1)
        rows = np.flatnonzero(counts > 1)
        values, codes = np.unique(ratings[rows][rated[rows]], return_inverse=True)
        return cls(rows, np.concatenate([[0], np.cumsum(counts[rows])]), codes, values)


def check_level(level: Level, values: Doubles) -> None:
    """Refuse a level that there is not, and ratios of numbers under 0."""
    if level not in get_args(Level):
        raise UnknownNameError("level", level, get_args(Level))
    if level == "ratio" and (values < 0).any():
        raise InputError("ratings under 0 have no ratios; take the level interval")


def disagreements(coded: Coded, level: Level) -> Doubles:
    """Sum δ² over all ordered twos of each pair's m ratings, over m − 1, for nominal values and ratios."""
    found = np.empty(coded.rows.size)
    for pair, (start, end) in enumerate(pairwise(coded.starts.tolist())):
        codes = coded.codes[start:end]
        if level == "nominal":
            apart = codes.size**2 - np.square(np.unique(codes, return_counts=True)[1]).sum()
        else:
            apart = _ratios_apart(coded.values[codes], np.ones(codes.size))
        found[pair] = apart / (codes.size - 1)
    return found


def _apart_on(line: Doubles, coded: Coded) -> float:
    """Sum (f − g)² over all ordered twos of each pair's m ratings on a line, over m − 1."""
    sizes = np.diff(coded.starts)
    means = np.add.reduceat(line, coded.starts[:-1]) / sizes
    squares = np.add.reduceat((line - np.repeat(means, sizes)) ** 2, coded.starts[:-1])
    return float((2 * sizes * squares / (sizes - 1)).sum())


def ratio_squares(one: float, others: Doubles) -> Doubles:
    """Give δ² of ratios between a value and others, 0 for two zeros."""
    sums = one + others
    return np.asarray(np.square(np.divide(one - others, sums, out=np.zeros_like(sums), where=sums != 0)))


def _ratios_apart(values: Doubles, counts: Doubles) -> float:
    """Sum δ² of ratios over all ordered twos of values, each of which is there so many times."""
    rows = zip(values.tolist(), counts.tolist(), strict=True)
    return sum(float(count * (counts @ ratio_squares(value, values))) for value, count in rows)
