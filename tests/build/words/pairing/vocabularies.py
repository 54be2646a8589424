"""Vocabularies of a test's own words."""

import polars as pl

from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.pairing.word_vocabulary import WordVocabulary, vocabulary


def words_of(*words: str, part: str = "noun", domain: str = "biomedical", **others: str) -> pl.DataFrame:
    """Return words of a domain; `others` are words of other domains. Frequencies rise in the given order."""
    named = dict.fromkeys(words, domain) | others
    return pl.DataFrame(
        {
            "word": list(named),
            "part": [part] * len(named),
            "frequency": range(10, 10 + len(named)),
            "domain": list(named.values()),
            "subject": [None] * len(named),
            "subjects": [0] * len(named),
        },
        schema_overrides={"frequency": pl.UInt64, "subject": pl.String},
    )


def vocabulary_of(
    *words: str, part: str = "noun", forms: WordForms | None = None, **domains: str
) -> WordVocabulary:
    """Return a vocabulary of these words."""
    return vocabulary(words_of(*words, part=part, **domains), part, forms or WordForms())
