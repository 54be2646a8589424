"""Training word vectors, compared with gensim's skip-gram on the same words with the same threads.

What decides is the words per second relative to gensim's skip-gram, times the arithmetic of the architecture
relative to that of skip-gram: 1 means as fast as gensim for the same arithmetic. Arithmetic is counted in
operations on rows, of which a prediction from one input has 3 (negative + 1) + 1: for each output row its
product with the input and two changes, and the change of the input at last. A word in the middle of a
sentence has

- skip-gram: window + 1 predictions on average, since the window is drawn
- structured skip-gram: 2 window predictions, since it is not
- CBOW with attention: 3 (negative + 1) operations for one prediction, and 3 for each of 2 window inputs: into
  their mean, their product with its change, and their own change
- dependency contexts: as many predictions as it has contexts

The corpus is made up: words by Zipf's law, and random trees for the parse. All run in turn, several times,
so that other work on the machine disturbs all of them alike; the peer of a round is the mean of gensim's
speeds before and after it, and the ratio is the median over the rounds. Counting words, encoding and
compiling are not included on either side.
"""

import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

import numpy as np
import polars as pl

from common import print_table
from medgauge.corpus.stored_corpus import Corpus, CorpusWriter
from medgauge.train.architectures import Arch
from medgauge.train.encoded_corpus import EncodedCorpus, encode_corpus
from medgauge.train.encoded_dependencies import count_forms, encode_dependencies
from medgauge.train.trainer_choice import trainer_of
from medgauge.train.training_loop import train_pieces
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts, count_words

WORDS, LENGTH, TYPES = 1_000_000, 50, 100_000
WINDOW, DIM, NEGATIVE, SAMPLE = 5, 200, 5, 1e-4
THREADS, ROUNDS = 2, 5
ARCHITECTURES: tuple[Arch, ...] = ("sg", "ssg", "attention", "dependency")


def write_corpus(path: Path) -> Corpus:
    """Write made-up sentences with a parse: each token's head is one before it, or the root."""
    rng = np.random.default_rng(0)
    ranks = (TYPES ** rng.random(WORDS)).astype(np.int64)  # Zipf's law with the exponent 1
    count = WORDS // LENGTH
    heads = (rng.random((count, LENGTH)) * np.arange(LENGTH)).astype(np.uint16)
    heads[:, 1:] += 1
    relations = np.array(["nsubj", "obj", "amod", "det", "conj", "advmod"])[
        rng.integers(0, 6, (count, LENGTH))
    ]
    tokens = np.char.add("w", ranks.astype(str)).reshape(count, LENGTH)
    frame = pl.DataFrame(
        {
            "document": np.arange(count),
            "document_id": pl.Series([None] * count, dtype=pl.String),
            "journal": pl.Series([None] * count, dtype=pl.String),
            "tokens": tokens.tolist(),
            "lemmas": tokens.tolist(),
            "pos": relations.tolist(),
            "heads": heads.tolist(),
            "relations": relations.tolist(),
        }
    )
    with CorpusWriter(path, "parsed") as writer:
        writer.write(frame)
    return Corpus.open(path)


class Ours:
    """An architecture of medgauge, ready to train."""

    def __init__(self, corpus: Corpus, arch: Arch, folder: Path) -> None:
        self.parameters = TrainingParameters(
            arch, WINDOW, DIM, NEGATIVE, SAMPLE, epochs=1, tokenizer="whitespace"
        )
        self.counts, self.encoded = self._encoded(corpus, folder / f"{arch}.ids")
        self.trainer = trainer_of(self.parameters, self.counts, self.encoded)

    def _encoded(self, corpus: Corpus, ids: Path) -> tuple[WordCounts, EncodedCorpus]:
        if self.parameters.arch == "dependency":
            counts = count_forms(corpus, self.parameters, corpus.path)
            return counts, encode_dependencies(corpus, counts, self.parameters, ids, corpus.path)
        counts = count_words(corpus, self.parameters, corpus.path)
        return counts, encode_corpus(corpus, counts, self.parameters, ids)

    def speed(self) -> float:
        """Train on all words, and return how many a second."""
        start = time.perf_counter()
        train_pieces(self.trainer, self.encoded, self.parameters, threads=THREADS)
        return self.encoded.total / (time.perf_counter() - start)

    def arithmetic(self) -> float:
        """Return the operations on rows for a word, relative to skip-gram's."""
        prediction = 3 * (NEGATIVE + 1) + 1
        contexts = self.encoded.starts[-1] / 2 / self.encoded.total
        operations = {
            "sg": (WINDOW + 1) * prediction,
            "ssg": 2 * WINDOW * prediction,
            "attention": 3 * (NEGATIVE + 1) + 3 * 2 * WINDOW,
            "dependency": contexts * prediction,
        }
        return float(operations[self.parameters.arch] / operations["sg"])


class Gensim:
    """gensim's skip-gram, as its documentation shows it, given the sentences as lists in memory."""

    def __init__(self, corpus: Corpus) -> None:
        from gensim.models import Word2Vec

        self.sentences = list(corpus.sentences())
        self.model = Word2Vec(
            sg=1, window=WINDOW, vector_size=DIM, negative=NEGATIVE, sample=SAMPLE, workers=THREADS
        )
        self.model.build_vocab(self.sentences)
        self.words = int(sum(self.model.wv.get_vecattr(word, "count") for word in self.model.wv.index_to_key))

    def speed(self) -> float:
        """Train on all words, and return how many a second."""
        start = time.perf_counter()
        self.model.train(self.sentences, total_examples=len(self.sentences), epochs=1)
        return self.words / (time.perf_counter() - start)


def main(rounds: int) -> None:
    """Measure all in turn."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = write_corpus(folder / "corpus.parquet")
        ours = [Ours(corpus, arch, folder) for arch in ARCHITECTURES]
        gensim = Gensim(corpus)
        for one in ours:
            one.speed()  # compiles, and fills the rows
        peers = [gensim.speed()]
        speeds = []
        for _ in range(rounds):
            speeds.append([one.speed() for one in ours])
            peers.append(gensim.speed())
    rows = [["gensim", f"{median(peers):,.0f}", "1.00", "1.00", "1.00"]]
    for place, one in enumerate(ours):
        found = [round_[place] for round_ in speeds]
        relative = [speed / mean(around) for speed, around in zip(found, pairwise(peers), strict=True)]
        arithmetic = one.arithmetic()
        scaled = [ratio * arithmetic for ratio in relative]
        rows.append(
            [
                one.parameters.arch,
                f"{median(found):,.0f}",
                f"{median(relative):.2f}",
                f"{arithmetic:.2f}",
                f"{median(scaled):.2f} ({min(scaled):.2f}–{max(scaled):.2f})",
            ]
        )
    header = ["architecture", "words/s", "relative to gensim", "arithmetic", "for the same arithmetic"]
    notes = [
        f"{WORDS:,} words, window {WINDOW}, {DIM} dimensions, {NEGATIVE} drawn words, sample {SAMPLE:g}, "
        f"{THREADS} threads on both sides; medians of {rounds} rounds, in brackets the lowest and the highest"
    ]
    print_table("Training word vectors", header, rows, notes)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
