"""A source of vectors that computes only those that are not in the cache."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from medgauge.arrays import Positions, Words
from medgauge.errors import InputError, MedgaugeWarning
from medgauge.models.base import Model, ModelCard, card_of
from medgauge.models.encoding import Batch, BatchSource, cache_key_of, check_batch
from medgauge.models.vector_cache.vector_store import ModelVectors


@dataclass(frozen=True)
class CachedSource:
    """A source that wraps another: what is kept is read, what is not is computed and kept.

    A model may have changed unless its card has a digest, or the source a digest or a cache key of its own,
    and is not cached then. These are asked for when encoding begins. Whatever goes wrong with the cache costs
    time, and never a result.
    """

    source: BatchSource

    @property
    def card(self) -> ModelCard:
        """The card of the wrapped source."""
        return self.source.card

    def facts(self) -> dict[str, object]:
        """Return the facts of the wrapped source."""
        return self.source.facts()

    def cache_key(self) -> str | None:
        """Return what the vectors of the wrapped source depend on."""
        return cache_key_of(self.source)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors that are kept, then the others as they are computed."""
        kept = self._kept() if texts else None
        if kept is None:
            yield from self.source.batches(texts)
            return
        try:
            left = np.ones(len(texts), np.bool_)
            for batch in kept.found(texts):
                left[batch.places] = False
                yield batch
            yield from self._computed(texts, np.flatnonzero(left), kept)
        finally:
            kept.close()

    def _computed(self, texts: Sequence[str], places: Positions, kept: "_Kept") -> Iterator[Batch]:
        """Yield the vectors of the texts at some places, and keep each batch before it is used."""
        if not places.size:
            return
        missing = [texts[place] for place in places.tolist()]
        for batch in self.source.batches(missing):
            check_batch(batch, self.card.name)
            batch = replace(batch, places=places[batch.places])
            kept.keep(batch, texts)
            yield batch

    def _kept(self) -> "_Kept | None":
        """Open the cache, None if the model may not be cached, or if there can be no cache."""
        card, more = card_of(cast(Model, self.source)), cache_key_of(self.source)
        if more is None or not (card.digest or more):
            return None
        try:
            return _Kept(ModelVectors(card, more))
        except (OSError, InputError) as error:
            _warn(error)
            return None


class _Kept:
    """The vectors that are kept of a model; after the first error nothing more is read or written."""

    def __init__(self, vectors: ModelVectors) -> None:
        self._vectors = vectors
        self._names: Words | None = None
        self._usable = True

    def found(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts that are there."""
        try:
            if not self._vectors.segments():
                return
            self._names = self._vectors.names.of_all(texts)
            yield from self._vectors.find(self._names)
        except OSError as error:
            self._give_up(error)
        if self._vectors.damaged:
            warnings.warn(
                "damaged files were removed from the cache of vectors, and what they had is computed again: "
                f"{self._vectors.damaged}",
                MedgaugeWarning,
                stacklevel=2,
            )

    def keep(self, batch: Batch, texts: Sequence[str]) -> None:
        """Keep the vectors of a batch."""
        if not self._usable:
            return
        if self._names is None:
            names = self._vectors.names.of_all(texts[place] for place in batch.places.tolist())
        else:
            names = self._names[batch.places]
        try:
            self._vectors.add(names, batch)
        except (OSError, InputError) as error:
            self._give_up(error)

    def close(self) -> None:
        """Close what is being written."""
        self._vectors.close()

    def _give_up(self, error: Exception) -> None:
        self._usable = False
        self.close()
        _warn(error)


def _warn(error: Exception) -> None:
    """Warn that the cache cannot be used; a full disk names no file."""
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        reason = f"{where}{error.strerror or type(error).__name__}"
    else:
        reason = str(error)
    warnings.warn(
        f"the cache of vectors cannot be used ({reason}); what it lacks is computed again each time",
        MedgaugeWarning,
        stacklevel=2,
    )
