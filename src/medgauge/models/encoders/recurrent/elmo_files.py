"""The files of an ELMo model: its options in JSON, and its weights in HDF5, as bilm-tf writes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt

from medgauge.arrays import Floats
from medgauge.errors import FileError, MissingExtraError
from medgauge.models.encoders.model_folder import ModelFolder, checked_settings
from medgauge.models.encoders.recurrent.characters import CHARACTERS

Shapes = dict[str, tuple[int, ...]]
DIRECTIONS = ("RNN_0", "RNN_1")
"""The groups of the forward and of the backward language model."""


class _Options(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Embedding(_Options):
    dim: PositiveInt


class CharacterOptions(_Options):
    """The network over the characters of a word; `filters` are width and number of each kind."""

    activation: Literal["relu", "tanh"]
    embedding: _Embedding
    filters: Annotated[list[tuple[PositiveInt, PositiveInt]], Field(min_length=1)]
    n_highway: Annotated[int, Field(ge=0)]
    max_characters_per_token: Annotated[int, Field(ge=3)]

    @property
    def features(self) -> int:
        """The number of filters of all kinds."""
        return sum(number for _, number in self.filters)

    @property
    def widest(self) -> int:
        """The width of the widest filter."""
        return max(width for width, _ in self.filters)


class LstmOptions(_Options):
    """The two language models; nothing is clipped where a limit is not given."""

    dim: PositiveInt
    projection_dim: PositiveInt
    n_layers: PositiveInt
    use_skip_connections: bool = False
    cell_clip: PositiveFloat | None = None
    proj_clip: PositiveFloat | None = None


class ElmoOptions(_Options):
    """The options of a model over characters."""

    char_cnn: CharacterOptions
    lstm: LstmOptions

    @property
    def shapes(self) -> Shapes:
        """The datasets of the weights and their shapes."""
        cnn, lstm = self.char_cnn, self.lstm
        found: Shapes = {"char_embed": (CHARACTERS, cnn.embedding.dim)}
        for number, (width, count) in enumerate(cnn.filters):
            found[f"CNN/W_cnn_{number}"] = (1, width, cnn.embedding.dim, count)
            found[f"CNN/b_cnn_{number}"] = (count,)
        for number in range(cnn.n_highway):
            for gate in ("carry", "transform"):
                found[f"CNN_high_{number}/W_{gate}"] = (cnn.features, cnn.features)
                found[f"CNN_high_{number}/b_{gate}"] = (cnn.features,)
        found["CNN_proj/W_proj"] = (cnn.features, lstm.projection_dim)
        found["CNN_proj/b_proj"] = (lstm.projection_dim,)
        for direction in DIRECTIONS:
            for number in range(lstm.n_layers):
                cell = cell_group(direction, number)
                found[f"{cell}/W_0"] = (2 * lstm.projection_dim, 4 * lstm.dim)
                found[f"{cell}/B"] = (4 * lstm.dim,)
                found[f"{cell}/W_P_0"] = (lstm.dim, lstm.projection_dim)
        return found

    @property
    def parameters(self) -> int:
        """The number of parameters."""
        return sum(map(prod, self.shapes.values()))


def cell_group(direction: str, layer: int) -> str:
    """Return the group with the weights of a layer."""
    return f"{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"


def read_options(path: Path) -> ElmoOptions:
    """Read the options of a model."""
    fields = ModelFolder(path.parent).settings(path.name)
    options = checked_settings(path, fields, ElmoOptions, "the options of an ELMo model over characters")
    if options.char_cnn.widest > options.char_cnn.max_characters_per_token:
        raise FileError(path, "has a filter that is wider than max_characters_per_token")
    return options


def check_weights(path: Path, options: ElmoOptions) -> None:
    """Raise an error if the weights are not those of a model with such options, without reading them."""
    with _opened(path) as file:
        for name, shape in options.shapes.items():
            _dataset(file, path, name, shape)


def read_weights(path: Path, options: ElmoOptions) -> dict[str, Floats]:
    """Read the weights of a model, by the names of their datasets."""
    with _opened(path) as file:
        return {name: _values(file, path, name, shape) for name, shape in options.shapes.items()}


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        import h5py
    except ImportError as error:
        raise MissingExtraError("h5py", extra="elmo") from error
    try:
        with h5py.File(path, "r") as file:
            yield file
    except (KeyError, OSError, RuntimeError, TypeError, ValueError) as error:  # as h5py has it
        raise FileError(path, "is not HDF5, or is damaged; download the file again") from error


def _values(file: Any, path: Path, name: str, shape: tuple[int, ...]) -> Floats:
    found: Floats = _dataset(file, path, name, shape)[...].astype("float32", copy=False)
    if not np.isfinite(found).all():
        raise FileError(path, f"{name} has values that are infinite or not a number (NaN)")
    return found


def _dataset(file: Any, path: Path, name: str, shape: tuple[int, ...]) -> Any:
    import h5py

    # h5py follows a link out of the file; weights are all in one.
    for part in accumulate(name.split("/"), "{}/{}".format):
        if not isinstance(file.get(part, getlink=True), h5py.HardLink):
            raise FileError(path, f"has no dataset {name}; it is not the weights of this ELMo model")
    found = file[name]
    if not isinstance(found, h5py.Dataset) or found.dtype.kind != "f":
        raise FileError(path, f"{name} is not a dataset of floating-point numbers")
    if found.shape != shape:
        raise FileError(path, f"{name} has the shape {found.shape}; the options ask for {shape}")
    return found
