"""A damaged database is reported wherever its rows enter: SQLite checks them when they are written alone."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from medgauge.annotate.exchange.export import export_study
from medgauge.annotate.store.store import DATABASE, Store
from medgauge.errors import FileError
from medgauge.protocol import load_protocol, protocol_text
from tests.annotate.studies import ANN, make, rate

SECRET = "Ménière"


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """Give the folder of a study of verdicts, some of them given."""
    with make(tmp_path, protocol=protocol_text("same")) as store:
        for place in range(3):
            rate(store, ANN, place, place % 2)
    return tmp_path


def damage(folder: Path, statement: str) -> None:
    """Change rows as a failing disk would: with no regard for types and constraints."""
    path = folder / DATABASE
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')")
        connection.execute("DROP TRIGGER rating_log_is_not_changed")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement)


def read(folder: Path) -> None:
    """Read everything that the pages and an export read."""
    protocol = load_protocol("same")
    with Store.open(folder) as store:
        store.study()
        store.pairs()
        store.annotators()
        store.progress()
        store.current_page(ANN)
        store.page_of(ANN, 1)
        store.latest_answers(ANN, 3)
        store.timed()
        store.ratings(protocol.allows)
        store.tasks_per_pair()


DAMAGE = {
    "no study": "DELETE FROM study",
    "a name that is a blob": "UPDATE study SET name = x'ff'",
    "a protocol that is a blob": "UPDATE study SET protocol = x'00'",
    "a design that is a list": "UPDATE study SET design = '[]'",
    "a design nested too deeply": f"UPDATE study SET design = '{'[' * 100_000}'",
    "a pause that is neither": "UPDATE study SET paused = 2",
    "a seed in words": "UPDATE study SET seed = 'seven'",
    "an id that is missing": "UPDATE pair SET pair_id = x'00' WHERE number = 0",
    "a label of 2": "UPDATE pair SET label = 2",
    "a label in words": "UPDATE pair SET label = 'yes'",
    "further columns that are text": f"""UPDATE pair SET further = '"{SECRET}"' WHERE number = 2""",
    "further columns that are cut off": f"""UPDATE pair SET further = '{{"{SECRET}' WHERE number = 2""",
    "an annotator without a name": "UPDATE annotator SET name = x'00' WHERE number = 1",
    "a coordinator who is 7": "UPDATE annotator SET coordinator = 7 WHERE number = 3",
    "a time of practice that is a blob": "UPDATE annotator SET practised_at = x'00'",
    "a page before the first": "UPDATE page SET page = -1 WHERE annotator = 1 AND page = 1",
    "an unknown role": "UPDATE task SET role = 'other' WHERE place = 1",
    "a side that is 5": "UPDATE task SET flipped = 5",
    "a verdict of 7": "UPDATE rating SET value = 7",
    "a rating in words": f"UPDATE rating SET value = '{SECRET}'",
    "a rating beyond all bounds": "UPDATE rating SET value = 9e999",
    "a rating that is unsure as well": "UPDATE rating SET unsure = 1",
    "seconds that are missing": "UPDATE rating SET seconds = 'long'",
    "seconds that never end": "UPDATE rating_log SET seconds = 9e999",
    "a time that is a blob": "UPDATE rating SET at = x'00'",
    "a log without the rating": "UPDATE rating_log SET place = 2 WHERE place = 1",
    "a key that is a blob": "UPDATE rating_log SET key = x'00' WHERE place = 1",
    "an answer in the log in words": f"UPDATE rating_log SET value = '{SECRET}'",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_row_ended_in_a_traceback(rated, statement):
    read(rated)
    damage(rated, statement)
    with pytest.raises(FileError, match="is damaged; restore the study from a backup") as caught:
        read(rated)
    assert str(caught.value).startswith(str(rated / DATABASE))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "statement", [DAMAGE["a verdict of 7"], DAMAGE["a label in words"], DAMAGE["an id that is missing"]]
)
def test_an_export_of_a_damaged_study_ended_in_a_traceback(rated, statement):
    assert export_study(rated).table.height == 3
    damage(rated, statement)
    with pytest.raises(FileError, match="is damaged"):
        export_study(rated)


@pytest.mark.parametrize(
    "change",
    [
        lambda store: rate(store, ANN, 0, 1.0),
        lambda store: rate(store, ANN, 1, 1.0, key="k"),
    ],
)
def test_a_rating_on_top_of_a_damaged_one_is_refused(rated, change: Callable[[Store], object]):
    damage(rated, "UPDATE rating SET seconds = 'long' WHERE place < 2")
    with Store.open(rated) as store, pytest.raises(FileError, match="is damaged"):
        change(store)
