"""Tables of vectors as CSV or TSV: a key in the first column, and a column for each dimension."""

import codecs
import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl

from medgauge.arrays import Floats
from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, packed_form
from medgauge.models.recognise import COUNTS
from medgauge.models.tables.concept_keys import COLUMNS, check_written
from medgauge.models.tables.keyed_rows import NOT_FINITE, Keyed, rows_of
from medgauge.models.words.reading import NO_KEYS, FoundVectors
from medgauge.progress import track
from medgauge.tables import is_missing, to_number

BLOCK = 1 << 23  # bytes that are parsed at a time
HEAD = 1 << 22
"""How many bytes of a file show what it is."""

_LONGEST_LINE = 1 << 26
_MOST = 1000
_SEPARATORS = {"\t": "TSV", ";": "CSV", ",": "CSV"}


@dataclass(frozen=True)
class _Lines:
    """Whole lines of a file, the number of the first, and how many there are; the last may lack its end."""

    line: int
    content: bytes

    @cached_property
    def count(self) -> int:
        return self.content.count(b"\n") + (not self.content.endswith(b"\n"))


@dataclass(frozen=True)
class DelimitedTable:
    """A text with a key and its numbers in each line, with or without a header, also compressed."""

    path: Path
    separator: str
    has_header: bool
    dim: int

    @property
    def format(self) -> str:
        """The name of the format."""
        return f"concept vectors ({_SEPARATORS[self.separator]})"

    @classmethod
    def of(cls, path: Path, head: bytes) -> "DelimitedTable | None":
        """Recognise a table by the beginning of the file; None if its first line is not that of one."""
        lines = _lines(head, 2)
        separator = next((one for one in _SEPARATORS if lines and one in lines[0]), None)
        is_other = COUNTS.match(head) or any("\0" in line for line in lines)
        if separator is None or is_other or (separator != "\t" and _is_spaced(lines[0])):
            return None
        rows = [fields for _, fields in _rows_of(path, "\n".join(lines), separator, 1)]
        if not rows:
            return None
        has_header = _is_header(rows[0])
        if has_header and len(rows) == 1:
            raise FileError(path, "has a header but no vectors")
        dim = len(rows[-1 if has_header else 0]) - 1
        # R's write.table has no name for the column of row names.
        if dim < 1 or (has_header and len(rows[0]) not in (dim, dim + 1)):
            raise FileError(
                path,
                f"has {len(rows[-1])} columns, and the first line {len(rows[0])}; a table of concept vectors "
                "has a key in the first column, and a number in each of the others",
                place="line 2",
            )
        return cls(path, separator, has_header, dim)

    def first_keys(self, head: bytes) -> list[str]:
        """Return the first keys, up to a thousand, from the beginning of the file."""
        lines = _lines(head, _MOST + 1)[self.has_header :]
        first = 1 + self.has_header
        rows = _rows_of(self.path, "\n".join(lines), self.separator, first)
        keys = [fields[0].strip() for _, fields in rows]
        check_written(self.path, keys, what="line", first=first)
        return keys

    def find(self, keys: Sequence[str]) -> FoundVectors:
        """Read the vectors of these keys (all distinct) in one pass that checks every line and number."""
        vectors = np.zeros((len(keys), self.dim), np.float32)
        known = np.zeros(len(keys), np.bool_)
        count = 0
        steps = self.path.stat().st_size if packed_form(self.path) is None else 0
        with open_bytes(self.path) as stream, track(f"reading {self.path.name}", steps) as advance:
            for block in self._blocks(stream):
                own, rows = self._parsed_at_once(block) or self._parsed_by_line(block)
                count += len(own)
                missing = np.flatnonzero(~known)
                places = rows_of(own, [keys[place] for place in missing.tolist()])
                found = places >= 0
                vectors[missing[found]] = rows[places[found]]
                known[missing[found]] = True
                advance(len(block.content))
        if not count:
            raise FileError(self.path, "the table is empty")
        return FoundVectors(vectors, known, count, NO_KEYS)

    def _blocks(self, stream: IO[bytes]) -> Iterator[_Lines]:
        """Yield the file in pieces of whole lines, without the header."""
        line = 1
        rest = stream.read(len(codecs.BOM_UTF8)).removeprefix(codecs.BOM_UTF8)
        if self.has_header:
            rest += b"" if b"\n" in rest else stream.readline(_LONGEST_LINE)
            line, rest = 2, rest.partition(b"\n")[2]
        while piece := stream.read(BLOCK):
            end = piece.rfind(b"\n") + 1
            if end:
                block = _Lines(line, b"".join((rest, memoryview(piece)[:end])))
                yield block
                line += block.count
                rest = b""
            rest += piece[end:]
            if len(rest) > _LONGEST_LINE:
                raise FileError(self.path, "the line is too long for a vector", place=f"line {line}")
        if rest:
            yield _Lines(line, rest)

    def _parsed_at_once(self, block: _Lines) -> Keyed | None:
        """Parse lines that are in order; None if something is wrong or unusual in one of them."""
        names = {"key": pl.String} | {str(number): pl.Float32 for number in range(self.dim)}
        try:
            frame = pl.read_csv(
                io.BytesIO(block.content), has_header=False, separator=self.separator, schema=pl.Schema(names)
            )
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
            return None
        if frame.height != block.count:
            return None
        vectors = frame.drop("key").to_numpy()
        if frame["key"].null_count() or not np.isfinite(vectors).all():
            return None
        keys = frame["key"].str.strip_chars().to_list()
        check_written(self.path, keys, what="line", first=block.line)
        return keys, vectors

    def _parsed_by_line(self, block: _Lines) -> Keyed:
        """Parse lines one by one, so that an error can name its place."""
        try:
            text = block.content.decode()
        except UnicodeDecodeError as error:
            number = block.line + block.content.count(b"\n", 0, error.start)
            raise FileError(
                self.path,
                f"byte 0x{block.content[error.start]:02x} is not valid UTF-8; save the table as UTF-8",
                place=f"line {number}",
            ) from error
        keys: list[str] = []
        vectors: list[Floats] = []
        for number, fields in _rows_of(self.path, text, self.separator, block.line):
            place = f"line {number}"
            if len(fields) != self.dim + 1:
                raise FileError(
                    self.path,
                    f"the vector has {len(fields) - 1} numbers, but the first has {self.dim}",
                    place=place,
                )
            check_written(self.path, [fields[0].strip()], what="line", first=number)
            with np.errstate(over="ignore"):
                row = np.array([to_number(field) for field in fields[1:]]).astype(np.float32)
            if not np.isfinite(row).all():
                raise FileError(self.path, NOT_FINITE, place=place)
            keys.append(fields[0].strip())
            vectors.append(row)
        return keys, np.array(vectors, np.float32).reshape(-1, self.dim)


def _lines(head: bytes, most: int) -> list[str]:
    """Return the first lines of a text that are not blank, without one that may be cut off."""
    text = head.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    lines = text.split("\n")
    whole = lines[:-1] if len(head) >= HEAD else lines
    return [line for line in whole[: most + 1] if line.strip()][:most] if whole and whole[0].strip() else []


def _is_spaced(line: str) -> bool:
    """Return whether a line is one of numbers with spaces between them, after a word that has a comma.

    >>> _is_spaced(", 0.5 1.5"), _is_spaced("C0027051, 0.5, 1.5")
    (True, False)
    """
    fields = line.split()[1:]
    return len(fields) > 1 and not any(math.isnan(to_number(field)) for field in fields)


def _rows_of(path: Path, text: str, separator: str, line: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each line that is not blank, with its number."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    last = line
    try:
        for fields in reader:
            number, last = last, line + reader.line_num
            if fields and any(field.strip() for field in fields):
                yield number, fields
    except csv.Error as error:
        raise FileError(
            path,
            "is not a table: a quotation mark is not closed, or the value is too long",
            place=f"line {last}",
        ) from error


def _is_header(fields: Sequence[str]) -> bool:
    """Return whether a first line names the columns.

    At least half of the numbers are then words; or they count from 0 or 1, as the names that pandas gives do,
    below no name or a usual one for the keys. A value that is missing says nothing.

    >>> _is_header(["", "V1", "V2"]), _is_header(["cui", "0", "1"]), _is_header(["C0027051", "0.5", "NaN"])
    (True, True, False)
    """
    names = [field.strip() for field in fields[1:]]
    words = [name for name in names if not is_missing(name) and math.isnan(to_number(name))]
    if words and 2 * len(words) >= len(names):
        return True
    counted = {",".join(map(str, range(first, first + len(names)))) for first in (0, 1)}
    return fields[0].strip().lower() in ("", *COLUMNS["id"]) and ",".join(names) in counted
