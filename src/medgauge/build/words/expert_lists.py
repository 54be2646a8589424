"""What experts are to judge: words between the domains, and candidates for associated biomedical pairs."""

import polars as pl

from medgauge.build.words.expert_verdicts import shown
from medgauge.build.words.pairing.quarters import WordPair
from medgauge.build.words.pairing.word_vocabulary import WordVocabulary

BORDERLINE, CANDIDATES = "borderline-words", "candidate-pairs"


def borderline_table(words: pl.DataFrame) -> pl.DataFrame:
    """Return the words between the domains, commonest first, as single terms: the second is blank.

    >>> fire = {"word": "fire", "part": "verb", "frequency": 7, "ratio": 2.5, "domain": "borderline"}
    >>> borderline_table(pl.DataFrame([fire])).row(0)
    ('1', 'to fire', '', 'verb', 7, 2.5)
    """
    listed = words.filter(pl.col("domain") == "borderline").sort(
        "frequency", "word", "part", descending=[True, False, False]
    )
    terms = [shown(word, part) for word, part in listed.select("word", "part").iter_rows()]
    return listed.select(
        pair_id=pl.int_range(1, pl.len() + 1).cast(pl.String),
        term_1=pl.Series(terms, dtype=pl.String),
        term_2=pl.lit(""),
        part_of_speech="part",
        frequency="frequency",
        ratio="ratio",
    )


def candidate_rows(vocabulary: WordVocabulary, drawn: list[WordPair], linked: pl.DataFrame) -> pl.DataFrame:
    """Return candidate pairs of one part of speech, with what links them; ids come when all are together."""
    links = {(first, second): link for first, second, link in linked.iter_rows()}
    words, part = vocabulary.words, vocabulary.part
    return pl.DataFrame(
        {
            "term_1": [shown(words[first], part) for first, _ in drawn],
            "term_2": [shown(words[second], part) for _, second in drawn],
            "part_of_speech": [part] * len(drawn),
            "link": [links[pair] for pair in drawn],
        },
        schema=dict.fromkeys(("term_1", "term_2", "part_of_speech", "link"), pl.String),
    )


def candidates_table(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """Return the candidates of all parts of speech, numbered."""
    every = pl.concat(parts)
    return every.select(pl.int_range(1, pl.len() + 1).cast(pl.String).alias("pair_id"), pl.all())
