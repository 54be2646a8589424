import errno
import gzip
import hashlib
import os
import random
import sys
from itertools import count
from pathlib import Path

import pytest

from medgauge import files
from medgauge.errors import FileError, InputError
from medgauge.files import (
    claimed,
    most_unpacked,
    open_bytes,
    packed_form,
    plain_name,
    read_text,
    remembered_sha256,
    require_file,
    sha256_of,
    user_folder,
    write_text,
    writing,
)
from tests.support.crashes import crashes
from tests.support.packing import zstd_packed
from tests.support.processes import run


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileError, match=r"nowhere\.csv: there is no such file"):
        require_file(tmp_path / "nowhere.csv")


def test_a_directory_is_no_file(tmp_path):
    with pytest.raises(FileError, match="is a directory; a file is needed"):
        require_file(tmp_path)


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "empty.csv").touch()
    with pytest.raises(FileError, match=r"empty\.csv: the file is empty"):
        require_file(tmp_path / "empty.csv")


def test_a_pipe_is_no_regular_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="is not a regular file"):
        require_file(tmp_path / "pipe")


def test_a_file_is_given_back_as_a_path(tmp_path):
    write_text(tmp_path / "a", "b")
    assert require_file(str(tmp_path / "a")) == tmp_path / "a"


def test_a_file_without_permission_is_named(tmp_path, monkeypatch):
    path = tmp_path / "secret.csv"
    path.write_text("a")

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied")

    # root can read every file, so the file's mode cannot cause the error
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"secret\.csv: cannot be read by this user"):
        read_text(path)


def test_gzip_is_known_by_its_content_and_not_by_its_name(tmp_path):
    (tmp_path / "packed.csv").write_bytes(gzip.compress(b"a,b\n"))
    (tmp_path / "plain.csv.gz").write_bytes(b"a,b\n")
    assert read_text(tmp_path / "packed.csv") == read_text(tmp_path / "plain.csv.gz") == "a,b\n"


def _noise() -> bytes:
    return random.Random(0).randbytes(20_000)


@pytest.mark.parametrize("kept", [2, 9, 5_000, -1])
def test_a_gzip_stream_that_is_cut_off_is_refused(tmp_path, kept):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(_noise())[:kept])
    with pytest.raises(FileError, match=r"cut\.gz: the gzip stream is cut off; download the file again"):
        read_text(path)


@pytest.mark.parametrize("place", [2, 12, -8], ids=["method", "deflated data", "checksum"])
def test_a_damaged_gzip_stream_is_refused(tmp_path, place):
    packed = bytearray(gzip.compress(b"renal failure\n" * 1000))
    packed[place] ^= 0xFF
    path = tmp_path / "damaged.gz"
    path.write_bytes(packed)
    with pytest.raises(FileError, match=r"damaged\.gz: the gzip stream is damaged"):
        read_text(path)


def test_open_bytes_reads_piece_by_piece(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"abcdef"))
    with open_bytes(tmp_path / "a.gz") as stream:
        assert (stream.read(2), stream.read()) == (b"ab", b"cdef")


def test_a_byte_order_mark_is_dropped(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbfterm_1\n")
    assert read_text(tmp_path / "a.csv") == "term_1\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_invalid_utf8_names_the_line_and_the_byte(tmp_path, pack):
    path = tmp_path / "latin1.csv"
    path.write_bytes(pack("term\nfièvre\n".encode("latin-1")))
    with pytest.raises(FileError, match=r"latin1\.csv, line 2: byte 0xe8 is not valid UTF-8"):
        read_text(path)


def test_invalid_utf8_after_a_byte_order_mark_names_the_line_and_the_byte(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_bytes(b"\xef\xbb\xbfterm\n\n\nabc\n" + "è\n".encode("latin-1"))
    with pytest.raises(FileError, match=r"mixed\.csv, line 5: byte 0xe8"):
        read_text(path)


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


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (1 << 20) + 1])
def test_sha256_equals_that_of_hashlib(tmp_path, size):
    content = random.Random(size).randbytes(size)
    (tmp_path / "a").write_bytes(content)
    assert sha256_of(tmp_path / "a") == hashlib.sha256(content).hexdigest()


@pytest.fixture
def hashed(monkeypatch) -> list[Path]:
    """Record the files that are hashed in full."""
    seen: list[Path] = []

    def recording(path: Path) -> str:
        seen.append(path)
        return sha256_of(path)

    monkeypatch.setattr(files, "sha256_of", recording)
    return seen


def test_a_remembered_digest_is_computed_once(tmp_path, hashed):
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"abc")
    digests = {remembered_sha256(path) for _ in range(3)}
    assert digests == {hashlib.sha256(b"abc").hexdigest()}
    assert len(hashed) == 1


def test_a_changed_file_is_hashed_again_although_its_size_is_the_same(tmp_path, hashed):
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"abc")
    remembered_sha256(path)
    state = path.stat()
    path.write_bytes(b"abd")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns + 1))
    assert remembered_sha256(path) == hashlib.sha256(b"abd").hexdigest()
    assert len(hashed) == 2


def test_another_file_under_the_same_name_is_hashed_again(tmp_path, hashed):
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"abc")
    remembered_sha256(path)
    state = path.stat()
    other = tmp_path / "other"
    other.write_bytes(b"abd")
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    other.replace(path)
    assert remembered_sha256(path) == hashlib.sha256(b"abd").hexdigest()


def test_two_files_do_not_share_a_remembered_digest(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    assert remembered_sha256(tmp_path / "a") != remembered_sha256(tmp_path / "b")


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b"1 2 3\nshort"])
def test_a_damaged_memory_is_not_believed(tmp_path, damage):
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"abc")
    remembered_sha256(path)
    (memory,) = (user_folder("XDG_CACHE_HOME", ".cache") / "digests").iterdir()
    memory.write_bytes(damage)
    assert remembered_sha256(path) == hashlib.sha256(b"abc").hexdigest()


def test_a_cache_that_cannot_be_written_does_not_matter(tmp_path, monkeypatch, hashed):
    (tmp_path / "a-file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a-file"))
    path = tmp_path / "vectors.bin"
    path.write_bytes(b"abc")
    assert remembered_sha256(path) == remembered_sha256(path) == hashlib.sha256(b"abc").hexdigest()
    assert len(hashed) == 2


def test_the_user_folder_follows_its_variable_and_else_home(monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert user_folder("XDG_DATA_HOME", ".local/share") == Path("/somewhere/medgauge")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert user_folder("XDG_DATA_HOME", ".local/share") == Path("/home/someone/.local/share/medgauge")


def test_writing_goes_through_a_link_and_refuses_what_is_no_file(tmp_path):
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_text("before")
    link.symlink_to(target)
    write_text(link, "after")
    assert link.is_symlink()
    assert target.read_text() == "after"
    os.mkfifo(pipe)
    for place in (pipe, tmp_path):
        with pytest.raises(FileError, match="is not a regular file"):
            write_text(place, "text")
    assert pipe.is_fifo()


_WRITE = "from pathlib import Path; from medgauge.files import write_text"


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
    with files.lock_folder(tmp_path) as is_mine:
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


_ON_A_FULL_DISK = """
import resource, signal, sys
from pathlib import Path
import polars as pl
from medgauge.files import write_parquet, write_text
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


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", refuse)
    with pytest.raises(
        InputError, match="this user has no home folder; set the variable HOME or XDG_DATA_HOME"
    ):
        user_folder("XDG_DATA_HOME", ".local/share")


def test_zstd_is_read_by_its_content(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_bytes(zstd_packed("a,b\nfièvre,1\n".encode()))
    assert packed_form(path) == "zstd"
    assert read_text(path) == "a,b\nfièvre,1\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda packed: packed[:-6], "the zstd stream is cut off"),
        (lambda packed: packed[:9] + b"\xff\xff\xff" + packed[12:], "the zstd stream is damaged"),
    ],
)
def test_a_bad_zstd_stream_is_one_sentence(tmp_path, change, said):
    path = tmp_path / "pairs.csv.zst"
    path.write_bytes(change(zstd_packed(b"a,b\n1,2\n" * 50)))
    with pytest.raises(FileError, match=rf"pairs\.csv\.zst: {said}"):
        read_text(path)


def test_without_a_package_for_zstd_the_error_says_what_to_install(tmp_path, monkeypatch):
    path = tmp_path / "pairs.csv.zst"
    path.write_bytes(zstd_packed(b"a"))
    for name in ("compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        FileError, match=r"pairs\.csv\.zst: is compressed with zstd: pip install 'medgauge\[zstd\]'"
    ):
        read_text(path)


@pytest.mark.parametrize("pack", [gzip.compress, zstd_packed], ids=["gzip", "zstd"])
def test_a_file_that_unpacks_to_gigabytes_is_refused_with_advice(tmp_path, monkeypatch, pack):
    path = tmp_path / "bomb.csv"
    path.write_bytes(pack(b"0" * 200_001))
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", "0.0002")
    with pytest.raises(
        FileError, match=r"bomb\.csv: unpacks to more than 0\.0002 GB; .* MEDGAUGE_MAX_UNPACKED_GB"
    ):
        read_text(path)
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", "0.001")
    assert len(read_text(path)) == 200_001


def test_what_is_not_compressed_has_no_limit(tmp_path, monkeypatch):
    path = tmp_path / "large.csv"
    path.write_bytes(b"0" * 2000)
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", "0.000001")
    assert len(read_text(path)) == 2000


@pytest.mark.parametrize("given", ["much", "-1", "0", "nan", "inf"])
def test_a_limit_that_is_not_a_number_of_gigabytes_is_refused(monkeypatch, given):
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", given)
    with pytest.raises(InputError, match="MEDGAUGE_MAX_UNPACKED_GB must be a number of GB"):
        most_unpacked()


def test_a_table_is_named_without_its_compression():
    assert plain_name(Path("my.pairs.csv.zst")) == "my.pairs"
