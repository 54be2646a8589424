import pytest

from medgauge.errors import FileError
from medgauge.files.kept_lines import KeptLines
from medgauge.files.private import private_folder


def test_what_is_kept_is_found_again_under_the_same_name_only():
    KeptLines("answers", "mine").keep("a question", "an answer")
    assert KeptLines("answers", "mine")["a question"] == "an answer"
    assert KeptLines("answers", "mine")["another"] is None
    assert KeptLines("answers", "other")["a question"] is None


def test_a_later_line_wins_and_one_that_was_cut_harms_no_other():
    kept = KeptLines("answers", "mine")
    kept.keep("first", "1")
    kept.keep("first", "2")
    file = private_folder("answers") / "mine.txt"
    file.write_bytes(file.read_bytes() + b"f" * 40)
    KeptLines("answers", "mine").keep("second", "3")
    again = KeptLines("answers", "mine")
    assert (again["first"], again["second"]) == ("2", "3")


def test_questions_are_not_in_the_file_and_only_the_user_can_read_it():
    KeptLines("answers", "mine").keep("a secret question", "1")
    file = private_folder("answers") / "mine.txt"
    assert "secret" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


def test_a_file_that_cannot_be_read_is_named():
    (private_folder("answers") / "mine.txt").mkdir()
    with pytest.raises(FileError, match=r"mine\.txt: cannot be read"):
        KeptLines("answers", "mine")["x"]
