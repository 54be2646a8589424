"""The folder of an encoder: where it is, what its files say, and that its weights are safe to open."""

import json
import os
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from medgauge.errors import FileError, InputError, MissingExtraError, quoted
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import read_text

Settings = TypeVar("Settings", bound=BaseModel)

_HUB_NAME = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?")
# How the names of the safetensors begin that libraries open rather than pickles beside them.
_OPENED = ("model", "adapter_model")
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
_OTHER_WEIGHTS = (".h5", ".msgpack", ".onnx", ".ot", ".gguf")
_NOT_FETCHED = [f"*{ending}" for ending in (*_PICKLED, *_OTHER_WEIGHTS)]
# What vectors depend on: weights, settings, vocabularies, and code where the model brings some.
_DECISIVE = {".safetensors", ".json", ".txt", ".model", ".tiktoken", ".jinja", ".py"}
# By the names of the errors of the hub's library.
_WHY_NOT = {
    "HFValidationError": "no model can have such a name",
    "RepositoryNotFoundError": "it has no model of that name that you may use",
    "GatedRepoError": "its owner must grant you access first",
    "OfflineModeIsEnabled": "HF_HUB_OFFLINE is set",
    "LocalEntryNotFoundError": "it cannot be reached, and the model was not fetched before",
}
_CONVERT = (
    "where you trust them, convert them once with transformers: "
    "AutoModel.from_pretrained(OLD).save_pretrained(NEW)"
)
_LONGEST_HEADER = 100_000_000  # bytes, as in the safetensors library


@dataclass(frozen=True)
class ModelFolder:
    """The folder of a model, with its weights as safetensors; `fetched` says that it is from the hub."""

    path: Path
    fetched: bool = False

    @classmethod
    def found(cls, name: str) -> "ModelFolder":
        """Return the folder that a name means: one on this machine, or one from the Hugging Face hub.

        Access to the hub is the hub library's own: it uses its cache, and obeys HF_HUB_OFFLINE.
        """
        path = Path(name)
        if path.is_dir():
            return cls(path)
        if path.exists():
            raise FileError(path, "is a file; give the folder of the model")
        if path.is_absolute() or not _HUB_NAME.fullmatch(name) or ".." in name:
            raise FileError(path, "there is no such folder")
        return cls(_from_hub(name), fetched=True)

    @cached_property
    def weights(self) -> list[Path]:
        """The files of weights, all safetensors; other forms are refused with what to do."""
        found = self._with_ending(".safetensors")
        safe = {path.parent for path in found if path.name.startswith(_OPENED)}
        bare = sorted({path.parent for path in self._with_ending(*_PICKLED)} - safe)
        if bare and (not found or any(_holds_module(folder, self.path) for folder in bare)):
            raise FileError(
                bare[0],
                f"has only pickled weights, which are not opened because they can run any code; {_CONVERT}",
            )
        if not found and self.fetched:
            raise FileError(
                self.path,
                "has no safetensors on the hub; pickled weights are not fetched because they can run any "
                f"code; {_CONVERT}",
            )
        if not found:
            others = self._with_ending(*_OTHER_WEIGHTS)
            what = f"has weights only in another format ({others[0].name})" if others else "has no weights"
            raise FileError(self.path, f"{what}; an encoder needs the file model.safetensors")
        return found

    def settings(self, name: str = "config.json") -> dict[str, Any]:
        """Read a JSON file of the folder that holds an object."""
        found = json_value(self.path / name)
        if not isinstance(found, dict):
            raise FileError(self.path / name, "does not hold a JSON object")
        return found

    def has(self, name: str) -> bool:
        """Return whether the folder has a file."""
        return (self.path / name).is_file()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the names and contents of all files that vectors depend on."""
        state = sha256()
        for path in self._with_ending(*_DECISIVE):
            state.update(f"{path.relative_to(self.path).as_posix()}\n{remembered_sha256(path)}\n".encode())
        return state.hexdigest()

    @cached_property
    def parameters(self) -> int:
        """How many numbers the weights have, from the headers of their files."""
        return sum(
            prod(tensor.get("shape", ()))
            for path in self.weights
            for name, tensor in safetensors_header(path).items()
            if name != "__metadata__"
        )

    def _with_ending(self, *endings: str) -> list[Path]:
        """Return the files with these endings, in the folder and those below it, in a fixed order."""
        found = [
            Path(folder) / name
            for folder, _, names in os.walk(self.path)
            for name in names
            if name.lower().endswith(endings) and name != "training_args.bin"
        ]
        return sorted(path for path in found if not _is_hidden(path.relative_to(self.path)))


def json_value(path: Path) -> Any:
    """Read a JSON file."""
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise FileError(path, "is not valid JSON") from error


def checked_settings(path: Path, fields: dict[str, Any], kind: type[Settings], what: str) -> Settings:
    """Return what a file of settings says as a model of it; `what` is what the file should be."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"]))
        said = "is missing" if problem["type"] == "missing" else f"is wrong ({problem['msg']})"
        raise FileError(path, f"is not {what}: {where} {said}") from None


def listed(value: object) -> str | None:
    """Return a list in a file of settings as text, None where there is none.

    >>> listed(["BertModel"]), listed(None)
    ('BertModel', None)
    """
    return ", ".join(map(str, value)) if isinstance(value, list) and value else None


def safetensors_header(path: Path) -> dict[str, Any]:
    """Read the header of a safetensors file: the shape of each tensor, without the tensors."""
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        head = stream.read(size) if size <= _LONGEST_HEADER else b""
    try:
        found = json.loads(head)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not all(map(_is_entry, found.values())):
        raise FileError(path, "is not a safetensors file, or is damaged: it has no header")
    return found


def _is_entry(value: object) -> bool:
    """Return whether a value of a header is that of a tensor or, without a shape, the metadata."""
    sizes = value.get("shape", []) if isinstance(value, dict) else None
    return isinstance(sizes, list) and all(type(size) is int for size in sizes)


def _holds_module(folder: Path, root: Path) -> bool:
    """Return whether a folder holds a module of the model, and not other files, such as checkpoints."""
    return folder == root or any(folder.glob("*config.json"))


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _from_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError as error:
        raise MissingExtraError("transformers", extra="transformers") from error
    try:
        return Path(snapshot_download(name, ignore_patterns=_NOT_FETCHED))
    except Exception as error:  # whatever the hub's library or the network raises
        kind = type(error).__name__
        raise InputError(
            f"{quoted(name)} is not a folder on this machine, and the Hugging Face hub did not provide it "
            f"({_WHY_NOT.get(kind, kind)}); give the folder of a model"
        ) from error
