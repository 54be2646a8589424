"""How often words occur and in journals of how many subjects, as attributes of the words of a set."""

from collections.abc import Collection

import polars as pl

from medgauge.models.tokens import tokenize
from medgauge.study.study_file import CountedPart

_TAGS: dict[CountedPart, tuple[str, ...]] = {
    "noun": ("NOUN", "NN", "NNS"),
    "verb": ("VERB", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
}
"""Nouns and verbs in Universal Dependencies and in the Penn Treebank."""


def word_attributes(table: pl.DataFrame, terms: Collection[str], part: CountedPart) -> pl.DataFrame:
    """Return `frequency` and the number of `subjects` of the words that terms are made of, sorted by word.

    `table` is that of a corpus: a row for each word and part of speech. Only occurrences as this part of
    speech count, if the table has parts of speech. A word without a known subject has null.

    >>> subjects = [[{"subject": "Genetics", "frequency": 3}], [{"subject": "Nursing", "frequency": 1}]]
    >>> rows = {"word": ["cell", "cell"], "pos": ["NOUN", "VERB"], "frequency": [9, 2], "subjects": subjects}
    >>> word_attributes(pl.DataFrame(rows), ["Cell"], "noun").rows()
    [('cell', 9, 1)]
    >>> word_attributes(pl.DataFrame(rows), ["cell"], "any").rows()
    [('cell', 11, 2)]
    """
    wanted = {word.lower() for term in terms for word in (term, *tokenize(term))}
    rows = table.filter(pl.col("word").is_in(list(wanted)))
    if part != "any" and table["pos"].is_not_null().any():
        rows = rows.filter(pl.col("pos").is_in(_TAGS[part]))
    counts = rows.group_by("word").agg(pl.col("frequency").sum())
    named = rows.select("word", "subjects").explode("subjects").drop_nulls().unnest("subjects")
    subjects = named.group_by("word").agg(pl.col("subject").n_unique().alias("subjects"))
    return counts.join(subjects, on="word", how="left").sort("word")


def has_parts(table: pl.DataFrame) -> bool:
    """Return whether a word table has parts of speech."""
    return bool(table["pos"].is_not_null().any())
