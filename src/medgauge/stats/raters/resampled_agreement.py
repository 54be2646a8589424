"""Every figure of agreement on resamples of the pairs, and on the pairs without each one."""

from collections.abc import Callable, Sequence

import numpy as np

from medgauge.arrays import Doubles
from medgauge.stats.raters.kernel import Kernel
from medgauge.stats.raters.variance.mean_reliability import MOST_BLOCKS, MeanReliability
from medgauge.stats.resampling.bootstrap import Resampled, Weights, resample

LEFT_OUT = 1_000  # blocks of pairs: enough for skewness and standard errors, and each is slow


def resample_agreement(
    kernels: Sequence[Kernel],
    pairs: int,
    *,
    resamples: int,
    rng: np.random.Generator,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Resampled:
    """Compute the statistics of kernels (columns, one kernel's after another's) on resamples of their pairs.

    Comparisons of raters and panels of pairs are those of all pairs; what is undefined on a resample is left
    out of its means.

    >>> from medgauge.stats.raters.reliability import Packed
    >>> ratings = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [4.0, 6.0]])
    >>> kernel = Packed(ratings, "interval")
    >>> found = resample_agreement([kernel], 4, resamples=2, rng=np.random.default_rng(0))
    >>> dict(zip(kernel.names, found.whole.round(3).tolist(), strict=True))["icc_c1"]
    0.737
    """
    ends = np.cumsum([len(kernel.names) for kernel in kernels]).tolist()

    def compute(weights: Weights, rows: Doubles) -> None:
        for kernel, end in zip(kernels, ends, strict=True):
            kernel.compute(weights, rows[:, end - len(kernel.names) : end])

    return resample(
        compute,
        np.arange(pairs),
        figures=ends[-1],
        resamples=resamples,
        rng=rng,
        most_left_out=LEFT_OUT,
        workers=workers,
        advance=advance,
    )


def without_blocks(
    kernel: MeanReliability,
    *,
    rng: np.random.Generator,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda _done: None,
) -> Doubles:
    """Compute the statistics of a kernel (columns) without each of at most 200 blocks of its pairs.

    Pairs are dealt to blocks at random: blocks of neighbours would differ too much in a sorted table.

    >>> ratings = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [4.0, 6.0], [2.0, 3.0]])
    >>> found = without_blocks(MeanReliability(ratings), rng=np.random.default_rng(0))
    >>> sorted(found[:, 0].round(3).tolist())
    [0.5, 0.705, 0.747, 0.76, 0.857]
    """
    found = resample(
        kernel.compute,
        rng.permutation(kernel.size),
        figures=len(kernel.names),
        resamples=0,
        rng=rng,
        most_left_out=MOST_BLOCKS,
        workers=workers,
        advance=advance,
    )
    return found.jackknife
