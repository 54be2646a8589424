"""The combinations of semantic types in a set, and how well they predict its scores."""

import math
from collections import Counter

import numpy as np

from medgauge.arrays import Texts
from medgauge.composition.benchmark_coverage import CombinationsPredict, SetTypes, TypeCombination
from medgauge.pairs import Pairs, PairSet
from medgauge.stats.systems.combination_chance import combination_chance
from medgauge.stats.systems.combinations import combination_baseline

_DIGITS = 6  # of ρ after a permutation, as stored


def set_types(
    pairs: Pairs, first: Texts, second: Texts, *, source: str, permutations: int, seed: int
) -> SetTypes:
    """Count the unordered combinations of types ("" is unknown), and see how well they predict the scores.

    >>> from medgauge.pairs import Card
    >>> pairs = Pairs.of([("flu", "cough"), ("cough", "gout"), ("gout", "?")], card=Card(name="x", title="X"))
    >>> first, second = np.array(["disease", "sign", "disease"]), np.array(["sign", "disease", ""])
    >>> found = set_types(pairs, first, second, source="columns", permutations=9, seed=0)
    >>> found.pairs, [(*one.types, one.pairs) for one in found.combinations], found.baseline.undefined
    (2, [('disease', 'sign', 2)], 'the set has no scores')
    """
    both = zip(first.tolist(), second.tolist(), strict=True)
    counts = Counter((min(types), max(types)) for types in both if "" not in types)
    return SetTypes(
        source=source,
        pairs=counts.total(),
        combinations=[
            TypeCombination(type_1=one, type_2=two, pairs=count)
            for (one, two), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        ],
        baseline=_baseline(pairs, first, second, permutations, seed),
    )


def _baseline(pairs: Pairs, first: Texts, second: Texts, permutations: int, seed: int) -> CombinationsPredict:
    if not isinstance(pairs, PairSet) or pairs.labelled:
        reason = "the set has labels, not graded scores" if pairs.labelled else "the set has no scores"
        return CombinationsPredict(
            rho=math.nan,
            pairs=0,
            combinations=0,
            p=math.nan,
            permuted=[],
            undefined=reason,
        )
    found = combination_baseline(pairs.gold, first, second)
    rng = np.random.default_rng(seed)
    chance = combination_chance(pairs.gold, first, second, permutations=permutations, rng=rng)
    return CombinationsPredict(
        rho=found.rho.value,
        pairs=found.rho.n,
        combinations=found.combinations,
        p=chance.p_value,
        permuted=chance.permuted.round(_DIGITS).tolist(),
        undefined=found.rho.undefined,
    )
