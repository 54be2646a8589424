"""Which concepts are left out, and which area of medicine is kept: ids from files, with all below them."""

import csv
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from medgauge.errors import FileError, InputError, MedgaugeWarning, option
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import read_text
from medgauge.terminology.hierarchy import depth, with_descendants
from medgauge.terminology.model import Terminology

_NAMED = 3  # ids that a message lists as examples
_NO = {"", "0", "no", "n", "false"}
_SEPARATORS = "\t,;"


class Hierarchy(Protocol):
    """What says which concepts are below others."""

    def with_below(self, ids: list[str]) -> tuple[set[str], list[str]]:
        """Return the ids with those of all concepts below them, and those that are not known."""


@dataclass(frozen=True)
class ReleasedHierarchy:
    """The hierarchy of a SNOMED CT release or an ontology."""

    terminology: Terminology

    def with_below(self, ids: list[str]) -> tuple[set[str], list[str]]:
        """Return the ids with those of all concepts below them, and those that are not known."""
        known = self.terminology.concepts["id"].to_list()
        numbers = {one: number for number, one in enumerate(known)}
        there = [numbers[one] for one in ids if one in numbers]
        parents = self.terminology.parents
        below = with_descendants(parents, there).tolist() if parents is not None and there else there
        return {known[number] for number in below} | set(ids), [one for one in ids if one not in numbers]

    def warn_of_cycles(self) -> None:
        """Warn if the hierarchy has a cycle; descendants are found all the same."""
        if self.terminology.parents is not None:
            depth(self.terminology.parents, self.terminology.concepts.height)


@dataclass(frozen=True)
class ConceptList:
    """Ids of concepts from a file."""

    path: Path
    ids: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return remembered_sha256(self.path)


@dataclass(frozen=True)
class ConceptFilter:
    """The ids that are left out, and those outside which all are left out (None: nowhere)."""

    excluded: frozenset[str]
    within: frozenset[str] | None

    def keeps(self, concept: str) -> bool:
        """Return whether a concept is kept.

        >>> ConceptFilter(frozenset({"b"}), frozenset({"a", "b"})).keeps("a")
        True
        """
        return concept not in self.excluded and (self.within is None or concept in self.within)


def read_concepts(path: Path) -> ConceptList:
    """Read ids of concepts: one a line, or the column id of a table, whose column exclude marks the rows.

    A table is what `--list-concepts` writes, also as a spreadsheet has saved it: rows count in which a person
    has written something in the column exclude. Anything behind the id in a line of a plain list is a remark.
    """
    lines = [line.rstrip() for line in read_text(path).splitlines()]
    separator = next((one for one in _SEPARATORS if "id" in _cells(lines[0].lower(), one)), None)
    if separator is not None:
        ids = _flagged(path, [_cells(line, separator) for line in lines])
    else:
        ids = [re.split(r"[\s,;#|]", line.strip(), maxsplit=1)[0] for line in lines]
    found = tuple(dict.fromkeys(one for one in ids if one))
    if not found:
        raise FileError(
            path, "names no concept; write an id in each line, or mark rows in the column exclude"
        )
    return ConceptList(path, found)


def _cells(line: str, separator: str) -> list[str]:
    """Return the cells of a row; quotes in a table with tabs are often literal, but not around a cell."""
    if separator == "\t":
        return [cell.strip().strip('"').strip() for cell in line.split("\t")]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:  # longer than any row
        return [line]


def _flagged(path: Path, table: list[list[str]]) -> list[str]:
    """Return the ids in a table with a header: those marked in the column exclude, if it has one."""
    header = [name.lower() for name in table[0]]
    id_column = header.index("id")
    mark = header.index("exclude") if "exclude" in header else None
    found = []
    for number, cells in enumerate(table[1:], 2):
        if mark is not None and (len(cells) <= mark or cells[mark].lower() in _NO):
            continue
        one = cells[id_column] if len(cells) > id_column else ""
        if not one and mark is not None:
            raise FileError(path, "the id is missing", place=f"line {number}")
        found.append(one)
    return found


def concept_filter(
    exclude: ConceptList | None, within: ConceptList | None, hierarchy: Hierarchy | None, *, descendants: bool
) -> ConceptFilter:
    """Return which concepts are kept; without `descendants`, only the listed ids count."""
    if hierarchy is None and descendants and (exclude or within):
        given = option("exclude" if exclude else "within")
        raise InputError(
            f"{given} also applies to all concepts below those in the file, for which the hierarchy is "
            f"needed; name a SNOMED CT release or an ontology with {option('terminology')}, or take only the "
            f"ids with {option('descendants', False)}"
        )

    def spread(listed: ConceptList | None) -> frozenset[str] | None:
        if listed is None:
            return None
        if hierarchy is None or not descendants:
            return frozenset(listed.ids)
        found, unknown = hierarchy.with_below(list(listed.ids))
        if unknown:
            examples = ", ".join(unknown[:_NAMED]) + (", …" if len(unknown) > _NAMED else "")
            one = len(unknown) == 1
            warnings.warn(
                f"{listed.path}: the hierarchy lacks {len(unknown):,} {'concept' if one else 'concepts'} "
                f"({examples}), so nothing below {'it' if one else 'them'} is found",
                MedgaugeWarning,
                stacklevel=4,
            )
        return frozenset(found)

    return ConceptFilter(spread(exclude) or frozenset(), spread(within))
