"""A new study is given back as it was made, or refused whole."""

import pytest

from medgauge.annotate.store.store import Store
from medgauge.errors import InputError
from tests.annotate.studies import PAIRS, TASKS, Task, make


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


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"name": " "}, "needs a name"),
        ({"pairs": []}, "needs pairs"),
        ({"tasks": {}}, "annotators to rate"),
        ({"tasks": {"": TASKS["Ann"]}}, "a unique name"),
        ({"coordinator": "Ann"}, "a unique name"),
        ({"tasks": {"Ann": []}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(1, 1, 0)]}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 0), Task(0, 1, 1)]}}, "places 0, 1, 2"),
        ({"tasks": {"Ann": [Task(0, 2, 0)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 0, 0)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 0), Task(1, 3, 1)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 2, 0), Task(1, 1, 1)]}}, "pages 1, 2"),
        ({"tasks": {"Ann": [Task(0, 1, 5)]}}, "not one of the study's 5"),
        ({"tasks": {"Ann": [Task(0, 1, -1)]}}, "not one of the study's 5"),
        ({"tasks": {"Ann": [Task(0, 1, 0, "other")]}}, "role"),
        ({"pairs": [PAIRS[0]] * 5}, "two pairs of the study have the same pair_id"),
        ({"seed": 2**64}, "too large"),
    ],
)
def test_a_study_that_cannot_be_is_refused_and_leaves_nothing(tmp_path, changed, problem):
    with pytest.raises(InputError, match=problem):
        make(tmp_path, **changed)
    assert list(tmp_path.iterdir()) == []
