"""Answers that were paid for, kept in the user's private cache: they repeat terms."""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from medgauge.files.kept_lines import KeptLines
from medgauge.models.services.answers import Written


@dataclass
class KeptAnswers:
    """The answers of one model to one text of instructions, by what was asked."""

    model: tuple[str, str]
    instructions: str
    remembers: bool = True

    def __contains__(self, asked: str) -> bool:
        return self._read(asked) is not None

    def __getitem__(self, asked: str) -> Written:
        written = self._read(asked)
        if written is None:
            raise KeyError(asked)
        return written

    def keep(self, asked: str, written: Written) -> None:
        """Keep an answer."""
        self._lines.keep(asked, written.line())

    def _read(self, asked: str) -> Written | None:
        line = self._lines[asked]
        return None if line is None else Written.stored(line)

    @cached_property
    def _lines(self) -> KeptLines:
        name = hashlib.sha256(json.dumps([*self.model, self.instructions]).encode()).hexdigest()[:32]
        return KeptLines("answers", name, self.remembers)
