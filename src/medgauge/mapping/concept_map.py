"""ConceptMap: what concepts of one code system were mapped to, and where the others got stuck."""

from collections import Counter
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from medgauge.errors import InputError, quoted
from medgauge.result import StoredResult


class MappedConcept(BaseModel):
    """A concept: its id, what it was mapped to, the step that decided it, and what was left to choose."""

    model_config = ConfigDict(frozen=True)

    id: str
    targets: tuple[str, ...]
    step: str
    left: tuple[str, ...] = ()


class ConceptMap(StoredResult):
    """Concepts of one code system as those of another, in the order in which they were given, each once.

    `source` and `target` are the titles of the systems, `route` is what mapped them, `files` has the SHA-256
    of each file that was read. A concept without targets is unmapped; its `step` says where it got stuck.
    """

    model_config = ConfigDict(frozen=True)
    _kind: ClassVar[str] = "mapping"

    source: str
    target: str
    route: str
    files: dict[str, str]
    concepts: tuple[MappedConcept, ...]

    def __getitem__(self, id: str) -> MappedConcept:  # noqa: A002 - what it is
        """Return what became of an id."""
        found = next((one for one in self.concepts if one.id == id), None)
        if found is None:
            raise InputError(f"{quoted(id)} is not among the concepts that were mapped")
        return found

    @property
    def mapped(self) -> dict[str, tuple[str, ...]]:
        """The targets of each concept that has any, by its id."""
        return {one.id: one.targets for one in self.concepts if one.targets}

    @property
    def unmapped(self) -> dict[str, str]:
        """The step at which each other concept got stuck, by its id."""
        return {one.id: one.step for one in self.concepts if not one.targets}

    @property
    def steps(self) -> dict[tuple[bool, str], int]:
        """How many concepts each step decided: those that it mapped (True) first, the most frequent first."""
        counts = Counter((bool(one.targets), one.step) for one in self.concepts)
        return dict(sorted(counts.items(), key=lambda item: (not item[0][0], -item[1], item[0][1])))

    def _flaw(self) -> str | None:
        ids = [one.id for one in self.concepts]
        return "it has a concept twice" if len({*ids}) < len(ids) else None
