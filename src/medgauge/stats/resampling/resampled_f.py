"""F of several systems on resamples of the same sentences."""

from collections.abc import Callable

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.stats.resampling.bootstrap import Resampled, Weights, resample
from medgauge.stats.systems.f_measure import f_measure


def resample_f(
    counts: Integers,
    *,
    resamples: int,
    rng: np.random.Generator,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Resampled:
    """Compute the F of each system, the mean over its trials, on the same resamples of sentences.

    `counts` are systems × trials × sentences × (right, found, gold). A resample draws as many sentences as
    there are, with replacement, and the counts of those drawn are added up for each trial, as on the whole.
    The trials are those there are: how much another training would differ is not in the resamples. Undefined,
    NaN, where no drawn sentence has an entity.

    Reference: Berg-Kirkpatrick, Burkett and Klein (2012). An empirical investigation of statistical
    significance in NLP. EMNLP-CoNLL:995-1005.

    >>> counts = np.array([[[[1, 1, 2], [1, 2, 1]]]])
    >>> found = resample_f(counts, resamples=1, rng=np.random.default_rng(0))
    >>> found.whole.round(4), found.jackknife.round(4).tolist()
    (array([0.6667]), [[0.6667], [0.6667]])
    """
    systems, trials, sentences, _ = counts.shape
    by_sentence = counts.transpose(2, 0, 1, 3).reshape(sentences, -1).astype(np.float64)

    def compute(weights: Weights, rows: Doubles) -> None:
        sums = (weights.T[: len(rows)].astype(np.float64) @ by_sentence).reshape(-1, systems, trials, 3)
        rows[:] = f_measure(sums[..., 0], sums[..., 1], sums[..., 2]).f.mean(axis=2)

    return resample(
        compute,
        np.arange(sentences),
        figures=systems,
        resamples=resamples,
        rng=rng,
        workers=workers,
        advance=advance,
    )
