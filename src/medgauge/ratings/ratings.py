"""Ratings: each annotator's rating of each pair."""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from medgauge.arrays import Doubles, Flags
from medgauge.errors import InputError, UnknownNameError, option
from medgauge.files.file_names import clean_name
from medgauge.pairs import Card
from medgauge.rounding import without_noise
from medgauge.stats.settings import LARGEST

Scale = tuple[float, float]


RATER = "rater_"
"""The prefix of an annotator's column, in upper or lower case."""


def annotator_name(name: str) -> str:
    r"""Return the annotator's name in a column's name or a cell; names that look the same are the same.

    >>> annotator_name(" Rater_A "), annotator_name("Zoe\u0308\xa0B") == "Zoë B"
    ('A', True)
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    return clean_name((name[len(RATER) :] if name.lower().startswith(RATER) else name).strip())


def check_scale(scale: Scale) -> None:
    """Refuse a scale whose ends do not increase, or are beyond all ratings."""
    low, high = scale
    if not -LARGEST <= low < high <= LARGEST:
        raise InputError(f"the scale {low:g} to {high:g} must rise from a lowest to a highest number")


@dataclass(frozen=True)
class Ratings:
    """Ratings of pairs by annotators, some of which are missing.

    `pairs` has a row for each pair: `pair_id`, and what else is known of it (`term_1, term_2`, the `set` that
    it comes from, its `label` there, strata). `values` is pairs × annotators, NaN where there is no rating;
    `unsure` marks "don't know" answers, which are not ratings. Verdicts are the ratings 1 (same) and 0 (not
    same). `scale` is the lowest and highest possible rating, if known; `file` is where they were read from.
    """

    pairs: pl.DataFrame
    annotators: tuple[str, ...]
    values: Doubles
    unsure: Flags
    verdicts: bool
    scale: Scale | None
    card: Card
    file: str = ""

    def __len__(self) -> int:
        return self.pairs.height

    @property
    def named(self) -> str:
        """The file of the ratings, or else their name, for error messages."""
        return self.file or self.card.name

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many ratings each pair has."""
        return np.asarray(np.count_nonzero(~np.isnan(self.values), axis=1))

    @cached_property
    def means(self) -> Doubles:
        """The mean rating of each pair; NaN without ratings."""
        sums = np.nansum(self.values, axis=1)
        means = np.full(len(self), np.nan)
        np.divide(sums, self.counts, out=means, where=self.counts > 0)
        return without_noise(means)

    @cached_property
    def deviations(self) -> Doubles:
        """The standard deviation of each pair's ratings, √(Σ (r − r̄)² / (m − 1)); NaN for fewer than two."""
        squares = np.nansum((self.values - self.means[:, None]) ** 2, axis=1)
        variances = np.full(len(self), np.nan)
        np.divide(squares, self.counts - 1, out=variances, where=self.counts > 1)
        return np.asarray(np.sqrt(variances))

    @property
    def columns(self) -> list[pl.Series]:
        """The ratings as columns of a set: `rater_NAME`, and `unsure_NAME` where there are such answers."""
        found = []
        for place, name in enumerate(self.annotators):
            found.append(pl.Series(f"{RATER}{name}", self.values[:, place], nan_to_null=True))
            if self.unsure[:, place].any():
                found.append(pl.Series(f"unsure_{name}", self.unsure[:, place]))
        return found

    def without(self, annotators: Collection[str]) -> "Ratings":
        """Leave some annotators out; a name may have the prefix rater_, like its column."""
        given = [annotators] if isinstance(annotators, str) else annotators
        annotators = [name if name in self.annotators else annotator_name(name) for name in given]
        for name in annotators:
            if name not in self.annotators:
                raise UnknownNameError("annotator", name, self.annotators)
        kept = [column for column, name in enumerate(self.annotators) if name not in annotators]
        if not kept:
            raise InputError("no annotator is left")
        return replace(
            self,
            annotators=tuple(self.annotators[column] for column in kept),
            values=self.values[:, kept],
            unsure=self.unsure[:, kept],
        )

    def of_pairs(self, chosen: Flags) -> "Ratings":
        """Keep some of the pairs."""
        return replace(
            self, pairs=self.pairs.filter(chosen), values=self.values[chosen], unsure=self.unsure[chosen]
        )

    def require_terms(self) -> None:
        """Refuse ratings of pairs whose terms are unknown."""
        for name in ("term_1", "term_2"):
            if name not in self.pairs.columns:
                raise InputError(
                    f"the ratings of {self.named} have no terms: columns term_1 and term_2 are needed, or "
                    f"those that {option('term_1')} and {option('term_2')} name"
                )
