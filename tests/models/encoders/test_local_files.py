from pathlib import Path

import pytest

from medgauge.errors import FileError
from medgauge.models.encoders.local_files import digest_of, only_file, require_folder


def write(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_a_folder_is_needed(tmp_path: Path) -> None:
    assert require_folder(str(tmp_path)) == tmp_path
    with pytest.raises(FileError, match="model: there is no such folder"):
        require_folder(tmp_path / "model")
    with pytest.raises(FileError, match=r"w\.hdf5: is a file; give the folder of the model"):
        require_folder(write(tmp_path / "w.hdf5", "x"))


def test_a_file_is_found_by_its_name_or_as_the_only_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"has no file weights\.hdf5"):
        only_file(tmp_path, "weights.hdf5", "*.hdf5")
    first = write(tmp_path / "a.hdf5", "x")
    assert only_file(tmp_path, "weights.hdf5", "*.hdf5") == first
    write(tmp_path / "b.hdf5", "x")
    with pytest.raises(FileError, match=r"has several files \*\.hdf5; call the one to use weights\.hdf5"):
        only_file(tmp_path, "weights.hdf5", "*.hdf5")
    assert only_file(tmp_path, "b.hdf5", "*.hdf5").name == "b.hdf5"


def test_a_digest_depends_on_content_and_order_and_not_on_names(tmp_path: Path) -> None:
    a, b, c = (write(tmp_path / name, text) for name, text in (("a", "x"), ("b", "y"), ("c", "x")))
    assert digest_of([a, b]) == digest_of([c, b])
    assert len({digest_of([a, b]), digest_of([b, a]), digest_of([a]), digest_of([a, c])}) == 4
