"""A kill of the server at any moment loses no change that was acknowledged, and stores none twice."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from tests.annotate.studies import beside
from tests.support.annotators import Count, Page, Server, count, make_study, rate_through_kills

KILLS, ANNOTATORS = 20, 6


@pytest.mark.slow
def test_no_kill_of_the_server_loses_what_was_acknowledged_or_stores_it_twice(tmp_path):
    found, complaints = rate_through_kills(tmp_path, annotators=ANNOTATORS, kills=KILLS, seed=6)
    assert (found.lost, found.twice, found.unsent, found.changed, found.unlike_log) == (0, 0, 0, 0, 0)
    assert complaints == ""
    assert found.acknowledged > KILLS
    assert found.kept > 0  # or it would not show that what is sent again is stored once


@pytest.fixture(scope="module")
def rated(tmp_path_factory) -> tuple[Path, Page]:
    """Give a study that was rated without a kill, and the page that rated."""
    folder = tmp_path_factory.mktemp("rated")
    link, _ = make_study(folder, annotators=1, places=5)
    with Server(folder) as server, closing(Page(server.port, link, number=1)) as page:
        for _ in range(3):
            page.rate()
        page.undo()
    return folder, page


def test_what_is_there_as_it_was_sent_is_right(rated):
    folder, page = rated
    found = count(folder, [page])
    assert found == Count(acknowledged=4, kept=0, lost=0, twice=0, unsent=0, changed=0, unlike_log=0)
    assert found.is_right


COPY = "INSERT INTO rating_log SELECT 9, annotator, place, action, value, unsure, at, seconds"


@pytest.mark.parametrize(
    ("what", "statement"),
    [
        ("lost", "DELETE FROM rating_log WHERE number = 1"),
        ("twice", f"{COPY}, key FROM rating_log WHERE number = 1"),
        ("unsent", f"{COPY}, 'another' FROM rating_log WHERE number = 1"),
        ("changed", "UPDATE rating_log SET place = 4 WHERE number = 1"),
        ("changed", "UPDATE rating_log SET value = 9 WHERE number = 2"),
        ("changed", "UPDATE rating_log SET number = 9 WHERE number = 1"),
        ("unlike_log", "DELETE FROM rating WHERE place = 0"),
        ("unlike_log", "UPDATE rating SET value = 9, unsure = 0 WHERE place = 1"),
    ],
)
def test_what_would_be_wrong_is_counted(rated, tmp_path, what, statement):
    folder, page = rated
    shutil.copytree(folder, tmp_path / "copy")
    with beside(tmp_path / "copy") as connection:
        connection.execute("CREATE TABLE plain AS SELECT * FROM rating_log")  # which refuses nothing
        connection.execute("DROP TABLE rating_log")
        connection.execute("ALTER TABLE plain RENAME TO rating_log")
        connection.execute(statement)
    found = count(tmp_path / "copy", [page])
    assert getattr(found, what) > 0
    assert not found.is_right
