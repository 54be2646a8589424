"""Which pairs of words some resource links: ontologies, the lexicon, norms of free association."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.build.words.lexical.specialist_lexicon import SpecialistLexicon
from medgauge.build.words.pairing.ontology_words import concept_words, siblings, synonyms
from medgauge.build.words.pairing.word_vocabulary import WordVocabulary
from medgauge.build.words.word_resources import Resources
from medgauge.progress import track
from medgauge.terminology.model import Terminology, origin_name

LEXICON_LINK, NORMS_LINK = "synonyms in SPECIALIST", "free association"
_SAME_WORD, _RARELY_SAID = "forms of one word", "rarely said in free association"


@dataclass(frozen=True)
class WordLinks:
    """The linked pairs of a vocabulary: `first` < `second`, numbers of words, and each `link` in words.

    A pair has a row for each resource that links it, in the order of the resources. What is a form of the
    same word is linked but never associated, nor is what was said too rarely in free association.
    """

    frame: pl.DataFrame
    words: int

    @cached_property
    def codes(self) -> frozenset[int]:
        """The code of every linked pair."""
        return frozenset(pair_codes(self.frame["first"], self.frame["second"], self.words).tolist())

    def biomedical(self) -> pl.DataFrame:
        """Return the pairs that ontologies or the lexicon associate, each once with all its links."""
        linked = self.frame.filter(~pl.col("link").is_in([NORMS_LINK, _RARELY_SAID, _SAME_WORD]))
        same = self.frame.filter(pl.col("link") == _SAME_WORD)
        return _joined(linked.join(same, on=["first", "second"], how="anti", maintain_order="left"))

    def general(self) -> pl.DataFrame:
        """Return the pairs that people associate, each once."""
        same = self.frame.filter(pl.col("link") == _SAME_WORD)
        linked = self.frame.filter(pl.col("link") == NORMS_LINK)
        return _joined(linked.join(same, on=["first", "second"], how="anti", maintain_order="left"))


def pair_codes(first: pl.Series, second: pl.Series, words: int) -> Integers:
    """Return one number for each pair of words.

    >>> pair_codes(pl.Series([0, 1]), pl.Series([2, 2]), 3).tolist()
    [2, 5]
    """
    ones, others = (side.to_numpy().astype(np.int64) for side in (first, second))
    return np.asarray(ones * words + others, np.int64)


def word_links(vocabulary: WordVocabulary, resources: Resources) -> WordLinks:
    """Return the pairs of a vocabulary that any resource links."""
    frames = [_linked([*vocabulary.same_word()], _SAME_WORD)]
    with track(f"linking {vocabulary.part}s", len(resources.ontologies)) as advance:
        for terminology in resources.ontologies:
            frames += _in_ontology(terminology, vocabulary)
            advance(1)
    if resources.lexicon is not None:
        frames.append(_linked(_in_lexicon(resources.lexicon, vocabulary), LEXICON_LINK))
    if resources.norms is not None:
        for associated, link in ((True, NORMS_LINK), (False, _RARELY_SAID)):
            rows = resources.norms.pairs.filter(pl.col("associated") == associated)
            found = _same_words(rows.select("word_1", "word_2").iter_rows(), vocabulary)
            frames.append(_linked(found, link))
    every = pl.concat(frames).unique(maintain_order=True)
    return WordLinks(every, len(vocabulary))


def _in_ontology(terminology: Terminology, vocabulary: WordVocabulary) -> list[pl.DataFrame]:
    name = origin_name(terminology.form, terminology.title)
    found = concept_words(terminology, vocabulary)
    frames = [_linked([*synonyms(found)], f"synonyms in {name}")]
    if terminology.parents is not None:
        pairs = [*siblings(found, terminology.parents)]
        first, second = (
            np.concatenate([pair[side] for pair in pairs]) if pairs else np.empty(0, np.int64)
            for side in (0, 1)
        )
        frames.append(_frame(first, second, f"siblings in {name}"))
    return frames


def _in_lexicon(lexicon: SpecialistLexicon, vocabulary: WordVocabulary) -> list[tuple[int, int]]:
    rows = lexicon.synonyms
    if vocabulary.part != "word":
        rows = rows.filter(pl.col("part") == vocabulary.part)
    return _same_words(rows.select("word_1", "word_2").iter_rows(), vocabulary)


def _same_words(rows: Iterable[tuple[str, str]], vocabulary: WordVocabulary) -> list[tuple[int, int]]:
    return [
        (one, other)
        for first, second in rows
        for one in vocabulary.find_same(first)
        for other in vocabulary.find_same(second)
    ]


def _linked(pairs: Sequence[tuple[int, int]], link: str) -> pl.DataFrame:
    sides = np.array(pairs, np.int64).reshape(-1, 2)
    sides = sides[sides[:, 0] != sides[:, 1]]
    return _frame(sides.min(axis=1, initial=2**31), sides.max(axis=1, initial=-1), link)


def _frame(first: Integers, second: Integers, link: str) -> pl.DataFrame:
    made = pl.DataFrame(
        {"first": first, "second": second}, schema=dict.fromkeys(("first", "second"), pl.UInt32)
    )
    return made.unique().sort("first", "second").with_columns(link=pl.lit(link))


def _joined(linked: pl.DataFrame) -> pl.DataFrame:
    """Return each pair once, sorted, with its links in one text."""
    return (
        linked.group_by("first", "second", maintain_order=True)
        .agg(pl.col("link").str.join("; "))
        .sort("first", "second")
    )
