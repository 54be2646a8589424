"""Hugging Face transformers as encoders: `hf:NAME`, pooled over the pieces of a term or of each word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from medgauge.arrays import Integers
from medgauge.errors import FileError, InputError
from medgauge.models.base import ModelCard
from medgauge.models.encoders.computation.devices import (
    PRECISIONS,
    Place,
    attention_for,
    on_device,
    place_for,
    require_packages,
)
from medgauge.models.encoders.computation.linear_layers import use_onednn
from medgauge.models.encoders.computation.short_attention import pack_short_texts
from medgauge.models.encoders.libraries import loading_from
from medgauge.models.encoders.model_folder import ModelFolder, listed
from medgauge.models.encoders.on_cluster import spread
from medgauge.models.encoders.pooling import Pooling, WordPieces, WordRule, has_vector, text_weights
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
from medgauge.models.lookup import Tokenizer
from medgauge.models.spec import ModelSpec
from medgauge.models.tokens import word_places
from medgauge.models.training import training_of

if TYPE_CHECKING:
    import torch

_LAYERS = re.compile(r"(-?\d{1,4})(?:\.\.(-?\d{1,4}))?")


@dataclass(frozen=True)
class Choices:
    """The options of an `hf:` spec, resolved: the layers counted from the embeddings, which are 0."""

    layers: tuple[int, ...]
    last: int
    pooling: Pooling = "mean"
    special_tokens: bool = False
    words: WordRule | None = None
    tokenizer: Tokenizer = "words"

    @property
    def parameters(self) -> dict[str, object]:
        """What stands in the card of the model."""
        shown: dict[str, object] = {"layers": list(self.layers)}
        if self.words is not None:
            return shown | {"words": self.words}
        return shown | {"pooling": self.pooling, "special_tokens": self.special_tokens}


@dataclass(frozen=True)
class Transformer:
    """A transformer on a device."""

    model: Any
    splitter: Splitter
    place: Place
    choices: Choices
    dim: int

    def split(self, texts: Sequence[str]) -> SplitTexts[Pieces]:
        """Split terms into pieces, and find those of each word if it gets a vector."""
        if self.choices.words is None:
            pieces, cut = self.splitter.split(texts)
            usable = has_vector(pieces.lengths, self.choices.pooling, *self._around)
            return SplitTexts(pieces, np.where(usable, pieces.lengths, 0), cut)
        tokenizer = self.choices.tokenizer
        plain, words = zip(*(word_places(text, tokenizer=tokenizer) for text in texts), strict=True)
        pieces, cut, places = self.splitter.split_with_places(plain)
        own = WordPieces.of(words, places, self.choices.words)
        return SplitTexts(pieces, np.where(own.words > 0, pieces.lengths, 0), cut, own)

    def forward(self, split: SplitTexts[Pieces], numbers: Integers) -> "torch.Tensor":
        """Compute the hidden states of terms, and pool them."""
        import torch

        ids, mask = split.content.padded(numbers, self.splitter.pad, self.place)
        layers, last = self.choices.layers, self.choices.last
        with attention_for(self.place, ids.shape[1]):
            found = self.model(
                input_ids=ids,
                attention_mask=mask,
                output_hidden_states=layers != (last,),
                return_dict=True,
            )
        if layers == (last,):
            hidden = found.last_hidden_state.float()
        else:
            hidden = torch.stack([found.hidden_states[layer].float() for layer in layers]).mean(dim=0)
        if split.words is not None:
            weights = split.words.weights(numbers, ids.shape[1])
            rows = torch.bmm(self._there(weights), hidden)
            counts = split.words.words[numbers]
            return rows[self._there(np.arange(rows.shape[1]) < counts[:, None])]
        weights = text_weights(split.content.lengths[numbers], self.choices.pooling, *self._around)
        if self.choices.pooling == "max":
            return hidden.masked_fill(self._there(weights[:, 0] == 0)[..., None], -np.inf).amax(dim=1)
        return torch.bmm(self._there(weights), hidden)[:, 0]

    @property
    def _around(self) -> tuple[int, int]:
        """How many special pieces are left out of pooling at either end."""
        return (0, 0) if self.choices.special_tokens else (self.splitter.before, self.splitter.after)

    def _there(self, array: np.ndarray[Any, Any]) -> "torch.Tensor":
        return on_device(array, self.place)


def open_transformer(spec: ModelSpec, name: str, loading: Loading) -> BatchSource:
    """Open the model of an `hf:` spec; its weights are loaded when the first term is encoded."""
    require_packages("transformers")
    folder = ModelFolder.found(spec.name)
    config = _config_of(folder, loading)
    choices = read_choices(spec, int(config.num_hidden_layers), loading.tokenizer)
    place = place_for(loading.device, spec.choice("precision", PRECISIONS, "auto"))
    assert folder.weights
    card = ModelCard(
        name=name,
        family="vectors" if choices.words is None else "words",
        format="transformer",
        digest=folder.digest,
        dim=int(config.hidden_size),
        tokenizer=None if choices.words is None else choices.tokenizer,
        parameters={**choices.parameters, "precision": place.precision},
    )
    card = training_of(folder.path, name).on(card)

    def described() -> dict[str, object]:
        return {
            "model": spec.name,
            "kind": "Hugging Face transformer",
            "architecture": listed(config.architectures) or config.model_type,
            "parameters": folder.parameters,
            "dim": card.dim,
            "layers": int(config.num_hidden_layers),
            "pooled": _pooled(choices),
            "context": _context(folder, config),
            "precision": place.precision,
            "device": place.device,
            "trained_on": card.trained_on,
            "licence": card.licence,
            "sha256": folder.digest,
        }

    source = TextSource(card, place, lambda: _loaded(folder, config, place, choices, loading), described)
    return spread(source, spec, name, loading)


def read_choices(spec: ModelSpec, depth: int, tokenizer: Tokenizer = "words") -> Choices:
    """Read the options of a spec for a model of this depth; `tokenizer` splits terms into words.

    >>> read_choices(ModelSpec("hf", "x", {"layers": "-2..-1", "pooling": "cls"}), 12).layers
    (11, 12)
    """
    words = spec.options.get("words")
    for other in ("pooling", "special_tokens") if words is not None else ():
        if other in spec.options:
            raise InputError(
                f"hf: words={words} gives a vector for each word, so {other} has no meaning; remove it"
            )
    return Choices(
        _layers(spec.options.get("layers", "-1"), depth),
        depth,
        spec.choice("pooling", get_args(Pooling), "mean"),  # type: ignore[arg-type]
        spec.flag("special_tokens", default=False),
        None if words is None else spec.choice("words", get_args(WordRule), "mean"),  # type: ignore[arg-type]
        tokenizer,
    )


def _layers(text: str, depth: int) -> tuple[int, ...]:
    found = _LAYERS.fullmatch(text)
    if found is None:
        raise InputError(f"layers={text[:40]} of hf: is neither a layer nor a range of layers such as -4..-1")
    numbers = [int(one) for one in found.groups() if one is not None]
    counted = [number if number >= 0 else depth + 1 + number for number in numbers]
    if not all(0 <= number <= depth for number in counted) or counted[0] > counted[-1]:
        raise InputError(
            f"layers={text} of hf: the model has {depth} layers, from 1 (or {-depth}) to {depth} (or -1); "
            "0 is its embeddings, and a range goes upwards"
        )
    return tuple(range(counted[0], counted[-1] + 1))


def _config_of(folder: ModelFolder, loading: Loading) -> Any:
    from transformers import AutoConfig

    folder.settings()  # a missing or damaged file has a clear error of its own
    with loading_from(folder.path, trust_remote_code=loading.trust_remote_code):
        config = AutoConfig.from_pretrained(
            folder.path, trust_remote_code=loading.trust_remote_code, local_files_only=True
        ).get_text_config(encoder=True)
        config.hidden_size, config.num_hidden_layers  # noqa: B018 - every text model has them
    return config


def _context(folder: ModelFolder, config: Any) -> int | None:
    """Return the longest input in pieces, as the tokenizer's and the model's own files say."""
    file = "tokenizer_config.json"
    declared = folder.settings(file).get("model_max_length") if folder.has(file) else None
    limits = [positions_of(config)]
    if isinstance(declared, int | float) and 0 < declared < LARGEST_CONTEXT:
        limits.append(int(declared))
    return min((one for one in limits if one is not None), default=None)


def _loaded(
    folder: ModelFolder, config: Any, place: Place, choices: Choices, loading: Loading
) -> Network[Pieces]:
    from transformers import AutoModel, AutoTokenizer

    trusted = {"trust_remote_code": loading.trust_remote_code, "local_files_only": True}
    with loading_from(folder.path, trust_remote_code=loading.trust_remote_code):
        tokenizer = AutoTokenizer.from_pretrained(folder.path, **trusted)
        model, report = AutoModel.from_pretrained(
            folder.path, dtype=place.dtype, use_safetensors=True, output_loading_info=True, **trusted
        )
        lacking = sorted(name for name in report["missing_keys"] if "pooler" not in name)
        if lacking:
            raise FileError(
                folder.path,
                f"the weights lack {len(lacking)} of the model's parameters, such as {lacking[0]}, which "
                "would be random; the files do not belong together",
            )
        if config.is_encoder_decoder:
            model = model.get_encoder()
        model.config.use_cache = False
        model = model.eval().to(place.device)
        use_onednn(model, place)
        pack_short_texts(model, place)
        splitter = Splitter.of(tokenizer, _context(folder, config) or LARGEST_CONTEXT, known_pieces(model))
    if choices.words is not None and getattr(tokenizer, "backend_tokenizer", None) is None:
        raise FileError(
            folder.path, "words= needs a fast tokenizer (tokenizer.json), which knows where pieces are"
        )
    if choices.pooling == "cls" and choices.words is None and not splitter.before:
        raise FileError(
            folder.path, "pooling=cls needs a tokenizer that puts [CLS] first; choose mean or last"
        )
    return Transformer(model, splitter.beside(place), place, choices, int(config.hidden_size))


def _pooled(choices: Choices) -> str:
    layers = choices.layers
    where = f"layer {layers[0]}" if len(layers) == 1 else f"mean of layers {layers[0]} to {layers[-1]}"
    if choices.words is not None:
        return f"a vector for each word, {choices.words} of its pieces, {where}"
    with_special = "with" if choices.special_tokens or choices.pooling == "cls" else "without"
    return f"{choices.pooling}, {where}, {with_special} special tokens"
