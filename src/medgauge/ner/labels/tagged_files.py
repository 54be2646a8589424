"""Files of labelled tokens as the CoNLL tasks have them: a word and its label in a line, tab-separated."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from medgauge.errors import FileError, has_controls
from medgauge.files.opening import read_text
from medgauge.ner.labels.tag_schemes import PREFIXES, Tags

UNTYPED = "entity"
"""The type of entities whose labels are B and I alone."""
_LABEL = re.compile(r"O|([BIES])(?:-(.+))?")
_DOCUMENT = "-DOCSTART-"
_LONGEST_TYPE = 80  # characters; it is printed


@dataclass(frozen=True)
class TaggedTokens:
    """The words of a file one after another, their tags, and the names of the types in them."""

    path: Path
    words: list[str]
    tags: Tags
    types: list[str]


def read_tagged(path: str | Path) -> TaggedTokens:
    """Read a file of labelled tokens, compressed or not.

    A line has a word, its label last, and any columns in between, separated by tabs; a blank line ends a
    sentence. A sentence of the word -DOCSTART- alone says where a document begins, and is left out.
    """
    path = Path(path)
    words: list[str] = []
    prefixes = bytearray()
    types: list[int] = []
    starts = [0]
    numbers: dict[str, int] = {}
    known: dict[str, tuple[int, int]] = {}
    columns = 0
    lines = read_text(path).rstrip().split("\n")
    for number, line in enumerate([*lines, ""], 1):
        if not line.strip():
            if len(words) == starts[-1]:
                problem = "a sentence is empty: there is a blank line too many"
                raise FileError(path, problem, place=f"line {number}")
            if words[starts[-1] :] == [_DOCUMENT]:
                del words[-1], prefixes[-1], types[-1]
            else:
                starts.append(len(words))
            continue
        fields = line.rstrip("\r").split("\t")
        columns = columns or len(fields)
        if len(fields) != columns or columns < 2:
            raise FileError(path, _columns_problem(len(fields), columns), place=f"line {number}")
        if not fields[0].strip():
            raise FileError(path, "the word before the label is blank", place=f"line {number}")
        label = fields[-1]
        if label not in known:
            known[label] = _parse(label, numbers, path, number)
        prefix, kind = known[label]
        words.append(fields[0].strip())
        prefixes.append(prefix)
        types.append(kind)
    if not words:
        raise FileError(path, "has no sentences")
    tags = Tags(np.frombuffer(bytes(prefixes), np.uint8), np.array(types, np.int32), np.array(starts))
    return TaggedTokens(path, words, tags, list(numbers))


def _columns_problem(found: int, expected: int) -> str:
    has = f"the row has {found} column{'s' * (found != 1)}"
    if expected < 2:
        return f"{has}; write a word and its label, separated by a tab"
    return f"{has}, and those before it {expected}; columns are separated by tabs"


def _parse(label: str, numbers: dict[str, int], path: Path, line: int) -> tuple[int, int]:
    """Return the place of a label's prefix and the number of its type, which is numbered if it is new."""
    found = _LABEL.fullmatch(label)
    if found is None or has_controls(label) or len(label) > _LONGEST_TYPE:
        raise FileError(
            path,
            "the label, in the last column, is neither O nor B-, I-, E- or S- with the name of a type",
            place=f"line {line}",
        )
    if found[1] is None:
        return 0, 0
    return PREFIXES.index(found[1]), numbers.setdefault(found[2] or UNTYPED, len(numbers))
