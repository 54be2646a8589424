"""A corpus as numbers on disk, in pieces that one thread trains on at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl

from medgauge.arrays import Flags, Integers, Places
from medgauge.corpus.stored_corpus import Corpus
from medgauge.progress import track
from medgauge.train.training_kernels import SENTENCE_END
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts, words_of

LONGEST = 10_000
"""The most words of a piece, as of a batch in gensim; longer sentences are cut."""
_KIND = np.dtype("<i4")


@dataclass(frozen=True)
class EncodedCorpus:
    """Pieces of a corpus: where each begins in the file, with the end, and its number of words.

    A piece has the places of words in the vocabulary, with SENTENCE_END after each sentence; or, of a parsed
    corpus, pairs of the places of a word and of a context, of which there are `contexts`. `trained` says
    which words occur there.
    """

    path: Path
    starts: Integers
    words: Integers
    trained: Flags
    contexts: WordCounts | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def total(self) -> int:
        """The number of words in all pieces."""
        return int(self.words.sum())

    def piece(self, number: int) -> Places:
        """Read a piece."""
        first, end = self.starts[number : number + 2].tolist()
        return np.fromfile(self.path, _KIND, end - first, offset=first * _KIND.itemsize)


@dataclass
class PieceWriter:
    """Writes sentences in pieces of at most LONGEST words."""

    stream: IO[bytes]
    starts: list[int] = field(default_factory=lambda: [0])
    words: list[int] = field(default_factory=list)

    def write(self, numbers: Places, sizes: Integers, words: Integers) -> None:
        """Write the numbers of sentences, given how many numbers and words each has."""
        self.stream.write(np.ascontiguousarray(numbers, _KIND).data)
        ends, counts = np.cumsum(sizes), np.cumsum(words)
        first, before, start = 0, 0, self.starts[-1]
        while first < len(sizes):
            last = max(first + 1, int(np.searchsorted(counts, before + LONGEST, side="right")))
            self.words.append(int(counts[last - 1]) - before)
            self.starts.append(start + int(ends[last - 1]))
            first, before = last, int(counts[last - 1])

    def encoded(self, path: Path, trained: Flags, contexts: WordCounts | None = None) -> EncodedCorpus:
        """Return what was written."""
        starts, words = np.array(self.starts, np.int64), np.array(self.words, np.int64)
        return EncodedCorpus(path, starts, words, trained, contexts)


def encode_corpus(
    corpus: Corpus, counts: WordCounts, parameters: TrainingParameters, path: Path
) -> EncodedCorpus:
    """Write a corpus as places of its words; other words are left out, as if they were not there."""
    with path.open("wb") as stream, track("encoding", corpus.card.tokens, "tokens") as advance:
        writer = PieceWriter(stream)
        for batch in corpus.batches(["tokens"]):
            lists = batch["tokens"].filter(batch["tokens"].list.len() > 0)
            if len(lists):
                advance(_encode_batch(lists, counts, parameters, writer))
    return writer.encoded(path, np.ones(len(counts.words), np.bool_))


def _encode_batch(
    lists: pl.Series, counts: WordCounts, parameters: TrainingParameters, writer: PieceWriter
) -> int:
    """Encode sentences, each with tokens, and return the number of tokens."""
    tokens = lists.explode()
    different = tokens.unique().to_list()
    found = [
        [place for word in words_of(token, parameters) if (place := counts.places.get(word)) is not None]
        for token in different
    ]
    sizes = np.array([len(places) for places in found], np.int64)
    flat = np.array([place for places in found for place in places], np.int32)
    numbers = pl.Series(np.arange(len(different)))
    rows = tokens.replace_strict(different, numbers, return_dtype=pl.Int64).to_numpy()
    of_token = sizes[rows]
    ends = np.cumsum(of_token)
    shifts = (np.cumsum(sizes) - sizes)[rows] - (ends - of_token)
    places = flat[np.repeat(shifts, of_token) + np.arange(ends[-1])]
    lengths = lists.list.len().to_numpy().astype(np.int64)
    sentences = np.add.reduceat(of_token, np.cumsum(lengths) - lengths)
    sentences = np.array(list(_cut(sentences)), np.int64)
    if len(sentences):
        marked = np.insert(places, np.cumsum(sentences), SENTENCE_END)
        writer.write(marked, sentences + 1, sentences)
    return len(tokens)


def _cut(sizes: Integers) -> Iterator[int]:
    """Yield the sizes of sentences, long ones in parts, without those that are empty."""
    for size in sizes.tolist():
        whole, rest = divmod(size, LONGEST)
        yield from [LONGEST] * whole
        if rest:
            yield rest
