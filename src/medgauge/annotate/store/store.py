"""The store of a study: who may rate what, what they rated, and the rules that hold whatever a page sends.

Each method is one transaction. What it answered is on disk; what it refused or could not write has left
nothing behind. Several threads may use one store.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from medgauge.annotate.oversight.patterns import AnswerValue
from medgauge.annotate.store.database import Database
from medgauge.annotate.store.links import digest_of, is_token, new_token
from medgauge.annotate.store.new_database import create_database
from medgauge.annotate.store.queries import (
    ANNOTATOR,
    ITEMS,
    PAIRS,
    PROGRESS,
    RATINGS,
    STUDY,
    TASKS_PER_PAIR,
    TIMED,
    to_annotator,
    to_item,
    to_pair,
    to_progress,
    to_rated,
    to_study,
)
from medgauge.annotate.store.rating_log import (
    find_logged,
    latest_answers,
    log_number,
    places_in_turn,
    take_back,
    unrated,
    write_rating,
)
from medgauge.annotate.store.refusals import UnratedError
from medgauge.annotate.store.rules import (
    check_key,
    current_page,
    require_active,
    require_annotator,
    require_current,
    require_page,
    require_running,
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
)
from medgauge.errors import InputError
from medgauge.files import lock_folder, require_file

DATABASE = "study.sqlite"
"""The name of the database in a study's folder."""

Clock = Callable[[], datetime]


@contextmanager
def serving(folder: str | Path) -> Iterator[None]:
    """Be the only process that serves a study, until the block or the process ends."""
    database = require_file(Path(folder) / DATABASE)
    with lock_folder(database.parent) as is_mine:
        if not is_mine:
            raise InputError(f"another process serves the study in {folder}; stop it first")
        yield


def _utc() -> datetime:
    return datetime.now(UTC)


def _written(clock: Clock) -> str:
    return clock().astimezone(UTC).isoformat(timespec="milliseconds")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number past all floats
        return False


class Store:
    """The database of a study in its folder.

    Make one with `create` or `open`, and close it, or use it in a `with` block. Annotators are told by their
    number. A key is made by the page for each answer, and sent again with it when no reply came: what has
    that key is stored once, and answered as it was the first time.
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

        `tasks` has what each annotator is to rate, by name. Nobody can sign in before `new_link`.
        """
        study = Study(name, _written(clock), protocol, seed, dict(design), paused=False)
        create_database(Path(folder) / DATABASE, study, pairs, tasks, coordinator=coordinator)
        return cls.open(folder, clock=clock)

    @classmethod
    def open(cls, folder: str | Path, *, read_only: bool = False, clock: Clock = _utc) -> Self:
        """Open the store of a study; one that an older medgauge made is brought up to date.

        What is opened to be `read_only` may be served by another process meanwhile, and is not changed.
        """
        return cls(Database(Path(folder) / DATABASE, read_only=read_only), clock)

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
        """Tell what the study is."""
        with self._database.reading() as connection:
            return to_study(connection.execute(STUDY).fetchone())

    def pairs(self) -> list[Pair]:
        """List the pairs, in the order in which tasks count them."""
        with self._database.reading() as connection:
            return [to_pair(row) for row in connection.execute(PAIRS)]

    def tasks_per_pair(self) -> dict[str, int]:
        """Tell how many ratings each pair is to have, second ones among them, by its id; never changes."""
        with self._database.reading() as connection:
            return dict(connection.execute(TASKS_PER_PAIR))

    def annotators(self) -> list[Annotator]:
        """List the annotators, and the coordinator last."""
        with self._database.reading() as connection:
            rows = connection.execute(f"SELECT {ANNOTATOR} FROM annotator ORDER BY number")
            return [to_annotator(row) for row in rows]

    def pause(self) -> None:
        """Refuse all ratings until `resume`."""
        self._set_paused(True)

    def resume(self) -> None:
        """Accept ratings again."""
        self._set_paused(False)

    def _set_paused(self, paused: bool) -> None:
        with self._database.writing() as connection:
            connection.execute("UPDATE study SET paused = ?", (paused,))

    def annotator_by_link(self, token: str) -> Annotator | None:
        """Find whose link has this token; None if nobody's has, or it was revoked."""
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT link_hash, {ANNOTATOR} FROM annotator WHERE link_hash = ? AND revoked_at IS NULL",
                (digest_of(token),),
            ).fetchone()
        return to_annotator(row[1:]) if row and is_token(token, row[0]) else None

    def new_link(self, annotator: int) -> str:
        """Give an annotator a new token and forget the old one; who was revoked may sign in again.

        The token is told this once, as only its digest is stored.
        """
        token = new_token()
        with self._database.writing() as connection:
            require_annotator(connection, annotator)
            connection.execute(
                "UPDATE annotator SET link_hash = ?, revoked_at = NULL WHERE number = ?",
                (digest_of(token), annotator),
            )
        return token

    def revoke(self, annotator: int) -> None:
        """Let an annotator neither sign in nor rate any more; what they rated stays."""
        with self._database.writing() as connection:
            require_annotator(connection, annotator)
            connection.execute(
                "UPDATE annotator SET link_hash = NULL, revoked_at = coalesce(revoked_at, ?)"
                " WHERE number = ?",
                (self._now(), annotator),
            )

    def mark_instructed(self, annotator: int) -> None:
        """Note that an annotator has read the instructions; the first time stands."""
        self._mark(annotator, "instructed_at")

    def mark_practised(self, annotator: int) -> None:
        """Note that an annotator has rated the practice pairs; the first time stands."""
        self._mark(annotator, "practised_at")

    def _mark(self, annotator: int, column: Literal["instructed_at", "practised_at"]) -> None:
        with self._database.writing() as connection:
            require_active(connection, annotator)
            connection.execute(
                f"UPDATE annotator SET {column} = coalesce({column}, ?) WHERE number = ?",
                (self._now(), annotator),
            )

    def current_page(self, annotator: int) -> int | None:
        """Tell the page that an annotator is at, the first that is not submitted; None after the last."""
        with self._database.reading() as connection:
            require_annotator(connection, annotator)
            return current_page(connection, annotator)

    def next_task(self, annotator: int) -> Item | None:
        """Give the first pair of the current page without a rating.

        None if the page is only to be submitted, or all pages are.
        """
        with self._database.reading() as connection:
            require_annotator(connection, annotator)
            row = connection.execute(
                f"{ITEMS} AND rating.at IS NULL ORDER BY task.place LIMIT 1",
                (annotator, current_page(connection, annotator)),
            ).fetchone()
        return to_item(row) if row else None

    def page_of(self, annotator: int, page: int) -> list[Item]:
        """List what an annotator has on a page, in its order, with the ratings so far."""
        with self._database.reading() as connection:
            require_page(connection, annotator, page)
            rows = connection.execute(f"{ITEMS} ORDER BY task.place", (annotator, page))
            return [to_item(row) for row in rows]

    def rate(
        self,
        annotator: int,
        place: int,
        *,
        value: float | None = None,
        unsure: bool = False,
        seconds: float,
        key: str,
        accepts: Callable[[float | None], bool],
    ) -> Saved:
        """Store an annotator's answer to the task at a place, in the stead of an earlier one.

        The answer is either a value or that they are unsure; `accepts` says whether the protocol has that
        answer, None being unsure. Refused are ratings of a page that is submitted or not yet reached, in a
        paused study, and by who is revoked.
        """
        if unsure == (value is not None):
            raise InputError("a rating is either a value or unsure")
        if value is not None and not _is_finite(value):
            raise InputError("the rating is no number")
        if not accepts(value):
            raise InputError("the protocol of the study has no such answer")
        if not (_is_finite(seconds) and seconds >= 0):
            raise InputError("the time on a pair must be a number of seconds, 0 or more")
        check_key(key)
        given = None if value is None else float(value)
        saved = Saved(place, Rating(given, unsure, self._now(), float(seconds)))
        with self._database.writing() as connection:
            require_active(connection, annotator)
            if earlier := find_logged(connection, annotator, key, "rate"):
                if (earlier.place, earlier.rating.value) != (place, given):
                    raise InputError("the key was used before, for another rating; make a new one")
                return earlier
            require_running(connection)
            require_current(connection, annotator, place)
            write_rating(connection, annotator, saved, key)
        return saved

    def undo(self, annotator: int, place: int, *, key: str) -> None:
        """Take back an annotator's answer to the task at a place, if there is one.

        The task is then without a rating, also if the answer had changed an earlier one. Refused is what
        `rate` refuses.
        """
        check_key(key)
        with self._database.writing() as connection:
            require_active(connection, annotator)
            if earlier := find_logged(connection, annotator, key, "undo"):
                if earlier.place != place:
                    raise InputError("the key was used before, for another rating; make a new one")
                return
            require_running(connection)
            require_current(connection, annotator, place)
            take_back(connection, annotator, place, self._now(), key)

    def submit_page(self, annotator: int, page: int) -> str:
        """Close a page whose pairs are all rated, and tell when; one that is closed stays as it was."""
        with self._database.writing() as connection:
            require_active(connection, annotator)
            submitted_at = require_page(connection, annotator, page)
            if submitted_at:
                return submitted_at
            require_running(connection)
            left = unrated(connection, annotator, page)
            if left:
                raise UnratedError(f"page {page} has {left} pairs without a rating; rate them first")
            now = self._now()
            connection.execute(
                "UPDATE page SET submitted_at = ? WHERE annotator = ? AND page = ?", (now, annotator, page)
            )
            return now

    def latest_answers(self, annotator: int, count: int) -> list[AnswerValue]:
        """List the last `count` answers of an annotator that stand, the one given last at the end.

        A pair that was rated again counts once, at its last rating; None is unsure.
        """
        with self._database.reading() as connection:
            require_annotator(connection, annotator)
            return latest_answers(connection, annotator, count)

    def places_in_turn(self, annotator: int) -> list[int]:
        """List the places that an annotator rated or took back, in the order in which they last did.

        That is the order of the log: a clock can be put back, and gives ratings one time that come at once.
        """
        with self._database.reading() as connection:
            require_annotator(connection, annotator)
            return places_in_turn(connection, annotator)

    def log_number(self) -> int:
        """Tell the number of the last change to a rating, by which a later one shows; 0 before the first."""
        with self._database.reading() as connection:
            return log_number(connection)

    def progress(self) -> list[Progress]:
        """Tell how far each annotator is."""
        with self._database.reading() as connection:
            return [to_progress(row) for row in connection.execute(f"{PROGRESS} ORDER BY number")]

    def progress_of(self, annotator: int) -> Progress:
        """Tell how far one annotator is."""
        with self._database.reading() as connection:
            row = connection.execute(f"{PROGRESS} AND number = ?", (annotator,)).fetchone()
        if row is None:
            raise InputError(f"the study has no annotator {annotator} with tasks")
        return to_progress(row)

    def ratings(self) -> list[Rated]:
        """List all ratings that stand, by annotator and in the order of their tasks."""
        with self._database.reading() as connection:
            rows = connection.execute(RATINGS).fetchall()
        return [to_rated(row) for row in rows]  # others may rate meanwhile

    def timed(self) -> list[Timed]:
        """List how long each answer took, also of those that were changed or taken back.

        They are by annotator, and in the order in which they were given.
        """
        with self._database.reading() as connection:
            rows = connection.execute(TIMED).fetchall()
        return [Timed(*row) for row in rows]
