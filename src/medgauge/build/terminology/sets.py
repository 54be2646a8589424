"""The sets built from a terminology: five families, easy or hard, each with two kinds of negatives."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from medgauge.build.terminology.families import DIFFICULTIES, FAMILIES, REPLACEMENTS
from medgauge.errors import InputError, UnknownNameError

_MADE = (*REPLACEMENTS, "fsn-syn", "syn-syn")


@dataclass(frozen=True)
class Part:
    """A family's easy or hard pairs.

    >>> [part.name for part in Part("syn-syn", "hard").avoids()][-1]
    'syn-syn-easy'
    """

    family: str
    difficulty: str

    @property
    def name(self) -> str:
        """The name of the part, without its kind of negatives."""
        return f"{self.family}-{self.difficulty}"

    def set_name(self, strategy: str) -> str:
        """Return the name of the set with a kind of negatives."""
        return f"{self.name}-{strategy}"

    def avoids(self) -> list["Part"]:
        """Return the parts, all made before this one, whose negatives must not be repeated.

        They are the earlier replacement parts; for fsn-syn-hard also fsn-syn-easy, for syn-syn-easy both
        parts of fsn-syn, and for syn-syn-hard syn-syn-easy.
        """
        earlier = PARTS[: PARTS.index(self)]
        nearer = {
            "fsn-syn-hard": ("fsn-syn-easy",),
            "syn-syn-easy": ("fsn-syn-easy", "fsn-syn-hard"),
            "syn-syn-hard": ("syn-syn-easy",),
        }.get(self.name, ())
        return [part for part in earlier if part.family in REPLACEMENTS or part.name in nearer]


PARTS = tuple(Part(family, difficulty) for family in _MADE for difficulty in DIFFICULTIES)
"""The ten parts, in the order in which their negatives are made."""


def needed_parts(families: Iterable[str]) -> list[Part]:
    """Return the parts of some families and the parts their negatives depend on, in the order of PARTS.

    A set therefore does not depend on which others are built with it.

    >>> [part.name for part in needed_parts(["replaced-by"])][:3]
    ['possibly-equivalent-to-easy', 'possibly-equivalent-to-hard', 'replaced-by-easy']
    """
    needed: set[Part] = set()
    waiting = [part for part in PARTS if part.family in families]
    while waiting:
        part = waiting.pop()
        needed.add(part)
        waiting.extend(one for one in part.avoids() if one not in needed)
    return [part for part in PARTS if part in needed]


def set_names(families: Iterable[str], strategies: Iterable[str]) -> Iterator[tuple[Part, str]]:
    """Yield the parts of some families with each kind of negatives, in the order of table 2."""
    strategies = list(strategies)
    for family in FAMILIES:
        if family in families:
            for difficulty in DIFFICULTIES:
                for strategy in strategies:
                    yield Part(family, difficulty), strategy


def chosen(given: Iterable[str] | None, known: tuple[str, ...], what: str) -> list[str]:
    """Return the requested names, in the order of `known` and once each; None means all.

    >>> chosen(["same-as", "fsn-syn"], FAMILIES, "family")
    ['fsn-syn', 'same-as']
    """
    if given is None:
        return list(known)
    wanted = list(given)
    for name in wanted:
        if name not in known:
            raise UnknownNameError(what, name, known)
    if not wanted:
        raise InputError(f"no {what} was given; choose from: {', '.join(known)}")
    return [name for name in known if name in wanted]
