"""Files are opened with errors that say what is wrong, compressed or not."""

import gzip
import io
import os
import random
import sys
from pathlib import Path

import pytest

from medgauge.errors import FileError, InputError
from medgauge.files.opening import (
    most_unpacked,
    open_bytes,
    packed_form,
    position_on_disk,
    read_text,
    require_file,
)
from medgauge.files.writing import write_text
from tests.support.packing import zstd_packed


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
        FileError, match=r"pairs\.csv\.zst: is compressed with zstd; to read it, run .* install .*\[zstd\]"
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


def test_the_position_of_a_file_is_that_on_disk(tmp_path):
    content = bytes(range(256)) * 1000
    for name, data in (("a", content), ("a.gz", gzip.compress(content))):
        (tmp_path / name).write_bytes(data)
        with open_bytes(tmp_path / name) as stream:
            stream.read(100_000)
            assert 0 < position_on_disk(stream) <= len(data)
    assert position_on_disk(io.BytesIO(content)) == 0
