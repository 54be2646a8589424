"""What annotators' verdicts say about the sets that the rated pairs come from."""

import numpy as np
import polars as pl

from medgauge.arrays import Doubles
from medgauge.errors import InputError
from medgauge.estimate import CONFIDENCE
from medgauge.ratings.findings import Verdicts
from medgauge.ratings.ratings import Ratings
from medgauge.stats.raters.alpha import krippendorff_alpha
from medgauge.stats.raters.majority import label_quality, majority
from medgauge.strata.values import as_texts

NO_SET = "without a set"
ALL = "all sets"


def verdict_table(ratings: Ratings, *, confidence: float = CONFIDENCE) -> list[Verdicts]:
    """Return each set's pairs without truth, the annotators' agreement, and the accuracy of its labels.

    The truth is the `majority` of all answers. Sets are the values of the column `set`, in the order of their
    first occurrence, followed by one of all pairs if there are several; without that column there is one,
    named after the card. α is nominal, over the verdicts same and not the same: "don't know" counts as
    missing. Labels are in the column `label`, or in `label_in_set` in a set whose `label` is the annotators'
    own. NaN is undefined.

    Reference: Schulz and Juric (2020), section 3.3 and table 3.
    """
    if not ratings.verdicts:
        raise InputError(f"the ratings of {ratings.card.name} are graded, not verdicts")
    if "set" in ratings.pairs.columns:
        sets = np.array([name or NO_SET for name in as_texts(ratings.pairs["set"])], np.str_)
    else:
        sets = np.full(len(ratings), ratings.card.name)
    names = list(dict.fromkeys(sets.tolist()))
    table = [_verdicts(name, ratings.of_pairs(sets == name), confidence) for name in names]
    return [*table, _verdicts(ALL, ratings, confidence)] if len(names) > 1 else table


def _verdicts(name: str, ratings: Ratings, confidence: float) -> Verdicts:
    truth = majority(ratings.values, ratings.unsure)
    quality = label_quality(_labels(ratings.pairs), truth, confidence=confidence)
    return Verdicts(
        set=name,
        pairs=len(ratings),
        without_truth=int(np.isnan(truth).sum()),
        alpha=krippendorff_alpha(ratings.values, level="nominal").value,
        accuracy=quality.accuracy,
        recall=quality.recall,
        precision=quality.precision,
        intervals=quality.intervals,
    )


def _labels(pairs: pl.DataFrame) -> Doubles:
    """Return the labels that the pairs have in their sets, NaN where there is none."""
    for name in ("label_in_set", "label"):
        if name in pairs.columns:
            # Strata are read as text, and label_in_set may be a stratum.
            return pairs[name].cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    return np.full(pairs.height, np.nan)
