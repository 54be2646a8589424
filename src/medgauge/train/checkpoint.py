"""Checkpoints: what training needs to go on after a kill, kept beside the file that it will write."""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from medgauge.arrays import Floats
from medgauge.errors import FileError, option
from medgauge.files.folders import WholeFolder
from medgauge.files.writing import writing
from medgauge.train.trainers import Trainer

_STATE = "state"


@dataclass(frozen=True)
class TrainingFolder(WholeFolder):
    """The folder VECTORS.partial, there while vectors are trained: a checkpoint and the corpus as numbers."""

    WHAT = "training of vectors"
    MAIN = "checkpoint.npz"
    PARTS = ("corpus.ids", "corpus.parquet")

    @property
    def checkpoint(self) -> Path:
        """The file of the checkpoint."""
        return self.partial / self.MAIN

    @property
    def ids(self) -> Path:
        """The file of the corpus as numbers."""
        return self.partial / self.PARTS[0]

    @property
    def corpus(self) -> Path:
        """The corpus, if text was given."""
        return self.partial / self.PARTS[1]

    def keep_checkpoint(self) -> None:
        """Remove everything but the checkpoint."""
        self._keep_only({self.MAIN})

    def discard_other(self, key: str) -> None:
        """Remove a checkpoint that has another key, or that cannot be read."""
        if self.checkpoint.exists():
            with suppress(FileError):
                if _state(self.checkpoint)[0] == key:
                    return
            self.checkpoint.unlink()

    def clear(self) -> None:
        """Remove everything."""
        self._keep_only(set())


def save_checkpoint(path: Path, trainer: Trainer, key: str, done: int) -> None:
    """Write a checkpoint whole or not at all: the arrays of a trainer, and how many pieces are done."""
    arrays: dict[str, Any] = {_STATE: np.array(json.dumps({"key": key, "done": done})), **trainer.arrays}
    with writing(path) as temporary, temporary.open("wb") as stream:
        np.savez(stream, **arrays)


def load_checkpoint(path: Path, trainer: Trainer, key: str, pieces: int) -> int:
    """Overwrite the arrays of a trainer with those of a checkpoint; return how many pieces are done.

    Without a checkpoint nothing is done. One of another training is an error, as is one that is damaged: what
    was computed for hours is not thrown away silently.
    """
    if not path.exists():
        return 0
    kept, done = _state(path)
    if kept != key:
        raise FileError(
            path,
            "is the checkpoint of a training with other parameters or another corpus; finish that one, "
            f"choose another file, or discard it with {option('replace', True)}",
        )
    if not 0 <= done <= pieces:
        raise _damaged(path)
    for name, array in trainer.arrays.items():  # one at a time, as there may be no memory for two of all
        found = _array(path, name)
        if found.shape != array.shape or found.dtype != array.dtype:
            raise _damaged(path)
        array[:] = found
    return done


def _state(path: Path) -> tuple[str, int]:
    state = _array(path, _STATE)
    try:
        found = json.loads(str(state))
        return str(found["key"]), int(found["done"])
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error


def _array(path: Path, name: str) -> Floats:
    """Read an array, whose checksum the zip has."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            return np.asarray(kept[name])
    except Exception as error:  # a damaged archive or array can make numpy raise anything
        raise _damaged(path) from error


def _damaged(path: Path) -> FileError:
    how = option("replace", True)
    return FileError(path, f"is damaged; restore a copy of it, or begin again with {how}")
