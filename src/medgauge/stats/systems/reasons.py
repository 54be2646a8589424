"""Why a figure of a system is undefined: the reason in words, or None."""

from medgauge.arrays import Doubles


def too_few_pairs(count: int, *, fewest: int) -> str | None:
    """Return the reason why a figure that needs `fewest` pairs, 1 or 2, is undefined.

    >>> too_few_pairs(0, fewest=1), too_few_pairs(1, fewest=2), too_few_pairs(2, fewest=2)
    ('no pair is covered', 'only 1 pair is covered', None)
    """
    return None if count >= fewest else f"{_few(count)} is covered"


def too_few_of_a_label(labels: Doubles, *, fewest: int) -> str | None:
    """Return the reason why a figure that needs `fewest` pairs of either label, 1 or 2, is undefined.

    >>> import numpy as np
    >>> too_few_of_a_label(np.array([0.0, 0.0, 1.0]), fewest=2)
    'only 1 pair has label 1'
    """
    count, label = min((int((labels == label).sum()), label) for label in (0, 1))
    if count >= fewest:
        return None
    return too_few_pairs(labels.size, fewest=1) or f"{_few(count)} has label {label}"


def _few(count: int) -> str:
    return "only 1 pair" if count else "no pair"
