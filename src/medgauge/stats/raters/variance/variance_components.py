"""Variance components of ratings with gaps: how far pairs, raters and the rest vary, by REML."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import lsqr

from medgauge.arrays import Doubles, Integers

Point = tuple[float, float]
"""σ²_pair / (σ²_pair + σ²_residual) and σ²_rater / (σ²_rater + σ²_residual), each from 0 to 1."""

_Cells = Any  # an array, or a sparse one, whose products are arrays too
_STARTS: tuple[Point, ...] = ((0.5, 0.05), (0.5, 0.3), (0.1, 0.1), (0.1, 0.5), (0.9, 0.5))
_BEST = 2  # starts that are followed
_NEAR_ONE = 1 - 1e-8  # a share at which the residual is as good as 0
_ADDITIVE = 1e-7  # of the sum of squares: a smaller residual there is rounding
_TOGETHER = 32  # levels that are solved at once, where groups of raters are smaller
_DENSE = 200_000  # cells up to which sparse products are not faster
_DIFFERENCE = 1e-5  # of a share, for the curvature
_STEPS, _CONVERGED = 12, 1e-11  # Newton's steps, at most, and the size of a share's last
_CHORDS, _CLOSE = 8, 1e-7  # the same with the curvature of similar ratings
_ZERO = 1e-10  # a share up to which a variance is 0 up to rounding
_ROUNDING = 1e-9  # by which the criterion may rise, as a share
_TINY = 1e-12


@dataclass(frozen=True)
class VarianceComponents:
    """The variances of a rating: of the true values of pairs, of raters' offsets, and of the rest.

    `curvature` is that of the criterion at the estimate, None where there is none; the search for similar
    ratings may start from here.
    """

    pair: float
    rater: float
    residual: float
    curvature: Doubles | None = field(default=None, repr=False, compare=False)

    @property
    def point(self) -> Point:
        """Both shares."""
        shares = [one / (one + self.residual) if one > 0 else 0.0 for one in (self.pair, self.rater)]
        return shares[0], shares[1]


@dataclass(frozen=True)
class CrossedRatings:
    """Ratings as a list: `values`, each with the number, from 0, of its pair and of its rater.

    A rater rates a pair at most once, and numbers may be missing.
    """

    pairs: Integers
    raters: Integers
    values: Doubles

    @classmethod
    def of(cls, ratings: Doubles) -> "CrossedRatings":
        """List the ratings of pairs × raters, NaN where a rater did not rate."""
        pairs, raters = np.nonzero(~np.isnan(ratings))
        return cls(pairs, raters, ratings[pairs, raters])

    def drawn(self, times: Integers) -> "CrossedRatings":
        """Take each pair a number of times, as different pairs with the same ratings."""
        copies = times[self.pairs]
        ends = np.cumsum(times)
        first = np.repeat((ends - times)[self.pairs], copies)
        number = np.arange(first.size) - np.repeat(np.cumsum(copies) - copies, copies)
        return CrossedRatings(first + number, np.repeat(self.raters, copies), np.repeat(self.values, copies))

    def why_undefined(self) -> str | None:
        """Return why the components cannot be told apart, None if they can.

        They can if the matrices of pairs, of raters and of single ratings, each without the mean, are
        linearly independent, and ratings are left to tell the residual from the effects of pairs and raters.
        """
        if not self.values.size:
            return "no pair has two ratings"
        of_pair, of_rater = np.bincount(self.pairs), np.bincount(self.raters)
        if of_pair.max() < 2:
            return "no pair has two ratings"
        if np.ptp(self.values) == 0:
            return f"all {self.values.size:,} ratings are equal"
        if np.count_nonzero(of_pair) < 2:
            return "only 1 pair was rated"
        if of_rater.max() < 2:
            return "no annotator rated two pairs"
        groups = _groups(self)
        levels = np.count_nonzero(of_pair) + np.count_nonzero(of_rater) - len(set(groups.tolist()))
        if self.values.size <= levels or not _are_independent(self):
            return "too few pairs were rated by the same annotators"
        first = np.zeros(of_rater.size)
        first[self.raters] = self.values
        if (self.values == first[self.raters]).all():
            return f"all {np.count_nonzero(of_pair):,} pairs have the same ratings"
        return None


def variance_components(
    ratings: CrossedRatings, *, near: VarianceComponents | None = None
) -> VarianceComponents:
    """Estimate the variance components of ratings with gaps by restricted maximum likelihood (REML).

    Each rating is the mean plus the effects of its pair and its rater, plus a residual, all independent:

        yᵢⱼ = μ + aᵢ + bⱼ + eᵢⱼ,    var a = σ²_pair, var b = σ²_rater, var e = σ²_residual

    With H = V/σ²_residual, the likelihood is profiled over μ and σ²_residual = y′Py / (n − 1), and

        (n − 1) ln y′Py + ln|H| + ln 1′H⁻¹1,    P = H⁻¹ − H⁻¹1 (1′H⁻¹1)⁻¹ 1′H⁻¹

    is minimised over two shares between 0 and 1. The matrix of one factor is diagonal: it is eliminated, and
    what is left is as large as the other, separately for raters who share no pairs. Estimates are never
    negative. Without gaps, and where they are all above 0, they are those of the two-way analysis of
    variance. If the ratings fit pairs and raters exactly, the residual is 0, and the others are the variances
    of their effects.

    The components must not be undefined (`why_undefined`). `near` are those of nearly the same ratings, from
    which a few steps with their curvature lead to within 10⁻⁷ of the shares.

    Reference: Patterson and Thompson (1971). Recovery of inter-block information when block sizes are
    unequal. Biometrika 58:545-554. The same estimates as lme4's for `rating ~ 1 + (1|pair) + (1|rater)`.

    >>> nan = math.nan
    >>> ratings = np.array([[1.0, 2, nan, 4], [3, nan, 5, 4], [2, 2, 3, nan], [5, 6, nan, 6], [nan, 4, 5, 7]])
    >>> found = variance_components(CrossedRatings.of(ratings))
    >>> [round(one, 3) for one in (found.pair, found.rater, found.residual)]
    [1.987, 0.643, 0.624]
    """
    likelihood = _Likelihood(ratings)
    best = None
    if near is not None and near.curvature is not None:
        best = _newton(likelihood, likelihood.at(near.point), near.curvature, steps=_CHORDS, close=_CLOSE)
    if best is None:
        if likelihood.at((_NEAR_ONE, _NEAR_ONE)).squares <= _ADDITIVE * likelihood.total:
            return _without_residual(ratings)
        starts = sorted(map(likelihood.at, _STARTS), key=lambda one: one.deviance)[:_BEST]
        best = min((_search(likelihood, one) for one in starts), key=lambda one: one.deviance)
    residual = best.squares / (ratings.values.size - 1)
    pair, rater = (share / (1 - share) * residual if share > _ZERO else 0.0 for share in best.point)
    curvature = _curvature(likelihood, best) if near is None else None
    return VarianceComponents(pair, rater, residual, curvature)


def _groups(ratings: CrossedRatings) -> Integers:
    """Return the group of each rating: raters and pairs that are linked by ratings."""
    raters = int(ratings.raters.max()) + 1
    size = raters + int(ratings.pairs.max()) + 1
    edges = csr_array(
        (np.ones(ratings.values.size), (ratings.raters, raters + ratings.pairs)), shape=(size, size)
    )
    return np.asarray(connected_components(edges, directed=False)[1][ratings.raters])


def _are_independent(ratings: CrossedRatings) -> bool:
    """Return whether the matrices of the components, without the mean, are linearly independent."""
    n = ratings.values.size
    a, b = np.bincount(ratings.pairs).astype(float), np.bincount(ratings.raters).astype(float)
    a2, b2 = (a**2).sum(), (b**2).sum()
    crossed = (a[ratings.pairs] * b[ratings.raters]).sum()
    aa, bb = (x2 - 2 * (x**3).sum() / n + x2**2 / n**2 for x, x2 in ((a, a2), (b, b2)))
    ab = n - 2 * crossed / n + a2 * b2 / n**2
    gram = np.array([[n - 1, n - a2 / n, n - b2 / n], [n - a2 / n, aa, ab], [n - b2 / n, ab, bb]])
    lengths = np.sqrt(np.diag(gram))
    if lengths.min() <= _TINY * n:
        return False
    return bool(np.linalg.eigvalsh(gram / np.outer(lengths, lengths))[0] > 1e-9)


def _without_residual(ratings: CrossedRatings) -> VarianceComponents:
    """Return the variances of the effects of pairs and raters, which the ratings fit exactly."""
    pairs, raters = (np.unique(one, return_inverse=True)[1] for one in (ratings.pairs, ratings.raters))
    count, n = int(pairs.max()) + 1, ratings.values.size
    rows = np.repeat(np.arange(n), 2)
    columns = np.stack([pairs, count + raters], axis=1).ravel()
    design = csr_array((np.ones(2 * n), (rows, columns)))
    effects = lsqr(design, ratings.values - ratings.values.mean(), atol=1e-14, btol=1e-14)[0]
    variances = [float(of.var(ddof=1)) if of.size > 1 else 0.0 for of in (effects[:count], effects[count:])]
    return VarianceComponents(variances[0], variances[1], 0.0)


@dataclass(frozen=True)
class _Value:
    """The profiled REML criterion at a point, its slopes, and y′Py."""

    point: Point
    deviance: float
    slopes: Doubles
    squares: float


class _Likelihood:
    """The profiled REML criterion of ratings, as a function of both shares."""

    def __init__(self, ratings: CrossedRatings) -> None:
        values = ratings.values - ratings.values.mean()
        self.n = values.size
        self.total = float(values @ values)
        self._blocks = [
            _Block.of(ratings.pairs[rows], ratings.raters[rows], values[rows]) for rows in _together(ratings)
        ]

    def at(self, point: Point) -> _Value:
        """Compute the criterion at a point."""
        ratios = np.array([share / (1 - share) for share in point])
        sums = sum((block.sums(ratios) for block in self._blocks), np.zeros(12))
        log_det, ones, ones_y, squares = sums[:4]
        traces, of_y, of_both, of_ones = sums[4:].reshape(4, 2)
        mean = ones_y / ones
        left = max(float(squares - ones_y * mean), _TINY * _TINY * self.total)
        explained = of_y - 2 * mean * of_both + mean**2 * of_ones
        slopes = traces - of_ones / ones - (self.n - 1) * explained / left
        deviance = (self.n - 1) * math.log(left) + log_det + math.log(ones)
        return _Value(point, float(deviance), slopes * (1 + ratios) ** 2, left)


def _together(ratings: CrossedRatings) -> list[Integers]:
    """Return the ratings of each group of raters, small groups several at a time."""
    groups = _groups(ratings)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sizes = [
        min(np.unique(one[rows]).size for one in (ratings.pairs, ratings.raters))
        for rows in np.split(order, starts[1:])
    ]
    filled = np.cumsum(sizes) // _TOGETHER
    new = np.flatnonzero(np.diff(filled, prepend=-1))
    return [rows for rows in np.split(order, starts[new[1:]]) if rows.size]


@dataclass(frozen=True)
class _Block:
    """The ratings of some groups of raters, with the factor of more levels eliminated.

    `kept` is the place of the other factor (0: pairs, 1: raters), `cells` which level of it (rows) met which
    of the eliminated (columns). `counts` and `totals` are the number and the sum of the ratings of each
    level, kept and eliminated; `within` is the sum of squares within the eliminated levels.
    """

    kept: int
    cells: _Cells
    counts: tuple[Doubles, Doubles]
    totals: tuple[Doubles, Doubles]
    within: float

    @classmethod
    def of(cls, pairs: Integers, raters: Integers, values: Doubles) -> "_Block":
        levels = [np.unique(one, return_inverse=True)[1] for one in (pairs, raters)]
        kept = int(levels[1].max() <= levels[0].max())
        rows, columns = levels[kept], levels[1 - kept]
        cells: _Cells = csr_array((np.ones(values.size), (rows, columns)))
        if math.prod(cells.shape) <= _DENSE:
            cells = cells.toarray()
        counts = np.bincount(rows).astype(float), np.bincount(columns).astype(float)
        totals = _sums(rows, values), _sums(columns, values)
        within = float(((values - (totals[1] / counts[1])[columns]) ** 2).sum())
        return cls(kept, cells, counts, totals, within)

    def sums(self, ratios: Doubles) -> Doubles:
        """Return ln|H|, 1′H⁻¹1, 1′H⁻¹y and y′H⁻¹y, then four sums for each of both factors.

        With the factor's matrix Z, f = Z′H⁻¹y and g = Z′H⁻¹1, these are tr Z′H⁻¹Z, f′f, f′g and g′g.
        """
        outer, inner = float(ratios[self.kept]), float(ratios[1 - self.kept])
        (kept, gone), (kept_totals, gone_totals) = self.counts, self.totals
        shrunk = 1 / (1 + inner * gone)
        product = _weighted(self.cells, inner * shrunk)
        reduced = np.diag(kept) - _dense(product @ self.cells.T)
        left = np.eye(kept.size) + outer * reduced
        inverse = np.linalg.inv(left)
        u, v = kept - product @ gone, kept_totals - product @ gone_totals
        g, f = inverse @ u, inverse @ v
        log_det = -np.log(shrunk).sum() + 2 * np.log(np.diag(np.linalg.cholesky(left))).sum()
        ones = gone @ shrunk - outer * (u @ g)
        ones_y = gone_totals @ shrunk - outer * (u @ f)
        squares = self.within + (gone_totals**2 / gone) @ shrunk - outer * (v @ f)
        gone_g = shrunk * (gone - outer * (g @ self.cells))
        gone_f = shrunk * (gone_totals - outer * (f @ self.cells))
        trace = float((inverse * reduced).sum())
        crossed = _dense(_weighted(self.cells, shrunk**2) @ self.cells.T)
        gone_trace = gone @ shrunk - outer * float((inverse * crossed).sum())
        both = np.array(
            [
                (trace, gone_trace),
                (f @ f, gone_f @ gone_f),
                (f @ g, gone_f @ gone_g),
                (g @ g, gone_g @ gone_g),
            ]
        )
        return np.concatenate(
            [(log_det, ones, ones_y, squares), (both if self.kept == 0 else both[:, ::-1]).ravel()]
        )


def _sums(levels: Integers, values: Doubles) -> Doubles:
    return np.asarray(np.bincount(levels, values), np.float64)


def _dense(matrix: _Cells) -> Doubles:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.toarray())


def _weighted(cells: _Cells, weights: Doubles) -> _Cells:
    """Multiply the columns of cells, all of which are 1 or nothing, by weights."""
    if isinstance(cells, np.ndarray):
        return cells * weights
    return csr_array((weights[cells.indices], cells.indices, cells.indptr), shape=cells.shape)


def _search(likelihood: _Likelihood, start: _Value) -> _Value:
    """Return the minimum that a search from a start reaches, improved by Newton's method."""

    def value(shares: Doubles) -> tuple[float, Doubles]:
        one = likelihood.at((float(shares[0]), float(shares[1])))
        return one.deviance, one.slopes

    bounds = [(0, _NEAR_ONE)] * 2
    near = minimize(value, start.point, jac=True, method="L-BFGS-B", bounds=bounds)
    reached = likelihood.at((float(near.x[0]), float(near.x[1])))
    return _newton(likelihood, reached, steps=_STEPS, close=_CONVERGED) or reached


def _newton(
    likelihood: _Likelihood, value: _Value, curvature: Doubles | None = None, *, steps: int, close: float
) -> _Value | None:
    """Follow Newton's steps until they are smaller than `close`; None if they fail.

    A share that would fall below 0 stays there. The curvature is that of the value, or the one given.
    """
    for _ in range(steps):
        shares = np.array(value.point)
        free = (shares > 0) | (value.slopes < 0)
        if not free.any():
            return value
        of_free = (_curvature(likelihood, value) if curvature is None else curvature)[np.ix_(free, free)]
        if not np.isfinite(of_free).all() or np.linalg.eigvalsh(of_free)[0] <= 0:
            return None
        step = np.zeros(2)
        step[free] = -np.linalg.solve(of_free, value.slopes[free])
        moved = np.clip(shares + step, 0, _NEAR_ONE)
        after = likelihood.at((float(moved[0]), float(moved[1])))
        if after.deviance > value.deviance + _ROUNDING * (1 + abs(value.deviance)):
            return None
        value = after
        if np.abs(moved - shares).max() < close:
            return value
    return None


def _curvature(likelihood: _Likelihood, value: _Value) -> Doubles:
    """Return the derivatives of the slopes by differences, forward where there is no room below."""
    rows = []
    for place in range(2):
        ends = []
        for side in (-1, 1):
            shares = list(value.point)
            shares[place] = min(max(shares[place] + side * _DIFFERENCE, 0.0), (1 + shares[place]) / 2)
            ends.append((shares[place], likelihood.at((shares[0], shares[1])).slopes))
        (low, before), (high, after) = ends
        rows.append((after - before) / (high - low))
    return np.asarray((np.array(rows) + np.array(rows).T) / 2)
