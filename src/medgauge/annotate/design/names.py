"""The names of a study's annotators: listed, read from a file, or generated."""

from pathlib import Path

from medgauge.errors import FileError, InputError
from medgauge.files.decoding import read_any_text
from medgauge.ratings.ratings import annotator_name

COORDINATOR = "coordinator"
"""A name, in any case, that no annotator can have: their links would be confused."""
_MOST = 10_000  # annotators, more than any study has had


def name_annotators(given: str) -> list[str]:
    """Return generated names if a number is given, those that are listed with commas, or those in a file.

    >>> name_annotators("3"), name_annotators("Anna, Björn")
    (['annotator1', 'annotator2', 'annotator3'], ['Anna', 'Björn'])
    """
    if "," in given and not Path(given).exists():
        return _listed_names(given)
    if not (given.isascii() and given.isdecimal()):
        return read_names(given)
    count = int(given) if len(given) <= len(str(_MOST)) else _MOST + 1
    if not 1 <= count <= _MOST:
        raise InputError(f"a study has 1 to {_MOST:,} annotators, not {given}")
    return [f"annotator{number:0{len(str(count))}}" for number in range(1, count + 1)]


def _listed_names(given: str) -> list[str]:
    names = [annotator_name(name) for name in given.split(",") if name.strip()]
    if len(set(names)) != len(names):
        raise InputError("the annotators have the same name twice; give each another name")
    if COORDINATOR in map(str.casefold, names):
        raise InputError(f"the name '{COORDINATOR}' is reserved; give the annotator another name")
    return names


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
