"""The words of one part of speech that pairs are made of, and how a resource's words find them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl

from medgauge.arrays import Flags
from medgauge.build.words.choice.parts_of_speech import PartOfSpeech
from medgauge.build.words.choice.word_domains import Domain
from medgauge.build.words.choice.word_forms import WordForms
from medgauge.build.words.expert_verdicts import shown

Bin = str
BINS: tuple[Bin, ...] = ("low", "medium", "high")
MIXED = "mixed"
"""In place of a bin or a subject: those of the two words of a pair differ."""


@dataclass(frozen=True)
class WordVocabulary:
    """Words in code-point order, numbered by it.

    `frame` has `word`, `frequency`, `domain` (biomedical or general) and `bin`, and what else is known of
    the words; `limits` has the highest frequencies of the low and of the medium bin. `verbs` are those whose
    nouns count as forms of theirs. `forms` makes the words of resources comparable.
    """

    part: PartOfSpeech
    frame: pl.DataFrame
    limits: tuple[int, int]
    verbs: tuple[str, ...]
    forms: WordForms

    def __len__(self) -> int:
        return self.frame.height

    @cached_property
    def words(self) -> list[str]:
        """The words, by their numbers."""
        return self.frame["word"].to_list()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def shown(self) -> dict[str, int]:
        """The number of each word, by what experts see."""
        return {shown(word, self.part): number for word, number in self.numbers.items()}

    @cached_property
    def _by_key(self) -> dict[str, list[int]]:
        """The words that each form stands for: a noun made from a verb stands for the verb too."""
        found: dict[str, list[int]] = {word: [number] for word, number in self.numbers.items()}
        if self.part == "verb":
            for number, word in enumerate(self.words):
                for noun in sorted(self.forms.nouns_of(word) - {word}):
                    found.setdefault(noun, []).append(number)
        return found

    def find(self, text: str) -> list[int]:
        """Return the numbers of the words that a resource's single word stands for."""
        return self._by_key.get(self.forms.normal(text, "noun" if self.part == "verb" else self.part), [])

    def find_same(self, text: str) -> list[int]:
        """Return the number of a word of the same part of speech, in a list of at most one."""
        number = self.numbers.get(self.forms.normal(text, self.part))
        return [] if number is None else [number]

    def of_domain(self, domain: Domain) -> Flags:
        """Return which words are of a domain."""
        return np.asarray(self.frame["domain"].to_numpy() == domain)

    def same_word(self) -> Iterable[tuple[int, int]]:
        """Yield the pairs that are forms of one word, such as a verb and a noun made from it."""
        for verb in self.verbs:
            family = {verb, *self.forms.nouns_of(verb)}
            yield from combinations(sorted(self.numbers[word] for word in family if word in self.numbers), 2)


def vocabulary(words: pl.DataFrame, part: PartOfSpeech, forms: WordForms) -> WordVocabulary:
    """Return the biomedical and general words of a part of speech, with their frequency bins.

    `words` has those of all parts of speech, the verbs among them. Bins are thirds of the words by frequency;
    words of one frequency are in the same bin.
    """
    kept = words.filter(pl.col("part") == part, pl.col("domain") != "borderline").sort("word")
    low, medium = _thirds(kept["frequency"])
    binned = (
        pl.when(pl.col("frequency") <= low)
        .then(pl.lit(BINS[0]))
        .when(pl.col("frequency") <= medium)
        .then(pl.lit(BINS[1]))
        .otherwise(pl.lit(BINS[2]))
    )
    verbs = words.filter(pl.col("part") != "noun")["word"].unique().sort().to_list()
    return WordVocabulary(part, kept.with_columns(bin=binned), (low, medium), tuple(verbs), forms)


def _thirds(frequency: pl.Series) -> tuple[int, int]:
    """Return the highest frequencies of the lowest third of the words, and of the middle third.

    >>> _thirds(pl.Series([5, 9, 7, 6, 30, 8]))
    (6, 8)
    """
    ordered = frequency.sort().to_list()
    if not ordered:
        return 0, 0
    return tuple(int(ordered[-(-len(ordered) * third // 3) - 1]) for third in (1, 2))  # type: ignore[return-value]
