"""Two systems swapped within pairs: how their studentised difference of ρ varies if they are equally good.

Most of the module is compiled code that ranks both systems again after each swap, for several swaps at once.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy import stats

from medgauge.arrays import Bytes, Doubles, Flags, Places
from medgauge.stats.resampling.weighted_ranks import sorted_rows

_LANES = 8  # swaps computed together; each bit of a byte is one of them
_DIGITS = 9  # of standardised ranks, so that equal ones stay equal
_EQUAL = 1 - 1e-9  # times the observed |T|: what is as large up to rounding counts as equal

_MASKS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float64)
"""The bits of each byte, one for each lane."""


def draw_swaps(pairs: int, count: int, rng: np.random.Generator) -> Bytes:
    """Draw whether each pair is swapped, in `count` swaps rounded up to whole bytes (bytes × pairs)."""
    return rng.integers(0, 256, size=(-(-count // _LANES), pairs), dtype=np.uint8)


@dataclass(frozen=True)
class SwappedDifference:
    """A difference of two ρ with its standard deviation, and |T| on each of B swaps in descending order.

        p = (1 + number of swaps with |T*| ≥ |d/s|) / (B + 1)

    The swaps say how much T varies if pairs are independent. Where a wider s allows for dependence, it is
    itself uncertain: with finite `freedom` ν, d/s is first reduced to the value z that is as rare in the
    normal distribution as d/s is in Student's t with ν degrees of freedom. The interval d ± q s, with q
    brought back likewise, inverts the test: it excludes 0 exactly where p is below the level.
    """

    estimate: float
    deviation: float
    swapped: Doubles
    freedom: float = math.inf
    largest: float = 2.0

    @property
    def p_value(self) -> float:
        """The share of swaps, the observed order included, with a difference at least as large.

        Undefined, NaN, where the difference or its deviation is.
        """
        if math.isnan(self.estimate + self.deviation):
            return math.nan
        return (1 + self._reached) / (self.swapped.size + 1)

    @property
    def floored(self) -> bool:
        """Whether no swap has a difference as large, so that more of them would give a smaller p-value."""
        return self._reached == 0 and not math.isnan(self.p_value)

    @property
    def _reached(self) -> int:
        return int(np.count_nonzero(self.swapped >= self._observed * _EQUAL))

    @property
    def _observed(self) -> float:
        if not self.deviation > 0:
            return math.inf if self.estimate else 0.0
        observed = abs(self.estimate) / self.deviation
        return observed if math.isinf(self.freedom) else _reduced(observed, self.freedom)

    def critical(self, level: float) -> float:
        """Return the |T| beyond which p is below this level; infinite with too few swaps."""
        allowed = math.ceil(level * (self.swapped.size + 1) - 1e-9) - 2  # swaps that may reach |T|
        return float(self.swapped[allowed]) if allowed >= 0 else math.inf

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval that misses the true value with probability `level`, cut at the largest.

        Undefined, (NaN, NaN), without a deviation, as it would claim certainty.
        """
        if not self.deviation > 0:
            return math.nan, math.nan
        critical = self.critical(level)
        if not math.isinf(self.freedom):
            critical = float(stats.t.isf(stats.norm.sf(critical), self.freedom))
        half = critical * self.deviation
        return max(-self.largest, self.estimate - half), min(self.largest, self.estimate + half)


def _reduced(value: float, freedom: float) -> float:
    """Return what is as rare in the normal distribution as a value is in Student's t.

    >>> round(_reduced(2.262157, 9), 3), round(_reduced(0.0, 9), 3)
    (1.96, 0.0)
    """
    return float(stats.norm.isf(stats.t.sf(value, freedom)))


@dataclass(frozen=True)
class SwapTest:
    """The gold of a swap test, sorted once for all systems.

    `shares` are the shares of pairs below each in the gold, ties half, less ½; `spread` is their mean square,
    and `stretched` the influence of each pair on it (w/W in `rho_influence`).
    """

    order: Places
    ends: Flags
    shares: Doubles
    spread: float
    stretched: Doubles

    @classmethod
    def of(cls, gold: Doubles) -> "SwapTest":
        """Prepare the gold."""
        order, ends = sorted_rows(gold[None, :])
        shares = (stats.rankdata(gold) - 0.5) / gold.size - 0.5
        lower, up_to = (stats.rankdata(gold, method=way).astype(np.intp) for way in ("min", "max"))
        running = np.concatenate([[0.0], np.cumsum(shares[order[0]])])
        above = running[-1] - (running[lower - 1] + running[up_to]) / 2
        spread = float(np.square(shares).mean())
        return cls(order[0], ends[0], shares, spread, (shares**2 + 2 * above / gold.size) / spread - 3)

    def statistics(self, first: Doubles, second: Doubles, swaps: Bytes) -> Doubles:
        """Return |T| of two systems under each of the swaps, in their order.

        T = (ρ₁ − ρ₂)/s, with s² = Σ (ψ₁ᵢ − ψ₂ᵢ)²/(n (n − 1)) from the influence values (`rho_influence`). The
        two systems' scores are on different scales and cannot be swapped as they are; their mid-ranks,
        standardised, can. Each swap exchanges them in half of the pairs, at random, and ranks both systems
        again. If the systems are exchangeable, the observed T is one of these; if they only have the same ρ,
        T has the same distribution on large sets, since it is studentised. Infinite where ρ is undefined.

        References: Janssen (1997). Studentized permutation tests for non-i.i.d. hypotheses and the
        generalized Behrens-Fisher problem. Statistics and Probability Letters 36:9-21. Chung and Romano
        (2013). Exact and asymptotically robust permutation tests. Annals of Statistics 41:484-507.

        >>> gold, first = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0])
        >>> unswapped = np.zeros((1, 4), np.uint8)
        >>> SwapTest.of(gold).statistics(first, np.array([4.0, 1.0, 3.0, 2.0]), unswapped)[0].round(3)
        np.float64(1.279)
        """
        order, ends = sorted_rows(np.concatenate([standardised(first), standardised(second)])[None, :])
        found = np.empty(len(swaps) * _LANES)
        gold = (self.order, self.ends, self.shares, self.spread, self.stretched)
        _statistics(order[0], ends[0], *gold, swaps, _MASKS, found)
        return found


def standardised(scores: Doubles) -> Doubles:
    """Return the mid-ranks of scores around their median, in standard deviations.

    Around the median, so that the commonest score of two systems, where most scores are equal, is the same.

    >>> standardised(np.array([0.0, 0.0, 0.0, 5.0]))
    array([0.        , 0.        , 0.        , 2.30940108])
    """
    ranks = stats.rankdata(scores)
    return np.round((ranks - np.median(ranks)) / ranks.std(), _DIGITS)


@njit(cache=True, nogil=True, fastmath={"nsz", "arcp", "contract", "reassoc"})
def _statistics(
    order: Places,
    ends: Flags,
    gold_order: Places,
    gold_ends: Flags,
    gold: Doubles,
    gold_spread: float,
    gold_stretched: Doubles,
    swaps: Bytes,
    masks: Doubles,
    found: Doubles,
) -> None:
    """Fill |T| of each swap; arrays have an axis for the system, one for the pair and one for the lane."""
    n = gold_order.size
    shares, above_gold, above_own = (
        np.empty((2, n, _LANES)),
        np.empty((2, n, _LANES)),
        np.empty((2, n, _LANES)),
    )
    cross, spread = np.empty((2, _LANES)), np.empty((2, _LANES))
    scale, rho = np.empty((2, _LANES)), np.empty((2, _LANES))
    squares = np.empty(_LANES)
    for batch in range(swaps.shape[0]):
        _rank_again(order, ends, gold, swaps[batch], masks, shares, above_gold, above_own, cross, spread)
        for system in range(2):
            for lane in range(_LANES):
                spread[system, lane] /= n
                scale[system, lane] = 1 / np.sqrt(spread[system, lane] * gold_spread)
                rho[system, lane] = cross[system, lane] / n * scale[system, lane]
        _sum_squares(
            gold_order,
            gold_ends,
            gold,
            gold_stretched,
            shares,
            above_gold,
            above_own,
            spread,
            scale,
            rho,
            squares,
        )
        for lane in range(_LANES):
            apart = abs(rho[0, lane] - rho[1, lane])
            deviation = np.sqrt(squares[lane] / n / (n - 1))
            place = batch * _LANES + lane
            if apart < 1e-12:
                found[place] = 0.0
            elif deviation > 1e-12 and apart < 3:
                found[place] = apart / deviation
            else:  # undefined, or every pair contributes the same
                found[place] = np.inf


@njit(cache=True, nogil=True, fastmath={"nsz", "arcp", "contract", "reassoc"})
def _rank_again(
    order: Places,
    ends: Flags,
    gold: Doubles,
    swapped: Bytes,
    masks: Doubles,
    shares: Doubles,
    above_gold: Doubles,
    above_own: Doubles,
    cross: Doubles,
    spread: Doubles,
) -> None:
    """Rank both systems after a swap, in one walk over the pooled scores of both in ascending order.

    Fills, for each system and pair, its share F of pairs below and the sums of G and of F over the pairs
    above it (those over all are 0), ties half; and the sums of F G and of F² over all pairs.
    """
    n = gold.size
    count, matched = np.zeros((2, _LANES)), np.zeros((2, _LANES))
    below, below_gold, below_own = np.zeros((2, _LANES)), np.zeros((2, _LANES)), np.zeros((2, _LANES))
    share = np.empty((2, _LANES))
    shares[:], above_gold[:], above_own[:], cross[:], spread[:] = 0, 0, 0, 0, 0
    start = 0
    for place in range(2 * n):
        entry = order[place]
        pair = entry - n if entry >= n else entry
        in_second = masks[swapped[pair] ^ (255 if entry >= n else 0)]
        value = gold[pair]
        for lane in range(_LANES):
            second = in_second[lane]
            count[1, lane] += second
            count[0, lane] += 1 - second
            matched[1, lane] += second * value
            matched[0, lane] += (1 - second) * value
        if not ends[place]:
            continue
        for system in range(2):
            for lane in range(_LANES):
                own = (below[system, lane] + count[system, lane] / 2) / n - 0.5
                tied = count[system, lane] * own
                share[system, lane] = own
                cross[system, lane] += own * matched[system, lane]
                spread[system, lane] += own * tied
                below[system, lane] += count[system, lane]
                count[system, lane] = -(below_own[system, lane] + tied / 2)  # the sum of F above
                below_own[system, lane] += tied
                tied = matched[system, lane]
                matched[system, lane] = -(below_gold[system, lane] + tied / 2)  # the sum of G above
                below_gold[system, lane] += tied
        for tied_place in range(start, place + 1):
            entry = order[tied_place]
            pair = entry - n if entry >= n else entry
            in_second = masks[swapped[pair] ^ (255 if entry >= n else 0)]
            for lane in range(_LANES):
                second = in_second[lane]
                first = 1 - second
                shares[1, pair, lane] += second * share[1, lane]
                above_gold[1, pair, lane] += second * matched[1, lane]
                above_own[1, pair, lane] += second * count[1, lane]
                shares[0, pair, lane] += first * share[0, lane]
                above_gold[0, pair, lane] += first * matched[0, lane]
                above_own[0, pair, lane] += first * count[0, lane]
        count[:], matched[:] = 0, 0
        start = place + 1


@njit(cache=True, nogil=True, fastmath={"nsz", "arcp", "contract", "reassoc"})
def _sum_squares(
    gold_order: Places,
    gold_ends: Flags,
    gold: Doubles,
    gold_stretched: Doubles,
    shares: Doubles,
    above_gold: Doubles,
    above_own: Doubles,
    spread: Doubles,
    scale: Doubles,
    rho: Doubles,
    squares: Doubles,
) -> None:
    """Sum the squared differences of the influence values, in one walk over the gold in ascending order."""
    n = gold_order.size
    below, run, above = np.zeros(_LANES), np.zeros(_LANES), np.empty(_LANES)
    squares[:] = 0
    start = 0
    for place in range(n):
        pair = gold_order[place]
        for lane in range(_LANES):
            run[lane] += shares[0, pair, lane] * scale[0, lane] - shares[1, pair, lane] * scale[1, lane]
        if not gold_ends[place]:
            continue
        for lane in range(_LANES):
            above[lane] = -(below[lane] + run[lane] / 2) / n
            below[lane] += run[lane]
            run[lane] = 0
        for tied in range(start, place + 1):
            pair = gold_order[tied]
            value = gold[pair]
            for lane in range(_LANES):
                one, two = shares[0, pair, lane], shares[1, pair, lane]
                psi = above[lane] - (rho[0, lane] - rho[1, lane]) * (3 + gold_stretched[pair] / 2)
                psi += (one * value + above_gold[0, pair, lane] / n) * scale[0, lane]
                psi -= (two * value + above_gold[1, pair, lane] / n) * scale[1, lane]
                stretched = (one * one + 2 * above_own[0, pair, lane] / n) / spread[0, lane] - 3
                psi -= rho[0, lane] / 2 * stretched
                stretched = (two * two + 2 * above_own[1, pair, lane] / n) / spread[1, lane] - 3
                psi += rho[1, lane] / 2 * stretched
                squares[lane] += psi * psi
        start = place + 1
