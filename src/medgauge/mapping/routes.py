"""What maps codes: the interface of all ways to map them, and the one by pairs of codes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Names = Mapping[str, Collection[str]]
"""What the source of the codes calls some of them; the way from CUIs to codes looks these names up."""


@dataclass(frozen=True)
class MappedCode:
    """What a code was mapped to, if it was; the step that decided it; and what was left to choose from."""

    targets: tuple[str, ...]
    step: str
    left: tuple[str, ...] = ()


class Route(Protocol):
    """A way to map the codes of one system to those of another."""

    @property
    def title(self) -> str:
        """What it is, for people: a release, a file, a service."""

    @property
    def files(self) -> Mapping[str, str]:
        """The SHA-256 of each file that was read, by its name; complete after `map`."""

    def map(self, codes: Sequence[str], names: Names) -> dict[str, MappedCode]:
        """Map codes, all distinct."""


@dataclass(frozen=True)
class PairsRoute:
    """Maps by pairs of codes, unambiguous mappings only."""

    title: str
    files: Mapping[str, str]
    pairs: Collection[tuple[str, str]]

    def map(self, codes: Sequence[str], names: Names) -> dict[str, MappedCode]:  # noqa: ARG002 - as Route
        """Map codes to the one that each is paired with.

        >>> route = PairsRoute("mine", {}, [("a", "1"), ("b", "1"), ("b", "2"), ("a", "1")])
        >>> [one.targets or one.step for one in route.map(["a", "b", "c"], {}).values()]
        [('1',), 'several matches', 'no match']
        """
        found = _targets(self.pairs)
        mapped = {}
        for code in codes:
            targets = tuple(sorted(found.get(code, ())))
            if len(targets) == 1:
                mapped[code] = MappedCode(targets, "one match")
            elif targets:
                mapped[code] = MappedCode((), "several matches", targets)
            else:
                mapped[code] = MappedCode((), "no match")
        return mapped


def _targets(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for code, target in pairs:
        found[code].add(target)
    return found
