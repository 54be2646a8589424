"""What the coordinator of a study sees about its annotators and pairs, as values for a page to show."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from medgauge.annotate.oversight.patterns import AnswerValue, Pattern, find_patterns
from medgauge.annotate.oversight.repeats import SelfConsistency, self_consistency
from medgauge.annotate.store.study import Progress, Rated, Timed
from medgauge.ratings.ratings import Ratings
from medgauge.rounding import without_noise

HASTY = 1.0
"""Seconds below which an answer is hasty.

This is our choice, and a lenient one. Adults read about four words per second (Brysbaert 2019, Journal of
Memory and Language 109:104047), so two short terms can hardly be read by then; in questionnaires, less than
two seconds per question is considered careless (Huang et al. 2012, Journal of Business and Psychology
27:99-114).
"""
AWAY = 300.0
"""Seconds after which an annotator is assumed to have left: no answer counts as more work. Our choice."""

_Own = TypeVar("_Own", Rated, Timed)


@dataclass(frozen=True)
class Times:
    """How long an annotator takes per pair, in seconds, and how many hours in total.

    The quartiles and the number of `hasty` answers refer to the first answer to each task, even if it was
    changed later: an annotator who comes back to a pair knows it. `hours` are the total of all answers, each
    capped at AWAY.
    """

    annotator: str
    answers: int
    lower_quartile: float
    median: float
    upper_quartile: float
    hasty: int
    hours: float


@dataclass(frozen=True)
class Stretches:
    """The number of stretches of one kind, and the number of answers in the longest; 0 if there is none."""

    count: int
    longest: int


@dataclass(frozen=True)
class Mechanical:
    """An annotator's stretches of equal answers, and of two alternating answers."""

    annotator: str
    equal: Stretches
    in_turn: Stretches


@dataclass(frozen=True)
class Overseen:
    """Everything shown about an annotator except their agreement with others.

    Parts without any data yet are None.
    """

    progress: Progress
    times: Times | None
    mechanical: Mechanical | None
    consistency: SelfConsistency | None


@dataclass(frozen=True)
class Disputed:
    """A pair on which annotators disagree, with all their answers; None is unsure.

    `apart` is the standard deviation of the ratings; for verdicts, the share that is in the minority.
    """

    pair_id: str
    term_1: str
    term_2: str
    set_name: str
    apart: float
    answers: tuple[tuple[str, AnswerValue], ...]


def oversee(
    progress: Sequence[Progress], ratings: Sequence[Rated], timed: Sequence[Timed], *, at_least: int
) -> list[Overseen]:
    """Combine what is shown about each annotator, in the order of `progress`.

    `at_least` is the length of a stretch that looks mechanical: the protocol's `equal_in_a_row`.
    """
    times = {one.annotator: one for one in answer_times(timed)}
    mechanical = {one.annotator: one for one in mechanical_answers(ratings, at_least=at_least)}
    consistency = {one.annotator: one for one in self_consistency(ratings)}
    found = []
    for one in progress:
        name = one.annotator.name
        found.append(Overseen(one, times.get(name), mechanical.get(name), consistency.get(name)))
    return found


def answer_times(timed: Iterable[Timed]) -> list[Times]:
    """Summarise how long annotators took; an annotator's answers must be in the order they were given.

    >>> seconds = (0.5, 2.0, 3.0, 4.0, 7200.0)
    >>> [ann] = answer_times(Timed("Ann", place, its) for place, its in enumerate(seconds))
    >>> ann.hasty, ann.median, round(ann.hours * 3600, 1)
    (1, 3.0, 309.5)
    """
    return [_times(annotator, own) for annotator, own in _by_annotator(timed).items()]


def _by_annotator(given: Iterable[_Own]) -> dict[str, list[_Own]]:
    found: dict[str, list[_Own]] = {}
    for one in given:
        found.setdefault(one.annotator, []).append(one)
    return found


def _times(annotator: str, timed: Sequence[Timed]) -> Times:
    first: dict[int, float] = {}
    for one in timed:
        first.setdefault(one.place, one.seconds)
    seconds = np.array(list(first.values()))
    lower, median, upper = np.quantile(seconds, (0.25, 0.5, 0.75)).tolist()
    return Times(
        annotator=annotator,
        answers=len(first),
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        hasty=int(np.count_nonzero(seconds < HASTY)),
        hours=sum(min(one.seconds, AWAY) for one in timed) / 3600,
    )


def mechanical_answers(ratings: Iterable[Rated], *, at_least: int) -> list[Mechanical]:
    """Find each annotator's stretches of `at_least` answers, in the order in which they were given.

    The last answer to a task counts, at its time.
    """
    found = []
    for annotator, own in _by_annotator(ratings).items():
        in_time = sorted(own, key=lambda one: (one.at, one.place))
        patterns = find_patterns([one.value for one in in_time], at_least=at_least)
        found.append(Mechanical(annotator, _stretches(patterns, "equal"), _stretches(patterns, "in turn")))
    return found


def _stretches(patterns: Iterable[Pattern], kind: str) -> Stretches:
    lengths = [pattern.length for pattern in patterns if pattern.kind == kind]
    return Stretches(len(lengths), max(lengths, default=0))


def most_disputed(ratings: Ratings, *, count: int = 20) -> list[Disputed]:
    """List the `count` pairs whose ratings are furthest apart, among those with ratings that differ.

    Among pairs that are equally far apart, those with more ratings come first, then those with smaller ids.
    """
    apart = without_noise(_minorities(ratings) if ratings.verdicts else ratings.deviations).tolist()
    counts, ids = ratings.counts.tolist(), ratings.pairs["pair_id"].to_list()
    differ = (row for row, its in enumerate(apart) if its > 0)  # drops NaN, which a single rating has
    order = sorted(differ, key=lambda row: (-apart[row], -counts[row], ids[row]))
    return [_disputed(ratings, row, apart[row]) for row in order[:count]]


def _minorities(ratings: Ratings) -> NDArray[np.float64]:
    """Return the share of each pair's verdicts that are in the minority; 0 if it has none."""
    same = np.count_nonzero(ratings.values == 1, axis=1)
    smaller = np.minimum(same, ratings.counts - same)
    return np.asarray(smaller / np.maximum(ratings.counts, 1))


def _disputed(ratings: Ratings, row: int, apart: float) -> Disputed:
    pair_id, term_1, term_2, set_name = ratings.pairs.select("pair_id", "term_1", "term_2", "set").row(row)
    answers = tuple(
        (annotator, None if is_unsure else value)
        for annotator, value, is_unsure in zip(
            ratings.annotators, ratings.values[row].tolist(), ratings.unsure[row].tolist(), strict=True
        )
        if is_unsure or not np.isnan(value)
    )
    return Disputed(pair_id, term_1, term_2, set_name, apart, answers)
