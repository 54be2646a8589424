"""Dependency contexts of words, after Levy and Goldberg (2014, doi 10.3115/v1/P14-2050).

The contexts of a word are its modifiers, each with the label of its relation ("scientist/nsubj"), and its
head with the label and a mark that it is the inverse ("discovers/nsubj-1"). A preposition is collapsed: what
it governs is joined to what it modifies, and the preposition goes into the label ("telescope/prep_with").

- Universal Dependencies: an `obl` or `nmod` (not `nmod:poss`) with a `case` has the word of that in its
  label, as "nmod_with"; if there are several, or words that are `fixed` to one, it has all of them in their
  order, as "nmod_in_front_of".
- Stanford Dependencies: `prep` and the `pobj` below it become one relation, as "prep_with"; the words of
  prepositions below each other follow each other, as "prep_out_of".

A preposition that is in a label modifies nothing, and is linked only to words that modify it, as "right" does
in "right before dawn". The root is not a context.
"""

import numpy as np
import polars as pl

from medgauge.arrays import Flags, Integers
from medgauge.errors import InputError

_NONE = -1
_DEEPEST = 8  # prepositions below each other that are followed


def contexts_of(sentences: pl.DataFrame, *, keep_case: bool = False) -> pl.DataFrame:
    """Return each pair of a word and a context in parsed sentences, with the row of its sentence.

    `other` is the word in the context.

    `sentences` has the columns tokens, heads and relations of a corpus. White space in a token becomes an
    underscore, since files of vectors cannot have it in words.

    >>> tokens, heads, relations = ["star", "with", "lens"], [0, 3, 1], ["root", "case", "nmod"]
    >>> frame = pl.DataFrame({"tokens": [tokens], "heads": [heads], "relations": [relations]})
    >>> contexts_of(frame).select("word", "context").rows()
    [('star', 'lens/nmod_with'), ('lens', 'star/nmod_with-1')]
    """
    sentence, words, heads, labels = _collapsed(sentences, keep_case=keep_case)
    places = np.flatnonzero(heads != _NONE)
    arcs = pl.DataFrame(
        {
            "sentence": sentence[places],
            "head": words.gather(heads[places]),
            "modifier": words.gather(places),
            "label": labels.gather(places),
        }
    )
    down, up = pl.format("{}/{}", "modifier", "label"), pl.format("{}/{}-1", "head", "label")
    return arcs.select(
        "sentence",
        pl.concat_list("head", "modifier").alias("word"),
        pl.concat_list("modifier", "head").alias("other"),
        pl.concat_list(down, up).alias("context"),
    ).explode("word", "other", "context")


def form_of(tokens: pl.Expr, *, keep_case: bool) -> pl.Expr:
    """Return the words that tokens are, where they cannot be split."""
    words = tokens.str.replace_all(r"\s", "_")
    return words if keep_case else words.str.to_lowercase()


def _collapsed(
    sentences: pl.DataFrame, *, keep_case: bool
) -> tuple[Integers, pl.Series, Integers, pl.Series]:
    """Return for each token its sentence, its word, the row of its head, and the label of their relation.

    The head is _NONE for a root and for a preposition that is in a label.
    """
    rows = (
        sentences.lazy()
        .with_row_index("sentence")
        .with_columns(pl.col("tokens").list.len().alias("length"))
        .filter(pl.col("length") > 0)
        .with_columns((pl.col("length").cum_sum() - pl.col("length")).cast(pl.Int64).alias("first"))
        .explode("tokens", "heads", "relations")
        .with_columns(form_of(pl.col("tokens"), keep_case=keep_case).alias("word"))
        .with_columns(pl.col("relations").str.split(":").list.first().alias("base"))
        .collect()
    )
    given = rows["heads"].to_numpy().astype(np.int64)
    if (given > rows["length"].to_numpy()).any():
        raise InputError("the corpus has a head outside its sentence; make the corpus again")
    heads = np.where(given > 0, rows["first"].to_numpy() + given - 1, _NONE)
    words, relations, bases = rows["word"], rows["relations"], rows["base"]
    marks, is_case = _case_marks(words, relations, bases, heads)
    tops, phrases, is_preposition = _prepositions(words, bases, heads)
    labels = pl.select(
        pl.when(phrases.is_not_null())
        .then(pl.format("prep_{}", phrases))
        .when(marks.is_not_null())
        .then(pl.format("{}_{}", relations, marks))
        .otherwise(relations)
    ).to_series()
    heads = np.where(is_case | is_preposition, _NONE, np.where(phrases.is_not_null().to_numpy(), tops, heads))
    return rows["sentence"].to_numpy().astype(np.int64), words, heads, labels


def _case_marks(
    words: pl.Series, relations: pl.Series, bases: pl.Series, heads: Integers
) -> tuple[pl.Series, Flags]:
    """Return for each token the case marks of Universal Dependencies below it, and which tokens are such."""
    has_head = heads != _NONE
    takes_case = (bases.is_in(["obl", "nmod"]) & (relations != "nmod:poss")).to_numpy()
    marked = (bases == "case").to_numpy() & has_head & takes_case[heads]
    is_fixed = (bases == "fixed").to_numpy() & has_head & marked[heads]
    mark = marked | is_fixed
    of = np.where(is_fixed, heads[heads], heads)
    places = np.flatnonzero(mark)
    found = (
        pl.DataFrame({"row": of[places], "word": words.gather(places)})
        .group_by("row", maintain_order=True)
        .agg(pl.col("word").str.join("_"))
    )
    return _spread(found["row"].to_numpy(), found["word"], len(words)), mark


def _prepositions(words: pl.Series, bases: pl.Series, heads: Integers) -> tuple[Integers, pl.Series, Flags]:
    """Return for each object of a preposition what that modifies, and its words; and which tokens are such.

    These are the prepositions of Stanford Dependencies.
    """
    is_prep = (bases == "prep").to_numpy()
    below = np.flatnonzero((bases == "pobj").to_numpy() & (heads != _NONE) & is_prep[heads])
    tops = heads[below]
    phrases = words.gather(tops)
    used = np.zeros(len(words), np.bool_)
    used[tops] = True
    for _ in range(_DEEPEST):
        over = heads[tops]
        climbs = (over != _NONE) & is_prep[over]
        if not climbs.any():
            break
        outer = words.gather(np.where(climbs, over, 0))
        phrases = pl.select(
            pl.when(pl.Series(climbs)).then(pl.format("{}_{}", outer, phrases)).otherwise(phrases)
        ).to_series()
        tops = np.where(climbs, over, tops)
        used[tops] = True
    heads_of = np.full(len(words), _NONE)
    heads_of[below] = heads[tops]
    return heads_of, _spread(below, phrases, len(words)), used


def _spread(places: Integers, texts: pl.Series, count: int) -> pl.Series:
    """Put texts at their places among nulls."""
    found = pl.DataFrame({"row": places, "text": texts}, {"row": pl.Int64, "text": pl.String})
    rows = pl.DataFrame({"row": np.arange(count)})
    return rows.join(found, "row", "left", maintain_order="left")["text"]
