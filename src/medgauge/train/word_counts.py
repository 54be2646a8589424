"""The words of a corpus: how its tokens become words, and how often each word occurs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from medgauge.arrays import Doubles, Integers, Words
from medgauge.corpus.stored_corpus import Corpus
from medgauge.errors import FileError, option
from medgauge.models.tokens import tokenize
from medgauge.progress import track
from medgauge.train.training_kernels import Thresholds, alias_table
from medgauge.train.training_parameters import TrainingParameters

_POWER = 0.75  # of the counts by which words are drawn


@dataclass(frozen=True)
class WordCounts:
    """Words in the order of their counts, commonest first, ties by code point."""

    words: list[str]
    counts: Integers

    @classmethod
    def of(cls, counted: Iterable[tuple[str, int]], least: int) -> "WordCounts":
        """Keep the words that occur often enough.

        >>> WordCounts.of([("b", 2), ("c", 1), ("a", 2)], least=2).words
        ['a', 'b']
        """
        kept = sorted(((-count, word) for word, count in counted if count >= least))
        return cls([word for _, word in kept], np.array([-count for count, _ in kept], np.int64))

    @property
    def total(self) -> int:
        """How often all of them occur."""
        return int(self.counts.sum())

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each word."""
        return {word: place for place, word in enumerate(self.words)}

    def thresholds(self, sample: float) -> Thresholds:
        """Return below which of 2³² equally likely numbers an occurrence of each word is kept.

        word2vec's program keeps an occurrence of a word that is the share f of the corpus with the
        probability min(1, (√(f/s) + 1) s/f), for a sample s.
        """
        if not sample:
            return np.full(len(self.words), 2**32 - 1, np.uint32)
        shares: Doubles = self.counts / (sample * self.total)
        chances = (np.sqrt(shares) + 1) / shares
        return np.minimum(chances * 2**32, 2**32 - 1).astype(np.uint32)

    def table(self) -> Words:
        """Return the table from which words are drawn by their counts to the power of 3/4."""
        return alias_table(np.asarray(self.counts**_POWER, np.float64))


def words_of(token: str, parameters: TrainingParameters) -> list[str]:
    """Return the words that a token of a corpus has.

    >>> words_of("1,25-Dihydroxyvitamin", TrainingParameters()), words_of("<", TrainingParameters())
    (['1', '25-dihydroxyvitamin'], [])
    >>> words_of("0.05", TrainingParameters(tokenizer="whitespace"))
    ['0.05']
    """
    return tokenize(token if parameters.keep_case else token.lower(), tokenizer=parameters.tokenizer)


def count_words(corpus: Corpus, parameters: TrainingParameters, source: Path) -> WordCounts:
    """Count the words of a corpus, and keep those that occur often enough.

    `source` is the file that the user named, for messages.
    """
    counted: Counter[str] = Counter()
    with track("counting words", corpus.card.tokens, "tokens") as advance:
        for batch in corpus.batches(["tokens"]):
            tokens = batch["tokens"].explode().drop_nulls()
            for token, count in tokens.value_counts().iter_rows():
                for word in words_of(token, parameters):
                    counted[word] += count
            advance(len(tokens))
    return kept_words(counted.items(), parameters, source)


def kept_words(
    counted: Iterable[tuple[str, int]], parameters: TrainingParameters, source: Path
) -> WordCounts:
    """Keep the words that occur often enough; fewer than two leave nothing to tell apart."""
    listed = list(counted)
    found = WordCounts.of(listed, parameters.min_count)
    if len(found.words) < 2:
        most = max((count for _, count in listed), default=0)
        raise FileError(
            source,
            f"has fewer than two words that occur {parameters.min_count:,} times (the commonest occurs "
            f"{most:,} times); take a larger corpus, or a lower {option('min_count')}",
        )
    return found
