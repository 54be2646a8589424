"""The files of a static model: as model2vec writes them, or as sentence-transformers does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from medgauge.errors import FileError, MissingExtraError, quoted
from medgauge.files.opening import read_text, require_file
from medgauge.models.encoders.local_files import require_folder
from medgauge.models.encoders.model_folder import ModelFolder, json_value

_WEIGHTS = "model.safetensors"
_NUMBERS = {"F16", "F32", "F64", "I8"}
_PLACES = {"I16", "I32", "I64", "U16", "U32"}
_ARRAYS = {"embeddings": _NUMBERS, "embedding.weight": _NUMBERS, "weights": _NUMBERS, "mapping": _PLACES}
_LONGEST = 512  # tokens, unless the configuration of a model2vec folder says otherwise


@dataclass(frozen=True)
class StaticFiles:
    """The files of a model, and how vectors of tokens become that of a text.

    `shapes` are those of the arrays in the weights, of which `table` is that of the vectors. `keeps_unknown`
    is whether the token for what is not in the vocabulary counts: with sentence-transformers, not with
    model2vec. Tokens after the first `longest` are cut off; None leaves that to the tokenizer.
    """

    weights: Path
    tokenizer: Path
    config: Path | None
    shapes: dict[str, tuple[int, ...]]
    table: str
    normalize: bool
    keeps_unknown: bool
    longest: int | None

    @property
    def all(self) -> list[Path]:
        """The files that the vectors depend on."""
        return [path for path in (self.weights, self.tokenizer, self.config) if path is not None]

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(prod(shape) for name, shape in self.shapes.items() if name != "mapping")


@dataclass(frozen=True)
class TokenTable:
    """Vectors of tokens: their rows, and for each token which row it has (its own if None) and its weight."""

    rows: NDArray[Any]
    mapping: NDArray[Any] | None
    weights: NDArray[Any] | None

    @property
    def tokens(self) -> int:
        """The number of tokens that have a vector."""
        return len(self.rows if self.mapping is None else self.mapping)


def find_static(path: str | Path) -> StaticFiles:
    """Find the files of the model in a folder."""
    folder = require_folder(path)
    nested = folder / "0_StaticEmbedding"
    inside = nested if (nested / _WEIGHTS).exists() else folder
    if not (inside / _WEIGHTS).exists():
        for pickled in sorted(folder.rglob("pytorch_model.bin")):
            raise FileError(
                pickled,
                "pickled weights are not opened; load the model with sentence-transformers and save it "
                f"again, which writes {_WEIGHTS}",
            )
        raise FileError(folder, f"has no file {_WEIGHTS}; give the folder of the whole model")
    weights, tokenizer = require_file(inside / _WEIGHTS), require_file(inside / "tokenizer.json")
    shapes = _shapes(weights)
    if "embedding.weight" in shapes:
        modules = folder / "modules.json"
        config = modules if modules.exists() else None
        normalize = config is not None and _ends_normalized(config)
        table, keeps_unknown, longest = "embedding.weight", True, None
    elif "embeddings" in shapes:
        config = require_file(folder / "config.json")
        normalize, longest = _settings(config)
        table, keeps_unknown = "embeddings", False
    else:
        raise FileError(weights, "has neither 'embeddings' nor 'embedding.weight'; it is not a static model")
    for name, shape in shapes.items():
        if len(shape) != (2 if name == table else 1) or 0 in shape:
            raise FileError(weights, f"{name} has the shape {shape}, which a static model cannot have")
    return StaticFiles(weights, tokenizer, config, shapes, table, normalize, keeps_unknown, longest)


def read_table(files: StaticFiles) -> TokenTable:
    """Read the vectors of a model."""
    with _opened(files.weights) as file:
        rows = file.get_tensor(files.table)
        mapping, weights = (
            file.get_tensor(name) if name in files.shapes else None for name in ("mapping", "weights")
        )
    if not all(np.isfinite(array).all() for array in (rows, weights) if array is not None):
        raise FileError(files.weights, "has values that are infinite or not a number (NaN)")
    if mapping is not None and not (mapping.min() >= 0 and mapping.max() < len(rows)):
        raise FileError(files.weights, "its mapping leads to rows that are not there")
    table = TokenTable(rows, mapping, weights)
    if weights is not None and len(weights) != table.tokens:
        raise FileError(files.weights, f"has {len(weights)} weights for {table.tokens} tokens")
    return table


def read_tokenizer(files: StaticFiles, tokens: int) -> Any:
    """Read the tokenizer of a model that has vectors for that number of tokens; it does not pad."""
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise MissingExtraError("tokenizers", extra="static") from error
    text = read_text(files.tokenizer)
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # the package raises nothing more specific
        raise FileError(
            files.tokenizer, "is not a tokenizer, or is damaged; download the file again"
        ) from error
    if max(tokenizer.get_vocab().values(), default=0) >= tokens:
        raise FileError(files.tokenizer, f"has more tokens than {files.weights.name} has vectors ({tokens})")
    tokenizer.no_padding()
    if files.longest is not None:
        tokenizer.enable_truncation(files.longest)
    return tokenizer


def _settings(config: Path) -> tuple[bool, int | None]:
    """Return from model2vec's configuration whether vectors are normalised, and how many tokens count."""
    fields = ModelFolder(config.parent).settings(config.name)
    normalize, longest = fields.get("normalize", False), fields.get("max_length", _LONGEST)
    if not isinstance(normalize, bool):
        raise FileError(config, f"normalize is {quoted(normalize)}, which is neither true nor false")
    if longest is None:
        return normalize, None
    if type(longest) is not int or longest < 1:
        raise FileError(config, f"max_length is {quoted(longest)}, which is not a positive whole number")
    return normalize, longest


def _ends_normalized(modules: Path) -> bool:
    """Return whether the modules of sentence-transformers end with one that normalises."""
    listed = json_value(modules)
    types = [one.get("type") if isinstance(one, dict) else "" for one in _as_list(listed)]
    names = [str(one).rpartition(".")[2] for one in types]
    if names not in (["StaticEmbedding"], ["StaticEmbedding", "Normalize"]):
        raise FileError(modules, "has modules other than a StaticEmbedding and Normalize; open it with st:")
    return len(names) == 2


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _shapes(weights: Path) -> dict[str, tuple[int, ...]]:
    found = {}
    with _opened(weights) as file:
        for name in _ARRAYS.keys() & file.keys():
            part = file.get_slice(name)
            if part.get_dtype() not in _ARRAYS[name]:
                raise FileError(
                    weights, f"{name} has values of the type {part.get_dtype()}, which is not read"
                )
            found[name] = tuple(part.get_shape())
    return found


@contextmanager
def _opened(weights: Path) -> Iterator[Any]:
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError as error:
        raise MissingExtraError("safetensors", extra="static") from error
    try:
        with safe_open(weights, framework="numpy") as file:
            yield file
    except SafetensorError as error:
        raise FileError(weights, "is not a safetensors file, or is damaged; download it again") from error
