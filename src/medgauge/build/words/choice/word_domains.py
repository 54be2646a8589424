"""Whether words are mostly used in biomedical or in general English, by how often they occur in each."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from medgauge.arrays import Doubles
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.corpus.general_list import open_general_list
from medgauge.errors import InputError, option
from medgauge.progress import track

Domain = Literal["biomedical", "general", "borderline"]
DOMAINS: tuple[Domain, ...] = ("biomedical", "general", "borderline")

WORDFREQ = "wordfreq"


@dataclass(frozen=True)
class DomainLimits:
    """How many times as frequent as in general English a word is, to be of a domain.

    A word is biomedical from the ratio `biomedical` on, and general up to the ratio `general`, unless it
    occurs at least `frequent_in_both` times per million words in both.
    """

    biomedical: float = 10.0
    general: float = 1.0
    frequent_in_both: float = 100.0

    def check(self) -> None:
        """Refuse limits between which nothing is left, or that are not ratios."""
        if not 0 < self.general <= self.biomedical < np.inf:
            raise InputError(
                f"{option('general', self.general)} and {option('biomedical', self.biomedical)} are ratios; "
                "the first must be above 0 and not above the second"
            )
        if not 0 < self.frequent_in_both < np.inf:
            given = option("frequent_in_both", self.frequent_in_both)
            raise InputError(f"{given} must be above 0 and finite")


@dataclass(frozen=True)
class GeneralEnglish:
    """How often words occur in general English: `share` of all words, for each; `source` names the list."""

    share: Mapping[str, float]
    source: str

    def shares(self, words: pl.Series) -> Doubles:
        """Return the share of each word; one that the list lacks has that of its rarest."""
        least = min(self.share.values())
        return np.array([self.share.get(word, least) for word in words], np.float64)


def general_english(forms: WordForms, reference: str | Path | None = None) -> GeneralEnglish:
    """Return the frequencies of general English: those of wordfreq, or of a table with words and frequencies.

    Forms that `forms` makes one are added up.
    """
    listed = open_general_list(WORDFREQ if reference is None else str(reference))
    added: dict[str, float] = {}
    with track("general English", len(listed.frequencies)) as advance:
        for done, (word, share) in enumerate(listed.frequencies.items(), 1):
            if share:
                key = forms.normal(word, "word")
                added[key] = added.get(key, 0.0) + share
            if not done % 10_000:
                advance(10_000)
    return GeneralEnglish(added, listed.name)


def ratios(words: pl.DataFrame, english: GeneralEnglish, tokens: int) -> Doubles:
    """Return how many times as frequent each word is in the corpus as in general English.

    Rows of one word with different parts of speech count together, since the list does not tell them apart.

    >>> words = pl.DataFrame({"word": ["play", "play", "lysis"], "frequency": [6, 4, 1]})
    >>> ratios(words, GeneralEnglish({"play": 0.25, "river": 0.01}, "mine"), tokens=20).tolist()
    [2.0, 2.0, 5.0]
    """
    every = words.select(pl.col("frequency").sum().over("word"))["frequency"].to_numpy() / tokens
    return np.asarray(every / english.shares(words["word"]), np.float64)


def domains(words: pl.DataFrame, english: GeneralEnglish, tokens: int, limits: DomainLimits) -> pl.DataFrame:
    """Return the words with their `ratio` and `domain`."""
    ratio = ratios(words, english, tokens)
    general = english.shares(words["word"])
    in_both = np.minimum(ratio * general, general) * 1e6 >= limits.frequent_in_both
    return (
        words.with_columns(pl.Series("ratio", ratio), pl.Series("in_both", in_both))
        .with_columns(
            domain=pl.when(pl.col("ratio") >= limits.biomedical)
            .then(pl.lit("biomedical"))
            .when((pl.col("ratio") <= limits.general) & ~pl.col("in_both"))
            .then(pl.lit("general"))
            .otherwise(pl.lit("borderline"))
        )
        .drop("in_both")
    )
