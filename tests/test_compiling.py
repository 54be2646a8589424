import os

import pytest

from medgauge import compiling


@pytest.fixture
def variable(monkeypatch) -> str:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    return "NUMBA_CACHE_DIR"


def writable(*folders):
    return lambda path, _mode: str(path) in map(str, folders)


def test_where_the_package_can_be_written_nothing_is_done(variable, tmp_path):
    compiling.find_place(tmp_path)
    assert variable not in os.environ


def test_where_the_home_can_be_written_nothing_is_done(variable, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", writable(tmp_path))
    compiling.find_place(tmp_path / "package")
    assert variable not in os.environ


@pytest.mark.parametrize("home", ["/nonexistent", "~"])
def test_where_neither_can_be_written_a_folder_of_the_process_is_made(variable, tmp_path, monkeypatch, home):
    monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(os, "access", writable())
    compiling.find_place(tmp_path)
    assert os.path.isdir(os.environ[variable])  # noqa: PTH112
    monkeypatch.delenv(variable)


def test_what_the_user_chose_stays(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/mine")
    monkeypatch.setattr(os, "access", writable())
    compiling.find_place(tmp_path)
    assert os.environ["NUMBA_CACHE_DIR"] == "/mine"
