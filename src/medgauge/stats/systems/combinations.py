"""How well the categories of a pair's two terms predict its gold by themselves."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Integers, Texts
from medgauge.estimate import CONFIDENCE, Estimate
from medgauge.rounding import without_noise
from medgauge.stats.systems.correlation import spearman


@dataclass(frozen=True)
class CombinationBaseline:
    """ρ of the medians with the gold, and the number of combinations among its pairs."""

    rho: Estimate
    combinations: int


def combination_medians(gold: Doubles, first: Texts, second: Texts) -> Doubles:
    """Predict for each pair the median gold of all pairs with its combination of categories.

    Combinations are unordered: (drug, disease) is (disease, drug). NaN for a pair whose combination occurs
    once, since the median would be its own gold, and for one with an unknown category ("").

    >>> gold, first = np.array([1.0, 3.0, 2.0]), np.array(["drug", "disease", "drug"])
    >>> combination_medians(gold, first, np.array(["disease", "drug", "drug"]))
    array([ 2.,  2., nan])
    """
    numbers = combination_numbers(first, second)
    known = numbers >= 0
    predicted = np.full(len(gold), np.nan)
    combinations, counts = np.unique(numbers[known], return_counts=True)
    groups = np.split(gold[known][np.argsort(numbers[known])], np.cumsum(counts)[:-1])
    medians = [np.median(group) if len(group) > 1 else np.nan for group in groups]
    predicted[known] = without_noise(np.array(medians, np.float64))[
        np.searchsorted(combinations, numbers[known])
    ]
    return predicted


def combination_numbers(first: Texts, second: Texts) -> Integers:
    """Return the number of each pair's unordered combination, from 0; −1 where a category is unknown ("").

    >>> combination_numbers(np.array(["drug", "sign", "sign"]), np.array(["sign", "drug", ""])).tolist()
    [0, 0, -1]
    """
    known = (first != "") & (second != "")
    numbers = np.full(len(first), -1, np.int64)
    categories, codes = np.unique(np.concatenate([first[known], second[known]]), return_inverse=True)
    one, two = codes.reshape(2, -1)
    keys = np.minimum(one, two) * len(categories) + np.maximum(one, two)
    numbers[known] = np.unique(keys, return_inverse=True)[1]
    return numbers


def combination_baseline(
    gold: Doubles, first: Texts, second: Texts, *, confidence: float = CONFIDENCE
) -> CombinationBaseline:
    """Compute Spearman's ρ of the median gold of each combination of categories with the gold itself.

    Uses the pairs whose combination occurs more than once. The medians are compared with the same pairs that
    they are computed from, so that ρ is optimistic, the more so the fewer pairs a combination has. Undefined
    where no combination occurs twice, or where all gold scores or all medians are equal.

    Reference: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 5.2.

    >>> types = np.array(["drug", "drug", "sign", "sign"]), np.array(["sign", "sign", "sign", "sign"])
    >>> found = combination_baseline(np.array([1.0, 2.0, 2.0, 4.0]), *types)
    >>> round(found.rho.value, 3), found.rho.n, found.combinations
    (0.707, 4, 2)
    """
    predicted = combination_medians(gold, first, second)
    repeated = ~np.isnan(predicted)
    if not repeated.any():
        reason = "no combination of categories occurs twice"
        return CombinationBaseline(Estimate(confidence=confidence, undefined=reason), 0)
    names = ("gold scores", "medians")
    rho = spearman(gold[repeated], predicted[repeated], confidence=confidence, names=names)
    return CombinationBaseline(rho, np.unique(combination_numbers(first, second)[repeated]).size)
