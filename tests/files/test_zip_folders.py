import zipfile

import pytest

from medgauge.errors import FileError
from medgauge.files.zip_folders import member_files, member_size, open_member

EXPECTED = "expected a box"


@pytest.fixture(params=["folder", "box.zip"])
def source(request, tmp_path):
    """The same files in a folder and in a zip."""
    files = {"a/one.txt": b"one", "two.txt": b"two", "empty.txt": b""}
    path = tmp_path / request.param
    if path.suffix:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    else:
        for name, content in files.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(content)
    return path


def test_files_are_found_and_read_alike(source):
    assert sorted(member_files(source, EXPECTED)) == ["a/one.txt", "empty.txt", "two.txt"]
    with open_member(source, "a/one.txt", EXPECTED) as stream:
        assert stream.read() == b"one"
    assert member_size(source, "two.txt", EXPECTED) == 3


def test_an_empty_file_is_an_error(source):
    empty = pytest.raises(FileError, match=r"empty\.txt: the file is empty")
    with empty, open_member(source, "empty.txt", EXPECTED):
        pass


def test_a_member_that_is_damaged_is_an_error(tmp_path):
    path = tmp_path / "box.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.txt", b"one" * 100)
    content = bytearray(path.read_bytes())
    content[60] ^= 1
    path.write_bytes(content)
    damaged = pytest.raises(FileError, match=r"box\.zip: the zip is truncated or damaged")
    with damaged, open_member(path, "one.txt", EXPECTED) as stream:
        stream.read()


def test_what_is_no_zip_says_what_was_expected(tmp_path):
    (tmp_path / "x").write_text("text")
    with pytest.raises(FileError, match="x: is not a zip; expected a box"):
        member_files(tmp_path / "x", EXPECTED)
