"""sentence-transformers models as encoders, `st:NAME`: pooled, prompted and normalised as their files say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, PositiveInt

from medgauge.arrays import Integers
from medgauge.errors import FileError, InputError, UnknownNameError, option, quoted
from medgauge.models.base import ModelCard
from medgauge.models.encoders.computation.devices import (
    PRECISIONS,
    Place,
    attention_for,
    place_for,
    require_packages,
)
from medgauge.models.encoders.computation.linear_layers import use_onednn
from medgauge.models.encoders.computation.short_attention import pack_short_texts
from medgauge.models.encoders.libraries import UNTRUSTED_CODE, loading_from
from medgauge.models.encoders.model_folder import ModelFolder, checked_settings, json_value, listed
from medgauge.models.encoders.on_cluster import spread
from medgauge.models.encoders.splitting.pieces import (
    LARGEST_CONTEXT,
    Pieces,
    Splitter,
    known_pieces,
    positions_of,
)
from medgauge.models.encoders.text_source import Network, SplitTexts, TextSource
from medgauge.models.encoding import BatchSource
from medgauge.models.loading import Loading
from medgauge.models.spec import ModelSpec
from medgauge.models.training import training_of

if TYPE_CHECKING:
    import torch

_MODULES = "modules.json"
_OPTIONS = "config_sentence_transformers.json"
# What the library's own splitting of these gives must be what ours gives, or ours is not used.
_PROBES = ("A", "Acute Renal-failure (disorder), 5-HT", "Ménière ß é", "two  spaces ", "term " * 2000)


class SentenceOptions(BaseModel):
    """What a model says of its prompts and dimensions."""

    model_config = ConfigDict(frozen=True)

    prompts: dict[str, str | None] | None = None
    default_prompt_name: str | None = None
    truncate_dim: PositiveInt | None = None


@dataclass(frozen=True)
class SentenceNetwork:
    """The modules of a sentence-transformers model, whose texts are split and batched here.

    The transformer may compute in half precision; what follows it computes in single precision.
    """

    model: Any
    splitter: Splitter
    place: Place
    prompt: str
    prompt_length: int | None
    keep: int | None
    dim: int

    def split(self, texts: Sequence[str]) -> SplitTexts[Pieces]:
        """Put the prompt before each text, and split it into pieces."""
        pieces, cut = self.splitter.split([f"{self.prompt}{text}" for text in texts])
        return SplitTexts(pieces, pieces.lengths, cut)

    def forward(self, split: SplitTexts[Pieces], numbers: Integers) -> "torch.Tensor":
        """Run the modules, one after another."""
        ids, mask = split.content.padded(numbers, self.splitter.pad, self.place)
        features: dict[str, Any] = {"input_ids": ids}
        if mask is not None:
            features["attention_mask"] = mask
        if self.prompt_length is not None:
            features["prompt_length"] = self.prompt_length
        first, *others = self.model
        with attention_for(self.place, ids.shape[1]):
            features = first(features)
        features["token_embeddings"] = features["token_embeddings"].float()
        for module in others:
            features = module(features)
        found: torch.Tensor = features["sentence_embedding"].float()
        return found if self.keep is None else found[:, : self.keep]


@dataclass(frozen=True)
class WholeModel:
    """A sentence-transformers model of another make (static, routed, multimodal), called as a whole."""

    model: Any
    place: Place
    prompt: str
    keep: int | None
    dim: int

    def split(self, texts: Sequence[str]) -> SplitTexts[Sequence[str]]:
        """Leave the texts as they are; lengths in characters stand for those in pieces."""
        return SplitTexts(texts, np.array([len(text) for text in texts], np.int64))

    def forward(self, split: SplitTexts[Sequence[str]], numbers: Integers) -> "torch.Tensor":
        """Let the library encode the texts."""
        found: torch.Tensor = self.model.encode(
            [split.content[number] for number in numbers.tolist()],
            prompt=self.prompt,
            truncate_dim=self.keep,
            convert_to_tensor=True,
            show_progress_bar=False,
        )
        return found.float()


def open_sentence_encoder(spec: ModelSpec, name: str, loading: Loading) -> BatchSource:
    """Open the model of an `st:` spec; its weights are loaded when the first term is encoded."""
    require_packages("sentence_transformers")
    folder = ModelFolder.found(spec.name)
    if not folder.has(_MODULES):
        raise FileError(
            folder.path,
            f"has no {_MODULES}, so that nothing says how to pool; open it as hf:FOLDER?pooling=mean or cls",
        )
    modules = _modules(folder, loading)
    options = _options(folder)
    prompt = _prompt(spec, options)
    own_dim = _dimensions(folder, modules)
    keep = _kept_dimensions(spec, own_dim) or options.truncate_dim
    place = place_for(loading.device, spec.choice("precision", PRECISIONS, "auto"))
    assert folder.weights
    card = ModelCard(
        name=name,
        family="vectors",
        format="sentence-transformers",
        digest=folder.digest,
        dim=own_dim if own_dim is None or keep is None else min(own_dim, keep),
        parameters={
            "prompt": prompt,
            **({} if keep is None else {"truncate_dim": keep}),
            "precision": place.precision,
        },
    )
    card = training_of(folder.path, name).on(card)

    def described() -> dict[str, object]:
        config = folder.settings() if folder.has("config.json") else {}
        return {
            "model": spec.name,
            "kind": "sentence-transformers model",
            "architecture": listed(config.get("architectures")),
            "parameters": folder.parameters,
            "dim": card.dim,
            "modules": " → ".join(kind for kind, _ in modules),
            "pooled": _pooled(folder, modules),
            "prompt": prompt or "none",
            "context": _context(folder, modules, config),
            "precision": place.precision,
            "device": place.device,
            "trained_on": card.trained_on,
            "licence": card.licence,
            "sha256": folder.digest,
        }

    source = TextSource(card, place, lambda: _loaded(folder, place, prompt, keep, loading), described)
    return spread(source, spec, name, loading)


def _modules(folder: ModelFolder, loading: Loading) -> list[tuple[str, str]]:
    """Return the kind and the folder of each module; refuse one of another package unless it is trusted.

    The library itself ran those of folders without being asked, before version 6.
    """
    entries = json_value(folder.path / _MODULES)
    if not isinstance(entries, list) or not all(
        isinstance(one, dict) and isinstance(one.get("type"), str) and isinstance(one.get("path"), str)
        for one in entries
    ):
        raise FileError(folder.path / _MODULES, "does not list modules with type and path")
    if not loading.trust_remote_code and any(
        not one["type"].startswith("sentence_transformers.") for one in entries
    ):
        raise FileError(folder.path, UNTRUSTED_CODE.format(option("trust_remote_code", True)))
    for own in (one["path"] for one in entries if one["path"]):
        # There, weights are neither looked for nor digested.
        if (folder.path / own).is_symlink() or any(part.startswith(".") for part in Path(own).parts):
            raise FileError(
                folder.path / _MODULES,
                f"the module {quoted(own)} is hidden, a link, or outside of the folder; copy it there",
            )
    return [(one["type"].rpartition(".")[2], one["path"]) for one in entries]


def _options(folder: ModelFolder) -> SentenceOptions:
    if not folder.has(_OPTIONS):
        return SentenceOptions()
    what = "the settings of a sentence-transformers model"
    return checked_settings(folder.path / _OPTIONS, folder.settings(_OPTIONS), SentenceOptions, what)


def _prompt(spec: ModelSpec, options: SentenceOptions) -> str:
    """Return the prompt: the option's text, the model's own of that name, or the model's default."""
    prompts = options.prompts or {}
    given = spec.options.get("prompt")
    if given is None:
        return prompts.get(options.default_prompt_name or "") or ""
    if given in prompts:
        return prompts[given] or ""
    if given.isidentifier():  # the name of a prompt, not a text
        if not prompts:
            raise InputError(
                f"prompt={given} of st: is a name, and the model has no prompts; write a text, such as "
                f"{quoted(f'{given}: ')}"
            )
        raise UnknownNameError(f"prompt of {spec.kind}:{spec.name}", given, prompts)
    return given


def _kept_dimensions(spec: ModelSpec, own: int | None) -> int | None:
    """Return how many dimensions the option asks for; refuse more than the model has."""
    keep = spec.number("truncate_dim")
    if keep is not None and own is not None and keep > own:
        raise InputError(f"truncate_dim={keep} of st: is more than the {own} dimensions of the model")
    return keep


def _settings_of(folder: ModelFolder, modules: list[tuple[str, str]], kind: str) -> dict[str, Any] | None:
    for found, place in modules:
        name = f"{place}/config.json" if place else "config.json"
        if found == kind and folder.has(name):
            return folder.settings(name)
    return None


def _pooling_modes(settings: dict[str, Any]) -> list[str]:
    """Return how a model pools, as its files say it in the older or the newer form."""
    mode = settings.get("pooling_mode")
    if mode is not None:
        return [str(one) for one in (mode if isinstance(mode, list) else [mode])]
    return [
        name.removeprefix("pooling_mode_").removesuffix("s").removesuffix("_token")
        for name, is_on in settings.items()
        if is_on is True and "mode" in name
    ]


def _pooled(folder: ModelFolder, modules: list[tuple[str, str]]) -> str | None:
    settings = _settings_of(folder, modules, "Pooling")
    if settings is None:
        return None
    normalised = ", then normalised" if any(kind == "Normalize" for kind, _ in modules) else ""
    return f"{', '.join(_pooling_modes(settings))}{normalised}"


def _dimensions(folder: ModelFolder, modules: list[tuple[str, str]]) -> int | None:
    dense = _settings_of(folder, modules, "Dense") or {}
    if isinstance(dense.get("out_features"), int):
        return int(dense["out_features"])
    pooling = _settings_of(folder, modules, "Pooling") or {}
    width = pooling.get("embedding_dimension", pooling.get("word_embedding_dimension"))
    return width * len(_pooling_modes(pooling)) if isinstance(width, int) else None


def _context(folder: ModelFolder, modules: list[tuple[str, str]], config: dict[str, Any]) -> int | None:
    place = modules[0][1] if modules else ""
    name = f"{place}/sentence_bert_config.json" if place else "sentence_bert_config.json"
    own = folder.settings(name).get("max_seq_length") if folder.has(name) else None
    found = own or config.get("max_position_embeddings")
    return found if isinstance(found, int) else None


def _loaded(
    folder: ModelFolder, place: Place, prompt: str, keep: int | None, loading: Loading
) -> Network[Any]:
    from sentence_transformers import SentenceTransformer

    with loading_from(folder.path, trust_remote_code=loading.trust_remote_code):
        model = SentenceTransformer(
            str(folder.path),
            device=place.device,
            trust_remote_code=loading.trust_remote_code,
            local_files_only=True,
            model_kwargs={"dtype": place.dtype, "use_safetensors": True},
        ).eval()
        use_onednn(model, place)
        if hasattr(model[0], "auto_model"):
            pack_short_texts(model[0].auto_model, place)
        dim = min(model.get_embedding_dimension() or 0, keep or 1 << 30)
        splitter = _splitter(model)
        if splitter is None:
            return WholeModel(model.float(), place, prompt, keep, dim)
        splitter = splitter.beside(place)
        length = model.preprocess([_PROBES[0]], prompt=prompt).get("prompt_length") if prompt else None
        return SentenceNetwork(model, splitter, place, prompt, length, keep, dim)


def _splitter(model: Any) -> Splitter | None:
    """Return how texts are split for a model; None unless it is the plain splitting of its tokenizer."""
    if type(model[0]).__name__ != "Transformer" or any(type(module).__name__ == "Router" for module in model):
        return None
    context = model.max_seq_length or LARGEST_CONTEXT
    splitter = Splitter.of(model.tokenizer, context, known_pieces(model[0].auto_model))
    pieces, _ = splitter.split(_PROBES)
    for number, probe in enumerate(_PROBES):
        theirs = model.preprocess([probe])
        if set(theirs) - {"input_ids", "attention_mask", "token_type_ids", "modality"}:
            return None
        ours = pieces.ids[pieces.offsets[number] : pieces.offsets[number + 1]]
        if (
            not np.array_equal(theirs["input_ids"][0].numpy(), ours)
            or theirs.get("token_type_ids", np.zeros(1)).any()
        ):
            return None
    # The library does not compare what a model declares with its positions, beyond which it fails.
    longest = min(splitter.longest, positions_of(model[0].config.get_text_config()) or LARGEST_CONTEXT)
    return replace(splitter, longest=longest)
