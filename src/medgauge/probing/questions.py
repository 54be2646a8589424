"""Questions to a model: a synonym of a concept, whose name is to be found among the names of others."""

import re
import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.terminology.model import Terminology

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 5  # terms with as many or more are alike in length
_MOST_DOUBLINGS = 6  # words in 64 terms or more are alike in frequency
_SHARED = (1e-9, 0.3, 0.45, 0.6, 0.8)  # edges of the bands of shared words


@dataclass(frozen=True)
class Questions:
    """Concepts of a terminology, and a question for each of those with a synonym.

    `names` are the names of the concepts that can be told from their texts. Question i has the text
    `queries[i]`, to be answered by `names[answers[i]]`; `appeared[i]` is when its concept did, None if that
    is not known. Questions with equal `strata` are alike in lengths, rarest words and shared words.
    `ambiguous` counts texts that several concepts have, which are neither asked nor answers.
    """

    names: list[str]
    queries: list[str]
    answers: Integers
    appeared: list[date | None]
    strata: Integers
    ambiguous: int


def normalised(text: str) -> str:
    """Return the words of a text in one case, without punctuation, so that equal ones differ in nothing else.

    >>> normalised("Renal-failure, acute (NOS)")
    'renal failure acute nos'
    """
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def questions_of(terminology: Terminology, rng: np.random.Generator) -> Questions:
    """Make a question for each active concept that has a name and a synonym which only it has.

    Texts are compared as `normalised`. A text of several concepts is left out everywhere, so that each
    question has one right answer; so is a synonym that equals its concept's name. Of several synonyms, one is
    drawn.
    """
    texts = _texts(terminology)
    shared = texts.group_by("text").agg(pl.col("concept").n_unique().alias("owners"))
    ambiguous = shared.filter(pl.col("owners") > 1)
    single = texts.join(ambiguous, on="text", how="anti", maintain_order="left")
    named = single.filter("is_name").select("concept", "term", name="text").with_row_index("place")
    asked = (
        single.filter(~pl.col("is_name"))
        .join(named.select("concept", "place", "name"), on="concept", maintain_order="left")
        .sort("place", maintain_order=True)
    )
    drawn = asked[_one_of_each(asked["place"].to_numpy(), rng)]
    dates = terminology.appeared
    assert dates is not None, "whoever asks has checked that there are dates"
    rows = drawn["concept"].cast(pl.Int64).to_numpy()
    frequency = Counter(word for text in texts["text"] for word in set(text.split()))
    strata = [_alike(query, name, frequency) for query, name in drawn.select("text", "name").iter_rows()]
    return Questions(
        names=named["term"].to_list(),
        queries=drawn["term"].to_list(),
        answers=drawn["place"].cast(pl.Int64).to_numpy(),
        appeared=dates[rows].to_list(),
        strata=_numbered(strata),
        ambiguous=ambiguous.height,
    )


def _texts(terminology: Terminology) -> pl.DataFrame:
    """Return the names and synonyms of active concepts: concept, term, text (normalised), is_name."""
    concepts = terminology.concepts.with_row_index("concept")
    active = concepts.filter("active", ~pl.col("is_metadata"))
    names = active.filter(pl.col("label").is_not_null()).select(
        "concept", term="label", is_name=pl.lit(value=True)
    )
    synonyms = terminology.synonyms.join(
        active.select("concept"), on="concept", how="semi", maintain_order="left"
    ).select("concept", "term", is_name=pl.lit(value=False))
    both = pl.concat([names, synonyms])
    text = pl.Series("text", [normalised(term) for term in both["term"]], pl.String)
    # Names come first, so that a synonym that equals its concept's name is left out.
    return (
        both.with_columns(text)
        .filter(pl.col("text") != "")
        .unique(["concept", "text"], keep="first", maintain_order=True)
    )


def _one_of_each(groups: Integers, rng: np.random.Generator) -> Integers:
    """Draw a place from each run of equal numbers."""
    starts = np.flatnonzero(np.diff(groups.astype(np.int64), prepend=-1))
    counts = np.diff(np.append(starts, groups.size))
    return starts + rng.integers(0, counts) if starts.size else starts


def _alike(query: str, name: str, frequency: Counter[str]) -> tuple[int, ...]:
    """Return what a question's difficulty depends on, in bands.

    These are the words of the query and of the name, the frequency of the rarest word of each, and the share
    of words that the two have in common, without which spelling alone would make groups differ.
    """
    words, others = query.split(), name.split()
    shared = len(set(words) & set(others)) / len(set(words) | set(others))
    return (
        min(len(words), _MOST_WORDS),
        min(len(others), _MOST_WORDS),
        _doublings(words, frequency),
        _doublings(others, frequency),
        bisect(_SHARED, shared),
    )


def _doublings(words: Iterable[str], frequency: Counter[str]) -> int:
    """Return how often 1 has to be doubled, at most, to stay within the frequency of the rarest word."""
    return min(min(frequency[word] for word in words).bit_length() - 1, _MOST_DOUBLINGS)


def _numbered(strata: Sequence[tuple[int, ...]]) -> Integers:
    numbers: dict[tuple[int, ...], int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in strata], np.int64)


def ages(appeared: Iterable[date | None], since: date) -> Integers:
    """Return 1 for what appeared on a date or later, 0 for what is older, and -1 where that is not known.

    >>> ages([date(2020, 1, 1), date(2019, 12, 31), None], date(2020, 1, 1))
    array([ 1,  0, -1])
    """
    return np.array([-1 if one is None else int(one >= since) for one in appeared], np.int64)
