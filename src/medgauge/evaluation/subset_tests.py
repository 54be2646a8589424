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
    tested: dict[str, tuple[list[SubsetEstimate], list[list[SubsetEstimate]]]] = {}
    for number, name in enumerate(names):
        mine = member == number
        if untestable(gold[mine], rows[:, mine], labelled=labelled) is None:
            tested[name] = subset_estimates(gold[mine], rows[:, mine], labelled=labelled)
    single = [(one, None, [found[0][one] for found in tested.values()]) for one in range(len(rows))]
    both = [
        (one, two, [found[1][one][two] for found in tested.values()])
        for one, two in (combinations(range(len(rows)), 2) if len(rows) <= MOST_MODELS else ())
    ]
    plans: list[tuple[int, int | None, list[SubsetEstimate]]] = [*single, *both]
    systems = list(scores)
    overall = [equality_test(estimates) for _, _, estimates in plans]
    corrected = adjusted(np.array(overall), "bonferroni").tolist()
    two_by_two = [_differences(list(tested), estimates, confidence) for _, _, estimates in plans]
    each = adjusted(np.array([one.p for found in two_by_two for one in found]), "bonferroni").tolist()
    following = iter(each)
    return [
        SubsetTest(
            model=systems[one][0],
            measure=systems[one][1],
            other=None if two is None else systems[two][0],
            other_measure=None if two is None else systems[two][1],
            metric="auc" if labelled else "spearman",
            subsets=list(tested),
            p=p,
            p_adjusted=p_adjusted,
            differences=[found.model_copy(update={"p_adjusted": next(following)}) for found in differences],
            undefined=_reason(len(tested), p),
        )
        for (one, two, _), p, p_adjusted, differences in zip(
            plans, overall, corrected, two_by_two, strict=True
        )
    ]


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
