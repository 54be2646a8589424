"""Folders that appear only when they are complete, tested with a made-up kind."""

from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import ClassVar

import polars as pl
import pytest

from medgauge.errors import InputError
from medgauge.files.folders import ResumableFolder, WholeFolder, key_of
from tests.support.crashes import crashes


@dataclass(frozen=True)
class Things(ResumableFolder):
    WHAT: ClassVar[str] = "heap"
    MAIN: ClassVar[str] = "main.json"
    PARTS: ClassVar[tuple[str, ...]] = ("*.parquet", "inner/*.parquet")

    def finish(self, needed: set[str]) -> None:
        (self.partial / self.MAIN).write_text("{}")
        self._take_name({self.MAIN, *needed})


@dataclass(frozen=True)
class Box(WholeFolder):
    WHAT: ClassVar[str] = "box"
    MAIN: ClassVar[str] = "main.txt"
    PARTS: ClassVar[tuple[str, ...]] = ("*.csv",)


FRAME = pl.DataFrame({"x": [1]})


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_that_is_made_takes_its_name_after_the_block(tmp_path):
    (tmp_path / "x.partial").mkdir()
    (tmp_path / "x.partial" / "main.txt").write_text("of a kill")
    (tmp_path / "x").mkdir()
    with Box.at(tmp_path / "x").made() as folder:
        assert list(folder.iterdir()) == []
        (folder / "a.csv").write_text("1")
        assert files(tmp_path / "x") == set()
    assert files(tmp_path) == {"x/a.csv"}
    assert not (tmp_path / "x.partial").exists()


def test_a_folder_that_could_not_be_made_leaves_nothing(tmp_path):
    def fail() -> None:
        with Box.at(tmp_path / "new" / "x").made() as folder:
            (folder / "a.csv").write_text("1")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_which_something_is_by_then_is_not_replaced(tmp_path):
    def too_late() -> None:
        with Box.at(tmp_path / "x").made() as folder:
            (folder / "a.csv").write_text("1")
            (tmp_path / "x").mkdir()
            (tmp_path / "x" / "mine").write_text("mine")

    with pytest.raises(InputError, match="x already exists; choose another folder"):
        too_late()
    assert files(tmp_path) == {"x/mine"}


def test_a_folder_is_not_made_twice_at_once(tmp_path):
    box = Box.at(tmp_path / "x")
    with box.made() as folder:
        (folder / "a.csv").write_text("1")
        with pytest.raises(InputError, match="another box is being written"), box.made():
            pass
    assert files(tmp_path) == {"x/a.csv"}


def test_a_folder_takes_its_name_when_it_is_finished_and_loses_what_is_not_needed(tmp_path):
    things = Things(tmp_path / "x")
    with things.locked():
        things.keep("a.parquet", FRAME, key="1")
        things.keep("inner/b.parquet", FRAME)
        things.keep("stale.parquet", FRAME)
        assert not things.exists()
        things.finish({"a.parquet", "inner/b.parquet"})
    assert things.exists()
    names = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"x/main.json", "x/a.parquet", "x/inner/b.parquet"}


def test_parts_are_found_by_their_key_in_what_a_kill_left_and_in_what_is_replaced(tmp_path):
    things = Things(tmp_path / "x")
    with things.locked():
        things.keep("a.parquet", FRAME, key="old")
        things.finish({"a.parquet"})
    with things.locked():
        things.keep("a.parquet", FRAME, key="new")
        assert list(things.places("a.parquet", "old")) == [tmp_path / "x" / "a.parquet"]
        assert list(things.places("a.parquet", "new")) == [tmp_path / "x.partial" / "a.parquet"]
        assert things.has("a.parquet", "new")
        assert not things.has("a.parquet", "old")
        things.finish({"a.parquet"})
    assert list(things.places("a.parquet", "old")) == []


def test_a_kill_between_the_two_renames_loses_nothing(tmp_path):
    things = Things(tmp_path / "x")
    with things.locked():
        things.finish(set())
    (tmp_path / "x").rename(tmp_path / ".x.replaced")
    assert things.exists()
    assert (tmp_path / "x" / "main.json").exists()


@pytest.mark.parametrize("name", ["notes.txt", "inner/notes.txt", "other/a.parquet", "inner/deep/a.parquet"])
@pytest.mark.parametrize("folder", ["x", "x.partial"])
def test_a_folder_with_anything_else_in_it_is_left_alone(folder, name, tmp_path):
    odd = tmp_path / folder / name
    odd.parent.mkdir(parents=True)
    odd.write_text("mine")
    things = Things(tmp_path / "x")
    with pytest.raises(InputError, match="which is not part of a heap"), things.locked():
        things.exists()
    assert odd.read_text() == "mine"


def test_what_a_kill_left_of_a_file_is_no_hindrance(tmp_path):
    (tmp_path / "x.partial").mkdir()
    (tmp_path / "x.partial" / ".a.parquet.0123.tmp").write_bytes(b"PAR1")
    things = Things(tmp_path / "x")
    with things.locked():
        things.finish(set())
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["main.json"]


def test_a_second_process_is_refused(tmp_path):
    things = Things(tmp_path / "x")
    with things.locked(), pytest.raises(InputError, match="another heap is being written"), things.locked():
        pass


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file; a heap needs a folder"):
        Things(tmp_path / "file").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="is not a heap made by medgauge"):
        Things(tmp_path / "other").exists()
    (tmp_path / "empty").mkdir()
    assert not Things(tmp_path / "empty").exists()


def test_keys_differ_with_their_inputs_and_not_with_their_order():
    assert key_of(a=1, b=2) == key_of(b=2, a=1) != key_of(a=2, b=1)


def test_the_current_folder_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (Path.cwd(), tmp_path.parent):
        with (
            pytest.raises(InputError, match="is the current folder, or above it; choose a new folder"),
            Things(folder).locked(),
        ):
            pass


_THINGS = """
import polars as pl
from tests.files.test_folders import FRAME, Things
things = Things.at("x")
"""
_REPLACE = """
with things.locked():
    things.exists()
    things.keep("a.parquet", FRAME, key="new")
    things.finish({"a.parquet"})
"""


@pytest.mark.slow
def test_a_crash_before_any_change_leaves_the_old_folder_or_the_new_and_nothing_once_it_is_made_again(
    tmp_path,
):
    for number in count():
        folder = tmp_path / str(number)
        folder.mkdir()
        things = Things.at(folder / "x")
        with things.locked():
            things.keep("a.parquet", FRAME, key="old")
            things.finish({"a.parquet"})
        crashed = crashes(_THINGS, _REPLACE, folder, number=number)
        with things.locked():
            assert things.exists()
            assert list(things.places("a.parquet", "old")) or list(things.places("a.parquet", "new"))
            things.keep("a.parquet", FRAME, key="new")
            things.finish({"a.parquet"})
        assert sorted(path.name for path in folder.iterdir()) == ["x"]
        assert files(folder) == {"x/a.parquet", "x/main.json"}
        if not crashed:
            break
    assert number >= 6


def test_what_a_kill_left_of_a_replaced_folder_is_removed_by_the_next_write(tmp_path):
    things = Things.at(tmp_path / "x")
    with things.locked():
        things.finish(set())
    (tmp_path / ".x.replaced").mkdir()
    (tmp_path / ".x.replaced" / "main.json").write_text("{}")
    with things.locked():
        assert things.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
