"""Flair's language models over characters (Akbik et al. 2018), by the package flair."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from medgauge.arrays import Floats, Integers
from medgauge.errors import FileError, InputError, MissingExtraError, option, quoted
from medgauge.files.opening import require_file
from medgauge.models.base import ModelCard
from medgauge.models.encoders.computation.devices import place_for
from medgauge.models.encoders.local_files import digest_of
from medgauge.models.encoding import Batch
from medgauge.models.loading import Device, Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.tokens import tokenize
from medgauge.models.training import training_of

_TERMS_AT_ONCE = 256


class LanguageModelOfFlair(Protocol):
    """What is used of flair's FlairEmbeddings."""

    name: str
    is_forward_lm: bool
    embedding_length: int
    lm: Any

    def embed(self, sentences: list[Any]) -> Any:
        """Attach a vector to each token of sentences."""


@dataclass(frozen=True)
class FlairSource:
    """Encodes terms with a forward and a backward model: both vectors of a word, then the mean of the words.

    A term without words has no vector.
    """

    card: ModelCard
    models: tuple[LanguageModelOfFlair, LanguageModelOfFlair]
    given: str

    def batches(self, texts: Sequence[str]) -> Iterator[Batch]:
        """Yield the vectors of texts, the shortest first."""
        words = [tokenize(text, tokenizer=self.card.tokenizer or "words") for text in texts]
        order = sorted(range(len(texts)), key=lambda place: sum(map(len, words[place])))
        for has_words, group in groupby(order, lambda place: bool(words[place])):
            alike = list(group)
            for first in range(0, len(alike), _TERMS_AT_ONCE):
                places = alike[first : first + _TERMS_AT_ONCE]
                if has_words:
                    rows = self._means([words[place] for place in places])
                else:
                    rows = np.full((len(places), self.card.dim or 0), np.nan, np.float32)
                yield Batch(np.array(places), rows, np.ones(len(places), np.int64))

    def facts(self) -> dict[str, object]:
        """Return what the loaded models say."""
        sizes = " and ".join(f"{model.lm.nlayers} × {model.lm.hidden_size}" for model in self.models)
        return {
            "model": self.given,
            "kind": "Flair",
            "architecture": f"forward and backward LSTMs over characters ({sizes} cells)",
            "parameters": sum(part.numel() for model in self.models for part in model.lm.parameters()),
            "dim": self.card.dim,
            "pooled": "mean of the words",
            "trained_on": self.card.trained_on,
            "licence": self.card.licence,
            "sha256": self.card.digest,
        }

    def _means(self, terms: list[list[str]]) -> Floats:
        """Return the vectors of terms, each of which has words."""
        make_sentence = import_module("flair.data").Sentence
        sentences = [make_sentence(words) for words in terms]
        counts = np.array([len(words) for words in terms])
        halves = [_sums(model, sentences, counts) / counts[:, None] for model in self.models]
        rows = np.hstack(halves).astype(np.float32)
        if not np.isfinite(rows).all():
            raise InputError(f"{self.card.name} computes values that are infinite or not a number (NaN)")
        return rows


def open_flair(spec: ModelSpec, name: str, loading: Loading) -> FlairSource:
    """Open a pair of flair's models by their name, their folder or their files.

    They are loaded at once, since nothing is known of a pickle before it is opened.
    """
    if not loading.trust_pickle:
        raise InputError(
            f"{quoted(str(spec))}: flair's files are pickles, which can run any code when they are opened; "
            f"if you trust their source, add {option('trust_pickle', True)}"
        )
    models = _in_order([_opened(one, loading.device) for one in _pair(spec.name)], spec)
    files = [Path(model.name) for model in models]
    card = ModelCard(
        name=name,
        family="vectors",
        format="Flair",
        digest=digest_of(files),
        dim=sum(model.embedding_length for model in models),
        tokenizer=loading.tokenizer,
    )
    return FlairSource(training_of(files[0].parent, name).on(card), models, spec.name)


def _pair(name: str) -> list[str]:
    """Return the names or files of the two models."""
    if Path(name).is_dir():
        files = sorted(Path(name).glob("*.pt"))
        if len(files) != 2:
            raise FileError(
                name, f"has {len(files)} files *.pt; a folder needs two, a forward and a backward model"
            )
        return [str(file) for file in files]
    if "+" in name:
        return [str(require_file(part)) for part in name.split("+", 1)]
    if Path(name).exists() or Path(name).suffix == ".pt":
        raise FileError(
            require_file(name),
            "is one of two models; write flair:FORWARD.pt+BACKWARD.pt, or give their folder",
        )
    return [f"{name}-forward", f"{name}-backward"]


def _opened(source: str, device: Device) -> LanguageModelOfFlair:
    try:
        flair, embeddings = import_module("flair"), import_module("flair.embeddings")
    except ImportError as error:
        raise MissingExtraError("flair") from error
    logging.getLogger("flair").setLevel(logging.WARNING)  # it logs to standard output
    if device != "auto":
        flair.__dict__["device"] = import_module("torch").device(place_for(device, "float32").device)
    try:
        opened: LanguageModelOfFlair = embeddings.FlairEmbeddings(source)
    except Exception as error:  # whatever a pickle, the package or its download raises
        problem = f"flair cannot open it ({type(error).__name__})"
        if Path(source).exists():
            raise FileError(
                source, f"{problem}; it is not one of flair's language models, or damaged"
            ) from error
        raise InputError(
            f"{quoted(source)}: {problem}; it is not a model of flair's, or cannot be downloaded now"
        ) from error
    return opened


def _in_order(
    models: list[LanguageModelOfFlair], spec: ModelSpec
) -> tuple[LanguageModelOfFlair, LanguageModelOfFlair]:
    """Return the forward model and the backward one."""
    backward, forward = sorted(models, key=lambda model: model.is_forward_lm)
    if backward.is_forward_lm or not forward.is_forward_lm:
        direction = "forward" if forward.is_forward_lm else "backward"
        raise InputError(f"{quoted(str(spec))}: both models are {direction} ones; one of each is needed")
    return forward, backward


def _sums(model: LanguageModelOfFlair, sentences: list[Any], counts: Integers) -> Floats:
    """Return the sum of the vectors of the words of each sentence."""
    import torch

    model.embed(sentences)
    rows = torch.stack([token.get_embedding([model.name]) for sentence in sentences for token in sentence])
    sums: Floats = np.add.reduceat(rows.cpu().numpy(), np.cumsum(counts) - counts, axis=0)
    return sums
