"""The rules of a study: who may change what, asked of the database within the transaction of the change."""

import sqlite3

from medgauge.annotate.store.refusals import NotReachedError, PausedError, RevokedError, SubmittedError
from medgauge.errors import InputError

_LONGEST_KEY = 64


def check_key(key: str) -> None:
    """Refuse a key that no page makes.

    >>> check_key("6f1c2f0e-5f2b-4c55-9b0e-0d6a2f3b7c11")
    """
    if not (key.isascii() and key.isprintable() and 1 <= len(key) <= _LONGEST_KEY):
        raise InputError(f"a key is 1 to {_LONGEST_KEY} printable ASCII characters")


def require_annotator(connection: sqlite3.Connection, annotator: int) -> None:
    """Refuse a number that is nobody's."""
    if not connection.execute("SELECT 1 FROM annotator WHERE number = ?", (annotator,)).fetchone():
        raise InputError(f"the study has no annotator {annotator}")


def require_active(connection: sqlite3.Connection, annotator: int) -> None:
    """Refuse who is not in the study, or is revoked."""
    require_annotator(connection, annotator)
    (revoked_at,) = connection.execute(
        "SELECT revoked_at FROM annotator WHERE number = ?", (annotator,)
    ).fetchone()
    if revoked_at:
        raise RevokedError("your link was revoked; ask the coordinator for a new one")


def require_running(connection: sqlite3.Connection) -> None:
    """Refuse a change while the study is paused."""
    (paused,) = connection.execute("SELECT paused FROM study").fetchone()
    if paused:
        raise PausedError("the study is paused; try again when the coordinator has resumed it")


def require_page(connection: sqlite3.Connection, annotator: int, page: int) -> str | None:
    """Tell when a page was submitted, None if it was not; refuse a page that the annotator does not have."""
    row = connection.execute(
        "SELECT submitted_at FROM page WHERE annotator = ? AND page = ?", (annotator, page)
    ).fetchone()
    if row is None:
        raise InputError(f"annotator {annotator} has no page {page}")
    submitted_at: str | None = row[0]
    return submitted_at


def require_current(connection: sqlite3.Connection, annotator: int, place: int) -> None:
    """Refuse a place that is not on the annotator's current page."""
    row = connection.execute(
        "SELECT page FROM task WHERE annotator = ? AND place = ?", (annotator, place)
    ).fetchone()
    if row is None:
        raise InputError(f"annotator {annotator} has no task at place {place}")
    (page,) = row
    if require_page(connection, annotator, page):
        raise SubmittedError(f"page {page} is submitted, and its ratings can no longer be changed")
    current = current_page(connection, annotator)
    if page != current:
        raise NotReachedError(f"page {page} comes later; submit page {current} first")


def current_page(connection: sqlite3.Connection, annotator: int) -> int | None:
    """Find the first page that is not submitted; None if there is none."""
    page: int | None
    (page,) = connection.execute(
        "SELECT min(page) FROM page WHERE annotator = ? AND submitted_at IS NULL", (annotator,)
    ).fetchone()
    return page
