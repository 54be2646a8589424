"""Encoding many texts: what encoders and services have in common, whatever computes the vectors.

A source of vectors yields them in batches, in any order, as soon as it has them. What is here checks them and
puts them together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from medgauge.arrays import Flags, Floats, Integers
from medgauge.errors import InputError
from medgauge.models.base import Digested, Model, ModelCard
from medgauge.models.tokens import tokenize
from medgauge.progress import remark, track


@dataclass(frozen=True)
class Batch:
    """The vectors of some texts.

    `places` says which texts they are, `rows` are their vectors one after another, and `counts` how many rows
    each text has: one, or one for each of its words. A row of NaN means that nothing of the text is known.
    `cut` says which texts were longer than the model's context, None if none was.
    """

    places: Integers
    rows: Floats
    counts: Integers
    cut: Flags | None = None


@runtime_checkable
class BatchSource(Protocol):
    """Computes vectors of texts, a batch at a time.

    The family of its card says what a text gets: one vector (`vectors`), or one for each word (`words`).
    """

    @property
    def card(self) -> ModelCard:
        """The card that describes the model."""

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, none of which is blank, in any order."""

    def facts(self) -> dict[str, object]:
        """Return what `models info` shows, without loading weights."""


@runtime_checkable
class KeyedSource(Protocol):
    """A source whose vectors depend on more than its card says, such as the device or the precision."""

    def cache_key(self) -> str | None:
        """Return what they depend on, as far as the bits of a vector differ; asked when encoding begins.

        None for vectors that are computed as fast as they could be read, which are not kept.
        """


def cache_key_of(source: BatchSource) -> str | None:
    """Return what vectors depend on besides the card: nothing, unless the source says so."""
    return source.cache_key() if isinstance(source, KeyedSource) else ""


@dataclass(frozen=True)
class TermEncoder:
    """A model with one vector for each term, computed by a source."""

    source: BatchSource

    @property
    def card(self) -> ModelCard:
        """The card of the source."""
        return self.source.card

    def content_digest(self) -> str:
        """Return the digest of the card, or of what the source is now, if it can say that."""
        inner = innermost(self)
        return inner.content_digest() if isinstance(inner, Digested) else self.card.digest

    def encode(self, texts: list[str]) -> Floats:
        """Return a row for each text."""
        found = encoded(self.source, texts)
        return found[0]


@dataclass(frozen=True)
class WordEncoder:
    """A model with a vector for each word of a term, computed by a source."""

    source: BatchSource

    @property
    def card(self) -> ModelCard:
        """The card of the source."""
        return self.source.card

    def encode_words(self, texts: list[str]) -> tuple[Floats, Integers]:
        """Return the rows of the words of all texts, and where those of each text begin, with the end."""
        return encoded(self.source, texts)


def as_encoder(found: Model | BatchSource) -> Model:
    """Return a source of vectors as a model; a model is returned unchanged."""
    if not isinstance(found, BatchSource):
        return found
    return WordEncoder(found) if found.card.family == "words" else TermEncoder(found)


def innermost(model: object) -> object:
    """Return what is at the core of a model: its source, and the source's own, whatever is around them."""
    while (inner := getattr(model, "source", None)) is not None:
        model = inner
    return model


def encoded(source: BatchSource, texts: Sequence[str]) -> tuple[Floats, Integers]:
    """Return the rows of all texts in their order, and where those of each text begin, with the end.

    A remark says how many texts were cut.
    """
    rows, offsets, cut = gathered(source, texts)
    remark_cut(source.card.name, int(cut.sum()), len(texts))
    return rows, offsets


def gathered(source: BatchSource, texts: Sequence[str]) -> tuple[Floats, Integers, Flags]:
    """Return the rows and their places as `encoded` does, and which texts were cut.

    The rows are in memory once: each batch is put in its place and dropped.
    """
    check_texts(texts)
    card = source.card
    counts = _row_counts(card, texts)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    is_single = bool((counts == 1).all())
    rows: Floats | None = None
    done, cut = np.zeros((2, len(texts)), np.bool_)
    with track(f"encoding, {card.name}", len(texts), "terms") as advance:
        for batch in source.batches(texts):
            check_batch(batch, card.name)
            if rows is None:
                rows = np.empty((int(offsets[-1]), batch.rows.shape[1]), np.float32)
            _check_shape(batch, card.name, counts, rows)
            if is_single:
                rows[batch.places] = batch.rows
            else:
                first = np.repeat(offsets[batch.places] - _starts(batch.counts), batch.counts)
                rows[first + np.arange(len(batch.rows))] = batch.rows
            done[batch.places] = True
            if batch.cut is not None:
                cut[batch.places] = batch.cut
            advance(len(batch.places))
    if not done.all():
        raise InputError(f"{card.name} returned vectors for {int(done.sum())} of {len(done)} terms")
    return np.empty((0, card.dim or 0), np.float32) if rows is None else rows, offsets, cut


def remark_cut(name: str, cut: int, texts: int) -> None:
    """Say how many texts were longer than a model's context."""
    if cut:
        remark(f"{name}: {cut:,} of {texts:,} terms are longer than the model's context, and were cut")


def _row_counts(card: ModelCard, texts: Sequence[str]) -> Integers:
    """Return how many rows each text has: one, or one for each of its words."""
    if card.family != "words":
        return np.ones(len(texts), np.int64)
    lengths = (len(tokenize(text, tokenizer=card.tokenizer or "words")) for text in texts)
    return np.fromiter(lengths, np.int64, len(texts))


def _check_shape(batch: Batch, name: str, counts: Integers, rows: Floats) -> None:
    """Refuse vectors of other dimensions than the first ones, and another number than that of the words."""
    if batch.rows.shape[1] != rows.shape[1]:
        raise InputError(
            f"{name} returned vectors of {rows.shape[1]} and of {batch.rows.shape[1]} dimensions"
        )
    if (batch.counts != counts[batch.places]).any() or len(batch.rows) != batch.counts.sum():
        raise InputError(f"{name} returned another number of vectors than the terms need")


def _starts(counts: Integers) -> Integers:
    return np.cumsum(counts) - counts


def check_texts(texts: Sequence[str]) -> None:
    """Refuse blank texts, which have no meaning to encode, and texts with a lone surrogate."""
    if not all(map(str.strip, texts)):
        number = next(number for number, text in enumerate(texts, 1) if not text.strip())
        raise InputError(f"the term {number} of {len(texts)} is empty; remove it")
    for number, text in enumerate(texts, 1):
        if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
            raise InputError(
                f"the term {number} of {len(texts)} has an invalid character (a lone surrogate); fix its "
                "encoding"
            )


def check_batch(batch: Batch, name: str) -> None:
    """Refuse vectors with values that are not numbers; a row of NaN is a text or a word without a vector."""
    if np.isfinite(np.vdot(batch.rows, batch.rows)):
        return  # the usual case, at a tenth of the time
    usable = np.isfinite(batch.rows).all(axis=1) | np.isnan(batch.rows).all(axis=1)
    if not usable.all():
        raise InputError(
            f"{name} returned vectors with values that are infinite or not a number (NaN); "
            "run it on another device, or in single precision"
        )
