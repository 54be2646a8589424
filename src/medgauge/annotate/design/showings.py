"""Where an annotator's pairs are shown a second time: on a later page, and far from the first showing."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal

import numpy as np
from numpy.random import Generator

from medgauge.annotate.defaults import BETWEEN
from medgauge.arrays import Integers
from medgauge.errors import InputError

TaskRole = Literal["own", "consistency", "duplicate"]
_ROLES: tuple[TaskRole, ...] = ("own", "consistency", "duplicate")
_OWN, _SHARED, _AGAIN = range(3)
_Counts = tuple[int, int, int]
"""The number of tasks in each role."""


def page_sizes(tasks: int, *, page: int, duplicates: int) -> list[int]:
    """Return the sizes of as few pages as possible, but of two if pairs are repeated, the larger ones first.

    >>> page_sizes(30, page=15, duplicates=6), page_sizes(5, page=120, duplicates=1)
    ([15, 15], [3, 2])
    """
    count = max(-(-tasks // page), 2 if duplicates else 1)
    return [(tasks + count - 1 - number) // count for number in range(count)]


def order_roles(
    own: int, shared: int, duplicates: int, *, page: int, rng: Generator
) -> tuple[list[TaskRole], dict[int, int]]:
    """Order an annotator's tasks by their role; return the roles, and each second showing's first by place.

    The order on each page is random, but a role waits for its turn if the showings still to come could not
    keep their distance otherwise.
    """
    total = own + shared + duplicates
    if duplicates and total - duplicates < 2:
        raise InputError(
            "the two showings of a pair would follow each other directly; ask for fewer duplicates"
        )
    sizes = page_sizes(total, page=page, duplicates=duplicates)
    room = _room(sizes, distance=min(BETWEEN + 1, total - duplicates))
    plan, contents = next(
        (plan, contents)
        for contents in _contents(own, shared, duplicates, sizes)
        if _fits(plan := np.concatenate([_in_turn(content) for content in contents]), room)
    )
    for start, content in zip(accumulate(sizes, initial=0), contents, strict=False):
        _shuffle(plan, start, content, room, rng=rng)
    return [_ROLES[role] for role in plan.tolist()], _firsts(plan, room, rng=rng)


def _room(sizes: Sequence[int], *, distance: int) -> Integers:
    """Return how many places, from the first on, may hold the first showing of a repeat at each place."""
    starts = np.repeat(np.cumsum([0, *sizes[:-1]]), sizes)
    places = np.arange(len(starts))
    room: Integers = np.minimum(starts, np.maximum(places - distance + 1, 0))
    return room


def _contents(own: int, shared: int, duplicates: int, sizes: Sequence[int]) -> Iterator[list[_Counts]]:
    """Yield numbers of roles for each page: repeats spread over ever fewer pages, then all at the end.

    The last always fits: no first showing can come earlier, and no second one later.
    """
    pages = len(sizes)
    common = _evenly(shared, pages)[::-1]  # as the larger pages come first
    for first in range(1, pages):
        again = [0] * first + _evenly(duplicates, pages - first)
        rest = [size - its - more for size, its, more in zip(sizes, common, again, strict=True)]
        if min(rest) >= 0:
            yield list(zip(rest, common, again, strict=True))
    line = np.repeat(np.arange(3), (own, shared, duplicates))
    ends = np.cumsum(sizes)
    split = (np.bincount(one, minlength=3).tolist() for one in np.split(line, ends[:-1]))
    yield [(mine, ours, again) for mine, ours, again in split]


def _evenly(count: int, pages: int) -> list[int]:
    """Deal a number to pages, the last ones getting one more if it does not divide."""
    return [(count + number) // pages for number in range(pages)]


def _in_turn(content: Sequence[int] | Integers) -> Integers:
    """List the roles of a page in the order that leaves most room: own pairs first, repeats last."""
    return np.repeat(np.arange(3), content)


def _fits(plan: Integers, room: Integers) -> bool:
    """Return whether each repeat has a first showing of its own in the room before it.

    Rooms grow from place to place, so it is enough to count.
    """
    again = np.flatnonzero(plan == _AGAIN)
    own_before = np.concatenate([[0], np.cumsum(plan == _OWN)])
    return bool((own_before[room[again]] > np.arange(len(again))).all())


def _shuffle(plan: Integers, start: int, content: _Counts, room: Integers, *, rng: Generator) -> None:
    """Put the roles of a page, which is planned in turn, into a random order that still fits."""
    in_turn, left = _in_turn(content), np.array(content)
    waiting = in_turn[rng.permutation(len(in_turn))].tolist()
    end = start + len(waiting)
    for place in range(start, end):
        for role in dict.fromkeys(waiting):
            planned = plan[place:end].copy()
            left[role] -= 1
            plan[place], plan[place + 1 : end] = role, _in_turn(left)
            if role == _OWN or _fits(plan, room):  # an own pair is first in the plan anyway
                waiting.remove(role)
                break
            plan[place:end] = planned
            left[role] += 1


def _firsts(plan: Integers, room: Integers, *, rng: Generator) -> dict[int, int]:
    """Draw the first showing of each repeat; whichever it is, later ones have equally many to choose from."""
    free = np.flatnonzero(plan == _OWN).tolist()
    firsts: dict[int, int] = {}
    for place in np.flatnonzero(plan == _AGAIN).tolist():
        candidates = [first for first in free if first < room[place]]
        firsts[place] = candidates[rng.integers(len(candidates))]
        free.remove(firsts[place])
    return firsts
