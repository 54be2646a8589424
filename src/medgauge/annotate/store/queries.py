"""All reads and writes of a study's database, within the transaction of the caller.

These functions know tables and rows, but no rules: the store decides what may be changed.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Literal

from medgauge.annotate.store import stored_rows
from medgauge.annotate.store.stored_rows import StoredRow
from medgauge.annotate.store.study import Annotator, Assigned, Item, Pair, Progress, Rating, Saved, Study

_PAIR = "pair.pair_id, pair.term_1, pair.term_2, pair.set_name, pair.label"
_ANNOTATOR = "number, name, coordinator, revoked_at, instructed_at, practised_at"
_ITEMS = f"""
    SELECT task.place, task.page, task.role, task.flipped, {_PAIR}, pair.further,
        rating.value, rating.unsure, rating.at, rating.seconds
    FROM task JOIN pair ON pair.number = task.pair LEFT JOIN rating USING (annotator, place)
    WHERE task.annotator = ? AND task.page = ?"""
_PROGRESS = f"""
    SELECT {_ANNOTATOR},
        (SELECT count(*) FROM rating WHERE rating.annotator = annotator.number),
        (SELECT count(*) FROM task WHERE task.annotator = annotator.number),
        (SELECT min(page) FROM page WHERE page.annotator = annotator.number AND submitted_at IS NULL),
        (SELECT count(*) FROM page WHERE page.annotator = annotator.number),
        (SELECT at FROM rating_log WHERE rating_log.annotator = annotator.number
            ORDER BY rating_log.number DESC LIMIT 1)
    FROM annotator WHERE NOT coordinator"""
_RATINGS = f"""
    SELECT annotator.name, {_PAIR}, rating.value, rating.unsure, rating.at,
        task.place, task.page, task.role, task.flipped, rating.seconds
    FROM rating JOIN task USING (annotator, place)
        JOIN pair ON pair.number = task.pair
        JOIN annotator ON annotator.number = rating.annotator
    ORDER BY rating.annotator, rating.place"""
_TIMED = """
    SELECT annotator.name, rating_log.place, rating_log.seconds
    FROM rating_log JOIN annotator ON annotator.number = rating_log.annotator
    WHERE rating_log.action = 'rate' ORDER BY rating_log.annotator, rating_log.number"""


def insert_study(
    connection: sqlite3.Connection,
    study: Study,
    pairs: Sequence[Pair],
    tasks: Mapping[str, Sequence[Assigned]],
    coordinator: str,
) -> None:
    """Fill an empty database with a study.

    Annotators are numbered from 1 in their order; the coordinator, who has no tasks, comes last.
    """
    design = json.dumps(study.design, ensure_ascii=False)
    connection.execute(
        "INSERT INTO study (id, name, created, protocol, seed, design, paused) VALUES (1, ?, ?, ?, ?, ?, ?)",
        (study.name, study.created, study.protocol, study.seed, design, study.paused),
    )
    connection.executemany(
        "INSERT INTO pair (number, pair_id, term_1, term_2, set_name, label, further)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                pair.pair_id,
                pair.term_1,
                pair.term_2,
                pair.set_name,
                pair.label,
                json.dumps(pair.further, ensure_ascii=False),
            )
            for number, pair in enumerate(pairs)
        ),
    )
    connection.executemany(
        "INSERT INTO annotator (number, name, coordinator) VALUES (?, ?, ?)",
        ((number, name, name == coordinator) for number, name in enumerate((*tasks, coordinator), 1)),
    )
    for number, assigned in enumerate(tasks.values(), 1):
        connection.executemany(
            "INSERT INTO page (annotator, page) VALUES (?, ?)",
            ((number, page) for page in range(1, assigned[-1].page + 1)),
        )
        connection.executemany(
            "INSERT INTO task (annotator, place, page, pair, role, flipped) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, task.place, task.page, task.pair, task.role, task.flipped) for task in assigned),
        )


def read_study(connection: sqlite3.Connection) -> Study:
    """Return the study's name, protocol and design."""
    row = connection.execute("SELECT name, created, protocol, seed, design, paused FROM study").fetchone()
    return stored_rows.to_study(row)


def is_paused(connection: sqlite3.Connection) -> bool:
    """Return whether the study is paused."""
    return stored_rows.to_flag(connection.execute("SELECT paused FROM study").fetchone())


def set_paused(connection: sqlite3.Connection, paused: bool) -> None:
    """Pause or resume the study."""
    connection.execute("UPDATE study SET paused = ?", (paused,))


def read_pairs(connection: sqlite3.Connection) -> list[Pair]:
    """List the pairs by their number."""
    found = connection.execute(f"SELECT {_PAIR}, further FROM pair ORDER BY number")
    return [stored_rows.to_pair(row) for row in found]


def count_tasks(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the tasks of each pair, by its id."""
    found = connection.execute(
        "SELECT pair.pair_id, count(*) FROM task JOIN pair ON pair.number = task.pair"
        " GROUP BY task.pair ORDER BY task.pair"
    )
    return dict(stored_rows.to_count(row) for row in found)


def read_annotators(connection: sqlite3.Connection) -> list[Annotator]:
    """List the annotators by their number."""
    found = connection.execute(f"SELECT {_ANNOTATOR} FROM annotator ORDER BY number")
    return [stored_rows.to_annotator(row) for row in found]


def find_annotator(connection: sqlite3.Connection, number: int) -> Annotator | None:
    """Find an annotator by their number."""
    row = connection.execute(f"SELECT {_ANNOTATOR} FROM annotator WHERE number = ?", (number,)).fetchone()
    return stored_rows.to_annotator(row) if row else None


def find_link(connection: sqlite3.Connection, digest: bytes) -> tuple[bytes, Annotator] | None:
    """Find the stored digest that equals this one, and its annotator, unless the link was revoked."""
    row = connection.execute(
        f"SELECT link_hash, {_ANNOTATOR} FROM annotator WHERE link_hash = ? AND revoked_at IS NULL",
        (digest,),
    ).fetchone()
    return (row[0], stored_rows.to_annotator(row[1:])) if row else None


def set_link(connection: sqlite3.Connection, annotator: int, digest: bytes) -> None:
    """Replace the digest of an annotator's link; a revoked annotator may sign in again."""
    connection.execute(
        "UPDATE annotator SET link_hash = ?, revoked_at = NULL WHERE number = ?", (digest, annotator)
    )


def revoke(connection: sqlite3.Connection, annotator: int, at: str) -> None:
    """Delete an annotator's link; the time of the first revocation is kept."""
    connection.execute(
        "UPDATE annotator SET link_hash = NULL, revoked_at = coalesce(revoked_at, ?) WHERE number = ?",
        (at, annotator),
    )


def mark(
    connection: sqlite3.Connection,
    annotator: int,
    column: Literal["instructed_at", "practised_at"],
    at: str,
) -> None:
    """Note when an annotator first did something."""
    connection.execute(
        f"UPDATE annotator SET {column} = coalesce({column}, ?) WHERE number = ?", (at, annotator)
    )


def current_page(connection: sqlite3.Connection, annotator: int) -> int | None:
    """Find the first page that is not submitted; None if there is none."""
    row = connection.execute(
        "SELECT min(page) FROM page WHERE annotator = ? AND submitted_at IS NULL", (annotator,)
    ).fetchone()
    return stored_rows.to_page(row)


def find_page(connection: sqlite3.Connection, annotator: int, page: int) -> tuple[str | None] | None:
    """Return when a page was submitted, (None,) if it was not; None if the annotator has no such page."""
    row = connection.execute(
        "SELECT submitted_at FROM page WHERE annotator = ? AND page = ?", (annotator, page)
    ).fetchone()
    return (stored_rows.to_time(row),) if row else None


def page_of_task(connection: sqlite3.Connection, annotator: int, place: int) -> int | None:
    """Return the page of the task at a place; None if the annotator has no such task."""
    row = connection.execute(
        "SELECT page FROM task WHERE annotator = ? AND place = ?", (annotator, place)
    ).fetchone()
    return stored_rows.to_page(row) if row else None


def submit_page(connection: sqlite3.Connection, annotator: int, page: int, at: str) -> None:
    """Note when a page was submitted."""
    connection.execute(
        "UPDATE page SET submitted_at = ? WHERE annotator = ? AND page = ?", (at, annotator, page)
    )


def read_items(connection: sqlite3.Connection, annotator: int, page: int) -> list[Item]:
    """List the tasks on a page in their order, each with its pair, its rating and that rating's version."""
    # With max(), SQLite takes the other columns from the row that has the maximum.
    latest = connection.execute(
        "SELECT place, key, max(number) FROM rating_log WHERE annotator = ? GROUP BY place", (annotator,)
    )
    versions = dict(stored_rows.to_version(row) for row in latest)
    found = connection.execute(f"{_ITEMS} ORDER BY task.place", (annotator, page))
    return [stored_rows.to_item(row, versions) for row in found]


def count_unrated(connection: sqlite3.Connection, annotator: int, page: int) -> int:
    """Count the tasks on a page without a rating."""
    (count,) = connection.execute(
        "SELECT count(*) FROM task LEFT JOIN rating USING (annotator, place)"
        " WHERE task.annotator = ? AND task.page = ? AND rating.at IS NULL",
        (annotator, page),
    ).fetchone()
    return int(count)


def read_progress(connection: sqlite3.Connection) -> list[Progress]:
    """List the progress of each annotator."""
    return [stored_rows.to_progress(row) for row in connection.execute(f"{_PROGRESS} ORDER BY number")]


def find_progress(connection: sqlite3.Connection, annotator: int) -> Progress | None:
    """Return the progress of one annotator; None for the coordinator and for unknown numbers."""
    row = connection.execute(f"{_PROGRESS} AND number = ?", (annotator,)).fetchone()
    return stored_rows.to_progress(row) if row else None


def read_ratings(connection: sqlite3.Connection) -> list[StoredRow]:
    """List the rows of all ratings, by annotator and place; `stored_rows.to_rated` converts one."""
    return connection.execute(_RATINGS).fetchall()


def read_timed(connection: sqlite3.Connection) -> list[StoredRow]:
    """List annotator, place and seconds of each logged answer, by annotator and in the order of the log."""
    return connection.execute(_TIMED).fetchall()


def write_rating(connection: sqlite3.Connection, annotator: int, saved: Saved, key: str) -> None:
    """Write a rating, replacing an earlier one, and log it."""
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


def delete_rating(connection: sqlite3.Connection, annotator: int, place: int, at: str, key: str) -> None:
    """Remove a rating, if there is one, and log the removal."""
    removed = connection.execute(
        "DELETE FROM rating WHERE annotator = ? AND place = ?", (annotator, place)
    ).rowcount
    if removed:
        connection.execute(
            "INSERT INTO rating_log (annotator, place, action, unsure, at, key)"
            " VALUES (?, ?, 'undo', 0, ?, ?)",
            (annotator, place, at, key),
        )


def find_logged(connection: sqlite3.Connection, annotator: int, key: str) -> tuple[str, Saved] | None:
    """Find the action logged under a key, "rate" or "undo", and its task; the rating of an undo is empty."""
    row = connection.execute(
        "SELECT action, place, value, unsure, at, seconds FROM rating_log WHERE annotator = ? AND key = ?",
        (annotator, key),
    ).fetchone()
    return stored_rows.to_logged(row) if row else None


def current_saved(connection: sqlite3.Connection, annotator: int, place: int) -> tuple[str, Rating] | None:
    """Return the key and the rating that a task has now; None if it has none."""
    found = connection.execute(
        "SELECT value, unsure, at, seconds FROM rating WHERE annotator = ? AND place = ?", (annotator, place)
    ).fetchone()
    if found is None:
        return None
    # Only a rating that is changed needs this walk through the annotator's log.
    row = connection.execute(
        "SELECT key FROM rating_log WHERE annotator = ? AND place = ? ORDER BY number DESC LIMIT 1",
        (annotator, place),
    ).fetchone()
    return stored_rows.to_key(row), stored_rows.to_rating(found)


def latest_answers(connection: sqlite3.Connection, annotator: int, count: int) -> list[float | None]:
    """Return the last `count` current answers of an annotator, in the order in which they were given."""
    # Walk the log backwards, no further than needed: the last entry of a task is its current state.
    walk = "SELECT place, action, value FROM rating_log WHERE annotator = ? ORDER BY number DESC"
    seen: set[int] = set()
    found: list[float | None] = []
    with closing(connection.execute(walk, (annotator,))) as entries:
        while len(found) < count and (entry := entries.fetchone()):
            place, action, value = stored_rows.to_logged_value(entry)
            if place not in seen and action == "rate":
                found.append(value)
            seen.add(place)
    return found[::-1]


def log_number(connection: sqlite3.Connection) -> int:
    """Return the number of the last entry in the log; 0 if there is none."""
    (number,) = connection.execute("SELECT coalesce(max(number), 0) FROM rating_log").fetchone()
    return int(number)
