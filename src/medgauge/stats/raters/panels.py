"""Reliability of ratings where each pair has some of the raters: packed, and panel by panel."""

from dataclasses import dataclass, fields

import numpy as np

from medgauge.arrays import Doubles, Positions
from medgauge.stats.raters.reliability import IntraclassCorrelations, intraclass_correlations, kendall_w

FEWEST_OF_A_PANEL = 30  # pairs


@dataclass(frozen=True)
class Panel:
    """Pairs (rows), and a rating of each by each of k raters: no gaps."""

    rows: Positions
    ratings: Doubles


@dataclass(frozen=True)
class PanelReliability:
    """Kendall's W and the ICC forms."""

    kendall_w: float
    icc: IntraclassCorrelations

    @property
    def figures(self) -> Doubles:
        """W, and then the six ICC in their order."""
        return np.array([self.kendall_w, *(getattr(self.icc, one.name) for one in fields(self.icc))])


def packed(ratings: Doubles) -> Panel:
    """Put the ratings of each pair side by side, in the order of the columns, as if by the same k raters.

    `ratings` is pairs × raters, NaN where a rater did not rate; k is the number of ratings that most pairs
    have, two or more, of equally many the larger, and the other pairs are left out. Since a column then has
    the ratings of several raters, figures depend, a little, on the order.

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
    """Part the pairs by who rated them; panels of one rater or one pair have nothing to compare.

    Where there are several, those of fewer than 30 pairs are left out: ICC is biased there, without bound.

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


def reliability(panel: Panel) -> PanelReliability:
    """Compute W and ICC of a panel; NaN with an UndefinedWarning where they are undefined."""
    return PanelReliability(kendall_w(panel.ratings), intraclass_correlations(panel.ratings))


def averaged(figures: Doubles, weights: Doubles) -> Doubles:
    """Average panels' figures (rows) with weights, each over the panels where it is defined.

    >>> averaged(np.array([[0.5, np.nan], [0.8, 0.4]]), np.array([1.0, 2.0]))
    array([0.7, 0.4])
    """
    weighed = np.where(np.isnan(figures), 0.0, weights[:, None])
    sums, total = (np.nan_to_num(figures) * weighed).sum(axis=0), weighed.sum(axis=0)
    means: Doubles = np.divide(sums, total, out=np.full(sums.size, np.nan), where=total > 0)
    return means
