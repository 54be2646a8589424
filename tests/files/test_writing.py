"""Files are written whole or not at all, whatever happens."""

import errno
import os
import sys
from itertools import count
from pathlib import Path

import pytest

from medgauge.errors import FileError
from medgauge.files.writing import check_not_read, claimed, lock_folder, write_text, writing
from tests.support.crashes import crashes
from tests.support.processes import run


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _break_off(path: Path) -> None:
    with writing(path) as temporary:
        temporary.write_text("half")
        raise ZeroDivisionError


def test_writing_leaves_nothing_when_the_body_raises(tmp_path):
    path = tmp_path / "new" / "out.txt"
    with pytest.raises(ZeroDivisionError):
        _break_off(path)
    assert _names(tmp_path) == []


def test_writing_keeps_the_old_file_when_the_body_raises(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError):
        _break_off(path)
    assert path.read_text() == "old"
    assert _names(tmp_path) == ["out.txt"]


def test_writing_replaces_the_old_file_only_once_the_new_one_is_whole(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")
    with writing(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
        assert temporary.parent == path.parent
        reader = path.open()
    with reader:
        assert reader.read() == "old"
    assert path.read_text() == "new"
    assert _names(tmp_path) == ["out.txt"]


def test_text_is_written_as_utf8_with_newlines_as_they_are(tmp_path):
    write_text(tmp_path / "a" / "b.txt", "fièvre\nb\n")
    assert (tmp_path / "a" / "b.txt").read_bytes() == "fièvre\nb\n".encode()


_WRITE = "from pathlib import Path; from medgauge.files.writing import write_text"


def test_a_crash_before_any_change_leaves_the_old_file_or_the_new_and_nothing_after_the_next_write(tmp_path):
    for number in count():
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "a.txt").write_text("old")
        crashed = crashes(_WRITE, "write_text(Path('a.txt'), 'new')", folder, number=number)
        assert (folder / "a.txt").read_text() in (("old", "new") if crashed else ("new",))
        write_text(folder / "a.txt", "newest")
        assert _names(folder) == ["a.txt"]
        if not crashed:
            break
    assert number >= 3


def test_what_another_process_is_writing_is_not_taken_for_what_a_killed_one_left(tmp_path):
    """Two open files of one process stand for two processes."""
    path = tmp_path / "a[1].txt"
    (tmp_path / ".a[1].txt.0123abcd.tmp").write_text("of a kill")
    (tmp_path / ".b.txt.0123abcd.tmp").write_text("of another file")
    with writing(path) as slow:
        slow.write_text("slow")
        write_text(path, "quick")
        assert _names(tmp_path) == sorted([".b.txt.0123abcd.tmp", slow.name, "a[1].txt"])
    assert path.read_text() == "slow"


def test_a_claimed_file_is_refused_until_it_is_free(tmp_path):
    path = tmp_path / "new" / "a.txt"
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / ".a.txt.0123abcd.tmp").write_text("of a kill")
    with claimed(path):
        with pytest.raises(FileError, match=r"a\.txt: is being written by another process"), claimed(path):
            pass
        write_text(path, "mine")
    with claimed(path):
        pass
    assert _names(path.parent) == ["a.txt"]


def test_a_claim_that_comes_to_nothing_leaves_no_folder(tmp_path):
    with pytest.raises(ZeroDivisionError), claimed(tmp_path / "new" / "folders" / "a.txt"):
        raise ZeroDivisionError
    assert _names(tmp_path) == []


def test_without_locks_files_are_written_and_nothing_of_others_is_removed(tmp_path, monkeypatch):
    def refuse(*_arguments: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    (tmp_path / ".a.txt.0123abcd.tmp").write_text("perhaps of a process on another machine")
    with claimed(tmp_path / "a.txt"):
        write_text(tmp_path / "a.txt", "text")
    with lock_folder(tmp_path) as is_mine:
        assert is_mine
    assert _names(tmp_path) == [".a.txt.0123abcd.tmp", "a.txt"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG])
def test_an_error_of_the_disk_names_the_file(number, tmp_path):
    with (
        pytest.raises(FileError, match=rf"out\.txt: cannot be written: {os.strerror(number)}"),
        writing(tmp_path / "new" / "out.txt"),
    ):
        raise OSError(number, os.strerror(number))  # as from a write, which knows no name
    assert _names(tmp_path) == []


def test_an_error_of_another_file_is_not_taken_for_one_of_the_file_that_is_written(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"other\.txt"), writing(tmp_path / "out.txt"):
        (tmp_path / "other.txt").read_text()
    with (
        pytest.raises(FileError, match=r"a/b/out\.txt: cannot be written: "),
        writing(tmp_path / "a/b/out.txt"),
    ):
        (tmp_path / "a" / "b").rmdir()
    assert not (tmp_path / "out.txt").exists()


def test_what_is_read_is_not_written_over_by_whatever_name(tmp_path):
    source, other = tmp_path / "a.txt", tmp_path / "other.txt"
    check_not_read(source, [source])  # neither is there
    source.write_text("gout")
    (tmp_path / "link.txt").symlink_to(source)
    check_not_read(source, [other])
    for path in (source, tmp_path / "link.txt"):
        with pytest.raises(FileError, match=r"\.txt: is read here, and would be overwritten"):
            check_not_read(path, [other, source])


_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import polars as pl
from medgauge.files.parquet import write_parquet
from medgauge.files.writing import write_text
from medgauge.errors import FileError, InputError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
frame = pl.DataFrame({"x": [str(number) for number in range(9999)]})
for write in (lambda path: write_text(path, "x" * 9999), lambda path: write_parquet(path, frame, {})):
    try:
        write(Path("a.out"))
    except FileError as error:
        print(error)
"""


def test_a_limit_on_the_size_of_files_is_one_sentence_that_names_the_file(tmp_path):
    done = run([sys.executable, "-c", _ON_A_FULL_DISK], cwd=tmp_path)
    first, second = done.stdout.splitlines()
    assert first == "a.out: cannot be written: File too large"
    assert second.startswith("a.out: cannot be written: ")
    assert "File too large" in second
    assert done.stderr == ""
    assert _names(tmp_path) == []
