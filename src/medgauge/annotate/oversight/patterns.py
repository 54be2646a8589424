"""Ratings that look mechanical: the same answer many times in a row, or two alternating answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

AnswerValue = float | None
"""A rating, or None where the annotator was unsure."""


@dataclass(frozen=True)
class Pattern:
    """A stretch of an annotator's answers, in the order in which they were given, from index `first`."""

    kind: Literal["equal", "in turn"]
    first: int
    length: int


def find_patterns(answers: Sequence[AnswerValue], *, at_least: int = 10) -> list[Pattern]:
    """Find all stretches of at least `at_least` equal answers, and of two alternating answers.

    Stretches are as long as possible, in the order of their starts. Careful annotators have them too, by
    chance and where a study has many similar pairs: they deserve a look, no more.

    Reference: Chiu et al. (2018). Bio-SimVerb and Bio-SimLex. BMC Bioinformatics 19:33, "Concept pair
    scoring": a reminder after ten equal ratings, and a watch on ratings that alternate between two.

    >>> find_patterns([3, 3, 3, 0, 1, 0, 1, 0], at_least=3)
    [Pattern(kind='equal', first=0, length=3), Pattern(kind='in turn', first=3, length=5)]
    """
    found = [*_equal(answers), *_in_turn(answers)]
    return sorted(
        (pattern for pattern in found if pattern.length >= at_least), key=lambda pattern: pattern.first
    )


def equal_at_end(answers: Sequence[AnswerValue]) -> int:
    """Count how many times in a row the last answer was given.

    >>> equal_at_end([1, 2, 2, 2]), equal_at_end([])
    (3, 0)
    """
    runs = _equal(answers)
    return runs[-1].length if runs else 0


def _equal(answers: Sequence[AnswerValue]) -> list[Pattern]:
    found, first = [], 0
    for _, run in groupby(answers):
        length = sum(1 for _ in run)
        found.append(Pattern("equal", first, length))
        first += length
    return found


def _in_turn(answers: Sequence[AnswerValue]) -> list[Pattern]:
    """Return the longest stretches in which each answer differs from the last and equals the one before."""
    found = []
    first = 0
    for place in range(1, len(answers) + 1):
        goes_on = (
            place < len(answers)
            and answers[place] != answers[place - 1]
            and (place - first < 2 or answers[place] == answers[place - 2])
        )
        if not goes_on:
            if place - first > 2:
                found.append(Pattern("in turn", first, place - first))
            # The last answer may start another stretch, and so may the last two if they differ.
            differs = place < len(answers) and answers[place] != answers[place - 1]
            first = place - 1 if differs else place
    return found
