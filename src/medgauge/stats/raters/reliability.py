"""How reliable ratings are: intra-class correlations and Kendall's W, packed and panel by panel."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from medgauge.arrays import Doubles, Flags, Places, Positions
from medgauge.stats.raters.agreement_kernels import add_panel
from medgauge.stats.raters.kernel import no_two_ratings_differ, rated_by_several
from medgauge.stats.resampling.bootstrap import LANES, Weights
from medgauge.stats.resampling.weighted_ranks import sorted_rows
from medgauge.stats.settings import Level

FEWEST_OF_A_PANEL = 30  # pairs
_TINY = 1e-12  # a sum below this share of its terms is rounding


@dataclass(frozen=True)
class Panel:
    """Pairs (rows), and a rating of each by each of k raters, without gaps."""

    rows: Positions
    ratings: Doubles


class _Reliability:
    """Kendall's W and the ICC forms of panels, averaged with their pairs as weights.

    For n pairs and k raters without gaps, with the mean squares of the two-way analysis of variance between
    pairs (R), between raters (C) and of the residual (E), and within pairs (W):

        ICC(1)   = (R − W) / (R + (k − 1) W)                        ICC(k)   = (R − W) / R
        ICC(C,1) = (R − E) / (R + (k − 1) E)                        ICC(C,k) = (R − E) / R
        ICC(A,1) = (R − E) / (R + (k − 1) E + k (C − E) / n)        ICC(A,k) = (R − E) / (R + (C − E) / n)

    1: for one rating, k: for the mean of k. Raters are not distinguished, or consistency (C), for which it
    does not matter that a rater rates higher throughout, or absolute agreement (A), for which it does. And

        Kendall's W = 12 S / (k² (n³ − n) − k Σ Tⱼ)

    with S the sum of squared deviations of the pairs' rank sums from their mean, ranks being averaged over
    ties, and Tⱼ = Σ (t³ − t) over rater j's groups of t tied pairs. A ratio whose denominator cancels out up
    to rounding is undefined, and so are all ratios for fewer than two pairs or raters.

    References: McGraw and Wong (1996). Forming inferences about some intraclass correlation coefficients.
    Psychological Methods 1:30-46. Kendall and Gibbons (1990). Rank Correlation Methods, 5th edition,
    chapter 6.
    """

    names: ClassVar[tuple[str, ...]] = ("kendall_w", "icc_1", "icc_k", "icc_c1", "icc_ck", "icc_a1", "icc_ak")

    def __init__(self, panels: Sequence[Panel]) -> None:
        self.panels = panels
        self._prepared = [_prepared(panel) for panel in panels]

    @property
    def pairs(self) -> int:
        """The number of pairs in all panels."""
        return sum(panel.rows.size for panel in self.panels)

    @property
    def raters(self) -> int | None:
        """The number of raters in each panel, None where it differs."""
        sizes = {panel.ratings.shape[1] for panel in self.panels}
        return sizes.pop() if len(sizes) == 1 else None

    @property
    def fewest_ratings(self) -> int:
        """The number of raters in the smallest panel; 0 without panels."""
        return min((panel.ratings.shape[1] for panel in self.panels), default=0)

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill W and the ICC forms."""
        shape = (LANES, len(self.names))
        sums, counted = np.zeros(shape), np.zeros(shape)
        for panel in self._prepared:
            add_panel(weights, *panel, sums, counted)
        rows[:] = np.divide(sums, counted, out=np.full_like(sums, np.nan), where=counted > 0)[: len(rows)]


class Packed(_Reliability):
    """W and ICC of the ratings of each pair side by side, as if by the same raters."""

    prefix: ClassVar[str] = "packed_"

    def __init__(self, ratings: Doubles, _level: Level) -> None:
        self._ratings = ratings
        self._panel = packed(ratings)
        super().__init__([self._panel] if self._panel.rows.size else [])

    @property
    def raters(self) -> int:
        """The number of ratings of each pair."""
        return int(self._panel.ratings.shape[1])

    @property
    def packed_panels(self) -> int:
        """The number of panels that the ratings come from."""
        return len(np.unique(np.isnan(self._ratings[self._panel.rows]), axis=0))

    def reason(self, _name: str) -> str:
        """Return why a figure is undefined."""
        return no_two_ratings_differ(self._ratings) or _reason(self._panel)


class ByPanel(_Reliability):
    """W and ICC of each panel (pairs with the same raters), averaged with their pairs as weights."""

    prefix: ClassVar[str] = "panel_"

    def __init__(self, ratings: Doubles, _level: Level) -> None:
        self._ratings = ratings
        super().__init__(panels_of(ratings))

    def reason(self, _name: str) -> str:
        """Return why a figure is undefined."""
        if len(self.panels) == 1:
            return no_two_ratings_differ(self._ratings) or _reason(self.panels[0])
        if self.panels:
            return f"it is undefined in each of the {len(self.panels):,} panels"
        unrated = np.isnan(self._ratings[rated_by_several(self._ratings)])
        if (np.unique(unrated, axis=0, return_counts=True)[1] > 1).any():
            return f"no panel has {FEWEST_OF_A_PANEL} pairs"
        return "no two pairs were rated by the same annotators"


def packed(ratings: Doubles) -> Panel:
    """Put the ratings of each pair side by side, in the order of the columns, as if by the same k raters.

    `ratings` is pairs × raters, NaN where a rater did not rate; k is the number of ratings that most pairs
    have, at least two, and the larger in a tie; the other pairs are left out. Since a column then has the
    ratings of several raters, figures depend slightly on the order.

    >>> nan = np.nan
    >>> packed(np.array([[1.0, nan, 2.0], [nan, 3.0, 4.0], [5.0, nan, nan]])).ratings
    array([[1., 2.],
           [3., 4.]])
    """
    rated = ~np.isnan(ratings)
    counts = rated.sum(axis=1)
    sizes, pairs = np.unique(counts[counts > 1], return_counts=True)
    if not sizes.size:
        return Panel(np.empty(0, np.intp), np.empty((0, 0)))
    k = int(sizes[pairs == pairs.max()].max())
    rows = np.flatnonzero(counts == k)
    return Panel(rows, ratings[rows][rated[rows]].reshape(rows.size, k))


def panels_of(ratings: Doubles) -> list[Panel]:
    """Split the pairs by who rated them; panels of one rater or one pair have nothing to compare.

    If there are several, those with fewer than 30 pairs are left out: their ICC has an unbounded bias.

    >>> nan = np.nan
    >>> found = panels_of(np.array([[1.0, nan, 2.0], [nan, 3.0, 4.0], [5.0, nan, 6.0], [7.0, nan, nan]]))
    >>> [panel.rows.tolist() for panel in found]
    [[0, 2]]
    """
    rated = ~np.isnan(ratings)
    together: dict[bytes, list[int]] = {}
    for row, by in enumerate(rated):
        together.setdefault(by.tobytes(), []).append(row)
    found = []
    for rows in map(np.array, together.values()):
        raters = np.flatnonzero(rated[rows[0]])
        if rows.size > 1 and raters.size > 1:
            found.append(Panel(rows, ratings[np.ix_(rows, raters)]))
    return [panel for panel in found if panel.rows.size >= FEWEST_OF_A_PANEL or len(found) == 1]


def _prepared(panel: Panel) -> tuple[Places, Doubles, Places, Flags]:
    """Return the pairs, their ratings and, for each rater, the order of these and where a tie ends."""
    order, ends = sorted_rows(np.ascontiguousarray(panel.ratings.T))
    # Ratings are centred, so that sums of squares lose no digits.
    return panel.rows.astype(np.int32), panel.ratings - panel.ratings.mean(), order, ends


def _reason(panel: Panel) -> str:
    """Return why a figure of a panel is undefined: the first of these that holds."""
    pairs, raters = panel.ratings.shape
    if pairs < 2:
        return f"only 1 pair has {raters} ratings"
    if np.ptp(panel.ratings) == 0:
        return f"all {panel.ratings.size:,} ratings of its {pairs:,} pairs are equal"
    if np.ptp(panel.ratings, axis=0).max() == 0:
        return f"all {pairs:,} pairs have the same ratings"
    if np.ptp(panel.ratings.mean(axis=1)) <= _TINY * np.abs(panel.ratings).max():
        return f"all {pairs:,} pairs have the same mean rating"
    return "the terms of its denominator cancel out"
