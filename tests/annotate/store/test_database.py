"""What is acknowledged is on disk, what fails leaves nothing, and threads take turns."""

import sqlite3
import threading
from pathlib import Path

import pytest

from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Pair
from medgauge.errors import FileError, InputError
from tests.annotate.studies import (
    ANN,
    PAIRS,
    PYTHON,
    Task,
    beside,
    environment,
    graded,
    log,
    make,
    next_item,
    rate,
    standing,
)
from tests.support.processes import run


def test_a_closed_study_is_one_file_and_says_that_it_is_closed(tmp_path):
    store = make(tmp_path)
    rate(store, ANN, 0)
    store.close()
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]
    with pytest.raises(FileError, match="closed"):
        store.progress()


def test_a_full_disk_is_reported_loses_nothing_and_the_rating_can_be_sent_again(tmp_path):
    with make(tmp_path) as store:
        with store._database.reading() as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages}")
        acknowledged: list[str] = []

        def rate_on() -> None:
            for number in range(10_000):
                acknowledged.append(rate(store, ANN, number % 3, number % 4, key=f"{number:064}"))

        with pytest.raises(FileError, match="the disk is full and nothing was stored") as caught:
            rate_on()
        failed = len(acknowledged)
        assert acknowledged
        assert "Ménière" not in str(caught.value)
        assert [entry[5] for entry in log(store)] == acknowledged
        assert standing(store)["Ann", (failed - 1) % 3] == (failed - 1) % 4
        rate(store, ANN, (failed - 1) % 3, (failed - 1) % 4, key=acknowledged[-1])  # needs no room
        with store._database.reading() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        rate(store, ANN, failed % 3, failed % 4, key=f"{failed:064}")
    with Store.open(tmp_path) as store:
        assert [entry[5] for entry in log(store)] == [*acknowledged, f"{failed:064}"]


LIMITED = """
import resource, sys
from medgauge.errors import FileError
from tests.annotate.studies import ANN, log, rate
from medgauge.annotate.store.store import Store
store = Store.open(sys.argv[1])
# No file may grow past this: the system refuses the write, as it does when a disk is full.
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
acknowledged = []
try:
    for number in range(10_000):
        acknowledged.append(rate(store, ANN, number % 3, key=str(number)))
except FileError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert [entry[5] for entry in log(store)] == acknowledged
rate(store, ANN, 0, key="after")
store.close()
print(len(acknowledged))
"""


def test_a_write_that_the_system_refuses_is_reported_and_loses_nothing(tmp_path):
    make(tmp_path).close()
    done = run([*PYTHON, LIMITED, tmp_path], env=environment(), check=True)
    message, count = done.stdout.splitlines()
    assert "nothing was stored" in message
    assert int(count) > 0
    with Store.open(tmp_path) as store:
        assert [entry[5] for entry in log(store)] == [*map(str, range(int(count))), "after"]


def test_another_writer_is_waited_for_and_then_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("medgauge.annotate.store.database._PATIENCE", 0.05)
    with make(tmp_path) as store, beside(tmp_path) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FileError, match="another process is writing to the study"):
            rate(store, ANN, 0)
        assert next_item(store, ANN).place == 0  # reading goes on
        other.execute("ROLLBACK")
        rate(store, ANN, 0)


def test_a_study_that_may_not_be_written_is_reported(tmp_path):
    with make(tmp_path) as store:
        with store._database.reading() as connection:
            connection.execute("PRAGMA query_only = ON")
        with pytest.raises(FileError, match="cannot be written by this user"):
            rate(store, ANN, 0)
        assert log(store) == []


@pytest.mark.parametrize("lost", ["", DATABASE, f"{DATABASE}-wal"])
def test_what_is_moved_away_while_it_is_used_takes_no_rating_until_it_is_back(tmp_path, lost):
    with make(tmp_path / "study") as store:
        rate(store, ANN, 0)
        place, away = tmp_path / "study" / lost, tmp_path / "away"
        place.rename(away)
        with pytest.raises(FileError, match="moved or removed while in use, and nothing was stored"):
            rate(store, ANN, 1, key="once more")
        assert next_item(store, ANN).place == 1  # reading goes on
        away.rename(place)
        rate(store, ANN, 1, key="once more")
    with Store.open(tmp_path / "study") as store:
        assert standing(store) == {("Ann", 0): 2.0, ("Ann", 1): 2.0}


def test_a_study_in_the_place_of_the_one_in_use_takes_no_rating(tmp_path):
    make(tmp_path / "other").close()
    with make(tmp_path / "study") as store:
        (tmp_path / "other" / DATABASE).replace(tmp_path / "study" / DATABASE)
        with pytest.raises(FileError, match="moved or removed"):
            rate(store, ANN, 0)


def test_a_study_that_may_not_be_written_is_reported_when_it_is_opened(tmp_path, monkeypatch):
    make(tmp_path).close()

    def connect(path: Path) -> sqlite3.Connection:  # as for who may only read; root may write all the same
        return sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)

    monkeypatch.setattr("medgauge.annotate.store.database.connect", connect)
    with pytest.raises(FileError, match="cannot be written by this user"):
        Store.open(tmp_path)


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        (b'{"id_1": "13445001"}', b'{"id_1": "13445001"]'),
        ("Ménière's disease".encode(), "Ménière's disease".encode("latin-1") + b"  "),
        (b"CREATE TABLE pair", b"CREATE TABLE p\xbeir"),
    ],
)
def test_damaged_texts_are_reported_and_not_repeated(tmp_path, whole, damaged):
    make(tmp_path).close()
    content = (tmp_path / DATABASE).read_bytes()
    assert whole in content
    (tmp_path / DATABASE).write_bytes(content.replace(whole, damaged))

    def read() -> None:
        with Store.open(tmp_path) as store:
            store.pairs()

    with pytest.raises(FileError, match=r"is damaged|cannot be used as an annotation study") as caught:
        read()
    assert "disease" not in str(caught.value)


def test_an_error_in_the_midst_of_a_change_takes_it_back(store):
    def fail() -> None:
        with store._database.writing() as connection:
            connection.execute("UPDATE study SET paused = 1")
            raise RuntimeError("midst")

    with pytest.raises(RuntimeError, match="midst"):
        fail()
    assert not store.study().paused
    rate(store, ANN, 0)


def test_threads_share_a_store(tmp_path):
    annotators, places = 8, 40
    tasks = {f"a{n}": [Task(place, 1, place % 5) for place in range(places)] for n in range(annotators)}
    failures: list[BaseException] = []
    start = threading.Barrier(annotators)

    with make(tmp_path, tasks=tasks) as store:

        def work(number: int) -> None:
            try:
                start.wait(10)
                while item := next_item(store, number):
                    for _ in range(2):  # each request is sent twice
                        rate(store, number, item.place, (number + item.place) % 4, key=f"k{item.place}")
                store.submit_page(number, 1)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, annotators + 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert failures == []
        assert standing(store) == {
            (f"a{n}", place): (n + 1 + place) % 4 for n in range(annotators) for place in range(places)
        }
        assert len(log(store)) == annotators * places
        assert {one.page for one in store.progress()} == {None}


def test_one_answer_from_many_threads_is_stored_once(store):
    answers = []

    def work() -> None:
        answers.append(store.rate(ANN, 0, value=1, seconds=1, key="k", accepts=graded))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(answers) == 16
    assert len(set(answers)) == 1
    assert len(log(store)) == 1


def test_what_is_opened_to_be_read_is_neither_changed_nor_brought_up_to_date(tmp_path):
    make(tmp_path).close()
    with Store.open(tmp_path, read_only=True) as store:
        assert len(store.pairs()) == 5
        with pytest.raises(FileError, match="cannot be written"):
            store.pause()
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]
    with beside(tmp_path) as connection:
        connection.execute("PRAGMA user_version = 0")
    with pytest.raises(FileError, match="made by an older medgauge; serve it once"):
        Store.open(tmp_path, read_only=True)
    with beside(tmp_path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)


def test_the_ratings_that_pairs_are_to_have_are_counted_with_second_ones(tmp_path):
    with make(tmp_path) as store:
        assert store.tasks_per_pair() == {"1": 2, "2": 1, "ehr/3": 1, "ehr/4": 1, "ehr/5": 2}


def test_a_study_is_not_written_over(tmp_path):
    with make(tmp_path) as store:
        rate(store, ANN, 0)
    with pytest.raises(InputError, match="already holds a study"):
        make(tmp_path)
    with Store.open(tmp_path) as store:
        assert len(store.ratings()) == 1


def test_a_log_that_a_lost_study_left_behind_is_not_taken_for_a_new_ones(tmp_path):
    (tmp_path / f"{DATABASE}-wal").write_bytes(b"left")
    with pytest.raises(InputError, match="already holds a study"):
        make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{DATABASE}-wal"]


def test_a_term_that_cannot_be_written_is_not_repeated(tmp_path):
    with pytest.raises(InputError, match="UTF-8") as caught:
        make(tmp_path, pairs=[*PAIRS[:4], Pair("9", "gout\ud800", "podagra", "s")])
    assert "gout" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        make(tmp_path / "file" / "study")


def test_a_disk_that_cannot_keep_a_log_is_reported_before_there_is_a_study(tmp_path, monkeypatch):
    # In memory, SQLite answers as on a disk where it cannot log ahead.
    monkeypatch.setattr(
        "medgauge.annotate.store.database.connect",
        lambda _: sqlite3.connect(":memory:", isolation_level=None),
    )
    with pytest.raises(FileError, match="put the study on a local disk"):
        make(tmp_path)
    assert list(tmp_path.iterdir()) == []
