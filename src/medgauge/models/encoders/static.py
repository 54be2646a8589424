"""Static models: the mean of the vectors of a text's tokens, which do not depend on each other."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from medgauge.arrays import Floats
from medgauge.models.base import ModelCard
from medgauge.models.encoders.local_files import digest_of, require_folder
from medgauge.models.encoders.static_files import (
    StaticFiles,
    TokenTable,
    find_static,
    read_table,
    read_tokenizer,
)
from medgauge.models.encoding import Batch
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.training import training_of

_TEXTS_AT_ONCE = 4096


@dataclass(frozen=True)
class StaticSource:
    """Encodes texts with a static model; a text without a token that counts has no vector."""

    card: ModelCard
    files: StaticFiles
    given: str

    @cached_property
    def _table(self) -> TokenTable:
        return read_table(self.files)

    @cached_property
    def _tokenizer(self) -> Any:
        return read_tokenizer(self.files, self._table.tokens)

    @cached_property
    def _unknown(self) -> int | None:
        return None if self.files.keeps_unknown else unknown_token(self._tokenizer)

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, in their order, except those of another length."""
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            alike = defaultdict(list)
            some = texts[first : first + _TEXTS_AT_ONCE]
            encodings = self._tokenizer.encode_batch_fast(list(some), add_special_tokens=False)
            for place, encoding in enumerate(encodings, first):
                tokens = [token for token in encoding.ids if token != self._unknown]
                alike[len(tokens)].append((place, tokens, bool(encoding.overflowing)))
            for length, group in alike.items():
                places = np.array([place for place, _, _ in group])
                if length:
                    rows = self._means([tokens for _, tokens, _ in group])
                else:
                    rows = np.full((len(places), self.card.dim or 0), np.nan, np.float32)
                cut = np.array([was_cut for _, _, was_cut in group])
                yield Batch(places, rows, np.ones(len(places), np.int64), cut)

    def cache_key(self) -> None:
        """Say that vectors are not worth keeping: they are computed as fast as they are read."""

    def facts(self) -> dict[str, object]:
        """Return what is known without reading the vectors."""
        return {
            "model": self.given,
            "kind": "static vectors of tokens",
            "architecture": f"{self.files.shapes[self.files.table][0]:,} vectors",
            "parameters": self.files.parameters,
            "dim": self.card.dim,
            "pooled": f"mean of the tokens{', normalised' if self.files.normalize else ''}",
            "context": self.files.longest,
            "trained_on": self.card.trained_on,
            "licence": self.card.licence,
            "sha256": self.card.digest,
        }

    def _means(self, texts: list[list[int]]) -> Floats:
        """Return the vectors of texts with the same number of tokens."""
        table = self._table
        tokens = np.array(texts)
        found = table.rows[tokens if table.mapping is None else table.mapping[tokens]].astype(np.float32)
        if table.weights is not None:
            found *= table.weights[tokens][..., None].astype(np.float32)
        means: Floats = found.mean(axis=1)
        if self.files.normalize:
            norms = np.linalg.norm(means.astype(np.float64), axis=1, keepdims=True)
            means = (means / np.where(norms > 0, norms, 1)).astype(np.float32)
        return means


def unknown_token(tokenizer: Any) -> int | None:
    """Return the number of the token for what is not in the vocabulary, None if there is none."""
    model = tokenizer.model
    if hasattr(model, "unk_token"):
        return None if model.unk_token is None else tokenizer.token_to_id(model.unk_token)
    number: int | None = json.loads(tokenizer.to_str())["model"].get("unk_id")
    return number


def open_static(spec: ModelSpec, name: str, _loading: Loading) -> StaticSource:
    """Open the static model in a folder; its vectors are read when the first term is encoded."""
    files = find_static(spec.name)
    card = ModelCard(
        name=name,
        family="vectors",
        format="static vectors of tokens",
        digest=digest_of(files.all),
        dim=files.shapes[files.table][1],
    )
    return StaticSource(training_of(require_folder(spec.name), name).on(card), files, spec.name)
