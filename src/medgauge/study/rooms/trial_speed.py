"""How fast a training is, by a trial of it."""

import time
from collections.abc import Callable

_ENOUGH = 0.5  # seconds, far above what starting differs by from run to run
_MOST = 128  # passes


def speed_of(
    train: Callable[[int], object], work: float, *, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Return the work that further passes do in a second, where `train(n)` makes n passes of `work` each.

    A longer training takes its further passes more than one of a single pass. The first training is not
    timed, since it also imports and compiles; trainings get longer until the difference says something. The
    speed is 0 if even the longest takes no longer.
    """

    def seconds(passes: int) -> float:
        started = clock()
        train(passes)
        return clock() - started

    train(1)
    single = seconds(1)
    further = 2
    while (more := seconds(1 + further) - single) < _ENOUGH and further < _MOST:
        further *= 4
    return further * work / more if more > 0 else 0.0
