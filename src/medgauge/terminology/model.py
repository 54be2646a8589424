"""A concept of a terminology."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Concept:
    """An active concept: its id, its name and its exact synonyms."""

    id: str
    name: str
    synonyms: tuple[str, ...]
