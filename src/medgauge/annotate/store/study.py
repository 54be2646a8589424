"""What the store of a study takes and gives, as values."""

from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class Study:
    """What a study is: its protocol (the text of a TOML file), and the seed and design of its assignment."""

    name: str
    created: str
    protocol: str
    seed: int
    design: dict[str, Any]
    paused: bool


@dataclass(frozen=True)
class Pair:
    """A pair of terms, the set that it comes from, its label there if any, and what else is known of it."""

    pair_id: str
    term_1: str
    term_2: str
    set_name: str
    label: int | None = None
    further: dict[str, Any] = field(default_factory=dict)


class Assigned(Protocol):
    """A task: a pair that an annotator is to rate."""

    @property
    def place(self) -> int:
        """Where it comes in the annotator's order, from 0."""

    @property
    def page(self) -> int:
        """The page that it is on, from 1."""

    @property
    def pair(self) -> int:
        """Which of the study's pairs it is, from 0."""

    @property
    def role(self) -> str:
        """Why it is there: own, consistency or duplicate."""

    @property
    def flipped(self) -> bool:
        """Whether the second term is shown first."""


@dataclass(frozen=True)
class Annotator:
    """Who may sign in. Times are None until it happened."""

    number: int
    name: str
    coordinator: bool
    revoked_at: str | None
    instructed_at: str | None
    practised_at: str | None


@dataclass(frozen=True)
class Rating:
    """What an annotator answered: a value, or (None) that they are unsure."""

    value: float | None
    unsure: bool
    at: str
    seconds: float


@dataclass(frozen=True)
class Saved:
    """A rating that is on disk, as it was saved under its key."""

    place: int
    rating: Rating


@dataclass(frozen=True)
class Item:
    """A task of an annotator with its pair, and the rating that it has, if any.

    Annotators are to see `left` and `right` alone: the pair's id, set and label and the role would tell.
    """

    place: int
    page: int
    role: str
    flipped: bool
    pair: Pair
    rating: Rating | None

    @property
    def left(self) -> str:
        """The term that is shown first."""
        return self.pair.term_2 if self.flipped else self.pair.term_1

    @property
    def right(self) -> str:
        """The term that is shown second."""
        return self.pair.term_1 if self.flipped else self.pair.term_2


@dataclass(frozen=True)
class Progress:
    """How far an annotator is.

    `page` is the one that they are at, None when all are submitted; `last_at` is when they last rated or took
    a rating back.
    """

    annotator: Annotator
    done: int
    of: int
    page: int | None
    pages: int
    last_at: str | None


@dataclass(frozen=True)
class Rated:
    """A rating with all that an export tells of it; terms are in the order of the pair, not as shown."""

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
    """How long an annotator took to answer a task, whether that answer stands or not."""

    annotator: str
    place: int
    seconds: float
