"""A parsed corpus as pairs of the numbers of words and of their dependency contexts."""

from pathlib import Path

import numpy as np
import polars as pl

from medgauge.corpus.stored_corpus import Corpus
from medgauge.errors import FileError, option
from medgauge.progress import track
from medgauge.train.dependency_contexts import contexts_of, form_of
from medgauge.train.encoded_corpus import EncodedCorpus, PieceWriter
from medgauge.train.training_parameters import TrainingParameters
from medgauge.train.word_counts import WordCounts, kept_words

_COLUMNS = ["tokens", "heads", "relations"]
_COUNT = pl.len().cast(pl.Int64).alias("count")


def count_forms(corpus: Corpus, parameters: TrainingParameters, source: Path) -> WordCounts:
    """Count the tokens of a corpus, each of which is a word, since it has a head and a relation."""
    counted = pl.DataFrame(schema={"word": pl.String, "count": pl.Int64})
    with track("counting words", corpus.card.tokens, "tokens") as advance:
        for batch in corpus.batches(["tokens"]):
            words = _words(batch, parameters)
            counted = _added(counted, words.group_by("word").agg(_COUNT))
            advance(words.height)
    return kept_words(counted.iter_rows(), parameters, source)


def encode_dependencies(
    corpus: Corpus, counts: WordCounts, parameters: TrainingParameters, path: Path, source: Path
) -> EncodedCorpus:
    """Write a parsed corpus as pairs; a context counts if it occurs as often as a word has to.

    Contexts are counted where both of their words are in the vocabulary.
    """
    vocabulary = _numbered("word", counts)
    contexts = _count_contexts(corpus, vocabulary, parameters, source)
    numbers = _numbered("context", contexts)
    trained = np.zeros(len(counts.words), np.bool_)
    with path.open("wb") as stream, track("encoding", corpus.card.tokens, "tokens") as advance:
        writer = PieceWriter(stream)
        for batch in corpus.batches(_COLUMNS):
            pairs = contexts_of(batch, keep_case=parameters.keep_case)
            for table, key in ((vocabulary, "word"), (numbers, "context")):
                pairs = pairs.join(table, key, maintain_order="left")
            words = _words(batch, parameters)
            sizes = (
                pl.DataFrame({"sentence": np.arange(batch.height, dtype=np.uint32)})
                .join(pairs.group_by("sentence").agg(_COUNT), "sentence", "left", maintain_order="left")
                .join(
                    words.join(vocabulary, "word").group_by("sentence").agg(_COUNT),
                    "sentence",
                    "left",
                    suffix="_words",
                    maintain_order="left",
                )
                .fill_null(0)
            )
            both = pairs.select("word_number", "context_number").to_numpy()
            trained[both[:, 0]] = True
            writer.write(both.reshape(-1), 2 * sizes["count"].to_numpy(), sizes["count_words"].to_numpy())
            advance(words.height)
    return writer.encoded(path, trained, contexts)


def _count_contexts(
    corpus: Corpus, vocabulary: pl.DataFrame, parameters: TrainingParameters, source: Path
) -> WordCounts:
    counted = pl.DataFrame(schema={"context": pl.String, "count": pl.Int64})
    with track("counting contexts", corpus.card.tokens, "tokens") as advance:
        for batch in corpus.batches(_COLUMNS):
            pairs = contexts_of(batch, keep_case=parameters.keep_case)
            known = pairs.join(vocabulary, "word", "semi").join(
                vocabulary, left_on="other", right_on="word", how="semi"
            )
            counted = _added(counted, known.group_by("context").agg(_COUNT))
            advance(int(batch["tokens"].list.len().sum()))
    found = WordCounts.of(counted.iter_rows(), parameters.min_count)
    if not found.words:
        raise FileError(
            source,
            f"has no dependency context that occurs {parameters.min_count:,} times or more; take a larger "
            f"corpus, or a lower {option('min_count')}",
        )
    return found


def _words(batch: pl.DataFrame, parameters: TrainingParameters) -> pl.DataFrame:
    """Return the word of each token, with the row of its sentence."""
    word = form_of(pl.col("tokens"), keep_case=parameters.keep_case).alias("word")
    return (
        batch.select("tokens")
        .with_row_index("sentence")
        .explode("tokens")
        .drop_nulls()
        .select("sentence", word)
    )


def _numbered(name: str, counts: WordCounts) -> pl.DataFrame:
    """Return words with their places."""
    places = np.arange(len(counts.words), dtype=np.int32)
    return pl.DataFrame({name: counts.words, f"{name}_number": places})


def _added(one: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Add up two tables of counts."""
    key = one.columns[0]
    return pl.concat([one, other]).group_by(key).agg(pl.col("count").sum())
