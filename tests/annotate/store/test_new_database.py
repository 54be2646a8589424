"""A new study is there whole, or not at all."""

import sqlite3

import pytest

from medgauge.annotate.store import new_database as creation
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Pair
from medgauge.errors import FileError, InputError
from tests.annotate.studies import (
    ANN,
    PAIRS,
    TASKS,
    Task,
    make,
    rate,
)


def test_a_study_is_given_back_as_it_was_made(tmp_path):
    make(tmp_path / "new" / "folder").close()
    with Store.open(tmp_path / "new" / "folder") as store:
        study = store.study()
        assert (study.name, study.protocol, study.seed) == ("Étude", 'name = "graded"\n', 7)
        assert study.design == {"kind": "groups", "groups": 2}
        assert study.created == "2026-03-01T19:30:01.000+00:00"
        assert not study.paused
        assert store.pairs() == PAIRS
        assert [(one.number, one.name, one.coordinator) for one in store.annotators()] == [
            (1, "Ann", False),
            (2, "Béa-Łucja", False),
            (3, "coordinator", True),
        ]
        for number, tasks in enumerate(TASKS.values(), 1):
            pages = sorted({task.page for task in tasks})
            items = [item for page in pages for item in store.page_of(number, page)]
            assert [Task(i.place, i.page, PAIRS.index(i.pair), i.role, i.flipped) for i in items] == tasks
            assert {item.rating for item in items} == {None}


def test_a_study_is_not_written_over(tmp_path):
    with make(tmp_path) as store:
        rate(store, ANN, 0)
    with pytest.raises(InputError, match="holds a study already"):
        make(tmp_path)
    with Store.open(tmp_path) as store:
        assert len(store.ratings()) == 1


def test_a_log_that_a_lost_study_left_behind_is_not_taken_for_a_new_ones(tmp_path):
    (tmp_path / f"{DATABASE}-wal").write_bytes(b"left")
    with pytest.raises(InputError, match="holds a study already"):
        make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{DATABASE}-wal"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"name": " "}, "needs a name"),
        ({"pairs": []}, "needs pairs"),
        ({"tasks": {}}, "annotators to rate"),
        ({"tasks": {"": TASKS["Ann"]}}, "name of their own"),
        ({"coordinator": "Ann"}, "name of their own"),
        ({"tasks": {"Ann": []}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(1, 1, 0)]}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 0), Task(0, 1, 1)]}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(0, 2, 0)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 0, 0)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 0), Task(1, 3, 1)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 2, 0), Task(1, 1, 1)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 5)]}}, "none of the study's 5"),
        ({"tasks": {"Ann": [Task(0, 1, -1)]}}, "none of the study's 5"),
        ({"tasks": {"Ann": [Task(0, 1, 0, "other")]}}, "role"),
        ({"pairs": [PAIRS[0]] * 5}, "two have the same"),
        ({"seed": 2**64}, "too large"),
    ],
)
def test_a_study_that_cannot_be_is_refused_and_leaves_nothing(tmp_path, changed, problem):
    with pytest.raises(InputError, match=problem):
        make(tmp_path, **changed)
    assert list(tmp_path.iterdir()) == []


def test_a_term_that_cannot_be_written_is_not_repeated(tmp_path):
    with pytest.raises(InputError, match="UTF-8") as caught:
        make(tmp_path, pairs=[*PAIRS[:4], Pair("9", "gout\ud800", "podagra", "s")])
    assert "gout" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        make(tmp_path / "file" / "study")


def test_a_disk_that_cannot_keep_a_log_is_told_before_there_is_a_study(tmp_path, monkeypatch):
    # In memory, SQLite answers as on a disk where it cannot log ahead.
    monkeypatch.setattr(creation, "connect", lambda _: sqlite3.connect(":memory:", isolation_level=None))
    with pytest.raises(FileError, match="put the study on a local disk"):
        make(tmp_path)
    assert list(tmp_path.iterdir()) == []
