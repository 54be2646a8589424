"""Whether a model's figure, or its advantage over another model, differs between the subsets of a set."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from pydantic import BaseModel, ConfigDict

from medgauge.arrays import Doubles, Integers
from medgauge.evaluation.figures import MainMetric
from medgauge.stats.differences.corrections import adjusted
from medgauge.stats.differences.subset_estimates import (
    SubsetEstimate,
    difference_interval,
    equality_test,
    subset_estimates,
    untestable,
)
from medgauge.stored import Number, StoredName, StoredReason

MOST_MODELS = 10
"""Models up to which the advantage of every two is tested."""

_Compared = tuple[int, int | None]
"""The number of a system, and that of another one if the advantage over it is tested."""

_MOST_SUBSETS = 10  # up to which the difference of every two is stored


class SubsetDifference(BaseModel):
    """A figure or advantage on the first subset less that on the second; NaN (null in JSON) is undefined."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    subset_1: StoredName
    subset_2: StoredName
    value: Number
    low: Number
    high: Number
    p: Number
    p_adjusted: Number


class SubsetTest(BaseModel):
    """Whether the figure of a model, or its advantage over `other`, is the same on all `subsets`.

    `subsets` are those with enough pairs to be tested. `p` is that of the overall test, `p_adjusted` is
    corrected for all overall tests of the set, and those of the `differences` of every two subsets for all
    such differences of the set. `undefined` says why there is no test.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="null")

    model: StoredName
    measure: StoredName
    other: StoredName | None
    other_measure: StoredName | None
    metric: MainMetric
    subsets: list[StoredName]
    p: Number
    p_adjusted: Number
    differences: list[SubsetDifference]
    undefined: StoredReason = None


def subset_tests(
    gold: Doubles,
    scores: Mapping[tuple[str, str], Doubles],
    member: Integers,
    names: Sequence[str],
    *,
    labelled: bool,
    confidence: float,
) -> list[SubsetTest]:
    """Test models, given with their measures, on subsets with at least ten pairs, by Spearman's ρ or the AUC.

    `member` is the subset of each pair, −1 for none. P-values have Bonferroni's correction; intervals have
    the confidence of the run, without correction.

    >>> rng = np.random.default_rng(0)
    >>> gold, member = rng.random(80), np.repeat([0, 1], 40)
    >>> scores = gold + np.where(member == 0, 0.1, 2.0) * rng.standard_normal(80)
    >>> [found] = subset_tests(
    ...     gold, {("m", "fj"): scores}, member, ["a", "b"], labelled=False, confidence=0.95
    ... )
    >>> found.subsets, found.p_adjusted < 0.001
    (['a', 'b'], True)
    """
    rows = np.array(list(scores.values()))
    parts = {name: member == number for number, name in enumerate(names)}
    by_subset = {name: _estimates(gold[mine], rows[:, mine], labelled) for name, mine in parts.items()}
    systems = list(scores)
    plans: list[_Compared] = [(one, None) for one in range(len(rows))]
    plans += list(combinations(range(len(rows)), 2)) if len(rows) <= MOST_MODELS else []
    tested = [{name: found[plan] for name, found in by_subset.items() if plan in found} for plan in plans]
    overall = [equality_test(list(found.values())) for found in tested]
    corrected = adjusted(np.array(overall), "bonferroni").tolist()
    two_by_two = [_differences(list(found), list(found.values()), confidence) for found in tested]
    each = adjusted(np.array([one.p for found in two_by_two for one in found]), "bonferroni").tolist()
    following = iter(each)
    return [
        SubsetTest(
            model=systems[one][0],
            measure=systems[one][1],
            other=None if two is None else systems[two][0],
            other_measure=None if two is None else systems[two][1],
            metric="auc" if labelled else "spearman",
            subsets=list(found),
            p=p,
            p_adjusted=p_adjusted,
            differences=[one.model_copy(update={"p_adjusted": next(following)}) for one in differences],
            undefined=_reason(len(found), p),
        )
        for (one, two), found, p, p_adjusted, differences in zip(
            plans, tested, overall, corrected, two_by_two, strict=True
        )
    ]


def _estimates(gold: Doubles, rows: Doubles, labelled: bool) -> dict[_Compared, SubsetEstimate]:
    """Estimate figures and advantages on a subset, of the systems (rows) that can be tested on it."""
    testable = [
        system for system, row in enumerate(rows) if untestable(gold, row[None, :], labelled=labelled) is None
    ]
    if not testable:
        return {}
    figures, advantages = subset_estimates(gold, rows[testable], labelled=labelled)
    found: dict[_Compared, SubsetEstimate] = {
        (system, None): figures[place] for place, system in enumerate(testable)
    }
    for one, two in combinations(range(len(testable)), 2):
        found[testable[one], testable[two]] = advantages[one][two]
    return found


def _reason(tested: int, p: float) -> str | None:
    if tested < 2:
        return f"{'only 1 subset has' if tested else 'no subset has'} enough pairs and different scores"
    return "a figure on some subset has no variance" if math.isnan(p) else None


def _differences(
    names: list[str], estimates: list[SubsetEstimate], confidence: float
) -> list[SubsetDifference]:
    found = []
    for one, two in combinations(range(len(names)), 2) if len(names) <= _MOST_SUBSETS else ():
        low, high = difference_interval(estimates[one], estimates[two], confidence=confidence)
        found.append(
            SubsetDifference(
                subset_1=names[one],
                subset_2=names[two],
                value=estimates[one].value - estimates[two].value,
                low=low,
                high=high,
                p=equality_test([estimates[one], estimates[two]]),
                p_adjusted=math.nan,
            )
        )
    return found
