"""Letters that systems share when they cannot be told apart."""

import string

import numpy as np
from numpy.typing import NDArray


def compact_letters(different: NDArray[np.bool_]) -> list[str]:
    """Assign letters to each system, so that two share one exactly when they do not differ.

    This is the compact letter display. `different` is a symmetric matrix, with systems from best to worst, so
    that 'a' goes to the best. Differences are inserted one by one: a group that holds both systems is split
    into one without the first and one without the second, and groups within others are absorbed.

    Reference: Piepho (2004). An algorithm for a letter-based representation of all-pairwise comparisons.
    Journal of Computational and Graphical Statistics 13:456-466.

    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], bool))
    ['a', 'ab', 'b']
    """
    count = len(different)
    groups = [frozenset(range(count))]
    for first, second in zip(*np.nonzero(np.triu(different)), strict=True):
        split = {
            part
            for group in groups
            for part in (
                (group - {int(first)}, group - {int(second)}) if {first, second} <= group else (group,)
            )
        }
        groups = [group for group in split if not any(group < other for other in split)]
    groups.sort(key=sorted)
    return [
        "".join(_letter(place) for place, group in enumerate(groups) if system in group)
        for system in range(count)
    ]


def _letter(place: int) -> str:
    """Return the letter of a group: a to z, A to Z, then numbers in brackets."""
    return string.ascii_letters[place] if place < len(string.ascii_letters) else f"[{place + 1}]"
