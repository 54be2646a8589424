"""How well the combination of a pair's categories would predict its gold by chance."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from medgauge.arrays import Doubles, Integers, Texts
from medgauge.rounding import without_noise
from medgauge.stats.systems.combinations import combination_numbers

_AT_ONCE = 1 << 20  # gold scores that are shuffled together


@dataclass(frozen=True)
class CombinationChance:
    """ρ of the baseline on the gold, and on the gold after each of B permutations, ascending.

    p = (1 + number of permutations with ρ* ≥ ρ) / (B + 1)
    """

    rho: float
    permuted: Doubles

    @property
    def p_value(self) -> float:
        """The share of permutations, the observed order included, with ρ at least as high.

            p = (1 + number of permutations with ρ* ≥ ρ) / (B + 1)

        NaN without a ρ.
        """
        if math.isnan(self.rho):
            return math.nan
        return float(1 + np.count_nonzero(self.permuted >= self.rho)) / (self.permuted.size + 1)


def combination_chance(
    gold: Doubles, first: Texts, second: Texts, *, permutations: int, rng: np.random.Generator
) -> CombinationChance:
    """Permute the combinations of categories among the pairs, and compute the baseline's ρ after each.

    The baseline (`combination_baseline`) predicts each pair by the median gold of its combination, and is
    fitted on the pairs that it is compared with. Its ρ is therefore above 0 for categories that say nothing,
    the more so the fewer pairs share a combination. Permuting whole combinations among the pairs that it
    predicts keeps how many pairs have each, and with it the advantage of the fit; what goes is the relation
    to the gold. Pairs are taken to be exchangeable: that two pairs share a concept is not considered. A
    permutation after which all medians are equal counts as ρ = 0. Without a ρ of its own (no combination
    occurs twice, or all gold scores or all medians are equal) there are no permutations.

    References: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 5.2. Phipson and Smyth (2010). Permutation p-values should never be zero. Statistical Applications
    in Genetics and Molecular Biology 9:39.

    >>> gold, sign = np.array([1.0, 2.0, 3.0, 4.0, 9.0]), np.full(5, "sign")
    >>> types = np.array(["drug", "drug", "sign", "sign", "gene"])
    >>> found = combination_chance(gold, types, sign, permutations=99, rng=np.random.default_rng(0))
    >>> round(found.rho, 3), found.permuted.size, 0.2 < found.p_value < 0.5
    (0.894, 99, True)
    """
    numbers = combination_numbers(first, second)
    counts = np.bincount(numbers[numbers >= 0])
    grouped = np.argsort(numbers, kind="stable")
    sizes = counts[counts > 1]
    gold = gold[grouped[np.isin(numbers[grouped], np.flatnonzero(counts > 1))]]
    nothing = CombinationChance(math.nan, np.empty(0))
    if gold.size < 3 or np.ptp(gold) == 0:
        return nothing
    ranks = _doubled_ranks(gold)
    rho = float(_rhos(gold[None], ranks[None], sizes)[0])
    if math.isnan(rho):
        return nothing
    permuted = np.empty(permutations)
    step = max(1, _AT_ONCE // gold.size)
    for start in range(0, permutations, step):
        drawn = [rng.permutation(gold.size) for _ in range(min(step, permutations - start))]
        order = np.stack(drawn)
        permuted[start : start + len(drawn)] = _rhos(gold[order], ranks[order], sizes)
    return CombinationChance(rho, np.sort(np.nan_to_num(permuted)))


def _rhos(gold: Doubles, ranks: Integers, sizes: Integers) -> Doubles:
    """Compute ρ of the medians in each row, whose columns are grouped by combination; NaN for equal medians.

    Ranks are doubled and taken from their mean, which makes them whole numbers: their sums are exact, so that
    equal ρ are equal.
    """
    ends = np.cumsum(sizes)
    groups = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    medians = np.stack([np.median(gold[:, start:end], axis=1) for start, end in groups], axis=1)
    predicted = _doubled_ranks_of_groups(without_noise(medians), sizes)
    products = (np.add.reduceat(ranks, ends - sizes, axis=1) * predicted).sum(axis=1)
    spread = (sizes * predicted**2).sum(axis=1)
    found = np.full(len(gold), np.nan)
    np.divide(products, np.sqrt(float((ranks[0] ** 2).sum()) * spread), out=found, where=spread > 0)
    return found.round(12)


def _doubled_ranks(values: Doubles) -> Integers:
    """Return 2 R(x) − (n + 1), R being average ranks.

    >>> _doubled_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [1, -2, 1]
    """
    return (2 * rankdata(values) - (len(values) + 1)).astype(np.int64)


def _doubled_ranks_of_groups(values: Doubles, sizes: Integers) -> Integers:
    """Return the doubled ranks of each row's values, of which each occurs as often as `sizes` says.

    They are the number of values below it minus the number above it.

    >>> _doubled_ranks_of_groups(np.array([[0.5, 0.1, 0.5]]), np.array([1, 2, 1])).tolist()
    [[2, -2, 2]]
    """
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    upto = np.cumsum(sizes[order], axis=1)
    below = upto - sizes[order]
    is_new = np.diff(ascending, axis=1, prepend=np.nan) != 0
    is_last = np.diff(ascending, axis=1, append=np.nan) != 0
    below = np.maximum.accumulate(np.where(is_new, below, 0), axis=1)
    upto = np.where(is_last, upto, sizes.sum())[:, ::-1]
    upto = np.minimum.accumulate(upto, axis=1)[:, ::-1]
    ranks = np.empty_like(upto)
    np.put_along_axis(ranks, order, below + upto - sizes.sum(), axis=1)
    return ranks
