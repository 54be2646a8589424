"""Samples of the pairs that were counted in records: random, the most frequent, or by strata.

Counted pairs are sorted by id_1 and then id_2, so that every engine's give the same sample.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.build.draws import Draws
from medgauge.build.records.associations import NumberedConcepts, lift, numbered
from medgauge.build.records.count_bands import banded

ConceptCap = Literal["greedy", "both"]
"""How often a concept may be in the frequent pairs; see `frequent_pairs`."""

StratifiedBy = Literal["band", "pmi"]

_BLOCK = 4096  # pairs between which full concepts are looked up
_FIFTHS = (
    "PMI fifth 1 (lowest)",
    "PMI fifth 2",
    "PMI fifth 3",
    "PMI fifth 4",
    "PMI fifth 5 (highest)",
)


def random_pairs(counted: pl.DataFrame, pairs: int, *, seed: int) -> pl.DataFrame:
    """Draw pairs uniformly without replacement, and return them as they were drawn; all, if there are fewer.

    Schulz et al. (2020) drew the 120 pairs of EHR-RelA in this way.
    """
    return _drawn(counted, pairs, [seed])


def frequent_pairs(
    counted: pl.DataFrame, pairs: int, *, per_concept: int, cap: ConceptCap = "greedy"
) -> pl.DataFrame:
    """Return the pairs with the most patients, with no concept in more than `per_concept` of them.

    Pairs are sorted by their patients, descending, ties by id_1 and then id_2. "greedy" keeps a pair while
    both of its concepts have been kept fewer than `per_concept` times; "both" keeps it if it is among the
    first `per_concept` pairs of both of its concepts. The first `pairs` of those are returned; all, if there
    are fewer. EHR-RelB of Schulz et al. (2020) has 4,000 pairs, at most six for any concept.
    """
    order = np.argsort(-counted["patients"].to_numpy(), kind="stable")
    concepts = numbered(counted)
    kept = _capped(order, concepts, pairs, per_concept=per_concept, of_kept=cap == "greedy")
    return counted[kept]


def _capped(
    order: Integers, concepts: NumberedConcepts, pairs: int, *, per_concept: int, of_kept: bool
) -> list[int]:
    """Return the first pairs in this order whose concepts are not full; a pair that is not kept may count.

    Pairs that can neither be kept nor count any more are skipped in blocks, as most of many millions are.
    """
    times = np.zeros(len(concepts.ids), np.int64)
    kept: list[int] = []
    for start in range(0, len(order), _BLOCK):
        block = order[start : start + _BLOCK]
        first, second = concepts.first[block], concepts.second[block]
        open_1, open_2 = times[first] < per_concept, times[second] < per_concept
        for place in np.flatnonzero(open_1 & open_2 if of_kept else open_1 | open_2).tolist():
            one, other = first[place], second[place]
            fits = times[one] < per_concept and times[other] < per_concept
            if fits and len(kept) == pairs:
                return kept
            if fits:
                kept.append(int(block[place]))
            if fits or not of_kept:
                times[one] += 1
                times[other] += 1
    return kept


def stratified_pairs(
    counted: pl.DataFrame, pairs: int, *, seed: int, by: StratifiedBy, least: int, total_patients: int
) -> pl.DataFrame:
    """Draw the same number of pairs from each stratum, and return them by stratum, as they were drawn.

    Strata are the bands of patients (`band_of` with `least`), or fifths of the pairs by pointwise mutual
    information (PMI), ties by id_1 and then id_2. Lift makes the same fifths, since PMI is its logarithm.
    What a stratum lacks is spread evenly over those with more pairs; if the number does not divide, those
    with most pairs have one more. The column `stratum` names each pair's.
    """
    if by == "band":
        strata = banded(counted["patients"], least)
        names = counted.group_by(strata.alias("stratum")).agg(pl.min("patients")).sort("patients")["stratum"]
        numbers = strata.cast(pl.Enum(names)).to_physical().to_numpy()
    else:
        # By lift, whose quotients round equally everywhere, which logarithms need not.
        places = np.argsort(lift(counted, total_patients), kind="stable")
        numbers = np.empty(len(places), np.int64)
        numbers[places] = np.arange(len(places)) * len(_FIFTHS) // max(1, len(places))
        names = pl.Series(_FIFTHS)
    sizes = np.bincount(numbers, minlength=len(names)).tolist()
    found = [counted.head(0).with_columns(stratum=pl.lit(""))]
    for number, share in enumerate(_shares(pairs, sizes)):
        stratum = counted.filter(pl.Series(numbers == number))
        # From 1, since a seed that ends in 0 is the seed without it.
        drawn = _drawn(stratum, share, [seed, number + 1])
        found.append(drawn.with_columns(stratum=pl.lit(names[number])))
    return pl.concat(found)


def _drawn(frame: pl.DataFrame, rows: int, seed: Sequence[int]) -> pl.DataFrame:
    return frame[Draws(seed).sample(min(rows, frame.height), frame.height)]


def _shares(pairs: int, sizes: Sequence[int]) -> list[int]:
    """Return how many pairs to draw from strata of these sizes: as equal as they allow.

    >>> _shares(11, [2, 100, 50])
    [2, 5, 4]
    """
    shares = [0] * len(sizes)
    left = pairs
    for done, place in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[place] = min(sizes[place], left // (len(sizes) - done))
        left -= shares[place]
    return shares
