"""What each pair contributes to Spearman's ρ: its influence, from which variances follow."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Positions


def rho_influence(gold: Doubles, scores: Doubles) -> tuple[Doubles, Doubles]:
    """Return ρ of the gold (n) with each row of `scores` (systems × n), and the influence of each pair on it.

    With F and G the shares of values below, ties half, of a score and of the gold, less ½, C = mean(F G),
    V = mean(F²) and W = mean(G²), ρ = C/√(V W). A pair moves C, V and W by its own place, and by shifting
    the ranks of the others: with κ(x, x′) = 1 where x < x′, ½ where they are equal, and else 0,

        c(x, y) = F(x) G(y) + mean(κ(x, xⱼ) Gⱼ) + mean(κ(y, yⱼ) Fⱼ) − 3 C
        v(x)    = F(x)² + 2 mean(κ(x, xⱼ) Fⱼ) − 3 V        w(y) likewise
        ψ(x, y) = c/√(V W) − ½ ρ (v/V + w/W)

    The ψᵢ sum to 0, and Σ ψᵢ²/(n (n − 1)) estimates the variance of ρ; that of a difference follows from the
    differences of the ψᵢ. Undefined, NaN, where all values are equal.

    References: Croux and Dehon (2010). Influence functions of the Spearman and Kendall correlation measures.
    Statistical Methods and Applications 19:497-515; Hampel (1974), Journal of the American Statistical
    Association 69:383-393.

    >>> rhos, influence = rho_influence(np.array([1.0, 2.0, 3.0, 4.0]), np.array([[1.0, 3.0, 2.0, 4.0]]))
    >>> rhos, influence
    (array([0.8]), array([[ 0.6, -0.6, -0.6,  0.6]]))
    """
    total = scores.shape[1]
    own, theirs = _Places.of(gold[None, :]), _Places.of(scores)
    own_spread, their_spread = (np.square(side.shares).mean(axis=1) for side in (own, theirs))
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(own_spread * their_spread)
        rhos = (own.shares * theirs.shares).mean(axis=1) / spread
        shifted = theirs.sums_above(np.broadcast_to(own.shares, scores.shape)) + own.sums_above(theirs.shares)
        moved = (own.shares * theirs.shares + shifted / total) / spread[:, None] - 3 * rhos[:, None]
        stretched = sum(
            (side.shares**2 + 2 * side.sums_above(side.shares) / total) / by[:, None] - 3
            for side, by in ((own, own_spread), (theirs, their_spread))
        )
        return rhos, moved - rhos[:, None] / 2 * stretched


@dataclass(frozen=True)
class _Places:
    """Where values stand in the order of their row: how many are lower, and how many not higher."""

    order: Positions
    lower: Positions
    up_to: Positions

    @classmethod
    def of(cls, rows: Doubles) -> "_Places":
        order = np.argsort(rows, axis=1, kind="stable")
        lower, up_to = (stats.rankdata(rows, axis=1, method=way).astype(np.intp) for way in ("min", "max"))
        return cls(order, lower - 1, up_to)

    @property
    def shares(self) -> Doubles:
        """The share of values below each, ties half, less ½."""
        return np.asarray((self.lower + self.up_to) / (2 * self.order.shape[1]) - 0.5, np.float64)

    def sums_above(self, weights: Doubles) -> Doubles:
        """Sum weights over the values above each, ties half; `weights` has a row for each, or several."""
        order, lower, up_to = (
            np.broadcast_to(places, weights.shape) for places in (self.order, self.lower, self.up_to)
        )
        running = np.zeros((len(weights), weights.shape[1] + 1))
        np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1, out=running[:, 1:])
        ends = np.take_along_axis(running, lower, axis=1) + np.take_along_axis(running, up_to, axis=1)
        return np.asarray(running[:, -1:] - ends / 2, np.float64)
