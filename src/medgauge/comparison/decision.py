"""Deciding contests: testing every two systems, correcting for the number of tests, ranking systems."""

import math
import warnings
import zlib
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

from medgauge.arrays import Doubles, Flags
from medgauge.comparison.comparison import Contest, Difference, OtherWinner, System
from medgauge.comparison.contests import Entry
from medgauge.comparison.dependent import DyadicContest
from medgauge.comparison.graded import compare_correlations, enough_swaps
from medgauge.comparison.labelled import compare_accuracies, compare_areas, compare_crossed_accuracies
from medgauge.comparison.outcome import Ends, Outcome, PairedDifference
from medgauge.comparison.scope import Dependence
from medgauge.comparison.scores import SetScores
from medgauge.errors import CoverageWarning
from medgauge.evaluation.figures import Figure, in_print
from medgauge.evaluation.run import Run
from medgauge.progress import track
from medgauge.stats.differences.corrections import adjusted, interval_level
from medgauge.stats.differences.letters import compact_letters
from medgauge.stats.differences.ranking import rank_interval, ranks
from medgauge.stats.settings import Correction
from medgauge.stats.systems.classification import right_at_best

_POWER = 0.8
_FEW = 10  # pairs below which an interval means little
_FEW_GROUPS = 40  # groups of pairs below which an interval means little


@dataclass(frozen=True)
class DecisionRules:
    """How differences are decided, and the confidence of the intervals of single systems."""

    alpha: float
    correction: Correction
    clustered_by: str | None
    dependence: Dependence | None
    resamples: int | None
    seed: int
    confidence: float

    @property
    def own_level(self) -> float:
        """The level of the intervals of systems."""
        return round(1 - self.confidence, 12)  # exactly 0.05 for 0.95


@dataclass(frozen=True)
class _Difference:
    """The difference of two systems, given by number, before correction."""

    first: int
    second: int
    estimate: float
    ends: Ends
    p: float
    floored: bool
    no_interval: str | None
    margin: float
    detectable: float


@dataclass(frozen=True)
class _Tested:
    """What is kept of a contest; resamples are discarded, since those of a table would not fit in memory."""

    test: str
    figures: tuple[Figure, ...]
    groups: int | None
    swaps: int | None
    concepts: int | None
    error_ratio: Ends | None
    differences: list[_Difference]
    figure_ends: list[Ends]
    rank_ends: list[tuple[int, int]]
    untested: str | None


def decide(run: Run, entries: list[Entry], rules: DecisionRules) -> list[Contest]:
    """Decide the contests of one family, correcting for all their tests."""
    tests = sum(entry.tests for entry in entries)
    level = interval_level(rules.alpha, rules.correction, tests=tests)
    tested = [_test(run, entry, rules, level) for entry in entries]
    p_values = np.array([one.p for found in tested for one in found.differences])
    corrected = iter(adjusted(p_values, rules.correction).tolist())
    return [
        _contest(entry, found, [next(corrected) for _ in found.differences], tests, level, rules)
        for entry, found in zip(entries, tested, strict=True)
    ]


def _test(run: Run, entry: Entry, rules: DecisionRules, level: float) -> _Tested:
    """Test every two systems of a contest."""
    held = _hold(run, entry, rules, level)
    outcome = held.outcome
    differences = []
    with track(f"testing differences on {entry.used.name}", entry.tests) as advance:
        for one, two in combinations(range(len(entry.figures)), 2):
            refused = outcome.no_interval(one, two)
            differences.append(_difference(one, two, outcome.difference(one, two), refused, rules, level))
            advance(1)
    low, high = rank_interval(outcome.resampled, confidence=rules.confidence)
    return _Tested(
        outcome.test,
        held.figures,
        held.groups,
        outcome.swaps,
        held.concepts,
        held.error_ratio,
        differences,
        [
            outcome.widened(number, figure.value, (figure.low, figure.high))
            if outcome.interval is None
            else outcome.interval(number, rules.own_level)
            for number, figure in enumerate(held.figures)
        ],
        list(zip(low.tolist(), high.tolist(), strict=True)),
        outcome.untested if any(math.isnan(one.p) for one in differences) else None,
    )


def _difference(
    one: int, two: int, found: PairedDifference, refused: str | None, rules: DecisionRules, level: float
) -> _Difference:
    """Return a difference with its interval, unless refused, and what it shows and could have shown."""
    none = (math.nan, math.nan)
    ends, equivalent = (
        (none, none) if refused else (found.interval(level), found.interval(min(2 * rules.alpha, 1.0)))
    )
    half = max(ends[1] - found.estimate, found.estimate - ends[0])
    return _Difference(
        one,
        two,
        found.estimate,
        ends,
        found.p_value,
        found.floored,
        refused,
        margin=max(abs(equivalent[0]), abs(equivalent[1])),
        detectable=_detectable(half, found),
    )


def _detectable(half: float, found: PairedDifference) -> float:
    """Return the difference whose test has 80% power: that far beyond the critical value, in Student's t.

    Undefined, NaN, if no difference is as large.
    """
    needed = half + float(stats.t.ppf(_POWER, found.freedom)) * found.deviation
    return needed if needed <= found.largest else math.nan


@dataclass(frozen=True)
class _Held:
    """The outcome of a contest, its figures, and the number of groups or concepts of its pairs, if known."""

    outcome: Outcome
    figures: tuple[Figure, ...]
    groups: int | None
    concepts: int | None
    error_ratio: Ends | None


def _hold(run: Run, entry: Entry, rules: DecisionRules, level: float) -> _Held:
    """Hold a contest on the scores of the run."""
    held = SetScores(run, entry.used.name)
    groups = None if rules.clustered_by is None else held.groups(rules.clustered_by)
    dyads = held.dyads(needed=rules.dependence == "dyadic")
    count = None if groups is None else int(groups.max()) + 1
    gold = held.gold
    if few := _too_few(gold, count, labelled=entry.used.labelled):
        warnings.warn(
            f"{entry.used.name} has {few}: its intervals and tests mean little", CoverageWarning, stacklevel=2
        )
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
    elif entry.metric == "accuracy_best":
        right = np.array([right_at_best(gold, row) for row in scores])
        outcome = compare_accuracies(right, groups=groups, rng=rng)
    else:
        with track(f"classifying {entry.used.name}", len(scores)) as advance:
            outcome = compare_crossed_accuracies(
                gold, scores, groups=groups, seed=run.settings.seed, rng=rng, advance=advance
            )
    figures = held.current_figures(entry.figures, scores, outcome.figures)
    if dyads is None or rules.clustered_by is not None:
        return _Held(outcome, figures, count, None, None)
    contest = DyadicContest(outcome, dyads, graded=not entry.used.labelled)
    ratios = [contest.ratio(*two) for two in combinations(range(len(scores)), 2)]
    known = [ratio for ratio in ratios if not math.isnan(ratio)]
    span = (min(known), max(known)) if known else None
    if rules.dependence != "independent" and dyads.is_shared:
        outcome = contest.dependent(rng)
    return _Held(outcome, figures, None, dyads.concepts, span)


def _too_few(gold: Doubles, groups: int | None, *, labelled: bool) -> str | None:
    """Return what there are too few of, or None."""
    if groups is not None:
        return f"only {groups} group{'s' * (groups != 1)} of pairs" if groups < _FEW_GROUPS else None
    if gold.size < _FEW:
        return f"{gold.size} pair{'s' * (gold.size != 1)}"
    rarer = int(min((gold == 1).sum(), (gold == 0).sum()))
    return f"{rarer} pair{'s' * (rarer != 1)} of one label" if labelled and rarer < _FEW else None


def _contest(
    entry: Entry,
    tested: _Tested,
    p_adjusted: list[float],
    tests: int,
    level: float,
    rules: DecisionRules,
) -> Contest:
    figures = tested.figures
    better = np.zeros((len(figures), len(figures)), np.bool_)
    differences = []
    for found, corrected in zip(tested.differences, p_adjusted, strict=True):
        first, second = figures[found.first], figures[found.second]
        significant = corrected < rules.alpha
        if significant:
            winner, loser = (found.first, found.second)[:: 1 if found.estimate > 0 else -1]
            better[winner, loser] = True
        differences.append(
            Difference(
                model_1=first.model,
                measure_1=first.measure,
                model_2=second.model,
                measure_2=second.measure,
                value=found.estimate,
                low=found.ends[0],
                high=found.ends[1],
                p=found.p,
                p_adjusted=corrected,
                significant=significant,
                floored=found.floored,
                no_interval=found.no_interval,
                margin=found.margin,
                detectable=found.detectable,
            )
        )
    systems = _systems(figures, tested, better, rules.confidence)
    contest = Contest(
        dataset=entry.used.name,
        metric=entry.metric,
        model=entry.model,
        pairs=entry.used.compared,
        groups=tested.groups,
        test=tested.test,
        resamples=tested.swaps,
        concepts=tested.concepts,
        error_ratio=tested.error_ratio,
        most_edits=entry.used.most_edits or None,
        tests=tests,
        level=level,
        systems=systems,
        differences=differences,
        untested=tested.untested,
        left_out=dict(entry.left_out),
        other_winner=_other_winner(entry, systems),
    )
    if not contest.can_find:
        warnings.warn(
            f"{contest.dataset}: with {contest.resamples} swaps no difference can be significant; "
            f"{enough_swaps(level)}",
            CoverageWarning,
            stacklevel=2,
        )
    return contest


def _other_winner(entry: Entry, systems: list[System]) -> OtherWinner | None:
    """Return the model with the highest figure that the run shows, if it is not first in the contest.

    Figures that print equal are all on top, as in the table.
    """
    defined = [figure for figure in entry.shown if not math.isnan(figure.value)]
    top = max(defined, key=lambda figure: in_print(figure.value), default=None)
    if top is None:
        return None
    on_top = {figure.model for figure in defined if in_print(figure.value) == in_print(top.value)}
    if on_top & {system.model for system in systems if system.rank == 1}:
        return None
    return OtherWinner(model=top.model, measure=top.measure, value=top.value)


def _systems(figures: tuple[Figure, ...], tested: _Tested, better: Flags, confidence: float) -> list[System]:
    """Return the systems, best first."""
    values = np.array([figure.value for figure in figures]).round(12)  # equal up to rounding counts as equal
    place = ranks(values)
    order = np.argsort(-values, kind="stable")
    letters = compact_letters((better | better.T)[np.ix_(order, order)])
    return [
        System(
            model=figures[number].model,
            measure=figures[number].measure,
            value=figures[number].value,
            low=tested.figure_ends[number][0],
            high=tested.figure_ends[number][1],
            rank=int(place[number]),
            rank_low=tested.rank_ends[number][0],
            rank_high=tested.rank_ends[number][1],
            letters=mine,
            wins=int(better[number].sum()),
            losses=int(better[:, number].sum()),
            confidence=confidence,
        )
        for number, mine in zip(order.tolist(), letters, strict=True)
    ]
