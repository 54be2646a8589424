"""The store of a study: who may rate what, what they rated, and the rules that hold whatever a page sends.

Each method is one transaction. When it returns, its changes are on disk; if it refuses or fails, it leaves
nothing behind. Several threads may use one store.
"""

import math
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from medgauge.annotate.store import queries, stored_rows
from medgauge.annotate.store.database import Database, clear_errors, create_database
from medgauge.annotate.store.links import digest_of, is_token, new_token
from medgauge.annotate.store.refusals import (
    NotReachedError,
    PausedError,
    RevokedError,
    StaleError,
    SubmittedError,
    UnratedError,
)
from medgauge.annotate.store.study import (
    Annotator,
    Assigned,
    Item,
    Pair,
    Progress,
    Rated,
    Rating,
    Saved,
    Study,
    Timed,
    check_new_study,
)
from medgauge.errors import FileError, InputError
from medgauge.files.opening import require_file
from medgauge.files.writing import lock_folder

DATABASE = "study.sqlite"
"""The name of the database in a study's folder."""

Clock = Callable[[], datetime]
Accepts = Callable[[float | None], bool]
"""Whether a protocol has an answer; None is unsure."""

_LONGEST_KEY = 64


def _database_in(folder: str | Path) -> Path:
    """Return the database of a study; refuse a folder that is not one, or is not there."""
    database = Path(folder) / DATABASE
    if not database.exists():
        raise FileError(folder, "there is no such study; make one with 'medgauge annotate init'")
    return require_file(database)


@contextmanager
def serving(folder: str | Path) -> Iterator[None]:
    """Be the only process that serves a study, until the block or the process ends."""
    database = _database_in(folder)
    with lock_folder(database.parent) as is_mine:
        if not is_mine:
            raise InputError(f"another process is serving the study in {folder}; stop it first")
        yield


def _utc() -> datetime:
    return datetime.now(UTC)


def _written(clock: Clock) -> str:
    return clock().astimezone(UTC).isoformat(timespec="milliseconds")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number larger than any float
        return False


class Store:
    """The database of a study in its folder.

    Make one with `create` or `open`, and close it, or use it in a `with` block. Annotators are identified by
    their number. The page makes a key for each answer, and sends it again with the answer if no reply came:
    an answer with a known key is not stored twice, and gets the same reply as the first time.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @classmethod
    def create(
        cls,
        folder: str | Path,
        *,
        name: str,
        protocol: str,
        seed: int,
        design: Mapping[str, Any],
        pairs: Sequence[Pair],
        tasks: Mapping[str, Sequence[Assigned]],
        coordinator: str = "coordinator",
        clock: Clock = _utc,
    ) -> Self:
        """Make the store of a new study, whole or not at all, and open it.

        `tasks` has what each annotator should rate, by name. Nobody can sign in before `new_link`.
        """
        study = Study(name, _written(clock), protocol, seed, dict(design), paused=False)
        check_new_study(study, pairs, tasks, coordinator=coordinator)
        create_database(
            Path(folder) / DATABASE,
            lambda connection: queries.insert_study(connection, study, pairs, tasks, coordinator),
        )
        return cls.open(folder, clock=clock)

    @classmethod
    def open(cls, folder: str | Path, *, read_only: bool = False, clock: Clock = _utc) -> Self:
        """Open the store of a study; one made by an older medgauge is brought up to date.

        With `read_only`, another process may be serving the study, and it is not changed.
        """
        return cls(Database(_database_in(folder), read_only=read_only), clock)

    def close(self) -> None:
        """Close the store."""
        self._database.close()

    def _now(self) -> str:
        return _written(self._clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def study(self) -> Study:
        """Return the study's name, protocol and design."""
        with self._database.reading() as connection:
            return queries.read_study(connection)

    def pairs(self) -> list[Pair]:
        """List the pairs, in the order in which tasks number them."""
        with self._database.reading() as connection:
            return queries.read_pairs(connection)

    def tasks_per_pair(self) -> dict[str, int]:
        """Count the ratings assigned to each pair, second ones included, by its id; they never change."""
        with self._database.reading() as connection:
            return queries.count_tasks(connection)

    def annotators(self) -> list[Annotator]:
        """List the annotators, and the coordinator last."""
        with self._database.reading() as connection:
            return queries.read_annotators(connection)

    def pause(self) -> None:
        """Refuse all ratings until `resume`."""
        with self._database.writing() as connection:
            queries.set_paused(connection, True)

    def resume(self) -> None:
        """Accept ratings again."""
        with self._database.writing() as connection:
            queries.set_paused(connection, False)

    def annotator_by_link(self, token: str) -> Annotator | None:
        """Return whose link has this token; None if it is nobody's, or was revoked."""
        with self._database.reading() as connection:
            found = queries.find_link(connection, digest_of(token))
        return found[1] if found and is_token(token, found[0]) else None

    def new_link(self, annotator: int) -> str:
        """Return a new token for an annotator and drop the old one; a revoked annotator may sign in again.

        The token is returned only once, as only its digest is stored.
        """
        token = new_token()
        with self._database.writing() as connection:
            _require_annotator(connection, annotator)
            queries.set_link(connection, annotator, digest_of(token))
        return token

    def revoke(self, annotator: int) -> None:
        """Stop an annotator from signing in and rating; their ratings are kept."""
        with self._database.writing() as connection:
            _require_annotator(connection, annotator)
            queries.revoke(connection, annotator, self._now())

    def mark_instructed(self, annotator: int) -> None:
        """Note that an annotator has read the instructions; the first time is kept."""
        with self._database.writing() as connection:
            _require_active(connection, annotator)
            queries.mark(connection, annotator, "instructed_at", self._now())

    def mark_practised(self, annotator: int) -> None:
        """Note that an annotator has rated the practice pairs; the first time is kept."""
        with self._database.writing() as connection:
            _require_active(connection, annotator)
            queries.mark(connection, annotator, "practised_at", self._now())

    def current_page(self, annotator: int) -> int | None:
        """Return an annotator's current page, the first that is not submitted; None after the last."""
        with self._database.reading() as connection:
            _require_annotator(connection, annotator)
            return queries.current_page(connection, annotator)

    def page_of(self, annotator: int, page: int) -> list[Item]:
        """List an annotator's tasks on a page, in order, with the ratings so far."""
        with self._database.reading() as connection:
            _require_page(connection, annotator, page)
            return queries.read_items(connection, annotator, page)

    def rate(
        self,
        annotator: int,
        place: int,
        *,
        value: float | None = None,
        unsure: bool = False,
        seconds: float,
        key: str,
        seen: str | None = None,
        accepts: Accepts,
    ) -> Saved:
        """Store an annotator's answer to the task at a place, replacing the one that they saw.

        `seen` is the key of the answer that the page showed, None if it showed none: another one, given in
        another tab or on another device, is not replaced. The answer is either a value or unsure; `accepts`
        returns whether the protocol has that answer (None: unsure). Ratings are refused on a page that is
        submitted or not yet reached, in a paused study, and from a revoked annotator.
        """
        if unsure == (value is not None):
            raise InputError("a rating is either a value or unsure")
        if value is not None and not _is_finite(value):
            raise InputError("the rating is not a number")
        if not accepts(value):
            raise InputError("the protocol of the study has no such answer")
        if not (_is_finite(seconds) and seconds >= 0):
            raise InputError("the time on a pair must be a number of seconds, 0 or more")
        _check_key(key)
        given = None if value is None else float(value)
        saved = Saved(place, Rating(given, unsure, self._now(), float(seconds)))
        with self._database.writing() as connection:
            _require_active(connection, annotator)
            if earlier := _find_done(connection, annotator, key, "rate"):
                if (earlier.place, earlier.rating.value) != (place, given):
                    raise InputError("the key was used before, for another rating; make a new one")
                return earlier
            _require_running(connection)
            _require_current(connection, annotator, place)
            _require_seen(connection, annotator, place, seen)
            queries.write_rating(connection, annotator, saved, key)
        return saved

    def undo(self, annotator: int, place: int, *, key: str, seen: str | None) -> None:
        """Take back the answer that an annotator saw to the task at a place, if there is one.

        The task then has no rating, even if the answer had replaced an earlier one. It is refused in the same
        cases as `rate`.
        """
        _check_key(key)
        with self._database.writing() as connection:
            _require_active(connection, annotator)
            if earlier := _find_done(connection, annotator, key, "undo"):
                if earlier.place != place:
                    raise InputError("the key was used before, for another rating; make a new one")
                return
            _require_running(connection)
            _require_current(connection, annotator, place)
            _require_seen(connection, annotator, place, seen)
            queries.delete_rating(connection, annotator, place, self._now(), key)

    def submit_page(self, annotator: int, page: int) -> str:
        """Close a page whose pairs are all rated and return when; a page already closed is left as it is."""
        with self._database.writing() as connection:
            _require_active(connection, annotator)
            submitted_at = _require_page(connection, annotator, page)
            if submitted_at:
                return submitted_at
            _require_running(connection)
            left = queries.count_unrated(connection, annotator, page)
            if left:
                raise UnratedError(f"page {page} has {left} pairs without a rating; rate them first")
            now = self._now()
            queries.submit_page(connection, annotator, page, now)
            return now

    def latest_answers(self, annotator: int, count: int) -> list[float | None]:
        """List the last `count` current answers of an annotator, the latest last.

        A pair that was rated again counts once, at its last rating; None is unsure.
        """
        with self._database.reading() as connection:
            _require_annotator(connection, annotator)
            return queries.latest_answers(connection, annotator, count)

    def log_number(self) -> int:
        """Return the number of the last change to a rating, which grows with each; 0 before the first."""
        with self._database.reading() as connection:
            return queries.log_number(connection)

    def progress(self) -> list[Progress]:
        """List the progress of each annotator."""
        with self._database.reading() as connection:
            return queries.read_progress(connection)

    def progress_of(self, annotator: int) -> Progress:
        """Return the progress of one annotator."""
        with self._database.reading() as connection:
            found = queries.find_progress(connection, annotator)
        if found is None:
            raise InputError(f"the study has no annotator {annotator} with tasks")
        return found

    def ratings(self, accepts: Accepts | None = None) -> list[Rated]:
        """List all current ratings, by annotator and in the order of their tasks.

        With `accepts`, a rating that the protocol does not have is reported as damage to the file.
        """
        with self._database.reading() as connection:
            found = queries.read_ratings(connection)
        with clear_errors(self._database.path):  # outside the lock: others may rate meanwhile
            ratings = [stored_rows.to_rated(row) for row in found]
            if accepts is not None and not all(accepts(value) for value in {one.value for one in ratings}):
                raise stored_rows.DamagedRowError
        return ratings

    def timed(self) -> list[Timed]:
        """List how long each answer took, including those that were changed or undone later.

        They are sorted by annotator, and then in the order in which they were given.
        """
        with self._database.reading() as connection:
            found = queries.read_timed(connection)
        with clear_errors(self._database.path):
            return [stored_rows.to_timed(row) for row in found]


def _check_key(key: str) -> None:
    """Refuse a key that no page makes."""
    if not (key.isascii() and key.isprintable() and 1 <= len(key) <= _LONGEST_KEY):
        raise InputError(f"a key is 1 to {_LONGEST_KEY} printable ASCII characters")


def _find_done(
    connection: sqlite3.Connection, annotator: int, key: str, action: Literal["rate", "undo"]
) -> Saved | None:
    """Find what was done under a key, None if nothing; refuse a key of the other action."""
    found = queries.find_logged(connection, annotator, key)
    if found and found[0] != action:
        raise InputError("the key was used before, for something else; make a new one")
    return found[1] if found else None


def _require_annotator(connection: sqlite3.Connection, annotator: int) -> Annotator:
    """Return an annotator; refuse a number that is nobody's."""
    found = queries.find_annotator(connection, annotator)
    if found is None:
        raise InputError(f"the study has no annotator {annotator}")
    return found


def _require_active(connection: sqlite3.Connection, annotator: int) -> None:
    """Refuse an annotator who is not in the study or was revoked."""
    if _require_annotator(connection, annotator).revoked_at:
        raise RevokedError("your link was revoked; ask the coordinator for a new one")


def _require_running(connection: sqlite3.Connection) -> None:
    """Refuse a change while the study is paused."""
    if queries.is_paused(connection):
        raise PausedError("the study is paused; try again when the coordinator has resumed it")


def _require_page(connection: sqlite3.Connection, annotator: int, page: int) -> str | None:
    """Return when a page was submitted, None if it was not; refuse a page that is not the annotator's."""
    found = queries.find_page(connection, annotator, page)
    if found is None:
        raise InputError(f"annotator {annotator} has no page {page}")
    return found[0]


def _require_current(connection: sqlite3.Connection, annotator: int, place: int) -> None:
    """Refuse a place that is not on the annotator's current page."""
    page = queries.page_of_task(connection, annotator, place)
    if page is None:
        raise InputError(f"annotator {annotator} has no task at place {place}")
    if _require_page(connection, annotator, page):
        raise SubmittedError(f"page {page} is submitted, and its ratings can no longer be changed")
    current = queries.current_page(connection, annotator)
    if page != current:
        raise NotReachedError(f"page {page} comes later; submit page {current} first")


def _require_seen(connection: sqlite3.Connection, annotator: int, place: int, seen: str | None) -> None:
    """Refuse a change by a page that showed another answer than the stored one."""
    now = queries.current_saved(connection, annotator, place)
    if (now and now[0]) != seen:
        raise StaleError(now and now[1])
