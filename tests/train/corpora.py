"""Small corpora for tests of training."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from medgauge.corpus.stored_corpus import Corpus, CorpusWriter
from medgauge.progress import Advance

Token = tuple[str, int, str]
"""A token, the number of its head from 1 (0: the root), and its relation."""

# Figure 1 of Levy and Goldberg (2014), in Stanford Dependencies and as Universal Dependencies have it.
SCIENTIST_STANFORD: list[Token] = [
    ("Australian", 2, "amod"),
    ("scientist", 3, "nsubj"),
    ("discovers", 0, "root"),
    ("star", 3, "dobj"),
    ("with", 3, "prep"),
    ("telescope", 5, "pobj"),
]
SCIENTIST_UNIVERSAL: list[Token] = [
    ("Australian", 2, "amod"),
    ("scientist", 3, "nsubj"),
    ("discovers", 0, "root"),
    ("star", 3, "obj"),
    ("with", 6, "case"),
    ("telescope", 3, "obl"),
]


def plain_corpus(path: Path, sentences: list[list[str]]) -> Corpus:
    """Write a corpus of tokens, a sentence a document."""
    count = len(sentences)
    rows = {"document": range(count), "document_id": [None] * count, "journal": [None] * count}
    with CorpusWriter(path) as writer:
        writer.write(pl.DataFrame({**rows, "tokens": sentences}))
    return Corpus.open(path)


def parsed_frame(sentences: list[list[Token]]) -> pl.DataFrame:
    """Return parsed sentences as rows of a corpus."""
    kinds = {"tokens": pl.List(pl.String), "heads": pl.List(pl.UInt16), "relations": pl.List(pl.String)}
    columns = {
        name: [[token[place] for token in sentence] for sentence in sentences]
        for place, name in enumerate(kinds)
    }
    return pl.DataFrame(columns, kinds)


def parsed_corpus(path: Path, sentences: list[list[Token]]) -> Corpus:
    """Write a parsed corpus."""
    frame = parsed_frame(sentences)
    with CorpusWriter(path, "parsed") as writer:
        writer.write(
            frame.with_columns(
                pl.Series("document", range(len(sentences)), pl.UInt32),
                pl.lit(None, pl.String).alias("document_id"),
                pl.lit(None, pl.String).alias("journal"),
                pl.col("tokens").alias("lemmas"),
                pl.col("relations").alias("pos"),
            )
        )
    return Corpus.open(path)


def topic_text(sentences: int = 400, seed: int = 0) -> str:
    """Return lines of which each has words of one of two topics, so that their words become alike."""
    draw = random.Random(seed)
    topics = [
        ["heart", "valve", "aorta", "artery", "atrium", "cardiac"],
        ["skin", "rash", "eczema", "dermis", "itch", "hives"],
    ]
    common = ["the", "of", "and", "with", "patient", "was"]
    lines = []
    for _ in range(sentences):
        words = draw.choices(draw.choice(topics), k=5) + draw.choices(common, k=3)
        draw.shuffle(words)
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


class Shown:
    """A listener that remembers each bar: what it says, its steps, their unit, and how far it came."""

    def __init__(self) -> None:
        self.bars: list[tuple[str, int, str, int]] = []

    @contextmanager
    def __call__(self, what: str, steps: int, unit: str = "") -> Iterator[Advance]:
        advanced: list[int] = []
        yield advanced.append
        self.bars.append((what, steps, unit, sum(advanced)))
