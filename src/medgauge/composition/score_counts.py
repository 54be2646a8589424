"""How the scores of a set are distributed."""

import numpy as np

from medgauge.arrays import Doubles
from medgauge.composition.benchmark_coverage import FIFTHS, ScoreCount

_MOST_SCORES = 2_000  # different scores that are counted one by one
_INTERVALS = 200  # into which more of them are put


def score_fifths(scores: Doubles, scale: tuple[float, float]) -> list[int]:
    """Count the scores in each fifth of a scale; one on a limit is in the higher fifth, the end in the last.

    Scores beyond the scale, which a card may have wrong, count in the first and the last.

    >>> score_fifths(np.array([0.0, 1.0, 0.99, 5.0, 2.5]), (0, 5))
    [2, 1, 1, 0, 1]
    """
    low, high = scale
    # Rounded as scores are, so that those on a limit are.
    places = np.floor(((scores - low) / (high - low) * FIFTHS).round(9))
    counts = np.bincount(np.clip(places, 0, FIFTHS - 1).astype(np.int64), minlength=FIFTHS)
    return [int(count) for count in counts]


def score_counts(scores: Doubles) -> list[ScoreCount]:
    """Count each score, ascending; of more than 2,000 different ones, those in 200 equal intervals.

    >>> [(one.score, one.pairs) for one in score_counts(np.array([2.0, 0.5, 2.0]))]
    [(0.5, 1), (2.0, 2)]
    """
    values, counts = np.unique(scores, return_counts=True)
    if values.size > _MOST_SCORES:
        counts, edges = np.histogram(scores, _INTERVALS)
        values = (edges[:-1] + edges[1:]) / 2
    return [
        ScoreCount(score=score, pairs=count)
        for score, count in zip(values.tolist(), counts.tolist(), strict=True)
        if count
    ]
