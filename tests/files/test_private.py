import pytest

from medgauge.errors import FileError
from medgauge.files.digests import user_folder
from medgauge.files.private import PrivateContent, clear_private, private_contents, private_folder


def mode(folder) -> int:
    return folder.stat().st_mode & 0o777


def test_the_folder_and_those_above_it_are_only_the_users():
    folder = private_folder("vectors", "parts")
    assert folder == user_folder("XDG_CACHE_HOME", ".cache") / "vectors" / "parts"
    assert (mode(folder), mode(folder.parent)) == (0o700, 0o700)


def test_a_folder_that_others_could_read_is_closed():
    private_folder("vectors").chmod(0o755)
    assert mode(private_folder("vectors")) == 0o700


def test_a_file_in_the_place_of_the_folder_is_named():
    (private_folder("vectors") / "parts").write_text("")
    with pytest.raises(FileError, match=r"parts: cannot be made private to you"):
        private_folder("vectors", "parts")


def test_contents_are_counted_and_cleared_by_folder():
    (private_folder("vectors", "model") / "a").write_bytes(bytes(5))
    (private_folder("vectors") / "b").write_bytes(bytes(7))
    private_folder("answers")
    user_folder("XDG_CACHE_HOME", ".cache").joinpath("digests").mkdir()
    expected = PrivateContent("vectors", 2, 12)
    assert private_contents() == [PrivateContent("answers", 0, 0), expected]
    assert clear_private("vectors") == expected
    assert private_contents() == [PrivateContent("answers", 0, 0)]
    assert clear_private("vectors") == PrivateContent("vectors", 0, 0)
