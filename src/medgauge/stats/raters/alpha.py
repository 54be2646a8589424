"""Krippendorff's α: agreement beyond chance of any number of raters, with missing ratings."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, get_args

import numpy as np

from medgauge.arrays import Doubles, Places, Positions
from medgauge.errors import InputError, UnknownNameError
from medgauge.estimate import Estimate
from medgauge.stats.raters.agreement_kernels import add_disagreements, add_ratios, count_values, spread_on
from medgauge.stats.raters.kernel import fewest_ratings, no_two_ratings_differ, plain_estimates
from medgauge.stats.resampling.bootstrap import LANES, Weights
from medgauge.stats.settings import Level


def krippendorff_alpha(ratings: Doubles, *, level: Level) -> Estimate:
    """Compute Krippendorff's α = 1 − Dₒ/Dₑ, observed against expected disagreement; no interval.

    `ratings` is pairs × raters, NaN where a rater did not rate; pairs with one rating do not count. With
    the coincidences oₓᵧ (how often x and y meet in a pair, each two of its mᵤ ratings with weight
    1/(mᵤ − 1)), their sums nₓ and n = Σ nₓ:

        Dₒ = Σ oₓᵧ δ²(x, y) / n        Dₑ = Σ nₓ nᵧ δ²(x, y) / (n (n − 1))

    δ² is 1 for different nominal values; (x − y)² for intervals; ((x − y)/(x + y))² for ratios, 0 for two
    zeros; and (Σ nᵥ over v from x to y − (nₓ + nᵧ)/2)² for ordinal ones. Ordinal and interval values lie on a
    line, on which Σ (f − g)² over all ordered twos of m of them is 2 m Σ (f − f̄)². α is undefined when no
    pair has two ratings, or all ratings are equal.

    Reference: Krippendorff (2004). Content Analysis, 2nd edition, chapter 11.

    >>> ratings = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [1.0, 2.0]])
    >>> round(krippendorff_alpha(ratings, level="nominal").value, 4)
    0.6667
    """
    return plain_estimates(Alpha(ratings, level), len(ratings))["alpha"]


class Alpha:
    """Krippendorff's α: the coded ratings, and everything that does not depend on the weights of pairs.

    That is the places of interval values on their line, and δ² within each pair for nominal values and
    ratios.
    """

    names: ClassVar[tuple[str, ...]] = ("alpha",)
    prefix: ClassVar[str] = ""

    def __init__(self, ratings: Doubles, level: Level) -> None:
        coded = Coded.of(ratings)
        check_level(level, coded.values)
        self._ratings = ratings
        self._level = level
        self._coded: tuple[Places, Places, Places] = (
            coded.rows.astype(np.int32),
            coded.starts.astype(np.int32),
            coded.codes.astype(np.int32),
        )
        self._values = coded.values
        centred = coded.values - (coded.values.mean() if coded.values.size else 0.0)
        self._line = np.repeat(centred[:, None], LANES, axis=1)
        self._disagreements = _disagreements(coded, level) if level in ("nominal", "ratio") else np.empty(0)

    @property
    def pairs(self) -> int:
        """The number of pairs with two ratings or more."""
        return self._coded[0].size

    @property
    def fewest_ratings(self) -> int:
        """The fewest ratings of a pair with two or more."""
        return fewest_ratings(self._ratings)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill α."""
        totals = np.zeros_like(self._line)
        count_values(weights, *self._coded, totals)
        n = totals.sum(axis=0)
        observed, expected = np.zeros(LANES), np.zeros(LANES)
        if self._level in ("ordinal", "interval"):
            # Between x and y lie all ratings in between and half of those at the ends.
            line = np.cumsum(totals, axis=0) - totals / 2 if self._level == "ordinal" else self._line
            spread_on(line, weights, *self._coded, totals, observed, expected)
        else:
            add_disagreements(weights, self._coded[0], self._disagreements, observed)
            if self._level == "nominal":
                expected = n * n - (totals**2).sum(axis=0)
            else:
                add_ratios(totals, self._values, expected)
        # For equal ratings, the expected disagreement may be only rounding.
        differ = (np.count_nonzero(totals, axis=0) > 1) & (expected > 0)
        ratio = np.divide((n - 1) * observed, expected, out=np.full(LANES, np.nan), where=differ)
        rows[:, 0] = 1 - ratio[: len(rows)]

    def reason(self, _name: str) -> str:
        """Return why α is undefined."""
        return no_two_ratings_differ(self._ratings) or "the differences between ratings are too small"


@dataclass(frozen=True)
class Coded:
    """The ratings of pairs (rows) with several, pair by pair from each start, as indices into `values`."""

    rows: Positions
    starts: Positions
    codes: Positions
    values: Doubles

    @classmethod
    def of(cls, ratings: Doubles) -> "Coded":
        """Code the values by their order; `starts` has one more entry, the end, than there are rows."""
        rated = ~np.isnan(ratings)
        counts = rated.sum(axis=1)
        rows = np.flatnonzero(counts > 1)
        values, codes = np.unique(ratings[rows][rated[rows]], return_inverse=True)
        return cls(rows, np.concatenate([[0], np.cumsum(counts[rows])]), codes, values)


def check_level(level: Level, values: Doubles) -> None:
    """Refuse an unknown level, and ratios of negative numbers."""
    if level not in get_args(Level):
        raise UnknownNameError("level", level, get_args(Level))
    if level == "ratio" and (values < 0).any():
        raise InputError("negative ratings have no ratios; use the level interval")


def _disagreements(coded: Coded, level: Level) -> Doubles:
    """Sum δ² over all ordered twos of each pair's m ratings, over m − 1, for nominal values and ratios."""
    found = np.empty(coded.rows.size)
    for pair, (start, end) in enumerate(pairwise(coded.starts.tolist())):
        codes = coded.codes[start:end]
        if level == "nominal":
            apart = codes.size**2 - np.square(np.unique(codes, return_counts=True)[1]).sum()
        else:
            apart = _ratio_squares(coded.values[codes]).sum()
        found[pair] = apart / (codes.size - 1)
    return found


def _ratio_squares(values: Doubles) -> Doubles:
    """Return δ² of ratios between every two values, 0 for two zeros."""
    sums = values[:, None] + values
    apart = values[:, None] - values
    return np.asarray(np.square(np.divide(apart, sums, out=np.zeros_like(sums), where=sums != 0)))
