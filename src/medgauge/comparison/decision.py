"""Holding contests: testing every two systems, correcting for the number of tests, and naming the winners."""

import math
import warnings
import zlib
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from medgauge.comparison.contests import Entry
from medgauge.comparison.outcome import (
    Outcome,
    compare_accuracies,
    compare_areas,
    compare_correlations,
)
from medgauge.comparison.result import Contest, Difference, System
from medgauge.comparison.scores import SetScores
from medgauge.errors import CoverageWarning, UndefinedWarning
from medgauge.evaluation.figures import Figure
from medgauge.evaluation.run import Run
from medgauge.progress import Advance, track
from medgauge.stats.choices import Correction
from medgauge.stats.classification import best_threshold, cross_validated
from medgauge.stats.corrections import adjusted, interval_level
from medgauge.stats.letters import compact_letters
from medgauge.stats.ranking import rank_interval, ranks

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

_RANKED = 10_000  # resamples are enough for percentiles of a rank
_FEW = 10  # pairs under which an interval means little
_FEW_GROUPS = 40  # groups of pairs, of which more are needed


@dataclass(frozen=True)
class Rules:
    """How differences are decided."""

    alpha: float
    correction: Correction
    clustered_by: str | None
    resamples: int | None
    seed: int


def decide(run: Run, entries: list[Entry], rules: Rules) -> list[Contest]:
    """Hold the contests of one family, correct for all their tests, and give the intervals."""
    planned = sum(entry.tests for entry in entries)
    smallest = interval_level(rules.alpha, rules.correction, tests=planned)
    alone = len(entries) == 1
    p_values, kept = [], None
    with track("testing differences", planned) as advance:
        for entry in entries:
            held = _hold(run, entry, rules, smallest)
            p_values.append(_p_values(entry, held[0], advance))
            kept = held if alone else None
    corrected = adjusted(np.concatenate(p_values), rules.correction)
    tests = int((~np.isnan(corrected)).sum())
    rejected = int((corrected < rules.alpha).sum())
    level = interval_level(rules.alpha, rules.correction, tests=tests, rejected=rejected)
    ends = np.cumsum([len(mine) for mine in p_values])[:-1]
    contests = []
    for entry, p, p_adjusted in zip(entries, p_values, np.split(corrected, ends), strict=True):
        # The resamples of a whole table would not fit in memory; the same seed gives them again.
        outcome, groups = kept or _hold(run, entry, rules, smallest)
        contests.append(_contest(entry, outcome, groups, p, p_adjusted, tests, level, rules.alpha))
    return contests


def _p_values(entry: Entry, outcome: Outcome, advance: Advance) -> Doubles:
    found = []
    for one, two in combinations(range(len(entry.figures)), 2):
        found.append(outcome.difference(one, two).p_value)
        advance(1)
    if untested := sum(map(math.isnan, found)):
        warnings.warn(
            f"{entry.used.name}: for {untested} of {len(found)} differences of {entry.metric} there is no "
            "test, as too few pairs, or groups of them, have a label",
            UndefinedWarning,
            stacklevel=2,
        )
    return np.array(found)


def _hold(run: Run, entry: Entry, rules: Rules, level: float) -> tuple[Outcome, int | None]:
    """Test every two systems of a contest; also give the number of groups, if there are groups."""
    held = SetScores(run, entry.used.name)
    groups = None if rules.clustered_by is None else held.groups(rules.clustered_by)
    count = None if groups is None else int(groups.max()) + 1
    few = entry.used.compared < _FEW if count is None else count < _FEW_GROUPS
    if few:
        what = (
            f"{entry.used.compared} pairs"
            if count is None
            else f"no more than {count} group{'s' * (count != 1)} of pairs"
        )
        warnings.warn(
            f"{entry.used.name} has {what}: its intervals and tests mean little",
            CoverageWarning,
            stacklevel=2,
        )
    gold = held.gold
    scores = held.scores([(figure.model, figure.measure) for figure in entry.figures])
    # A set's resamples do not depend on which other sets are compared.
    rng = np.random.default_rng([rules.seed, zlib.crc32(entry.used.name.encode())])
    if entry.metric == "spearman":
        outcome = compare_correlations(
            gold,
            scores,
            groups=groups,
            level=level,
            resamples=rules.resamples,
            rng=rng,
            track=partial(track, f"resampling {entry.used.name}"),
        )
    elif entry.metric == "auc":
        outcome = compare_areas(gold, scores, groups=groups, rng=rng)
    else:
        right = np.empty(scores.shape, np.bool_)
        with track(f"classifying {entry.used.name}", len(scores)) as advance:
            for number, row in enumerate(scores):
                right[number] = _right(entry.metric, gold, row, run.settings.seed)
                advance(1)
        outcome = compare_accuracies(right, groups=groups, rng=rng)
    return outcome, count


def _right(metric: str, labels: Doubles, scores: Doubles, seed: int) -> Flags:
    """Say which pairs are classified right, with the threshold that gave the run's figure."""
    if metric == "accuracy_best":
        return np.asarray((scores >= best_threshold(labels, scores).value) == (labels == 1))
    right = cross_validated(labels, scores, rng=np.random.default_rng(seed))
    assert right is not None  # else the figure would have been undefined
    return right


def _contest(
    entry: Entry,
    outcome: Outcome,
    groups: int | None,
    p_values: Doubles,
    p_adjusted: Doubles,
    tests: int,
    level: float,
    alpha: float,
) -> Contest:
    figures = entry.figures
    better = np.zeros((len(figures), len(figures)), np.bool_)
    differences = []
    for (one, two), p, corrected in zip(
        combinations(range(len(figures)), 2), p_values.tolist(), p_adjusted.tolist(), strict=True
    ):
        difference = outcome.difference(one, two)
        low, high = difference.interval(level)
        significant = corrected < alpha
        if significant:
            winner, loser = (one, two) if difference.estimate > 0 else (two, one)
            better[winner, loser] = True
        differences.append(
            Difference(
                model_1=figures[one].model,
                measure_1=figures[one].measure,
                model_2=figures[two].model,
                measure_2=figures[two].measure,
                value=difference.estimate,
                low=low,
                high=high,
                p=p,
                p_adjusted=corrected,
                significant=significant,
            )
        )
    return Contest(
        dataset=entry.used.name,
        metric=entry.metric,
        model=entry.model,
        pairs=entry.used.compared,
        groups=groups,
        test=outcome.test,
        resamples=outcome.resamples,
        beyond=None if outcome.beyond is None or math.isinf(outcome.beyond) else outcome.beyond,
        tests=tests,
        level=level,
        systems=_systems(figures, outcome, better),
        differences=differences,
    )


def _systems(figures: tuple[Figure, ...], outcome: Outcome, better: Flags) -> list[System]:
    """Put the systems in order, best first."""
    values = np.array([figure.value for figure in figures])
    place = ranks(values.round(12))
    low, high = rank_interval(outcome.resampled[:_RANKED])
    order = np.argsort(-values.round(12), kind="stable")
    intervals = [
        (figure.low, figure.high) if outcome.interval is None else outcome.interval(number)
        for number, figure in enumerate(figures)
    ]
    different = better | better.T
    letters = compact_letters(different[np.ix_(order, order)])
    return [
        System(
            model=figures[number].model,
            measure=figures[number].measure,
            value=figures[number].value,
            low=intervals[number][0],
            high=intervals[number][1],
            rank=int(place[number]),
            rank_low=int(low[number]),
            rank_high=int(high[number]),
            letters=mine,
            wins=int(better[number].sum()),
            losses=int(better[:, number].sum()),
        )
        for number, mine in zip(order.tolist(), letters, strict=True)
    ]
