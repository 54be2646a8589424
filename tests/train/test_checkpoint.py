"""Checkpoints: read back exactly, refused when damaged, and training that goes on from them."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from medgauge.errors import FileError, InputError, options_as_flags
from medgauge.progress import hearing
from medgauge.train import train_vectors as training
from medgauge.train.checkpoint import TrainingFolder, load_checkpoint, save_checkpoint
from tests.support.processes import run
from tests.train.corpora import topic_text

OPTIONS = {"dim": 6, "window": 2, "sample": 1e-2, "min_count": 1, "epochs": 3, "threads": 1}


class Arrays:
    """A trainer with nothing but arrays."""

    def __init__(self, fill=0.0, shape=(3, 2)):
        self.arrays = {"inputs": np.full(shape, fill, np.float32), "outputs": np.full(4, fill, np.float32)}


def test_a_checkpoint_is_read_back(tmp_path):
    path = tmp_path / "checkpoint.npz"
    assert load_checkpoint(path, Arrays(), "key", 10) == 0
    save_checkpoint(path, Arrays(0.1), "key", 7)
    found = Arrays()
    assert load_checkpoint(path, found, "key", 10) == 7
    for name, array in Arrays(0.1).arrays.items():
        np.testing.assert_array_equal(found.arrays[name], array)


def test_a_checkpoint_of_another_training_is_not_thrown_away(tmp_path):
    path = tmp_path / "checkpoint.npz"
    save_checkpoint(path, Arrays(), "key", 7)
    with options_as_flags(), pytest.raises(FileError, match=r"other parameters or another corpus.*--replace"):
        load_checkpoint(path, Arrays(), "other", 10)


@pytest.mark.parametrize(
    ("trainer", "pieces"), [(Arrays(shape=(2, 3)), 10), (Arrays(), 6)], ids=["shape", "pieces"]
)
def test_a_checkpoint_that_does_not_fit_is_damaged(tmp_path, trainer, pieces):
    path = tmp_path / "checkpoint.npz"
    save_checkpoint(path, Arrays(), "key", 7)
    with (
        options_as_flags(),
        pytest.raises(FileError, match="is damaged; restore a copy of it, or begin again"),
    ):
        load_checkpoint(path, trainer, "key", pieces)


def test_a_folder_with_something_else_is_refused(tmp_path):
    folder = TrainingFolder.at(tmp_path / "vectors.bin")
    folder.partial.mkdir()
    (folder.partial / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=r"mine\.txt, which is not part of a training of vectors"):
        folder.locked().__enter__()


# Ends the process once three checkpoints are written.
_KILLED = """
import os, sys
from medgauge.train import train_vectors as training, training_loop

training_loop._ROUND, training_loop._CHECKPOINT = 500, 0.0
save, written = training.save_checkpoint, 0

def counted(*arguments):
    global written
    save(*arguments)
    written += 1
    if written == 3:
        os._exit(9)

training.save_checkpoint = counted
training.train_vectors("text.txt", "vectors.bin", arch=sys.argv[1], **{options})
"""


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sg", "fasttext", "attention"])
def test_a_training_that_was_killed_goes_on_to_the_same_bytes(tmp_path, monkeypatch, arch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("medgauge.train.encoded_corpus.LONGEST", 200)
    Path("text.txt").write_text(topic_text(), "utf-8")
    training.train_vectors("text.txt", "whole.bin", arch=arch, **OPTIONS)
    program = _KILLED.replace("{options}", repr(OPTIONS)).replace(
        "import os, sys",
        "import os, sys\nfrom medgauge.train import encoded_corpus\nencoded_corpus.LONGEST = 200",
    )
    packages = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = run([sys.executable, "-c", program, arch], env=packages)
    assert done.returncode == 9, done.stderr
    assert not Path("vectors.bin").exists()
    heard = []
    with hearing(heard.append):
        training.train_vectors("text.txt", "vectors.bin", arch=arch, **OPTIONS)
    assert len(heard) == 1
    assert heard[0].startswith("resuming: ")
    assert Path("vectors.bin").read_bytes() == Path("whole.bin").read_bytes()
    assert not Path("vectors.bin.partial").exists()


def test_a_checkpoint_of_other_parameters_is_discarded_with_replace(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text(topic_text(50), "utf-8")
    folder = TrainingFolder.at("vectors.bin")
    folder.partial.mkdir()
    save_checkpoint(folder.checkpoint, Arrays(), "other", 1)
    with pytest.raises(FileError, match="is the checkpoint of a training with other parameters"):
        training.train_vectors("text.txt", "vectors.bin", arch="attention", **OPTIONS)
    assert folder.checkpoint.exists()
    assert [path.name for path in folder.partial.iterdir()] == ["checkpoint.npz"]
    training.train_vectors("text.txt", "vectors.bin", arch="attention", replace=True, **OPTIONS)
    assert not folder.partial.exists()
