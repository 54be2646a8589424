"""Vectors for the tokens of a corpus: of word vectors, of an encoder that reads sentences, or random ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from medgauge.arrays import Flags, Floats, Integers
from medgauge.errors import InputError, option, quoted
from medgauge.files.folders import key_of
from medgauge.models.base import ContextModel, Model, ModelCard, WordModel, card_of, name_of
from medgauge.models.terms import word_rows
from medgauge.ner.labels.tagged_corpus import TaggedCorpus

PADDING, UNKNOWN = 0, 1
"""The rows of what is beyond a sentence, and of every word without a vector."""
_SHARED = 2
_STREAM = 1_000  # the streams of a seed that no trial has


@dataclass(frozen=True)
class TokenVectors:
    """The vectors of a corpus: a table, and the row of each token of each part."""

    table: Floats
    rows: Mapping[str, Integers]

    def known(self, part: str) -> int:
        """Count the tokens of a part that have a vector of their own."""
        return int((self.rows[part] != UNKNOWN).sum())


class VectorSource(Protocol):
    """Where the vectors of tokens come from."""

    @property
    def card(self) -> ModelCard:
        """The card of the model."""

    @property
    def dim(self) -> int:
        """The number of dimensions."""

    @property
    def tunable(self) -> bool:
        """Whether a word has the same vector wherever it is, so that it can be tuned."""

    def vectors(self, corpus: TaggedCorpus) -> TokenVectors:
        """Return the vectors of a corpus."""


@dataclass(frozen=True)
class LookedUpVectors:
    """Word vectors, looked up once for the words of all corpora: the row of each word, or −1."""

    card: ModelCard
    row_of: Mapping[str, int]
    matrix: Floats
    seed: int
    tunable: bool = True

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return int(self.matrix.shape[1])

    def vectors(self, corpus: TaggedCorpus) -> TokenVectors:
        """Return the vectors of the words of a corpus; words without one share a vector."""
        words = [word for word in corpus.vocabulary if self.row_of[word] >= 0]
        own = self.matrix[[self.row_of[word] for word in words]]
        return _of_words(corpus, words, own, self.spread(corpus), self.seed)

    def spread(self, corpus: TaggedCorpus) -> float:
        """Return the standard deviation of the values of the vectors of the training words."""
        rows = [row for word in set(corpus.train.words) if (row := self.row_of[word]) >= 0]
        if not rows:
            raise InputError(
                f"{quoted(self.card.name)} has a vector for none of the words of {quoted(corpus.name)}; are "
                "its words in another language, or in upper case?"
            )
        return float(self.matrix[sorted(rows)].std(dtype=np.float64))


@dataclass(frozen=True)
class RandomVectors:
    """Vectors of the size of others, for the same words, from a normal distribution with their deviation."""

    like: LookedUpVectors
    card: ModelCard
    tunable: bool = True

    @classmethod
    def of(cls, like: LookedUpVectors) -> "RandomVectors":
        """Return random vectors for the words that others have."""
        card = ModelCard(
            name=f"random-{like.dim}",
            family="words",
            format="random vectors",
            digest=like.card.digest and key_of(like=like.card.digest, seed=like.seed),
            dim=like.dim,
            tokenizer=like.card.tokenizer,
            case=like.card.case,
            trained_on="nothing",
            parameters={"size and words of": like.card.name, "seed": like.seed},
        )
        return cls(like, card)

    @property
    def dim(self) -> int:
        """The number of dimensions."""
        return self.like.dim

    def vectors(self, corpus: TaggedCorpus) -> TokenVectors:
        """Draw the vectors of the words of a corpus."""
        words = [word for word in corpus.vocabulary if self.like.row_of[word] >= 0]
        spread = self.like.spread(corpus)
        rng = np.random.default_rng([self.like.seed, _STREAM + 1])
        own = rng.normal(0, spread, (len(words), self.dim)).astype(np.float32)
        return _of_words(corpus, words, own, spread, self.like.seed)


@dataclass(frozen=True)
class ContextVectors:
    """An encoder's vectors of the words of whole sentences, a row for each token."""

    card: ModelCard
    model: ContextModel
    dim: int
    seed: int
    tunable: bool = False

    def vectors(self, corpus: TaggedCorpus) -> TokenVectors:
        """Encode the sentences of a corpus; words beyond the context of the model share a vector."""
        texts = [text for part in corpus.parts.values() for text in part.texts()]
        found, offsets = self.model.encode_words(texts)
        sizes = [len(part.words) for part in corpus.parts.values()]
        if int(offsets[-1]) != sum(sizes):
            raise InputError(f"{quoted(self.card.name)} did not return a vector for each word")
        known: Flags = np.asarray(np.isfinite(found).all(axis=1), np.bool_)
        training = found[: sizes[0]][known[: sizes[0]]]
        if not training.size:
            raise InputError(
                f"{quoted(self.card.name)} has a vector for none of the words of {quoted(corpus.name)}"
            )
        shared = _shared_rows(self.dim, float(training.std(dtype=np.float64)), self.seed)
        found[~known] = 0
        rows = np.where(known, np.arange(len(found)) + _SHARED, UNKNOWN)
        ends = np.cumsum(sizes)[:-1]
        parts = dict(zip(corpus.parts, np.split(rows, ends), strict=True))
        return TokenVectors(np.concatenate([shared, found]), parts)


def vector_sources(
    models: Mapping[str, Model], corpora: Sequence[TaggedCorpus], *, random: bool, seed: int
) -> list[VectorSource]:
    """Return the vectors of models by name, and with `random` random ones of each size of word vectors."""
    words = sorted({word for corpus in corpora for word in corpus.vocabulary})
    sources = [_source(name, model, words, seed) for name, model in models.items()]
    if random:
        tables: dict[int, LookedUpVectors] = {}
        for one in sources:
            if isinstance(one, LookedUpVectors):
                tables.setdefault(one.dim, one)
        if not tables:
            raise InputError(f"{option('random', True)} needs word vectors, whose size and words it takes")
        controls = [RandomVectors.of(like) for like in tables.values()]
        if clash := {one.card.name for one in controls} & set(models):
            raise InputError(f"{quoted(clash.pop())} is the name of the random vectors; rename the model")
        sources += controls
    return sources


def _source(name: str, model: Model, words: list[str], seed: int) -> VectorSource:
    if isinstance(model, WordModel):
        card = card_of(model, name)
        rows, matrix, _ = word_rows(model, words, card.case or "fallback")
        return LookedUpVectors(card, dict(zip(words, rows.tolist(), strict=True)), matrix, seed)
    if isinstance(model, ContextModel):
        card = card_of(model, name)
        if card.tokenizer != "whitespace":
            raise InputError(
                f"{quoted(name)} splits texts into words of its own; load it with "
                f"{option('tokenizer', 'whitespace')}, so that it takes those of the corpus"
            )
        if card.dim is None:
            raise InputError(f"{quoted(name)} does not say how many dimensions its vectors have")
        return ContextVectors(card, model, card.dim, seed)
    advice = "; for an encoder, write hf:NAME?words=first" if hasattr(model, "encode") else ""
    raise InputError(f"{quoted(name_of(model) or name)} has no vectors of words{advice}")


def _of_words(
    corpus: TaggedCorpus, words: Sequence[str], own: Floats, spread: float, seed: int
) -> TokenVectors:
    row_of = {word: number for number, word in enumerate(words, _SHARED)}
    rows = {
        name: np.array([row_of.get(word, UNKNOWN) for word in part.words], np.int64)
        for name, part in corpus.parts.items()
    }
    return TokenVectors(np.concatenate([_shared_rows(own.shape[1], spread, seed), own]), rows)


def _shared_rows(dim: int, spread: float, seed: int) -> Floats:
    """Draw the vectors of padding and of unknown words, with the deviation of the others."""
    rng = np.random.default_rng([seed, _STREAM])
    return rng.normal(0, spread, (_SHARED, dim)).astype(np.float32)
