import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from medgauge.errors import FileError, MissingExtraError
from medgauge.models.encoders.static_files import find_static, read_table, read_tokenizer
from tests.support.static_folders import WORDS, made_rows, word_pieces, write_static

PAIR = ["StaticEmbedding", "Normalize"]


def as_sentence_transformer(folder: Path, modules: list[str] | None, nested: bool) -> Path:
    write_static(folder / "0_StaticEmbedding" if nested else folder, {"embedding.weight": made_rows()})
    (folder / ("0_StaticEmbedding/config.json" if nested else "config.json")).unlink()
    if modules is not None:
        listed = [{"idx": 0, "type": f"sentence_transformers.models.{name}"} for name in modules]
        (folder / "modules.json").write_text(json.dumps(listed))
    return folder


def test_the_files_of_model2vec_are_found(tmp_path: Path) -> None:
    files = find_static(str(write_static(tmp_path, config={"normalize": True, "max_length": 7})))
    assert [path.name for path in files.all] == ["model.safetensors", "tokenizer.json", "config.json"]
    assert (files.normalize, files.keeps_unknown, files.longest) == (True, False, 7)
    assert files.parameters == made_rows().size


@pytest.mark.parametrize(
    ("config", "normalize", "longest"),
    [({}, False, 512), ({"max_length": None, "normalize": False}, False, None)],
)
def test_what_a_configuration_does_not_say(
    tmp_path: Path, config: dict[str, Any], normalize: bool, longest: int | None
) -> None:
    files = find_static(write_static(tmp_path, config=config))
    assert (files.normalize, files.longest) == (normalize, longest)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("modules", [None, PAIR[:1], PAIR])
def test_the_files_of_sentence_transformers_are_found(
    tmp_path: Path, modules: list[str] | None, nested: bool
) -> None:
    files = find_static(as_sentence_transformer(tmp_path, modules, nested))
    assert (files.normalize, files.keeps_unknown, files.longest) == (modules == PAIR, True, None)
    assert len(files.all) == (2 if modules is None else 3)
    assert read_tokenizer(files, read_table(files).tokens).encode("heart").ids[1] == WORDS.index("heart")


def test_other_modules_are_for_sentence_transformers(tmp_path: Path) -> None:
    as_sentence_transformer(tmp_path, ["StaticEmbedding", "Dense"], nested=False)
    with pytest.raises(FileError, match=r"modules\.json: has modules other than .*; open it with st:"):
        find_static(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    (write_static(tmp_path) / name).unlink()
    with pytest.raises(FileError, match=rf"{name}.*: there is no such file|has no file {name}"):
        find_static(tmp_path)


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    (write_static(tmp_path) / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(
        FileError, match=r"pytorch_model\.bin: pickled weights are not opened; load the model"
    ):
        find_static(tmp_path)


@pytest.mark.parametrize("damage", ["text", "cut off"])
def test_damaged_weights_are_refused(tmp_path: Path, damage: str) -> None:
    path = write_static(tmp_path) / "model.safetensors"
    path.write_bytes(b"weights" if damage == "text" else path.read_bytes()[:-9])
    with pytest.raises(FileError, match=r"model\.safetensors: is not a safetensors file, or is damaged"):
        find_static(tmp_path)


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"encoder.weight": made_rows()}, "has neither 'embeddings' nor 'embedding.weight'"),
        (
            {"embeddings": made_rows()[0]},
            r"embeddings has the shape \(6,\), which a static model cannot have",
        ),
        ({"embeddings": made_rows()[:0]}, r"embeddings has the shape \(0, 6\)"),
        ({"embeddings": made_rows(), "weights": made_rows()}, r"weights has the shape \(10, 6\)"),
        ({"embeddings": made_rows().astype(np.int64)}, "embeddings has values of the type I64"),
        (
            {"embeddings": made_rows(), "mapping": made_rows()[:, 0].copy()},
            "mapping has values of the type F32",
        ),
    ],
)
def test_arrays_of_another_model_are_refused(
    tmp_path: Path, arrays: dict[str, np.ndarray], problem: str
) -> None:
    with pytest.raises(FileError, match=rf"model\.safetensors: {problem}"):
        find_static(write_static(tmp_path, arrays))


@pytest.mark.parametrize("name", ["embeddings", "weights"])
def test_values_that_are_not_numbers_are_refused(tmp_path: Path, name: str) -> None:
    arrays = {"embeddings": made_rows(), "weights": made_rows()[:, 0].copy()}
    arrays[name].flat[3] = np.nan
    with pytest.raises(FileError, match="has values that are infinite or not a number"):
        read_table(find_static(write_static(tmp_path, arrays)))


@pytest.mark.parametrize("text", ["3", '["x"]', "{}"])
def test_modules_of_another_form_are_refused(tmp_path: Path, text: str) -> None:
    (as_sentence_transformer(tmp_path, PAIR, nested=False) / "modules.json").write_text(text)
    with pytest.raises(FileError, match=r"modules\.json: has modules other than"):
        find_static(tmp_path)


@pytest.mark.parametrize("place", [-1, 3])
def test_a_mapping_to_no_row_is_refused(tmp_path: Path, place: int) -> None:
    mapping = np.array([0, 1, 2, place, 0, 0, 0, 0, 0, 0])
    files = find_static(write_static(tmp_path, {"embeddings": made_rows(3), "mapping": mapping}))
    with pytest.raises(FileError, match="its mapping leads to rows that are not there"):
        read_table(files)


def test_weights_for_other_tokens_are_refused(tmp_path: Path) -> None:
    files = find_static(
        write_static(tmp_path, {"embeddings": made_rows(), "weights": made_rows()[:9, 0].copy()})
    )
    with pytest.raises(FileError, match="has 9 weights for 10 tokens"):
        read_table(files)


def test_a_tokenizer_with_more_tokens_than_vectors_is_refused(tmp_path: Path) -> None:
    files = find_static(write_static(tmp_path, tokenizer=word_pieces([*WORDS, "kidney"])))
    with pytest.raises(
        FileError, match=r"tokenizer\.json: has more tokens than model\.safetensors has vectors"
    ):
        read_tokenizer(files, 10)


@pytest.mark.parametrize("text", ["{}", "not JSON", '{"model": {"type": "Other"}}'])
def test_a_damaged_tokenizer_is_refused(tmp_path: Path, text: str) -> None:
    (write_static(tmp_path) / "tokenizer.json").write_text(text)
    with pytest.raises(FileError, match=r"tokenizer\.json: is not a tokenizer, or is damaged"):
        read_tokenizer(find_static(tmp_path), 10)


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ({"normalize": "yes"}, "normalize is 'yes', which is neither true nor false"),
        ({"max_length": 0}, "max_length is '0', which is not a positive whole number"),
        ({"max_length": "long"}, "max_length is 'long'"),
        ({"max_length": True}, "max_length is 'True'"),
    ],
)
def test_a_wrong_configuration_is_refused(tmp_path: Path, config: dict[str, Any], problem: str) -> None:
    with pytest.raises(FileError, match=rf"config\.json: {problem}"):
        find_static(write_static(tmp_path, config=config))


@pytest.mark.parametrize("package", ["safetensors", "tokenizers"])
def test_the_packages_are_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    write_static(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingExtraError, match=rf"needs the package {package}: run .*\[static\]"):
        read_tokenizer(find_static(tmp_path), 10)
