"""Parts of speech: which tags of a corpus mean a noun or a verb, and which parts words have without tags."""

from typing import Literal

import polars as pl

from medgauge.build.words.lexical.specialist_lexicon import SpecialistLexicon
from medgauge.errors import InputError

PartOfSpeech = Literal["noun", "verb", "word"]
"""A part of speech; "word" in a table that does not tell them apart."""
PARTS: tuple[PartOfSpeech, ...] = ("noun", "verb", "word")

PLURAL: dict[PartOfSpeech, str] = {"noun": "nouns", "verb": "verbs", "word": "words"}

_NOUNS = ("NOUN", "PROPN", "NN", "NNS", "NNP", "NNPS")
_VERBS = ("VERB", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_AUXILIARIES = ("AUX", "MD")
_MOST_TAGS = 6  # that a message names


def with_parts(table: pl.DataFrame, lexicon: SpecialistLexicon | None, *, name: str) -> pl.DataFrame:
    """Return the rows of a word table that are nouns or verbs, with `part` and `auxiliary`.

    Tags are those of Universal Dependencies or of the Penn Treebank; proper nouns are nouns, as they are in
    Bio-SimLex (China, Chiroptera). In a table without tags a word has the part of speech that the lexicon
    has for it if that is only one of noun and verb; without a lexicon all words have the part "word".

    >>> rows = {"word": ["cell", "must", "the"], "pos": ["NOUN", "AUX", "DET"]}
    >>> with_parts(pl.DataFrame(rows), None, name="words.parquet").rows()
    [('cell', 'NOUN', 'noun', False), ('must', 'AUX', 'verb', True)]
    """
    if table["pos"].null_count() < table.height:
        return _by_tag(table, name)
    if lexicon is None:
        return table.with_columns(part=pl.lit("word"), auxiliary=pl.lit(value=False))
    parts = (
        lexicon.forms.filter(pl.col("part").is_in(["noun", "verb"]))
        .group_by("form")
        .agg(pl.col("part").unique())
    )
    alone = parts.filter(pl.col("part").list.len() == 1).select(
        pl.col("form").alias("word"), pl.col("part").list.first()
    )
    found = table.join(alone, on="word", how="inner", maintain_order="left")
    if not found.height:
        raise InputError(f"{name}: the lexicon has none of its words as only a noun or only a verb")
    return found.with_columns(auxiliary=pl.lit(value=False))


def _by_tag(table: pl.DataFrame, name: str) -> pl.DataFrame:
    tag = pl.col("pos").str.to_uppercase()
    part = (
        pl.when(tag.is_in(_NOUNS))
        .then(pl.lit("noun"))
        .when(tag.is_in([*_VERBS, *_AUXILIARIES]))
        .then(pl.lit("verb"))
    )
    found = table.with_columns(part=part, auxiliary=tag.is_in(_AUXILIARIES)).filter(
        pl.col("part").is_not_null()
    )
    if not found.height:
        tags = table["pos"].drop_nulls().unique().sort().to_list()
        shown = ", ".join(tags[:_MOST_TAGS]) + (", …" if len(tags) > _MOST_TAGS else "")
        raise InputError(
            f"{name} has no nouns and no verbs: their tags would be {', '.join((*_NOUNS, *_VERBS))}, and its "
            f"tags are {shown}"
        )
    return found
