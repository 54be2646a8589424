"""Which models find entities better than others: every two on the same resamples of the test sentences."""

import warnings
import zlib
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from medgauge.arrays import Doubles, Integers
from medgauge.errors import CoverageWarning
from medgauge.ner.recognition_result import ContestSettings, FDifference, RankedModel, RecognitionContest
from medgauge.progress import track
from medgauge.stats.differences.corrections import adjusted, interval_level
from medgauge.stats.differences.letters import compact_letters
from medgauge.stats.differences.ranking import rank_interval, ranks
from medgauge.stats.differences.resampled_difference import ResampledDifference
from medgauge.stats.resampling.bootstrap import Resampled, steps
from medgauge.stats.resampling.resampled_f import resample_f

_FEW = 40  # sentences below which a resample says little


def resampled_figures(counts: Integers, corpus: str, *, resamples: int, seed: int) -> Resampled:
    """Return the F of each model on resamples of the sentences of a corpus.

    `counts` are models × trials × sentences × (right, found, gold). The resamples of a corpus do not depend
    on which others there are.
    """
    sentences = counts.shape[2]
    if sentences < _FEW:
        message = f"{corpus} has {sentences} test sentences: its intervals and tests mean little"
        warnings.warn(message, CoverageWarning, stacklevel=2)
    rng = np.random.default_rng([seed, zlib.crc32(corpus.encode())])
    with track(f"resampling {corpus}", steps(sentences, resamples)) as advance:
        return resample_f(counts, resamples=resamples, rng=rng, advance=advance)


def contest(
    corpus: str, models: Sequence[str], found: Resampled, settings: ContestSettings, *, sentences: int
) -> RecognitionContest:
    """Test the difference of every two of at least two models, and rank them."""
    values: Doubles = found.whole.round(12)  # equal up to rounding counts as equal
    order = np.argsort(-values, kind="stable").tolist()
    two = list(combinations(order, 2))
    level = interval_level(settings.alpha, settings.correction, tests=len(two))
    if 2 / (settings.resamples + 1) >= level:
        message = (
            f"{corpus}: with {settings.resamples:,} resamples no difference can be significant; "
            f"{int(2 / level) + 1:,} are needed"
        )
        warnings.warn(message, CoverageWarning, stacklevel=2)
    tested = [
        ResampledDifference(float(values[one] - values[other]), _differences(found, one, other))
        for one, other in two
    ]
    corrected = adjusted(np.array([one.p_value for one in tested]), settings.correction).tolist()
    different = np.zeros((len(models), len(models)), np.bool_)
    differences = []
    for (one, other), difference, p_adjusted in zip(two, tested, corrected, strict=True):
        significant = p_adjusted < settings.alpha
        different[one, other] = different[other, one] = significant
        low, high = difference.interval(level)
        differences.append(
            FDifference(
                model_1=models[one],
                model_2=models[other],
                value=difference.estimate,
                low=low,
                high=high,
                p=difference.p_value,
                p_adjusted=p_adjusted,
                significant=significant,
                floored=difference.floored,
            )
        )
    place = ranks(values)
    lowest, highest = rank_interval(found.resamples, confidence=settings.confidence)
    letters = compact_letters(different[np.ix_(order, order)])
    ranked = [
        RankedModel(
            model=models[number],
            f=float(found.whole[number]),
            rank=int(place[number]),
            rank_low=int(lowest[number]),
            rank_high=int(highest[number]),
            letters=own,
        )
        for number, own in zip(order, letters, strict=True)
    ]
    return RecognitionContest(
        corpus=corpus,
        sentences=sentences,
        tests=len(two),
        level=level,
        models=ranked,
        differences=differences,
    )


def _differences(found: Resampled, one: int, other: int) -> Doubles:
    return (found.resamples[:, one] - found.resamples[:, other]).round(12)
