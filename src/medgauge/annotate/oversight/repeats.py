"""Self-consistency: how far annotators rate a pair the same way when they see it again."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.annotate.store.study import Rated
from medgauge.stats.systems.correlation import spearman

_Twice = tuple[Rated, Rated]


@dataclass(frozen=True)
class SelfConsistency:
    """An annotator's pairs rated twice, the share with the same answer, the mean difference, and ρ.

    `turned` are the pairs whose terms swapped sides between the two times; `same_turned` is the share of
    these with the same answer, `same_unturned` that of the others. `apart` is the mean absolute difference of
    the two ratings of a pair, and ρ is Spearman's, both over the pairs with a number both times. NaN means
    undefined, or no pairs.
    """

    annotator: str
    pairs: int
    same: float
    turned: int
    same_turned: float
    same_unturned: float
    apart: float
    rho: float


def self_consistency(ratings: Sequence[Rated]) -> list[SelfConsistency]:
    """Compare each annotator's second ratings of pairs with their first, in the order of the annotators.

    Annotators who rated no pair twice are left out.
    """
    first = {(one.annotator, one.pair_id): one for one in ratings if one.role != "duplicate"}
    twice: dict[str, list[_Twice]] = {}
    for one in ratings:
        before = first.get((one.annotator, one.pair_id))
        if one.role == "duplicate" and before is not None:
            twice.setdefault(one.annotator, []).append((before, one))
    return [_of(annotator, pairs) for annotator, pairs in twice.items()]


def _of(annotator: str, pairs: Sequence[_Twice]) -> SelfConsistency:
    answers = [(before.value, after.value) for before, after in pairs]
    numbers = np.array([two for two in answers if None not in two], np.float64).reshape(-1, 2)
    turned = [two for two in pairs if two[0].flipped != two[1].flipped]
    return SelfConsistency(
        annotator=annotator,
        pairs=len(pairs),
        same=_share_of_same(pairs),
        turned=len(turned),
        same_turned=_share_of_same(turned),
        same_unturned=_share_of_same([two for two in pairs if two[0].flipped == two[1].flipped]),
        apart=float(np.abs(numbers[:, 0] - numbers[:, 1]).mean()) if len(numbers) else math.nan,
        rho=spearman(numbers[:, 0], numbers[:, 1]).value,
    )


def _share_of_same(pairs: Sequence[_Twice]) -> float:
    same = sum(before.value == after.value for before, after in pairs)
    return same / len(pairs) if pairs else math.nan
