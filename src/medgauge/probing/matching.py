"""Matching: for each new concept, older ones that are alike."""

import numpy as np

from medgauge.arrays import Integers


def matched(new: Integers, old: Integers, *, most: int, rng: np.random.Generator) -> Integers:
    """Return for each new case the places of up to `most` old ones of its stratum, -1 where there is none.

    `new` and `old` have the stratum of each. Every old one is drawn at most once. Where a stratum has too few
    of them, each new case gets one before any gets a second, and who goes without is drawn.

    >>> matched(np.array([7, 8]), np.array([8, 7, 7]), most=2, rng=np.random.default_rng(0))
    array([[ 2,  1],
           [ 0, -1]])
    """
    found = np.full((new.size, most), -1, np.int64)
    turns, waiting = rng.permutation(new.size), rng.permutation(old.size)
    turns = turns[np.argsort(new[turns], kind="stable")]
    waiting = waiting[np.argsort(old[waiting], kind="stable")]
    sorted_new, sorted_old = new[turns], old[waiting]
    for stratum in np.unique(new):
        cases = turns[slice(*np.searchsorted(sorted_new, [stratum, stratum + 1]))]
        controls = waiting[slice(*np.searchsorted(sorted_old, [stratum, stratum + 1]))]
        controls = controls[: most * cases.size]
        rounds, places = np.divmod(np.arange(controls.size), cases.size)
        found[cases[places], rounds] = controls
    return found
