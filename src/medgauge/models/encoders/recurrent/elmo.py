"""ELMo models: a folder with options.json and weights.hdf5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import numpy as np

from medgauge.errors import MissingExtraError
from medgauge.models.base import ModelCard
from medgauge.models.encoders.computation.devices import Place, place_for
from medgauge.models.encoders.local_files import digest_of, only_file, require_folder
from medgauge.models.encoders.on_cluster import spread
from medgauge.models.encoders.recurrent.elmo_files import (
    ElmoOptions,
    check_weights,
    read_options,
    read_weights,
)
from medgauge.models.encoders.recurrent.elmo_network import ElmoNetwork
from medgauge.models.encoding import Batch, BatchSource
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.tokens import tokenize
from medgauge.models.training import training_of

_TERMS_AT_ONCE = 512
"""Terms in a batch: about 100 MB at the published sizes."""


@dataclass(frozen=True)
class ElmoSource:
    """Encodes terms with an ELMo model: the mean of all layers, then of the words.

    A term without words has no vector.
    """

    card: ModelCard
    options: ElmoOptions
    weights: Path
    place: Place
    given: str

    @cached_property
    def _network(self) -> ElmoNetwork:
        return ElmoNetwork(self.options, read_weights(self.weights, self.options), self.place.device)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, those with the fewest words first."""
        words = [tokenize(text, tokenizer=self.card.tokenizer or "words") for text in texts]
        order = sorted(range(len(texts)), key=lambda place: (len(words[place]), words[place]))
        for length, group in groupby(order, lambda place: len(words[place])):
            alike = list(group)
            for first in range(0, len(alike), _TERMS_AT_ONCE):
                places = alike[first : first + _TERMS_AT_ONCE]
                if length:
                    rows = self._network.encode([words[place] for place in places])
                else:
                    rows = np.full((len(places), self.card.dim or 0), np.nan, np.float32)
                yield Batch(np.array(places), rows, np.ones(len(places), np.int64))

    def cache_key(self) -> str:
        """Return what vectors depend on besides the card: the device, which adds up in its own order."""
        return self.place.device

    def facts(self) -> dict[str, object]:
        """Return what is known without reading the weights."""
        lstm = self.options.lstm
        return {
            "model": self.given,
            "kind": "ELMo",
            "architecture": f"character CNN, {lstm.n_layers} × 2 LSTMs of {lstm.dim} cells",
            "parameters": self.options.parameters,
            "dim": self.card.dim,
            "pooled": f"mean of {lstm.n_layers + 1} layers, then of the words",
            "device": self.place.device,
            "trained_on": self.card.trained_on,
            "licence": self.card.licence,
            "sha256": self.card.digest,
        }


def open_elmo(spec: ModelSpec, name: str, loading: Loading) -> BatchSource:
    """Open the ELMo model in a folder; its weights are read when the first term is encoded."""
    if find_spec("torch") is None:
        raise MissingExtraError("torch", extra="elmo")
    folder = require_folder(spec.name)
    settings = only_file(folder, "options.json", "*options*.json")
    weights = only_file(folder, "weights.hdf5", "*.hdf5")
    options = read_options(settings)
    check_weights(weights, options)
    card = ModelCard(
        name=name,
        family="vectors",
        format="ELMo",
        digest=digest_of([settings, weights]),
        dim=2 * options.lstm.projection_dim,
        tokenizer=loading.tokenizer,
    )
    card = training_of(folder, name).on(card)
    source = ElmoSource(card, options, weights, place_for(loading.device, "float32"), spec.name)
    return spread(source, spec, name, loading)
