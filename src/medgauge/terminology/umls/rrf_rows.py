"""Rows of files in Rich Release Format, read in blocks: a release is larger than the memory it may take.

The files have no header: their columns are known by their places, as NLM documents them
(https://www.ncbi.nlm.nih.gov/books/NBK9685/). Every row ends with a separator.
"""

import hashlib
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import polars as pl

from medgauge.errors import FileError
from medgauge.files.opening import packed_form
from medgauge.files.zip_folders import member_size, open_member
from medgauge.progress import track
from medgauge.terminology.even_rows import has_even_rows
from medgauge.terminology.umls.umls_release import EXPECTED, RrfFile

CONCEPT_NAMES = (
    *("CUI", "LAT", "TS", "LUI", "STT", "SUI", "ISPREF", "AUI", "SAUI", "SCUI", "SDUI", "SAB", "TTY"),
    *("CODE", "STR", "SRL", "SUPPRESS", "CVF"),
)
"""The columns of MRCONSO.RRF."""
SEMANTIC_TYPES = ("CUI", "TUI", "STN", "STY", "ATUI", "CVF")
"""The columns of MRSTY.RRF."""
NETWORK = ("RT", "UI", "STY_RL", "STN_RTN", "DEF", "EX", "UN", "NH", "ABR", "RIN")
"""The columns of SRDEF."""

_BLOCK = 1 << 25  # bytes


@dataclass
class RrfRows:
    """Reads the rows of a file, a block at a time; afterwards `digest` is the SHA-256 of its content.

    `fields` are the names of all columns. A row with another number of fields is an error, with its line.
    """

    file: RrfFile
    fields: Sequence[str]
    block: int = _BLOCK
    _hash: Any = field(default_factory=hashlib.sha256, repr=False)

    @property
    def digest(self) -> str:
        """The SHA-256 of what was read so far, unpacked: the same for a folder and for its zip."""
        return str(self._hash.hexdigest())

    def frames(self, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
        """Yield some columns (text, null where empty) of the rows of each block."""
        file, line = self.file, 1
        with (
            track(f"reading {file.path.name}", _size(file)) as advance,
            open_member(file.source, file.member, EXPECTED) as stream,
        ):
            for block in _blocks(stream, self.block):
                self._hash.update(block)
                yield self._parsed(block, columns, line)
                line += block.count(b"\n")
                advance(len(block))

    def _parsed(self, block: bytes, columns: Sequence[str], line: int) -> pl.DataFrame:
        names = sorted(columns, key=self.fields.index)
        # A row ends with a separator, behind which Polars sees an empty field more.
        if has_even_rows(block, b"|", len(self.fields) + 1):
            try:
                frame = pl.read_csv(
                    block,
                    separator="|",
                    has_header=False,
                    quote_char=None,
                    infer_schema=False,
                    columns=list(map(self.fields.index, names)),
                )
                frame.columns = names
                return frame.select(columns)
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException):
                pass  # its message is dropped, since it may quote a term
        raise _fault(self.file.path, block, len(self.fields), line)


def _size(file: RrfFile) -> int:
    """Return how many bytes will be read, 0 if that is not known."""
    if file.source.is_dir() and packed_form(file.path):
        return 0
    return member_size(file.source, file.member, EXPECTED)


def _blocks(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield whole lines, about `size` bytes at a time; blank lines at the end are left out."""
    rest = b""
    while read := stream.read(size):
        whole, end, after = read.rpartition(b"\n")
        if not end:
            rest += read
            continue
        block = rest + whole + end
        # Blank lines wait for what follows them: nothing at the end, and a fault elsewhere.
        size_of_rows = len(block.rstrip(b"\r\n"))
        cut = block.index(b"\n", size_of_rows) + 1 if size_of_rows else 0
        rest = block[cut:] + after
        if cut:
            yield block[:cut]
    if rest.strip(b"\r\n"):
        yield rest


def _fault(path: Path, block: bytes, fields: int, line: int) -> FileError:
    """Find the first bad line of a block, and return an error that says what is wrong with it."""
    for number, row in enumerate(io.BytesIO(block), line):
        row = row.rstrip(b"\r\n")
        found = row.count(b"|") + (not row.endswith(b"|"))
        problem = None
        if found != fields:
            problem = f"the row has {found} fields, but {fields} are expected"
        elif not row.endswith(b"|"):
            problem = "the row does not end with |; get the release again"
        elif not _is_utf8(row):
            problem = "is not UTF-8; get the release again"
        if problem:
            return FileError(path, problem, place=f"line {number}")
    return FileError(path, "cannot be read, although no line looks wrong; check that there is enough memory")


def _is_utf8(row: bytes) -> bool:
    try:
        row.decode()
    except UnicodeDecodeError:
        return False
    return True
