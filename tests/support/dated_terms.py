"""Small ontologies and releases whose concepts appear on known dates, and models that know some of them."""

from collections.abc import Collection
from pathlib import Path

import numpy as np

from tests.rf2 import Release

OLD, NEW = "20100131", "20200131"


def written(date: str) -> str:
    """Return a date of eight digits as in OBO."""
    return f"{date[:4]}-{date[4:6]}-{date[6:]}"


def name_of(number: int) -> str:
    return f"zaq{number} wort{number}"


def synonym_of(number: int) -> str:
    return f"plin{number} gorm{number}"


def date_of(number: int) -> str:
    """Every second concept is new."""
    return NEW if number % 2 else OLD


def write_ontology(path: Path, count: int, *, undated: Collection[int] = ()) -> Path:
    """Write an ontology of concepts with a name and a synonym each."""
    lines = ["format-version: 1.2", "ontology: dated", ""]
    for number in range(count):
        lines += ["[Term]", f"id: D:{number}", f"name: {name_of(number)}"]
        lines.append(f'synonym: "{synonym_of(number)}" EXACT []')
        if number not in undated:
            lines.append(f"creation_date: {written(date_of(number))}T00:00:00Z")
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")
    return path


def dated_release(count: int) -> Release:
    """Make the same as a release, in which the old concepts were changed on the date of the new ones."""
    release = Release(date=NEW)
    for number in range(count):
        concept = release.concept(number, date=date_of(number))
        concept.fsn(f"{name_of(number)} (disorder)", date=date_of(number))
        concept.synonym(synonym_of(number), date=date_of(number))
        if date_of(number) == OLD:
            concept.state(active=True, date=NEW)
    return release


class Knows:
    """A model with a random vector for each text; a synonym that it knows has that of its concept's name."""

    def __init__(self, known: Collection[int], *, dim: int = 16, seed: int = 0) -> None:
        self.names = {synonym_of(number): name_of(number) for number in known}
        self.dim, self.seed = dim, seed
        self.asked: list[str] = []

    def encode(self, texts):
        self.asked += texts
        return np.stack([self._row(self.names.get(text, text)) for text in texts])

    def _row(self, text):
        own = np.random.default_rng([self.seed, *text.encode()])
        return own.standard_normal(self.dim).astype(np.float32)
