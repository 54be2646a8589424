"""What benchmarks cover: the result, set by set, and what every two sets share."""

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from medgauge.errors import InputError, UnknownNameError
from medgauge.pairs import Pairs
from medgauge.result import StoredResult
from medgauge.stored import Count, Number, StoredName, StoredReason
from medgauge.strata.values import FREQUENT

ConceptKey = Literal["id", "cui"]
"""What a concept is known by."""

FIFTHS = 5
"""The equal parts of a scale in which scores are counted."""
MOST_EDGES = 1_000
"""The highest specificity that is shown: more than any terminology has, and few enough for a heat map."""
Edges = Annotated[int, Field(ge=0, le=MOST_EDGES)]
"""A number of is-a edges."""
_STRICT = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")


class SetAgreement(BaseModel):
    """How well the annotators of a set agree: computed from its ratings, or as published (`source`).

    `annotators` says who or how many they are; `ratings` is how many each pair has, None where it differs or
    is not known. Figures that are not known, or are undefined, are NaN. The best annotator's ρ with the mean
    rating is the human upper bound.
    """

    model_config = _STRICT

    annotators: StoredName
    ratings: Count | None
    mean_rho: Number
    icc_c1: Number
    icc_ck: Number
    kendall_w: Number
    best: Number
    best_excluding_self: Number
    ceiling: Number
    source: StoredName
    undefined: dict[str, str] = {}


class ScoreCount(BaseModel):
    """How many pairs have a score; of very many different scores, those in an interval at its middle."""

    model_config = _STRICT

    score: Annotated[float, Field(allow_inf_nan=False)]
    pairs: Count


class TypeCombination(BaseModel):
    """Two semantic types in alphabetical order, and how many pairs have them."""

    model_config = _STRICT

    type_1: StoredName
    type_2: StoredName
    pairs: Count

    @property
    def types(self) -> tuple[str, str]:
        """Both types, which identify the combination."""
        return self.type_1, self.type_2


class CombinationsPredict(BaseModel):
    """How well the combination of types predicts the score of the pairs that share it.

    ρ of the median score of each of `combinations` combinations, on the `pairs` that have one of them; ρ
    after each permutation, ascending; and the share of permutations that reach ρ. There is no interval: ρ is
    that of a fit, and says nothing of other pairs.
    """

    model_config = _STRICT

    rho: Number
    pairs: Count
    combinations: Count
    p: Number
    permuted: list[Number]
    undefined: StoredReason = None

    @property
    def usual(self) -> tuple[float, float, float]:
        """The mean of ρ after the permutations, and the limits of the middle 95% of them; NaN without any."""
        if not self.permuted:
            return math.nan, math.nan, math.nan
        low, high = np.quantile(self.permuted, (0.025, 0.975)).tolist()
        return float(np.mean(self.permuted)), low, high


class SetTypes(BaseModel):
    """The semantic types of a set's concepts, and what they were taken from (`source`).

    `pairs` counts the pairs with a type on both sides; `combinations` are theirs, the most frequent first.
    `steps` counts the different CUIs by how UMLS gave them a type, if it did.
    """

    model_config = _STRICT

    source: StoredName
    pairs: Count
    combinations: list[TypeCombination]
    baseline: CombinationsPredict
    steps: dict[str, Count] = {}


class SpecificityCount(BaseModel):
    """How many pairs have two specificities: that of the less specific concept, and of the other."""

    model_config = _STRICT

    low: Edges
    high: Edges
    pairs: Count


class SetSpecificity(BaseModel):
    """How specific a set's concepts are: the fewest is-a edges from each to the root in `source`.

    `pairs` counts the pairs with two known concepts, `concepts` the different concepts in these, over which
    `shallowest`, `median` and `deepest` are; None or NaN where there is none.
    """

    model_config = _STRICT

    source: StoredName
    pairs: Count
    concepts: Count
    shallowest: Edges | None
    median: Number
    deepest: Edges | None
    counts: list[SpecificityCount]

    @property
    def commonest(self) -> SpecificityCount | None:
        """The most frequent combination, the least specific of several; None without pairs."""
        return max(self.counts, key=lambda one: one.pairs, default=None)


class CoveredSet(BaseModel):
    """What a set covers; what cannot be known of it is None.

    `different_pairs` counts unordered pairs of terms, `terms` different terms; case, white space and the
    composition of accents do not matter. `concepts` counts different ids, or CUIs where there are none
    (`concept_key`). `multi_word` is the share of the different terms that have several words. `score_fifths`
    counts pairs by the fifth of the scale that their score is in, and `scores` by score; labels have no
    fifths. `found_by` counts the different concepts by how they were found in the terminology.
    """

    model_config = _STRICT

    name: StoredName
    title: StoredName
    kind: StoredName
    target: Literal["gold", "label"] | None
    digest: StoredName
    pairs: Annotated[int, Field(gt=0, le=2**53)]
    different_pairs: Count
    terms: Count
    concepts: Count | None
    concept_key: ConceptKey | None
    pairs_with_ids: Count | None
    pairs_with_cuis: Count | None
    multi_word: Number
    scale: tuple[Number, Number] | None
    agreement: SetAgreement | None
    score_fifths: list[Count]
    scores: list[ScoreCount]
    types: SetTypes | None
    specificity: SetSpecificity | None
    found_by: dict[str, Count] = {}

    def flaw(self, permutations: int) -> str | None:
        """Return what is contradictory in a set that was read from a file, None if nothing is."""
        sums = {
            "pairs with types": (self.types and self.types.pairs, self.types and self.types.combinations),
            "pairs with specificity": (
                self.specificity and self.specificity.pairs,
                self.specificity and self.specificity.counts,
            ),
            "scores": (self.pairs if self.scores else 0, self.scores),
        }
        for what, (whole, parts) in sums.items():
            if (whole or 0) != sum(one.pairs for one in parts or ()):
                return f"the {what} of a set do not add up"
        if len(self.score_fifths) not in (0, FIFTHS):
            return f"the scores of a set are not counted in {FIFTHS} parts"
        if self.types is not None and len(self.types.baseline.permuted) not in (0, permutations):
            return f"the baseline of a set does not have {permutations:,} permutations"
        return None


class SetOverlap(BaseModel):
    """What two sets share: different terms, different pairs, and concepts where both have the same key."""

    model_config = _STRICT

    set_1: StoredName
    set_2: StoredName
    terms: Count
    pairs: Count
    concepts: Count | None
    concept_pairs: Count | None
    concept_key: ConceptKey | None


class BenchmarkCoverage(StoredResult):
    """What sets of pairs cover, as in section 5 of Schulz et al. (2020), "Biomedical Concept Relatedness".

    `sets` describes each, `overlaps` every two. `umls` and `terminology` name the release and the terminology
    that types and specificity come from, None where none was given. `permutations` and `seed` are those of
    the baseline's distribution.
    """

    model_config = ConfigDict(extra="forbid", ser_json_inf_nan="null")
    _kind: ClassVar[str] = "coverage"

    sets: Annotated[list[CoveredSet], Field(min_length=1)]
    overlaps: list[SetOverlap]
    umls: StoredName | None
    terminology: StoredName | None
    permutations: Count
    seed: int
    _described: dict[str, Pairs] = PrivateAttr(default_factory=dict)

    def __getitem__(self, name: str) -> CoveredSet:
        """Return what is known of a set, by its name."""
        named = {one.name: one for one in self.sets}
        if name not in named:
            raise UnknownNameError("set", name, named)
        return named[name]

    def pairs(self, name: str) -> Pairs:
        """Return a set with the columns that were computed for it: CUIs, semantic types, specificity.

        They are kept in memory only: a coverage read from JSON does not have them.
        """
        if name not in self._described:
            raise InputError(
                "a coverage does not store the pairs of its sets; compute it again with medgauge.coverage"
            )
        return self._described[name]

    def hold(self, sets: Mapping[str, Pairs]) -> None:
        """Keep the sets with their columns, in memory only."""
        self._described = dict(sets)

    def own_combinations(self, name: str) -> list[TypeCombination]:
        """Return the combinations of types that a set has and no other set with types has."""
        return _without(self._combinations(name), self._others(name))

    def lacking_combinations(self, name: str) -> list[TypeCombination]:
        """Return the combinations that other sets have and this one lacks, with their pairs there."""
        return _without(self._others(name), self._combinations(name))

    def _flaw(self) -> str | None:
        names = [one.name for one in self.sets]
        if len({*names}) < len(names):
            return "two of its sets have the same name"
        if [(one.set_1, one.set_2) for one in self.overlaps] != list(combinations(names, 2)):
            return "its overlaps are not those of every two of its sets"
        flaws = (one.flaw(self.permutations) for one in self.sets)
        return next(filter(None, flaws), None)

    def frequent_combinations(self, share: float = FREQUENT) -> list[tuple[str, str]]:
        """Return the combinations that more than a share of some set's pairs have, by their mean share."""
        shares: dict[tuple[str, str], list[float]] = {}
        for one in self.sets:
            for found in self._combinations(one.name):
                part = found.pairs / one.types.pairs if one.types else math.nan
                shares.setdefault(found.types, []).append(part)
        frequent = [types for types, parts in shares.items() if max(parts) > share]
        return sorted(frequent, key=lambda types: (-sum(shares[types]), types))

    def _combinations(self, name: str) -> list[TypeCombination]:
        types = self[name].types
        return [] if types is None else types.combinations

    def _others(self, name: str) -> list[TypeCombination]:
        counts: dict[tuple[str, str], int] = {}
        for other in self.sets:
            for one in self._combinations(other.name) if other.name != name else ():
                counts[one.types] = counts.get(one.types, 0) + one.pairs
        return [TypeCombination(type_1=one, type_2=two, pairs=n) for (one, two), n in counts.items()]


def _without(some: list[TypeCombination], others: list[TypeCombination]) -> list[TypeCombination]:
    """Return the combinations that are not among the others, the most frequent first."""
    left_out = {one.types for one in others}
    kept = [one for one in some if one.types not in left_out]
    return sorted(kept, key=lambda one: (-one.pairs, one.types))
