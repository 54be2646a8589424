"""Filters of words ("Choice of words" in Chiu et al. 2018), each named, with what it removes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from medgauge.errors import UnknownNameError

FilterName = Literal["multi-word", "auxiliaries", "numbers", "symbols", "greek", "short", "rare"]

_AUXILIARIES = (
    *("be", "am", "is", "are", "was", "were", "been", "being", "have", "has", "had", "having", "do", "does"),
    *("did", "doing", "done", "can", "cannot", "could", "may", "might", "must", "ought", "shall", "should"),
    *("will", "would"),
)


@dataclass(frozen=True)
class WordFilter:
    """A reason to leave a word out.

    `removes` says which words in a few words; a filter `after` normalising applies once the forms of a word
    have been merged.
    """

    name: FilterName
    removes: str
    after: bool = False


FILTERS: dict[str, WordFilter] = {
    one.name: one
    for one in (
        WordFilter("multi-word", "with a space or an underscore: 37 degrees c"),
        WordFilter("auxiliaries", "auxiliary and modal verbs: must"),
        WordFilter("numbers", "with digits and without letters, except an ordinal's: 2010, 3.5, 2nd"),
        WordFilter("symbols", "with a sign other than letters, digits, hyphens and apostrophes: <, p<0.05"),
        WordFilter("greek", "with a Greek letter: α, tnf-α"),
        WordFilter("short", "of too few characters: a, v, b1"),
        WordFilter("rare", "that occur too rarely", after=True),
    )
}
"""The filters, in the order in which they apply: a word that several would remove counts for the first."""


def chosen_filters(names: Sequence[str]) -> list[FilterName]:
    """Return filters by their names, in the order in which they apply.

    >>> chosen_filters(["short", "multi-word"])
    ['multi-word', 'short']
    """
    for name in names:
        if name not in FILTERS:
            raise UnknownNameError("filter", name, FILTERS)
    return [one.name for one in FILTERS.values() if one.name in names]


def removed_by(name: FilterName, *, min_length: int, min_frequency: int) -> pl.Expr:
    """Return whether a filter removes a word, for a frame of `word`, `part`, `auxiliary` and `frequency`.

    >>> words = pl.DataFrame({"word": ["il-2", "2nd", "p<0.05", "b1", "tnf-α"]})
    >>> for name in ("numbers", "symbols", "greek", "short"):
    ...     words.filter(removed_by(name, min_length=3, min_frequency=5))["word"].to_list()
    ['2nd']
    ['p<0.05']
    ['tnf-α']
    ['b1']
    """
    word = pl.col("word")
    if name == "multi-word":
        return word.str.contains(r"[\s_]")
    if name == "auxiliaries":
        return pl.col("auxiliary") | (pl.col("part") != "noun") & word.is_in(_AUXILIARIES)
    if name == "numbers":
        return word.str.contains(r"^[\p{P}\p{S}]*\p{N}[\p{N}\p{P}\p{S}]*(st|nd|rd|th|s)?$")
    if name == "symbols":
        # A micro sign (µ) is a letter here, as the filter for Greek letters finds it.
        return word.str.contains(r"[^\p{L}\p{M}\p{N}\-‐‑'’\s_]|^[^\p{L}\p{N}]+$")
    if name == "greek":
        return word.str.contains(r"\p{Greek}|µ")
    if name == "short":
        return word.str.len_chars() < min_length
    return pl.col("frequency") < min_frequency
