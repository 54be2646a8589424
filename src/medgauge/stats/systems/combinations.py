"""How far the categories of the two terms of a pair tell its gold by themselves."""

from dataclasses import dataclass

import numpy as np

from medgauge.arrays import Doubles, Texts
from medgauge.stats.systems.correlation import spearman


@dataclass(frozen=True)
class CombinationBaseline:
    """ρ of the medians with the gold, the pairs it rests on, and the combinations they have."""

    rho: float
    pairs: int
    combinations: int


def combination_medians(gold: Doubles, first: Texts, second: Texts) -> Doubles:
    """Predict for each pair the median gold of all pairs with its combination of categories.

    Combinations are unordered: (drug, disease) is (disease, drug). NaN for a pair whose combination occurs
    once, since the median would be its own gold, and for one with an unknown category ("").

    >>> gold, first = np.array([1.0, 3.0, 2.0]), np.array(["drug", "disease", "drug"])
    >>> combination_medians(gold, first, np.array(["disease", "drug", "drug"]))
    array([ 2.,  2., nan])
    """
    known = (first != "") & (second != "")
    predicted = np.full(len(gold), np.nan)
    categories, codes = np.unique(np.concatenate([first[known], second[known]]), return_inverse=True)
    one, two = codes.reshape(2, -1)
    keys = np.minimum(one, two) * len(categories) + np.maximum(one, two)
    _, combination, counts = np.unique(keys, return_inverse=True, return_counts=True)
    groups = np.split(gold[known][np.argsort(combination)], np.cumsum(counts)[:-1])
    medians = [np.median(group) if len(group) > 1 else np.nan for group in groups]
    predicted[known] = np.array(medians, np.float64)[combination]
    return predicted


def combination_baseline(gold: Doubles, first: Texts, second: Texts) -> CombinationBaseline:
    """Spearman's ρ of the median gold of each combination of categories with the gold itself.

    On the pairs whose combination occurs more than once. The medians are of the same pairs that they are
    held against, so that ρ is optimistic, the more so the fewer pairs a combination has. Undefined, NaN with
    an UndefinedWarning, where ρ is.

    Reference: Schulz et al. (2020). Biomedical Concept Relatedness - A large EHR-based benchmark. COLING,
    section 5.2.

    >>> types = np.array(["drug", "drug", "sign", "sign"]), np.array(["sign", "sign", "sign", "sign"])
    >>> combination_baseline(np.array([1.0, 2.0, 2.0, 4.0]), *types)
    CombinationBaseline(rho=0.707..., pairs=4, combinations=2)
    """
    predicted = combination_medians(gold, first, second)
    told = ~np.isnan(predicted)
    pairs = {(min(ends), max(ends)) for ends in zip(first[told], second[told], strict=True)}
    return CombinationBaseline(spearman(gold[told], predicted[told]), int(told.sum()), len(pairs))
