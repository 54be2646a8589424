"""How much more often two concepts occur together than they would by chance: lift and mutual information."""

from typing import NamedTuple

import numpy as np
import polars as pl

from medgauge.arrays import Doubles, Integers


class NumberedConcepts(NamedTuple):
    """The ids of the concepts in pairs, in code-point order, and the numbers of each pair's two concepts."""

    ids: pl.Series
    first: Integers
    second: Integers


def numbered(counted: pl.DataFrame) -> NumberedConcepts:
    """Return the concepts of counted pairs, numbered by the order of their ids.

    >>> found = numbered(pl.DataFrame({"id_1": ["b", "a"], "id_2": ["c", "c"]}))
    >>> found.ids.to_list(), found.first.tolist(), found.second.tolist()
    (['a', 'b', 'c'], [1, 0], [2, 2])
    """
    ids = pl.concat([counted["id_1"].alias("id"), counted["id_2"].alias("id")]).unique().sort()
    kind = pl.Enum(ids)
    first, second = (
        counted[side].cast(kind).to_physical().to_numpy().astype(np.int64) for side in ("id_1", "id_2")
    )
    return NumberedConcepts(ids, first, second)


def lift(counted: pl.DataFrame, total: int) -> Doubles:
    """Return p(1 and 2) / (p(1) p(2)) for each counted pair; p is the share of all patients.

    It is 1 for concepts that are independent. It is a quotient of whole numbers, so that pairs of equal lift
    are equal.

    >>> one = {"id_1": ["a"], "id_2": ["b"], "patients": [10], "patients_1": [20], "patients_2": [50]}
    >>> lift(pl.DataFrame(one), total=1000).tolist()
    [10.0]
    """
    both, first, second = (
        counted[name].to_numpy().astype(np.float64) for name in ("patients", "patients_1", "patients_2")
    )
    return np.asarray(both * total / (first * second), np.float64)


def pmi(counted: pl.DataFrame, total: int) -> Doubles:
    """Return the pointwise mutual information of each counted pair: the natural logarithm of its lift.

    >>> one = {"id_1": ["a"], "id_2": ["b"], "patients": [10], "patients_1": [20], "patients_2": [50]}
    >>> pmi(pl.DataFrame(one), total=1000).round(4).tolist()
    [2.3026]
    """
    return np.asarray(np.log(lift(counted, total)), np.float64)
