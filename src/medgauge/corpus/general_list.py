"""How frequent words are in general language: by wordfreq, or by a table."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from medgauge.errors import FileError, InputError, MissingExtraError, option, printable, quoted
from medgauge.tables import read_table, text_of

_WORDFREQ = "wordfreq"


@dataclass(frozen=True)
class GeneralList:
    """Relative frequencies of lower-cased words in general language."""

    name: str
    frequencies: Mapping[str, float]

    @cached_property
    def words(self) -> list[str]:
        """The words, the most frequent first."""
        return sorted(self.frequencies, key=lambda word: (-self.frequencies[word], word))


def open_general_list(spec: str) -> GeneralList:
    """Open `wordfreq`, `wordfreq:LANGUAGE`, or a table with the columns word and frequency."""
    kind, _, language = spec.partition(":")
    if kind == _WORDFREQ and not Path(spec).exists():
        return _wordfreq(language or "en")
    if not Path(spec).exists():
        raise InputError(
            f"there is no general list {quoted(spec)}; name {option('reference', _WORDFREQ)}, or a table "
            "with the columns word and frequency"
        )
    return _table(Path(spec))


def _wordfreq(language: str) -> GeneralList:
    try:
        import wordfreq
    except ImportError as error:
        raise MissingExtraError(_WORDFREQ, extra="words") from error
    try:
        found: dict[str, float] = wordfreq.get_frequency_dict(language)
    except LookupError:
        raise InputError(f"wordfreq has no language {quoted(language)}; name one such as en or de") from None
    return GeneralList(f"{_WORDFREQ}:{language}", found)


def _table(path: Path) -> GeneralList:
    table = read_table(path)
    for name in ("word", "frequency"):
        if name not in table.places:
            raise FileError(path, f"has no column {name}; a general list has the columns word and frequency")
    word, frequency = table.places["word"], table.places["frequency"]
    frequencies: dict[str, float] = {}
    for row in table.rows:
        value = table.number(row, frequency)
        if value < 0:
            raise table.error(row, frequency, "is negative")
        name = text_of(row.values[word]).strip().lower()
        frequencies[name] = frequencies.get(name, 0.0) + value
    total = math.fsum(frequencies.values())
    if not total:
        raise FileError(path, "has no frequency above 0")
    return GeneralList(printable(path.name), {name: value / total for name, value in frequencies.items()})
