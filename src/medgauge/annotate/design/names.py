"""The names of a study's annotators: read from a file, or generated."""

from pathlib import Path

from medgauge.errors import FileError, InputError
from medgauge.files.decoding import read_any_text
from medgauge.ratings.ratings import annotator_name

COORDINATOR = "coordinator"
"""A name, in any case, that no annotator can have: their links would be confused."""
_MOST = 10_000  # annotators, more than any study has had


def name_annotators(given: str) -> list[str]:
    """Return generated names if a number is given, or the names in a file.

    >>> name_annotators("3"), name_annotators("12")[-4:]
    (['annotator1', 'annotator2', 'annotator3'], ['annotator09', 'annotator10', 'annotator11', 'annotator12'])
    """
    if not (given.isascii() and given.isdecimal()):
        return read_names(given)
    count = int(given) if len(given) <= len(str(_MOST)) else _MOST + 1
    if not 1 <= count <= _MOST:
        raise InputError(f"a study has 1 to {_MOST:,} annotators, not {given}")
    return [f"annotator{number:0{len(str(count))}}" for number in range(1, count + 1)]


def read_names(path: str | Path) -> list[str]:
    """Read a text file with one name per line, skipping lines that are blank or begin with #."""
    text = read_any_text(path)
    lines: dict[str, int] = {}
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        name = annotator_name(line)
        if not name or line.lstrip().startswith("#"):
            continue
        if name.casefold() == COORDINATOR:
            raise FileError(
                path,
                f"the name '{COORDINATOR}' is reserved; give the annotator another name",
                place=f"line {number}",
            )
        if lines.setdefault(name, number) != number:
            raise FileError(path, f"repeats the name on line {lines[name]}", place=f"line {number}")
    if not 1 <= len(lines) <= _MOST:
        raise FileError(
            path, f"has {len(lines):,} names; a study has 1 to {_MOST:,} annotators, one per line"
        )
    return list(lines)
