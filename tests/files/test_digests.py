"""Digests are right, and computed once."""

import hashlib
import os
import random
from pathlib import Path

import pytest

from medgauge.errors import InputError
from medgauge.files import digests
from medgauge.files.digests import remembered_sha256, sha256_of, user_folder


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

    monkeypatch.setattr(digests, "sha256_of", recording)
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


def test_a_user_without_a_home_is_told_what_to_set(monkeypatch):
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", refuse)
    with pytest.raises(
        InputError, match="this user has no home folder; set the variable HOME or XDG_DATA_HOME"
    ):
        user_folder("XDG_DATA_HOME", ".local/share")
