"""How specific the concepts of a set are, two by two."""

from collections import Counter

import numpy as np

from medgauge.arrays import Doubles
from medgauge.composition.benchmark_coverage import SetSpecificity, SpecificityCount
from medgauge.composition.set_keys import KeysOfSides


def set_specificity(first: Doubles, second: Doubles, keys: KeysOfSides, *, source: str) -> SetSpecificity:
    """Count the pairs by the specificities of their two concepts, NaN where one is not known.

    `keys` says which concepts are the same, for figures over different concepts.

    >>> nan = float("nan")
    >>> keys = [("a", "b"), ("c", "a"), ("a", "d")]
    >>> found = set_specificity(np.array([3.0, 5.0, 3.0]), np.array([5.0, 3.0, nan]), keys, source="columns")
    >>> [(one.low, one.high, one.pairs) for one in found.counts], found.pairs, found.concepts, found.median
    ([(3, 5, 2)], 2, 3, 5.0)
    """
    known = ~np.isnan(first) & ~np.isnan(second)
    ends = np.sort(np.stack([first[known], second[known]], axis=1).astype(np.int64), axis=1)
    counts = Counter(map(tuple, ends.tolist()))
    sides = np.stack([first, second], axis=1)
    of_concepts = {
        key: int(value)
        for both, values, is_known in zip(keys, sides, known, strict=True)
        if is_known
        for key, value in zip(both, values, strict=True)
    }
    values = list(of_concepts.values())
    return SetSpecificity(
        source=source,
        pairs=int(known.sum()),
        concepts=len(values),
        shallowest=min(values, default=None),
        median=float(np.median(values)) if values else float("nan"),
        deepest=max(values, default=None),
        counts=[
            SpecificityCount(low=low, high=high, pairs=count) for (low, high), count in sorted(counts.items())
        ],
    )
