"""A source of vectors computed by a network: texts in chunks, split in a thread, in batches by length."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import numpy as np

from medgauge.arrays import Flags, Integers
from medgauge.errors import InputError, option
from medgauge.models.base import ModelCard
from medgauge.models.encoders.computation.batching import batches_of
from medgauge.models.encoders.computation.computing import computed, prefetched, threads_in_turn
from medgauge.models.encoders.computation.devices import Place
from medgauge.models.encoders.pooling import WordPieces
from medgauge.models.encoding import Batch

if TYPE_CHECKING:
    import torch

# Texts. The first chunk is small, so that a GPU starts early. Each is split while the one before is computed,
# which takes longer by as much as it is larger.
_FIRST_CHUNK, _LARGEST_CHUNK = 1 << 12, 1 << 16
_BUDGETS = {"cuda": 3 << 14, "mps": 1 << 13, "cpu": 1 << 10}  # pieces in a batch, with padding


Content = TypeVar("Content")


@dataclass(frozen=True)
class SplitTexts(Generic[Content]):
    """Some texts, ready for a network.

    `content` is what the network needs of them, `lengths` how many pieces each has (0: nothing of it gets a
    vector), and `cut` which were longer than the context. With `words`, each word gets a row.
    """

    content: Content
    lengths: Integers
    cut: Flags | None = None
    words: WordPieces | None = None

    @property
    def rows(self) -> Integers:
        """How many rows each text gets."""
        return np.ones(self.lengths.size, np.int64) if self.words is None else self.words.words

    def lacking(self, numbers: Integers) -> Flags:
        """Return which rows of these texts are of words without pieces, which have no vector."""
        return np.zeros(numbers.size, np.bool_) if self.words is None else self.words.without_pieces(numbers)


class Network(Protocol[Content]):
    """Weights on a device, with what comes before and after them."""

    @property
    def dim(self) -> int:
        """The number of dimensions of a vector."""

    def split(self, texts: Sequence[str]) -> SplitTexts[Content]:
        """Split texts into pieces."""

    def forward(self, split: SplitTexts[Content], numbers: Integers) -> "torch.Tensor":
        """Compute the rows of some of the texts in float32, one after another."""


@dataclass
class TextSource:
    """A source of vectors that a network computes; it is loaded when the first text is encoded."""

    card: ModelCard
    place: Place
    load: Callable[[], Network[Any]]
    described: Callable[[], dict[str, object]]
    budget: int | None = None

    @cached_property
    def network(self) -> Network[Any]:
        """The network, loaded once."""
        return self.load()

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, chunk by chunk."""
        without: list[Batch] = []
        with threads_in_turn():
            for (start, split), some, rows in computed(
                self._split(texts, without), lambda chunk, some: self.network.forward(chunk[1], some)
            ):
                if rows is None:
                    raise InputError(self._not_numbers)
                rows[split.lacking(some)] = np.nan
                cut = None if split.cut is None else split.cut[some]
                yield Batch(start + some, rows, split.rows[some], cut)
        yield from without

    def _split(
        self, texts: Sequence[str], without: list[Batch]
    ) -> Iterator[tuple[tuple[int, SplitTexts[Any]], Integers]]:
        """Split texts into pieces, a chunk ahead; yield the batches of each, with its start and its pieces.

        Texts of which nothing gets a vector are added to `without`.
        """
        network = self.network  # loaded here, since loading it in two threads at once would go wrong
        chunks = list(_chunks(len(texts)))
        ahead = prefetched(lambda chunk: network.split(texts[chunk.start : chunk.stop]), chunks)
        for chunk, split in zip(chunks, ahead, strict=True):
            empty, numbers = np.flatnonzero(split.lengths == 0), np.flatnonzero(split.lengths)
            if empty.size:
                counts = split.rows[empty]
                lacking = np.full((int(counts.sum()), network.dim), np.nan, np.float32)
                without.append(Batch(chunk.start + empty, lacking, counts))
            budget = self.budget or _BUDGETS[self.place.device]
            for batch in batches_of(split.lengths[numbers], budget):
                yield (chunk.start, split), numbers[batch]

    def facts(self) -> dict[str, object]:
        """Return what `models info` shows."""
        return self.described()

    def cache_key(self) -> str:
        """Return what vectors depend on besides the card: the device, which adds up in its own order."""
        return self.place.device

    @property
    def _not_numbers(self) -> str:
        found = f"{self.card.name} computes values that are infinite or not a number (NaN)"
        if self.place.precision != "float32":
            advice = "choose ?precision=float32"
        elif self.place.device != "cpu":
            advice = f"choose {option('device', 'cpu')}"
        else:
            advice = "its weights are damaged; get its files again"
        return f"{found} in {self.place.precision} on {self.place.device}; {advice}"


def _chunks(count: int) -> Iterator[range]:
    start, size = 0, _FIRST_CHUNK
    while start < count:
        yield range(start, min(start + size, count))
        start, size = start + size, min(size * 7 // 5, _LARGEST_CHUNK)
