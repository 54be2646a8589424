"""The values that a study's store takes and returns, and the checks of a new study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from medgauge.errors import InputError


@dataclass(frozen=True)
class Study:
    """A study: its protocol (the text of a TOML file), and the seed and design of its assignment."""

    name: str
    created: str
    protocol: str
    seed: int
    design: dict[str, Any]
    paused: bool


IDS = ("id_1", "id_2", "cui_1", "cui_2")
"""The columns of concepts, which ratings do not repeat."""


@dataclass(frozen=True)
class Pair:
    """A pair of terms, the set it comes from, its label there if any, and any further columns."""

    pair_id: str
    term_1: str
    term_2: str
    set_name: str
    label: int | None = None
    further: dict[str, Any] = field(default_factory=dict)

    @property
    def strata(self) -> dict[str, Any]:
        """The further columns other than ids: those that split the pairs of the set into groups."""
        return {name: value for name, value in self.further.items() if name not in IDS}


class Assigned(Protocol):
    """A task: a pair that an annotator is to rate."""

    @property
    def place(self) -> int:
        """Its position in the annotator's order, from 0."""

    @property
    def page(self) -> int:
        """The page it is on, from 1."""

    @property
    def pair(self) -> int:
        """Which of the study's pairs it is, from 0."""

    @property
    def role(self) -> str:
        """Why it was assigned: own, consistency or duplicate."""

    @property
    def flipped(self) -> bool:
        """Whether the second term is shown first."""


@dataclass(frozen=True)
class Annotator:
    """Someone who may sign in. Times are None until the event has happened."""

    number: int
    name: str
    coordinator: bool
    revoked_at: str | None
    instructed_at: str | None
    practised_at: str | None


@dataclass(frozen=True)
class Rating:
    """An annotator's answer: a value, or None if they are unsure."""

    value: float | None
    unsure: bool
    at: str
    seconds: float


@dataclass(frozen=True)
class Saved:
    """A rating on disk, as it was saved under its key."""

    place: int
    rating: Rating


@dataclass(frozen=True)
class Version:
    """Which of the answers to a task is stored: the key it came with, and its number in the log, which grows.

    A page names the version that it showed by its key, which it knows even before the answer is saved.
    """

    key: str
    number: int


@dataclass(frozen=True)
class Item:
    """A task of an annotator with its pair, and its rating and that rating's version, if any.

    Annotators should see only `left` and `right`: the pair's id, set, label and role would give hints.
    """

    place: int
    page: int
    role: str
    flipped: bool
    pair: Pair
    rating: Rating | None
    version: Version | None

    @property
    def left(self) -> str:
        """The term that is shown first; a single term, which has none beside it, always is."""
        return self.pair.term_2 if self.flipped and self.pair.term_2 else self.pair.term_1

    @property
    def right(self) -> str:
        """The term that is shown second."""
        return self.pair.term_1 if self.flipped and self.pair.term_2 else self.pair.term_2


@dataclass(frozen=True)
class Progress:
    """The progress of an annotator.

    `page` is their current page, None when all are submitted; `last_at` is when they last rated or undid a
    rating.
    """

    annotator: Annotator
    done: int
    of: int
    page: int | None
    pages: int
    last_at: str | None


@dataclass(frozen=True)
class Rated:
    """A rating with everything that an export contains; terms are in the order of the pair, not as shown."""

    annotator: str
    pair_id: str
    term_1: str
    term_2: str
    set_name: str
    label: int | None
    value: float | None
    unsure: bool
    at: str
    place: int
    page: int
    role: str
    flipped: bool
    seconds: float


@dataclass(frozen=True)
class Timed:
    """How long an annotator took to answer a task, whether or not that answer was changed later."""

    annotator: str
    place: int
    seconds: float


def check_new_study(
    study: Study, pairs: Sequence[Pair], tasks: Mapping[str, Sequence[Assigned]], *, coordinator: str
) -> None:
    """Refuse a study that could not be rated, before any of it is written."""
    if not study.name.strip():
        raise InputError("a study needs a name")
    if not pairs or not tasks:
        raise InputError("a study needs pairs and annotators to rate them")
    if not all(name.strip() for name in (*tasks, coordinator)) or coordinator in tasks:
        raise InputError("each annotator and the coordinator need a unique name")
    for name, assigned in tasks.items():
        _check_tasks(name, assigned, len(pairs))
    if len({pair.pair_id for pair in pairs}) < len(pairs):
        raise InputError("two pairs of the study have the same pair_id; give each pair its own")


def _check_tasks(name: str, assigned: Sequence[Assigned], pairs: int) -> None:
    """Refuse tasks that cannot be rated in order, page by page."""
    places = [task.place for task in assigned]
    pages = [task.page for task in assigned]
    if not assigned or places != list(range(len(places))):
        raise InputError(f"the tasks of annotator '{name}' need the places 0, 1, 2, … in this order")
    if pages != sorted(pages) or set(pages) != set(range(1, max(pages) + 1)):
        raise InputError(f"the tasks of annotator '{name}' need the pages 1, 2, … in this order")
    if not all(0 <= task.pair < pairs for task in assigned):
        raise InputError(f"a task of annotator '{name}' has a pair that is not one of the study's {pairs}")
    if not {task.role for task in assigned} <= {"own", "consistency", "duplicate"}:
        raise InputError(f"a task of annotator '{name}' has an unknown role")
