"""Why a figure of a system is undefined, or has no interval: the reason in words, or None."""

import numpy as np

from medgauge.arrays import Doubles

FEWEST_PAIRS = 3  # any order of two pairs is perfect, or perfectly wrong
FEWEST_DIFFERENT = 5  # values that a rank correlation's interval must not rest on fewer of


def too_few_pairs(count: int) -> str | None:
    """Return the reason why a figure on so few pairs is undefined.

    >>> too_few_pairs(0), too_few_pairs(2), too_few_pairs(3)
    ('no pair is covered', 'only 2 pairs; at least 3 are needed', None)
    """
    if count >= FEWEST_PAIRS or not count:
        return None if count else "no pair is covered"
    return f"only {count} pair{'s' * (count > 1)}; at least {FEWEST_PAIRS} are needed"


def too_few_of_a_label(labels: Doubles, *, fewest: int) -> str | None:
    """Return the reason why a figure that needs `fewest` pairs of either label is undefined.

    >>> import numpy as np
    >>> too_few_of_a_label(np.array([0.0, 0.0, 1.0]), fewest=2)
    'only 1 pair has label 1'
    """
    if few := too_few_pairs(labels.size):
        return few
    count, label = min((int((labels == label).sum()), label) for label in (0, 1))
    if count >= fewest:
        return None
    counted = f"only {count} pairs have" if count > 1 else f"{'only 1' if count else 'no'} pair has"
    return f"{counted} label {label}"


def nearly_constant(values: Doubles, what: str) -> str | None:
    """Return the reason why no interval can rest on values of which fewer than 5 differ from the commonest.

    A rank correlation with such values depends on where those few stand: how it would vary from sample to
    sample cannot be known from them, and the usual formulas say far too little. `what` names the values.

    >>> values = np.zeros(313)
    >>> values[:2] = 1.0
    >>> nearly_constant(values, "scores")
    'only 2 of 313 scores differ from the commonest'
    """
    if not values.size:
        return f"there are no {what}"
    different = values.size - int(np.unique(values, return_counts=True)[1].max())
    if different >= FEWEST_DIFFERENT:
        return None
    if not different:
        return f"all {values.size} {what} are equal"
    verb = "differs" if different == 1 else "differ"
    return f"only {different} of {values.size} {what} {verb} from the commonest"
