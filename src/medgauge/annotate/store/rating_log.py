"""Ratings and the log of all their changes, written together within the transaction of a change."""

import sqlite3
from contextlib import closing
from typing import Literal

from medgauge.annotate.oversight.patterns import AnswerValue
from medgauge.annotate.store.queries import to_rating
from medgauge.annotate.store.study import Saved
from medgauge.errors import InputError


def find_logged(
    connection: sqlite3.Connection, annotator: int, key: str, action: Literal["rate", "undo"]
) -> Saved | None:
    """Find what was done under a key, None if nothing was; refuse a key of the other action.

    An undo is told as the place alone: its rating is empty.
    """
    row = connection.execute(
        "SELECT action, place, value, unsure, at, seconds FROM rating_log WHERE annotator = ? AND key = ?",
        (annotator, key),
    ).fetchone()
    if row is None:
        return None
    if row[0] != action:
        raise InputError("the key was used before, for something else; make a new one")
    return Saved(row[1], to_rating(row[2:]))


def write_rating(connection: sqlite3.Connection, annotator: int, saved: Saved, key: str) -> None:
    """Write a rating in the stead of an earlier one, and log it."""
    rating = saved.rating
    answer = (rating.value, rating.unsure, rating.at, rating.seconds)
    connection.execute(
        "INSERT INTO rating_log (annotator, place, action, value, unsure, at, seconds, key)"
        " VALUES (?, ?, 'rate', ?, ?, ?, ?, ?)",
        (annotator, saved.place, *answer, key),
    )
    connection.execute(
        "INSERT OR REPLACE INTO rating (annotator, place, value, unsure, at, seconds)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (annotator, saved.place, *answer),
    )


def latest_answers(connection: sqlite3.Connection, annotator: int, count: int) -> list[AnswerValue]:
    """Find the last `count` answers of an annotator that stand, in the order in which they were given."""
    # The log is walked from its end, and no further than needed. What it says of a pair last is what stands.
    walk = "SELECT place, action, value FROM rating_log WHERE annotator = ? ORDER BY number DESC"
    seen: set[int] = set()
    found: list[AnswerValue] = []
    with closing(connection.execute(walk, (annotator,))) as entries:
        while len(found) < count and (entry := entries.fetchone()):
            place, action, value = entry
            if place not in seen and action == "rate":
                found.append(value)
            seen.add(place)
    return found[::-1]


def places_in_turn(connection: sqlite3.Connection, annotator: int) -> list[int]:
    """List the places that an annotator rated or took back, those that they did so last at the end."""
    rows = connection.execute(
        "SELECT place FROM rating_log WHERE annotator = ? GROUP BY place ORDER BY max(number)", (annotator,)
    )
    return [place for (place,) in rows]


def log_number(connection: sqlite3.Connection) -> int:
    """Find the number of the last entry in the log; 0 if there is none."""
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM rating_log").fetchone()
    return int(number)


def take_back(connection: sqlite3.Connection, annotator: int, place: int, at: str, key: str) -> None:
    """Remove a rating, if there is one, and log that."""
    removed = connection.execute(
        "DELETE FROM rating WHERE annotator = ? AND place = ?", (annotator, place)
    ).rowcount
    if removed:
        connection.execute(
            "INSERT INTO rating_log (annotator, place, action, unsure, at, key)"
            " VALUES (?, ?, 'undo', 0, ?, ?)",
            (annotator, place, at, key),
        )


def unrated(connection: sqlite3.Connection, annotator: int, page: int) -> int:
    """Count the pairs of a page without a rating."""
    (count,) = connection.execute(
        "SELECT count(*) FROM task LEFT JOIN rating USING (annotator, place)"
        " WHERE task.annotator = ? AND task.page = ? AND rating.at IS NULL",
        (annotator, page),
    ).fetchone()
    return int(count)
