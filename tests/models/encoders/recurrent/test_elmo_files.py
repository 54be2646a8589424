import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medgauge.errors import FileError, MissingExtraError
from medgauge.models.encoders.recurrent.elmo_files import (
    ElmoOptions,
    check_weights,
    read_options,
    read_weights,
)
from tests.support.elmo_folders import OPTIONS, made_weights, options_with, write_elmo

CELL = "RNN_1/RNN/MultiRNNCell/Cell1/LSTMCell"


def options_file(folder: Path, options: Any) -> Path:
    path = folder / "options.json"
    path.write_text(options if isinstance(options, str) else json.dumps(options))
    return path


def refused(folder: Path, options: dict[str, Any] = OPTIONS) -> str:
    read = ElmoOptions.model_validate(options)
    with pytest.raises(FileError) as first:
        check_weights(folder / "weights.hdf5", read)
    with pytest.raises(FileError) as second:
        read_weights(folder / "weights.hdf5", read)
    assert str(first.value) == str(second.value)
    return str(first.value)


def test_the_published_biomedical_model_has_93_6_million_parameters() -> None:
    # AllenNLP's page on ELMo: "93.6" million for the original model, whose options the biomedical one shares.
    filters = [[1, 32], [2, 32], [3, 64], [4, 128], [5, 256], [6, 512], [7, 1024]]
    changed = options_with(dim=4096, projection_dim=512, filters=filters, embedding={"dim": 16})
    assert round(ElmoOptions.model_validate(changed).parameters / 1e6, 1) == 93.6


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_elmo(tmp_path, weights={name: array.astype(">f8") for name, array in made_weights(OPTIONS).items()})
    read = read_weights(tmp_path / "weights.hdf5", read_options(tmp_path / "options.json"))
    for name, array in made_weights(OPTIONS).items():
        assert read[name].dtype == np.dtype("float32")
        assert (read[name] == array).all()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("{", "is not valid JSON"),
        ("[]", "does not hold a JSON object"),
        ({"lstm": OPTIONS["lstm"], "n_tokens_vocab": 9}, "char_cnn is missing"),
        ({"model_type": "bert", "hidden_size": 768}, "char_cnn is missing"),
        (
            options_with(activation="gelu"),
            r"char_cnn.activation is wrong \(Input should be 'relu' or 'tanh'\)",
        ),
        (options_with(dim=0), r"lstm.dim is wrong \(Input should be greater than 0\)"),
        (options_with(filters=[]), "char_cnn.filters is wrong"),
        (options_with(filters=[[99, 2]]), "has a filter that is wider than max_characters_per_token"),
    ],
)
def test_options_of_another_model_are_refused(tmp_path: Path, options: Any, problem: str) -> None:
    with pytest.raises(FileError, match=rf"options\.json: .*{problem}"):
        read_options(options_file(tmp_path, options))


def test_no_limit_is_none(tmp_path: Path) -> None:
    options = {**OPTIONS, "lstm": {"dim": 6, "projection_dim": 4, "n_layers": 2, "cell_clip": None}}
    read = read_options(options_file(tmp_path, options))
    assert (read.lstm.cell_clip, read.lstm.proj_clip, read.lstm.use_skip_connections) == (None, None, False)


def test_a_missing_dataset_is_named(tmp_path: Path) -> None:
    weights = made_weights(OPTIONS)
    del weights[f"{CELL}/W_P_0"]
    assert f"weights.hdf5: has no dataset {CELL}/W_P_0" in refused(write_elmo(tmp_path, weights=weights))


def test_a_dataset_in_the_place_of_a_group_is_refused(tmp_path: Path) -> None:
    weights = {name: array for name, array in made_weights(OPTIONS).items() if not name.startswith("RNN_1")}
    write_elmo(tmp_path, weights={**weights, "RNN_1/RNN": np.ones(3)})
    assert "has no dataset RNN_1/RNN/MultiRNNCell" in refused(tmp_path)


def test_a_wrong_shape_is_named(tmp_path: Path) -> None:
    write_elmo(tmp_path)
    said = refused(tmp_path, options_with(dim=7))
    assert "LSTMCell/W_0 has the shape (8, 24); the options ask for (8, 28)" in said


@pytest.mark.parametrize("array", [np.ones((261, 3), np.int64), np.full((261, 3), b"x")])
def test_what_is_not_a_number_is_refused(tmp_path: Path, array: Any) -> None:
    write_elmo(tmp_path, weights={**made_weights(OPTIONS), "char_embed": array})
    assert "char_embed is not a dataset of floating-point numbers" in refused(tmp_path)


def test_a_group_in_the_place_of_a_dataset_is_refused(tmp_path: Path) -> None:
    weights = {name: array for name, array in made_weights(OPTIONS).items() if name != "char_embed"}
    write_elmo(tmp_path, weights={**weights, "char_embed/x": np.ones(1)})
    assert "char_embed is not a dataset" in refused(tmp_path)


def test_a_link_to_another_file_is_not_followed(tmp_path: Path) -> None:
    import h5py

    write_elmo(tmp_path / "other")
    write_elmo(tmp_path)
    with h5py.File(tmp_path / "weights.hdf5", "a") as file:
        del file["char_embed"]
        file["char_embed"] = h5py.ExternalLink(str(tmp_path / "other" / "weights.hdf5"), "char_embed")
    assert "has no dataset char_embed" in refused(tmp_path)


@pytest.mark.parametrize("damage", ["text", "cut off"])
def test_a_damaged_file_is_refused(tmp_path: Path, damage: str) -> None:
    path = write_elmo(tmp_path) / "weights.hdf5"
    path.write_bytes(b"weights" if damage == "text" else path.read_bytes()[:5000])
    assert "weights.hdf5: is not HDF5, or is damaged; download the file again" in refused(tmp_path)


@pytest.mark.parametrize("seed", range(3))
def test_changed_bytes_are_another_number_or_an_error_in_words(tmp_path: Path, seed: int) -> None:
    path, numbers = write_elmo(tmp_path) / "weights.hdf5", np.random.default_rng(seed)
    whole, options = path.read_bytes(), ElmoOptions.model_validate(OPTIONS)
    for _ in range(30):
        damaged = bytearray(whole)
        for place in numbers.integers(min(len(whole), 20_000), size=5):
            damaged[place] = numbers.integers(256)
        path.write_bytes(damaged)
        with suppress(FileError):
            found = read_weights(path, options)
            assert {name: values.shape for name, values in found.items()} == dict(options.shapes)
            assert all(np.isfinite(values).all() for values in found.values())


def test_h5py_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(MissingExtraError, match=r"needs the package h5py: run .*\[elmo\]"):
        check_weights(tmp_path, ElmoOptions.model_validate(OPTIONS))
