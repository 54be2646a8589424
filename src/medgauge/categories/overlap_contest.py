"""Which models separate the categories better than others: tests on the terms that all of them cover."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from medgauge.categories.separated import ComparedOverlap, OverlapContest, OverlapDifference
from medgauge.stats.differences.corrections import adjusted, interval_level
from medgauge.stats.differences.letters import compact_letters
from medgauge.stats.differences.overlap_difference import overlap_difference
from medgauge.stats.systems.category_overlap import OverlapCounts

ModelMeasure = tuple[str, str]
"""A model and its measure."""


def overlap_contest(counts: Mapping[ModelMeasure, OverlapCounts], *, alpha: float) -> OverlapContest:
    """Test the difference of every two of at least two systems, counted on the same triples.

    Nothing is tested with fewer than two common terms in a category; letters are then those of equals.
    """
    any_one = next(iter(counts.values()))
    sizes = [side.size for side in (any_one.by_a, any_one.by_b, any_one.by_c)]
    untested = None
    if min(sizes) < 2:
        role, size = next((role, size) for role, size in zip("ABC", sizes, strict=True) if size < 2)
        terms = "only 1 term" if size else "no term"
        untested = f"all models cover {terms} of {role}"
    two = list(combinations(sorted(counts, key=lambda system: counts[system].errors), 2))
    level = interval_level(alpha, "bonferroni", tests=len(two))
    found = [overlap_difference(counts[one], counts[other]) for one, other in two]
    corrected = adjusted(np.array([one.p_value for one in found]), "bonferroni").tolist()
    differences = []
    for (one, other), difference, p_adjusted in zip(two, found, corrected, strict=True):
        low, high = difference.interval(level)
        differences.append(
            OverlapDifference(
                model_1=one[0],
                measure_1=one[1],
                model_2=other[0],
                measure_2=other[1],
                value=difference.estimate,
                low=low,
                high=high,
                p=difference.p_value,
                p_adjusted=p_adjusted,
                significant=p_adjusted < alpha,
            )
        )
    return OverlapContest(
        common_a=sizes[0],
        common_b=sizes[1],
        common_c=sizes[2],
        alpha=alpha,
        systems=_systems(counts, differences),
        differences=differences,
        untested=untested,
    )


def _systems(
    counts: Mapping[ModelMeasure, OverlapCounts], differences: list[OverlapDifference]
) -> list[ComparedOverlap]:
    """Return the systems, the lowest overlap first, with their letters."""
    ordered = sorted(counts, key=lambda system: counts[system].errors)
    place = {system[0]: number for number, system in enumerate(ordered)}
    different = np.zeros((len(ordered), len(ordered)), np.bool_)
    for one in differences:
        if one.significant:
            first, second = place[one.model_1], place[one.model_2]
            different[first, second] = different[second, first] = True
    return [
        ComparedOverlap(
            model=system[0],
            measure=system[1],
            overlap=counts[system].errors / counts[system].triples
            if counts[system].triples
            else float("nan"),
            letters=letters,
        )
        for system, letters in zip(ordered, compact_letters(different), strict=True)
    ]
