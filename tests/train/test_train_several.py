from pathlib import Path

import pytest

from medgauge.errors import FileError, InputError
from medgauge.progress import hearing
from medgauge.train.train_several import train_several
from medgauge.train.training_parameters import TrainingParameters
from tests.train.corpora import topic_text


def parameters(**options):
    return TrainingParameters(dim=4, sample=1e-2, min_count=1, epochs=1, **options)


def test_each_model_has_a_file_of_its_own(tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60))
    several = [parameters(arch=arch, window=window) for arch in ("ssg", "attention") for window in (1, 2)]
    trained = train_several(tmp_path / "text.txt", tmp_path / "{arch}-w{window}.bin", several, threads=1)
    names = ["ssg-w1.bin", "ssg-w2.bin", "attention-w1.bin", "attention-w2.bin"]
    assert [one.path for one in trained] == [tmp_path / name for name in names]
    assert [one.card.parameters["window"] for one in trained] == [1, 2, 1, 2]
    assert len({one.card.digest for one in trained}) == 4


def test_models_that_are_finished_are_kept_if_the_same_command_is_given_again(tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60))
    out, several = tmp_path / "{arch}.bin", [parameters(arch="ssg"), parameters(arch="attention")]
    train_several(tmp_path / "text.txt", out, several[:1], threads=1)
    written = (tmp_path / "ssg.bin").stat()
    heard = []
    with hearing(heard.append):
        trained = train_several(tmp_path / "text.txt", out, several, threads=1)
    assert [one.path.name for one in trained] == ["ssg.bin", "attention.bin"]
    assert (tmp_path / "ssg.bin").stat() == written
    assert heard == [f"{tmp_path / 'ssg.bin'} has these vectors already"]
    assert not list(tmp_path.glob("*.partial"))


def test_models_of_other_parameters_or_text_are_not_taken_for_finished_ones(tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60))
    out = tmp_path / "{arch}.bin"
    train_several(tmp_path / "text.txt", out, [parameters(arch="ssg")], threads=1)
    for text, seed in ((topic_text(60), 2), (topic_text(61), 1)):
        (tmp_path / "text.txt").write_text(text)
        with pytest.raises(InputError, match=r"ssg\.bin already exists; choose another file"):
            train_several(tmp_path / "text.txt", out, [parameters(arch="ssg", seed=seed)], threads=1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ssg.bin", "ssg.bin.card.json", "text.txt"]


def test_two_models_in_one_file_are_refused(tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60))
    with pytest.raises(InputError, match=r"several models would be written to .*put \{arch\} or \{window\}"):
        train_several(
            tmp_path / "text.txt", tmp_path / "w{window}.bin", [parameters(arch="sg"), parameters(arch="ssg")]
        )


def test_nothing_is_trained_if_one_of_the_models_cannot_be(tmp_path):
    (tmp_path / "text.txt").write_text(topic_text(60))
    several = [parameters(arch="ssg"), parameters(arch="dependency")]
    with pytest.raises(FileError, match="has no parse"):
        train_several(tmp_path / "text.txt", tmp_path / "{arch}.bin", several)
    assert [path.name for path in Path(tmp_path).iterdir()] == ["text.txt"]
