"""Services with an OpenAI-style embeddings endpoint: vectors of terms, checked before they are used."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock
from typing import Any

import numpy as np

from medgauge.arrays import Floats
from medgauge.errors import ServiceError
from medgauge.models.base import ModelCard
from medgauge.models.encoding import Batch
from medgauge.models.loading import Loading
from medgauge.models.services.budget import estimated_tokens
from medgauge.models.services.probe_words import PROBE_WORDS, Memory
from medgauge.models.services.service import Service
from medgauge.models.spec import ModelSpec
from medgauge.pairs import Pairs, different_keys

_PATH = "embeddings"
_BATCH = 256


def open_service(spec: ModelSpec, name: str, loading: Loading) -> "EmbeddingService":
    """Open an embeddings service; nothing is sent before its digest or a vector is needed."""
    service = Service.of(spec, name, loading)
    return EmbeddingService(
        name,
        service,
        batch=spec.number("batch") or _BATCH,
        dimensions=spec.number("dimensions"),
        remembers=loading.cached,
    )


@dataclass(frozen=True)
class EmbeddingService:
    """Vectors from a service, in batches as they arrive.

    All vectors that it returns must have one dimension. With `remembers`, the vectors of the probe words are
    kept in the user's private cache.
    """

    name: str
    service: Service
    batch: int = _BATCH
    dimensions: int | None = None
    remembers: bool = True
    _sizes: list[int] = field(default_factory=list, repr=False)
    _lock: Any = field(default_factory=Lock, repr=False)

    @property
    def card(self) -> ModelCard:
        """The card, without the digest, for which the service has to be asked: see `content_digest`."""
        return ModelCard(
            name=self.name,
            family="vectors",
            format="embeddings service",
            dim=self.dimensions,
            parameters={"model": self.service.model, "service": self.service.url},
        )

    def facts(self) -> dict[str, object]:
        """Return what is known without asking the service."""
        return {**self.service.facts(), "dim": self.dimensions, "terms_per_request": self.batch}

    def content_digest(self) -> str:
        """Return a digest of the service's vectors of fixed words, which are asked for once."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        words = list(PROBE_WORDS)
        self.service.budget.allow(estimated_tokens(words))
        return self._memory.digest_of(self._vectors(words, Event()), remember=self.remembers)

    @property
    def _memory(self) -> Memory:
        return Memory((self.service.url, self.service.model, self.dimensions))

    def tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate the tokens of the different terms of these sets."""
        return estimated_tokens(different_keys(sets))

    def unpaid_tokens(self, sets: Sequence[Pairs]) -> int:
        """Estimate the tokens of these sets if nothing was asked before, else 0: some may be cached."""
        return 0 if self.remembers and self._memory.known else self.tokens(sets)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield vectors as they arrive; after a failure, those that were under way come before the error."""
        places = [
            np.arange(first, min(first + self.batch, len(texts)))
            for first in range(0, len(texts), self.batch)
        ]
        self.service.permission.check()
        self.service.budget.plan(estimated_tokens(texts), len(places))

        def work(some: np.ndarray[Any, np.dtype[np.int64]], stop: Event) -> Batch:
            rows = self._vectors([texts[place] for place in some], stop)
            return Batch(some, rows, np.ones(len(some), np.int64))

        yield from self.service.requester.each(work, places)

    def _vectors(self, texts: Sequence[str], stop: Event) -> Floats:
        asked: dict[str, object] = {
            "model": self.service.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self.dimensions is not None:
            asked["dimensions"] = self.dimensions
        answer = self.service.answer_of(self.service.ask(_PATH, asked, stop), _PATH)
        self.service.spend(answer, estimated_tokens(texts))
        try:
            rows = vectors_in(answer, len(texts))
        except ValueError as problem:
            raise ServiceError(f"{self.service.url}/{_PATH}: the service returned {problem}") from None
        self._check_size(rows.shape[1])
        return rows

    def _check_size(self, size: int) -> None:
        with self._lock:
            wanted = self.dimensions or (self._sizes or [size])[0]
            self._sizes.append(wanted)
        if size != wanted:
            raise ServiceError(
                f"{self.service.url}/{_PATH}: the service returned vectors of {size} dimensions, not "
                f"{wanted} as {'asked for' if self.dimensions else 'before'}"
            )


def vectors_in(answer: dict[str, Any], count: int) -> Floats:
    """Return the vectors of an answer in the order of the texts that were sent.

    A ValueError says what is wrong: missing, repeated or unknown indices, unequal dimensions, or values that
    are not finite numbers.

    >>> data = [{"index": 1, "embedding": [0, 2.5]}, {"index": 0, "embedding": [1, 0]}]
    >>> vectors_in({"data": data}, 2)
    array([[1. , 0. ],
           [0. , 2.5]], dtype=float32)
    """
    data = answer.get("data")
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise ValueError("no list of vectors; check that the address is that of an embeddings service")
    if len(data) != count:
        raise ValueError(f"{len(data)} vectors for {count} terms")
    indices = [one.get("index") for one in data]
    if not all(type(index) is int for index in indices) or sorted(indices) != list(range(count)):
        raise ValueError("vectors whose indices are missing, repeated or unknown")
    lists = [one.get("embedding") for one in data]
    if not all(isinstance(one, list) and one for one in lists):
        raise ValueError("a vector that is not a list of numbers")
    if len({len(one) for one in lists}) > 1:
        raise ValueError("vectors of several dimensions in one answer")
    if not all(type(value) in (int, float) for one in lists for value in one):
        raise ValueError("a vector with a value that is not a number")
    rows = np.empty((count, len(lists[0])), np.float32)
    try:
        with np.errstate(over="ignore"):
            rows[indices] = lists
    except OverflowError:  # a whole number of hundreds of digits
        raise ValueError("a vector with values that are infinite or not a number (NaN)") from None
    if not np.isfinite(rows).all():
        raise ValueError("a vector with values that are infinite or not a number (NaN)")
    return rows
