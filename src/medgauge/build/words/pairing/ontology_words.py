"""Words that are terms of an ontology, and which of them are synonyms or siblings there."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.build.words.pairing.word_vocabulary import WordVocabulary
from medgauge.terminology.model import Terminology


def single_words(terminology: Terminology) -> pl.DataFrame:
    """Return the terms of active concepts, labels and synonyms, that are one word: `concept` and `term`."""
    active = terminology.concepts.with_row_index("concept").filter("active", ~pl.col("is_metadata"))
    terms = pl.concat(
        [
            active.select("concept", term="label"),
            terminology.synonyms.select("concept", "term").join(active, on="concept", how="semi"),
        ]
    ).drop_nulls()
    stripped = terms.with_columns(pl.col("term").str.strip_chars())
    return stripped.filter(~pl.col("term").str.contains(r"\s|^$")).unique(maintain_order=True)


def concept_words(terminology: Terminology, vocabulary: WordVocabulary) -> pl.DataFrame:
    """Return the words that are terms of active concepts: `concept` and `word`, numbers of both.

    A verb is found by a noun that is made from it as well.
    """
    rows = {
        (concept, number)
        for concept, term in single_words(terminology).iter_rows()
        for number in vocabulary.find(term)
    }
    return pl.DataFrame(sorted(rows), schema={"concept": pl.UInt32, "word": pl.UInt32}, orient="row")


def synonyms(found: pl.DataFrame) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words of one concept.

    >>> list(synonyms(pl.DataFrame({"concept": [0, 0, 1], "word": [4, 2, 2]})))
    [(2, 4)]
    """
    for words in found.group_by("concept", maintain_order=True).agg("word")["word"]:
        yield from combinations(sorted(words.to_list()), 2)


def siblings(found: pl.DataFrame, parents: pl.DataFrame) -> Iterator[tuple[Integers, Integers]]:
    """Yield, for each parent, the pairs of words of two different children as arrays, the lower number first.

    >>> found = pl.DataFrame({"concept": [1, 2, 2], "word": [7, 8, 9]})
    >>> parents = pl.DataFrame({"child": [1, 2], "parent": [0, 0]})
    >>> [(first.tolist(), second.tolist()) for first, second in siblings(found, parents)]
    [([7, 7], [8, 9])]
    """
    children = (
        parents.unique().join(found, left_on="child", right_on="concept").sort("parent", "child", "word")
    )
    for _, group in children.group_by("parent", maintain_order=True):
        child, word = (group[name].to_numpy().astype(np.int64) for name in ("child", "word"))
        one, other = np.triu_indices(len(word), 1)
        kept = (child[one] != child[other]) & (word[one] != word[other])
        if kept.any():
            first, second = word[one[kept]], word[other[kept]]
            yield np.minimum(first, second), np.maximum(first, second)
