"""Every overall figure of agreement on resamples of the pairs, and on the pairs without each one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from medgauge.arrays import Doubles, Flags, Places
from medgauge.stats.raters.agreement_kernels import (
    add_disagreements,
    add_panel,
    add_ratios,
    count_values,
    spread_on,
    weighted_mean,
)
from medgauge.stats.raters.alpha import Coded, check_level, disagreements, ratio_squares
from medgauge.stats.raters.compared import each_two, with_mean
from medgauge.stats.raters.comparisons import Comparisons
from medgauge.stats.raters.panels import Panel, packed, panels_of
from medgauge.stats.raters.upper_bound import FEWEST_OF_THE_BEST
from medgauge.stats.resampling.bootstrap import LANES, Resampled, Weights, resample
from medgauge.stats.resampling.weighted_ranks import sorted_rows
from medgauge.stats.settings import Level

RELIABILITY = ("kendall_w", "icc_1", "icc_k", "icc_c1", "icc_ck", "icc_a1", "icc_ak")
FIGURES = (
    "alpha",
    *(f"packed_{name}" for name in RELIABILITY),
    *(f"panel_{name}" for name in RELIABILITY),
    "mean_rho",
    "iaa_1",
    "iaa_2",
    "human_upper_bound",
    "human_upper_bound_excluding_self",
    "mean_sd",
)
"""The figures, as the columns of what `resample_agreement` gives."""

LEFT_OUT = 1_000  # blocks of pairs: enough for skewness and standard errors, where each takes long


def resample_agreement(
    ratings: Doubles,
    *,
    level: Level,
    resamples: int,
    rng: np.random.Generator,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Resampled:
    """Compute the FIGURES on resamples of pairs (rows of `ratings`; columns are raters, NaN is not rated).

    Raters are compared, and pairs are in panels, as on all pairs; what a resample leaves undefined does not
    count in its means and averages. The figures are those of krippendorff_alpha, kendall_w,
    intraclass_correlations, rater_agreement and human_upper_bound on the rows of the resample, and the mean
    standard deviation of a pair's ratings.

    >>> ratings = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [4.0, 6.0]])
    >>> found = resample_agreement(ratings, level="interval", resamples=2, rng=np.random.default_rng(0))
    >>> dict(zip(FIGURES, found.whole.round(3).tolist(), strict=True))["packed_icc_c1"]
    0.737
    """
    parts: list[_Part] = [
        _Alpha(ratings, level),
        _Reliability([packed(ratings)]),
        _Reliability(panels_of(ratings)),
        _Correlations.of(ratings),
        _Deviations.of(ratings),
    ]
    ends = np.cumsum([part.figures for part in parts])

    def compute(weights: Weights, rows: Doubles) -> None:
        for part, end in zip(parts, ends.tolist(), strict=True):
            part.compute(weights, rows[:, end - part.figures : end])

    return resample(
        compute,
        np.arange(len(ratings)),
        figures=len(FIGURES),
        resamples=resamples,
        rng=rng,
        most_left_out=LEFT_OUT,
        workers=workers,
        advance=advance,
    )


class _Part(Protocol):
    """Some of the figures, and what is prepared for them once."""

    @property
    def figures(self) -> int:
        """How many there are."""

    def compute(self, weights: Weights, rows: Doubles) -> None:
        """Fill the figures, a row for each of the first lanes of `weights`."""


class _Alpha:
    """The coded ratings, and what does not depend on how often a pair is drawn.

    That is where interval values lie on their line, δ² within each pair of nominal values and ratios, and δ²
    of each two ratios.
    """

    figures = 1

    def __init__(self, ratings: Doubles, level: Level) -> None:
        coded = Coded.of(ratings)
        check_level(level, coded.values)
        self._level = level
        self._coded = (_places(coded.rows), _places(coded.starts), _places(coded.codes))
        values = coded.values
        self._line = np.repeat((values - values.mean() if values.size else values)[:, None], LANES, axis=1)
        fixed = level in ("nominal", "ratio")
        self._disagreements = disagreements(coded, level) if fixed else np.empty(0)
        ratios = [ratio_squares(value, values) for value in values.tolist()] if level == "ratio" else []
        self._squares = np.array(ratios).reshape(len(ratios), len(ratios))

    def compute(self, weights: Weights, rows: Doubles) -> None:
        totals = np.zeros_like(self._line)
        count_values(weights, *self._coded, totals)
        n = totals.sum(axis=0)
        observed, expected = np.zeros(LANES), np.zeros(LANES)
        if self._level in ("ordinal", "interval"):
            line = np.cumsum(totals, axis=0) - totals / 2 if self._level == "ordinal" else self._line
            spread_on(line, weights, *self._coded, totals, observed, expected)
        else:
            add_disagreements(weights, self._coded[0], self._disagreements, observed)
            if self._level == "nominal":
                expected = n * n - (totals**2).sum(axis=0)
            else:
                add_ratios(totals, self._squares, expected)
        differ = np.count_nonzero(totals, axis=0) > 1  # of equal ratings, what is expected may be rounding
        ratio = np.divide((n - 1) * observed, expected, out=np.full(LANES, np.nan), where=differ)
        rows[:, 0] = 1 - ratio[: len(rows)]


class _Reliability:
    """Panels, whose W and ICC are averaged, weighed by their pairs."""

    figures = len(RELIABILITY)

    def __init__(self, panels: Sequence[Panel]) -> None:
        # Ratings are taken from their mean, so that sums of squares lose no digits.
        self._panels = [
            (_places(panel.rows), panel.ratings - panel.ratings.mean(), *_panel_order(panel))
            for panel in panels
            if panel.rows.size
        ]

    def compute(self, weights: Weights, rows: Doubles) -> None:
        sums, counted = np.zeros((LANES, self.figures)), np.zeros((LANES, self.figures))
        for panel in self._panels:
            add_panel(weights, *panel, sums, counted)
        rows[:] = np.divide(sums, counted, out=np.full_like(sums, np.nan), where=counted > 0)[: len(rows)]


@dataclass(frozen=True)
class _Correlations:
    """The comparisons of raters: each two, then each with the others' mean, and the best with either mean.

    `raters` has a 1 for each rater (row) and each two (column) that they are one of.
    """

    comparisons: Comparisons
    raters: "csr_array"
    twos: slice
    with_others: slice
    best_with_own: slice
    best_without: slice
    figures = 5

    @classmethod
    def of(cls, ratings: Doubles) -> "_Correlations":
        twos = each_two(ratings)
        others = with_mean(ratings, own=False)
        best = [with_mean(ratings, own=own, fewest=FEWEST_OF_THE_BEST) for own in (True, False)]
        ends = np.cumsum([len(twos), len(others), len(best[0]), len(best[1])]).tolist()
        places = np.array([[one.rater, one.other] for one in twos], np.int64).reshape(-1, 2)
        raters = csr_array(
            (np.ones(places.size), (places.ravel(), np.repeat(np.arange(len(twos)), 2))),
            shape=(ratings.shape[1], len(twos)),
        )
        return cls(
            Comparisons.of([*twos, *others, *best[0], *best[1]]),
            raters,
            slice(0, ends[0]),
            *(slice(start, end) for start, end in pairwise(ends)),
        )

    def compute(self, weights: Weights, rows: Doubles) -> None:
        rhos = self.comparisons.rhos(weights)[:, : len(rows)]
        defined = ~np.isnan(rhos)
        values = np.where(defined, rhos, 0.0)
        rows[:, 0] = _mean_of_rows(values[self.twos], defined[self.twos])
        counts = self.raters @ defined[self.twos].astype(np.float64)
        means = np.divide(
            self.raters @ values[self.twos], counts, out=np.zeros_like(counts), where=counts > 0
        )
        rows[:, 1] = _mean_of_rows(means, counts > 0)
        rows[:, 2] = _mean_of_rows(values[self.with_others], defined[self.with_others])
        for column, best in ((3, self.best_with_own), (4, self.best_without)):
            highest = np.where(defined[best], rhos[best], -np.inf).max(axis=0, initial=-np.inf)
            rows[:, column] = np.where(highest > -np.inf, highest, np.nan)


@dataclass(frozen=True)
class _Deviations:
    """The pairs that have a standard deviation, and it."""

    rows: Places
    deviations: Doubles
    figures = 1

    @classmethod
    def of(cls, ratings: Doubles) -> "_Deviations":
        several = np.flatnonzero((~np.isnan(ratings)).sum(axis=1) > 1)
        return cls(_places(several), np.nanstd(ratings[several], axis=1, ddof=1))

    def compute(self, weights: Weights, rows: Doubles) -> None:
        means = np.empty(LANES)
        weighted_mean(weights, self.rows, self.deviations, means)
        rows[:, 0] = means[: len(rows)]


def _places(values: NDArray[np.integer]) -> Places:
    return values.astype(np.int32)


def _panel_order(panel: Panel) -> tuple[Places, Flags]:
    """Give for each rater of a panel its pairs in the order of their ratings, and where a tie ends."""
    order, ends = sorted_rows(np.ascontiguousarray(panel.ratings.T))
    return order, ends


def _mean_of_rows(values: Doubles, counted: Flags) -> Doubles:
    """Average each column over the rows that count; NaN where none does."""
    counts = counted.sum(axis=0)
    sums = values.sum(axis=0)
    means: Doubles = np.divide(sums, counts, out=np.full(sums.size, np.nan), where=counts > 0)
    return means
