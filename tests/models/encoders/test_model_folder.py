import re
import shutil

import pytest

from medgauge.errors import FileError, InputError
from medgauge.models.encoders.model_folder import ModelFolder, safetensors_header


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt"])
def test_pickled_weights_are_not_opened_and_the_error_says_how_to_convert_them(bert, tmp_path, name):
    folder = shutil.copytree(bert, tmp_path / "pickled")
    (folder / "model.safetensors").rename(folder / name)
    with pytest.raises(
        FileError, match=r"pickled: has only pickled weights.*AutoModel.from_pretrained\(OLD\)"
    ):
        assert ModelFolder(folder).weights


def test_pickled_weights_beside_safetensors_are_ignored(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "both")
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x02")
    (folder / "optimizer").mkdir()
    (folder / "optimizer" / "state.pt").write_bytes(b"\x80\x02")
    assert [path.name for path in ModelFolder(folder).weights] == ["model.safetensors"]


def test_a_folder_without_weights_says_what_it_needs(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "empty")
    (folder / "model.safetensors").unlink()
    with pytest.raises(
        FileError, match=r"empty: has no weights; an encoder needs the file model.safetensors"
    ):
        assert ModelFolder(folder).weights
    (folder / "tf_model.h5").touch()
    with pytest.raises(FileError, match=r"has weights only in another format \(tf_model.h5\)"):
        assert ModelFolder(folder).weights


def test_the_digest_covers_weights_settings_and_vocabulary_but_not_the_readme(bert, tmp_path):
    folder = shutil.copytree(bert, tmp_path / "one")
    digest = ModelFolder(folder).digest
    (folder / "README.md").write_text("a description")
    assert ModelFolder(shutil.copytree(folder, tmp_path / "two")).digest == digest
    settings = folder / "tokenizer_config.json"
    settings.write_text(settings.read_text() + " ")
    assert ModelFolder(folder).digest != digest


def test_names_of_folders_that_do_not_exist_are_not_looked_up_on_the_hub(tmp_path):
    for name in (str(tmp_path / "nothing"), "../nothing", "a/b/c"):
        with pytest.raises(FileError, match="there is no such folder"):
            ModelFolder.found(name)


def test_a_file_is_not_a_folder(bert):
    with pytest.raises(FileError, match=r"config.json: is a file; give the folder of the model"):
        ModelFolder.found(str(bert / "config.json"))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("LocalEntryNotFoundError", "it cannot be reached, and the model was not fetched before"),
        ("OfflineModeIsEnabled", "HF_HUB_OFFLINE is set"),
        ("HFValidationError", "no model can have such a name"),
        ("BadRequestError", "BadRequestError"),
    ],
)
def test_a_hub_that_provides_no_model_is_one_sentence(monkeypatch, error, reason):
    import huggingface_hub

    kind = getattr(huggingface_hub.errors, error)

    def fail(*_arguments: object, **_options: object) -> str:
        raise kind.__new__(kind)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    said = f"and the Hugging Face hub did not provide it ({reason}); give the folder of a model"
    with pytest.raises(InputError, match=re.escape(said)):
        ModelFolder.found("org/model")


def test_only_safe_files_are_fetched_from_the_hub(monkeypatch, bert):
    import huggingface_hub

    asked = {}
    monkeypatch.setattr(
        huggingface_hub, "snapshot_download", lambda _name, **options: asked.update(options) or str(bert)
    )
    assert ModelFolder.found("org/model").path == bert
    assert {"*.bin", "*.pt", "*.pkl", "*.ckpt"} <= set(asked["ignore_patterns"])


def test_a_model_of_the_hub_with_pickles_alone_did_not_say_how_to_convert_them(monkeypatch, tmp_path):
    import huggingface_hub

    monkeypatch.setattr(huggingface_hub, "snapshot_download", lambda _name, **_options: str(tmp_path))
    with pytest.raises(
        FileError, match=r"has no safetensors on the hub; .* AutoModel.from_pretrained\(OLD\)"
    ):
        assert ModelFolder.found("org/model").weights


def test_a_header_with_sizes_that_are_not_numbers_is_refused(tmp_path):
    header = b'{"__metadata__": {"shape": "x"}, "weights": {"shape": ["x"]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(FileError, match="is not a safetensors file, or is damaged"):
        safetensors_header(tmp_path / "model.safetensors")


@pytest.mark.parametrize("content", [b"", b"\xff" * 8, b"\x02\0\0\0\0\0\0\0[]", b"\x08\0\0\0\0\0\0\0{"])
def test_a_damaged_header_is_refused(tmp_path, content):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(FileError, match="is not a safetensors file, or is damaged"):
        safetensors_header(path)


@pytest.mark.parametrize(
    ("content", "problem"), [("{", "is not valid JSON"), ("[]", "does not hold a JSON object")]
)
def test_damaged_settings_are_refused(tmp_path, content, problem):
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(FileError, match=f"config.json: {problem}"):
        ModelFolder(tmp_path).settings()
