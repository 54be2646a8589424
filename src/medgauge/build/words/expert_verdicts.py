"""What experts said of words and of candidate pairs, read from the ratings of their studies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from medgauge.build.words.choice.parts_of_speech import PartOfSpeech
from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.ratings.source import read_ratings

_TO = "to "

DOMAIN_PROTOCOL, ASSOCIATED_PROTOCOL = "domain", "associated"
_DOMAINS = {0.0: "general", 1.0: "borderline", 2.0: "biomedical"}


def shown(word: str, part: PartOfSpeech) -> str:
    """Return a word as experts see it; a verb has "to" before it.

    >>> shown("stain", "verb"), shown("stain", "noun")
    ('to stain', 'stain')
    """
    return f"{_TO}{word}" if part == "verb" else word


@dataclass(frozen=True)
class ExpertVerdicts:
    """What experts said: by the terms that they saw, None where they disagree or one does not know.

    `judged` counts what at least one of them answered, and `agreed` that on which all did.
    """

    of: Mapping[tuple[str, ...], Any]
    experts: int
    sha256: str

    @property
    def judged(self) -> int:
        """How many pairs or words have an answer."""
        return len(self.of)

    @property
    def agreed(self) -> int:
        """On how many pairs or words all who answered agree."""
        return sum(value is not None for value in self.of.values())


def read_associated(path: str | Path) -> ExpertVerdicts:
    """Read whether candidate pairs are associated: True or False for both terms, in code-point order."""
    found = _agreed(Path(path), sides=2, answers=(0.0, 1.0), protocol=ASSOCIATED_PROTOCOL)
    said = {key: None if value is None else value == 1 for key, value in found.of.items()}
    return ExpertVerdicts(said, found.experts, found.sha256)


def read_domains(path: str | Path) -> ExpertVerdicts:
    """Read the domain of words: biomedical, general, or borderline for words that are used in both."""
    found = _agreed(Path(path), sides=1, answers=tuple(_DOMAINS), protocol=DOMAIN_PROTOCOL)
    said = {key: None if value is None else _DOMAINS[value] for key, value in found.of.items()}
    return ExpertVerdicts(said, found.experts, found.sha256)


def _agreed(path: Path, *, sides: int, answers: tuple[float, ...], protocol: str) -> ExpertVerdicts:
    """Return the answer to each pair that all annotators who rated it gave."""
    ratings = read_ratings(path)
    ratings.require_terms()
    given = ratings.values[~np.isnan(ratings.values)]
    if not np.isin(given, answers).all():
        wanted = ", ".join(f"{value:g}" for value in answers)
        raise FileError(path, f"has ratings other than {wanted}, which the protocol {protocol} allows")
    found: dict[tuple[str, ...], float | None] = {}
    terms = ratings.pairs.select("term_1", "term_2").iter_rows()
    for row, unsure, pair in zip(ratings.values, ratings.unsure, terms, strict=True):
        said = set(row[~np.isnan(row)].tolist())
        if not said and not unsure.any():
            continue
        key = tuple(sorted(str(term).strip() for term in pair[:sides]))
        answer = said.pop() if len(said) == 1 and not unsure.any() else None
        if found.setdefault(key, answer) != answer:
            found[key] = None
    return ExpertVerdicts(found, len(ratings.annotators), remembered_sha256(path))
