"""Self-consistency: how far annotators rate a pair again as they did before."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from medgauge.annotate.study import Rated
from medgauge.errors import undefined_is_told_by_nan
from medgauge.stats.correlation import spearman


@dataclass(frozen=True)
class SelfConsistency:
    """Of an annotator: pairs rated twice, the share with the same answer, how far ratings are apart, and ρ.

    `apart` is the mean difference of the two ratings of a pair, and ρ is Spearman's, both over the pairs
    with a number both times; NaN where there is none, or ρ is undefined.
    """

    annotator: str
    pairs: int
    same: float
    apart: float
    rho: float


def self_consistency(ratings: Sequence[Rated]) -> list[SelfConsistency]:
    """Hold each annotator's second ratings of pairs against their first, in the order of the annotators.

    Annotators without a pair that was rated twice are not there.
    """
    first = {(one.annotator, one.pair_id): one for one in ratings if one.role != "duplicate"}
    twice: dict[str, list[tuple[float | None, float | None]]] = {}
    for one in ratings:
        before = first.get((one.annotator, one.pair_id))
        if one.role == "duplicate" and before is not None:
            twice.setdefault(one.annotator, []).append((before.value, one.value))
    return [_of(annotator, answers) for annotator, answers in twice.items()]


def _of(annotator: str, answers: Sequence[tuple[float | None, float | None]]) -> SelfConsistency:
    numbers = np.array([two for two in answers if None not in two], np.float64).reshape(-1, 2)
    with undefined_is_told_by_nan():
        rho = spearman(numbers[:, 0], numbers[:, 1])
    return SelfConsistency(
        annotator=annotator,
        pairs=len(answers),
        same=sum(before == after for before, after in answers) / len(answers),
        apart=float(np.abs(numbers[:, 0] - numbers[:, 1]).mean()) if len(numbers) else math.nan,
        rho=rho,
    )
