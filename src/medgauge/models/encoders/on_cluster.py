"""Encoding on the workers of a Dask cluster, each of which opens the model by itself, on its own GPU."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from medgauge.arrays import Flags, Floats, Integers
from medgauge.errors import ClusterError, quoted
from medgauge.models.base import Model, ModelCard, card_of
from medgauge.models.encoding import Batch, BatchSource, TermEncoder, WordEncoder, gathered
from medgauge.models.kinds import kind_of
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.parallel import connected, map_chunks

_TEXTS_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Opening:
    """How a worker opens a model, and the digest that the model must have there."""

    spec: ModelSpec
    name: str
    loading: Loading
    digest: str


@dataclass(frozen=True)
class ClusterSource:
    """A source whose texts are encoded on a cluster; the model of this machine only describes it."""

    here: BatchSource
    opening: Opening
    address: str

    @property
    def card(self) -> ModelCard:
        """The card of the model."""
        return self.here.card

    def facts(self) -> dict[str, object]:
        """Return the facts of the model."""
        return self.here.facts()

    def cache_key(self) -> str:
        """Say that vectors come from a cluster, whose devices add up in their own order."""
        return "cluster"

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, chunk by chunk."""
        starts = range(0, len(texts), _TEXTS_AT_ONCE)
        chunks = (list(texts[start : start + _TEXTS_AT_ONCE]) for start in starts)
        with connected(self.address) as cluster:
            found = map_chunks(encode_there, self.opening, chunks, cluster=cluster)
            for start, (rows, counts, cut) in zip(starts, found, strict=True):
                yield Batch(start + np.arange(counts.size), rows, counts, cut)


def spread(source: BatchSource, spec: ModelSpec, name: str, loading: Loading) -> BatchSource:
    """Return a source that encodes on the cluster of `loading`, or the source itself if there is none."""
    if loading.cluster is None:
        return source
    # Workers may have other devices than this machine; the precision is part of the card.
    chosen = {
        key: str(source.card.parameters[key]) for key in ("precision",) if key in source.card.parameters
    }
    there = replace(spec, options={**spec.options, **chosen})
    opening = Opening(there, name, replace(loading, cluster=None, cached=False), source.card.digest)
    return ClusterSource(source, opening, loading.cluster)


_opened: dict[str, Model] = {}
_one_at_a_time = Lock()  # a worker may have several threads, but one GPU


def encode_there(opening: Opening, texts: list[str]) -> tuple[Floats, Integers, Flags]:
    """Encode texts on a worker; return their rows, how many each has, and which were cut."""
    with _one_at_a_time:
        model = _model_of(opening)
        assert isinstance(model, TermEncoder | WordEncoder)
        rows, offsets, cut = gathered(model.source, texts)
    return rows, np.diff(offsets), cut


def _model_of(opening: Opening) -> Model:
    """Return the model that this worker has opened, if it is this one; otherwise open it."""
    key = repr(opening)
    if key not in _opened:
        _opened.clear()  # a GPU has room for one
        model = kind_of(opening.spec).open(opening.spec, opening.name, opening.loading)
        if card_of(model).digest != opening.digest:
            raise ClusterError(
                f"a worker of the cluster has another model under {quoted(opening.spec.name)}; copy the same "
                "files to all of them"
            )
        _opened[key] = model
    return _opened[key]
