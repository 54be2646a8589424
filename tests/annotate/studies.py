"""Small studies, made up here."""

import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from medgauge.annotate.store.store import DATABASE, Store
from medgauge.annotate.store.study import Item, Pair, Rated

PYTHON = (sys.executable, "-c")
"""Runs code beside this process, in the `environment` where it finds medgauge and the tests."""


def environment() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "src")])}


@dataclass(frozen=True)
class Task:
    place: int
    page: int
    pair: int
    role: str = "own"
    flipped: bool = False


class Ticking:
    """A clock that is a second later each time."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


PAIRS = [
    Pair("1", "Ménière's disease", "MENIERE'S DISEASE", "synonyms", 1, {"id_1": "13445001"}),
    Pair("2", "non-small-cell carcinoma", "<img src=x onerror=alert(1)>", "synonyms", 0),
    Pair("ehr/3", "renal failure", "kidney failure", "ehr"),
    Pair("ehr/4", "flu", "influenza", "ehr", None, {"stratum": "näh", "n": 3}),
    Pair("ehr/5", "heart attack", "angina", "ehr"),
]

ANN, BEA, COORDINATOR = 1, 2, 3
TASKS = {
    "Ann": [
        Task(0, 1, 4, "consistency", True),
        Task(1, 1, 0),
        Task(2, 1, 2, flipped=True),
        Task(3, 2, 1),
        Task(4, 2, 0, "duplicate", True),
    ],
    "Béa-Łucja": [Task(0, 1, 3), Task(1, 1, 4, "consistency")],
}


def graded(value: float | None) -> bool:
    """Accept 0, 1, 2, 3 and unsure."""
    return value in (None, 0, 1, 2, 3)


def make(folder: Path, **changed: Any) -> Store:
    """Make a study of five pairs, for Ann (two pages) and Béa (one)."""
    given: dict[str, Any] = {
        "name": "Étude",
        "protocol": 'name = "graded"\n',
        "seed": 7,
        "design": {"kind": "groups", "groups": 2},
        "pairs": PAIRS,
        "tasks": TASKS,
        "clock": Ticking(),
    }
    return Store.create(folder, **{**given, **changed})


def rate(store: Store, annotator: int, place: int, value: float | None = 2.0, key: str = "") -> str:
    """Rate by a key that is new unless one is given, and give the key back."""
    key = key or f"{annotator}-{place}-{len(log(store))}"
    store.rate(
        annotator,
        place,
        value=value,
        unsure=value is None,
        seconds=1.5,
        key=key,
        seen=seen(store, annotator, place),
        accepts=graded,
    )
    return key


def undo(store: Store, annotator: int, place: int, *, key: str) -> None:
    """Take back what stands at a place."""
    store.undo(annotator, place, key=key, seen=seen(store, annotator, place))


def seen(store: Store, annotator: int, place: int) -> str | None:
    """Give the key of the answer that a page would show if it were loaded now."""
    last = (
        "SELECT key FROM rating_log JOIN rating USING (annotator, place) WHERE annotator = ? AND place = ?"
        " ORDER BY number DESC LIMIT 1"
    )
    with store._database.reading() as connection:
        row = connection.execute(last, (annotator, place)).fetchone()
    return row[0] if row else None


def next_item(store: Store, annotator: int) -> Item | None:
    """Find the first task of the current page without a rating, as the page of an annotator does."""
    page = store.current_page(annotator)
    items = [] if page is None else store.page_of(annotator, page)
    return next((item for item in items if item.rating is None), None)


def standing(store: Store) -> dict[tuple[str, int], float | None]:
    """Give the values that stand, by annotator and place."""
    return {(rated.annotator, rated.place): rated.value for rated in store.ratings()}


def log(store: Store) -> list[tuple[Any, ...]]:
    """Read the log beside the store, as another process would."""
    with beside(store._database.path) as connection:
        return connection.execute(
            "SELECT annotator, place, action, value, unsure, key FROM rating_log ORDER BY number"
        ).fetchall()


@contextmanager
def beside(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a study's database by hand."""
    with closing(sqlite3.connect(path / DATABASE if path.is_dir() else path, isolation_level=None)) as found:
        yield found


def rating(annotator: str, pair: int, value: float | None, role: str = "own", at: int = 0) -> Rated:
    """Make a rating as the store lists it."""
    return Rated(
        annotator=annotator,
        pair_id=f"p{pair}",
        term_1=f"secret-{pair}",
        term_2="Ménière's disease",
        set_name="xy"[pair % 2],
        label=pair % 2,
        value=value,
        unsure=value is None,
        at=f"2026-03-01T19:30:{at:02d}.000+00:00",
        place=pair,
        page=1,
        role=role,
        flipped=False,
        seconds=2.0,
    )


def of_two(values: Sequence[tuple[float | None, float | None]]) -> list[Rated]:
    """Make ratings by Ann and Béa of as many pairs."""
    return [
        rating(annotator, pair, value)
        for annotator, own in zip(("Ann", "Béa"), zip(*values, strict=True), strict=True)
        for pair, value in enumerate(own)
    ]
