"""Tiny ELMo models in folders, whose weights follow from a formula."""

import json
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from medgauge.models.encoders.recurrent.elmo_files import ElmoOptions

OPTIONS: dict[str, Any] = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": 4,
        "cell_clip": 0.6,
        "proj_clip": 0.3,
        "dim": 6,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 2], [2, 3], [3, 4]],
        "n_highway": 2,
        "embedding": {"dim": 3},
        "n_characters": 262,
        "max_characters_per_token": 50,
    },
}


def options_with(**changes: Any) -> dict[str, Any]:
    """Return the options with other values for some of those of the LSTMs or of the characters."""
    return {
        part: {**values, **{name: value for name, value in changes.items() if name in values}}
        for part, values in OPTIONS.items()
    }


def made_weights(options: dict[str, Any], scale: float = 0.9) -> dict[str, NDArray[np.float32]]:
    """Return weights that look random and are the same with every release of numpy."""
    found = {}
    for number, (name, shape) in enumerate(ElmoOptions.model_validate(options).shapes.items(), 1):
        steps = np.arange(1, prod(shape) + 1, dtype=np.float64) * (number + np.sqrt(2))
        found[name] = (scale * np.sin(steps)).reshape(shape).astype(np.float32)
    return found


def write_elmo(
    folder: Path,
    options: dict[str, Any] = OPTIONS,
    weights: dict[str, NDArray[Any]] | None = None,
) -> Path:
    """Write a model's options.json and weights.hdf5."""
    import h5py

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(options), "utf-8")
    with h5py.File(folder / "weights.hdf5", "w") as file:
        for name, array in (made_weights(options) if weights is None else weights).items():
            file[name] = array
    return folder
