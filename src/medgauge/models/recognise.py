"""Detects the format of a vector file from its content, never from its name."""

import codecs
import re
import struct
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes, packed_form
from medgauge.files.parquet import is_parquet
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.words import fasttext
from medgauge.models.words.reading import VectorFile
from medgauge.models.words.textvec import TextFile
from medgauge.models.words.word2vec import BinaryFile

_HEAD = 1 << 18
COUNTS = re.compile(rb"(\d{1,12})[ \t]+(\d{1,6})[ \t\r]*\n")
"""The header of word2vec: how many vectors, and of how many dimensions."""
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
TABLE_MAGIC = (b"PAR1", b"PK\x03\x04")
"""How tables begin: Parquet, and the zip of an .npz."""
_PICKLE = re.compile(rb"\x80[\x02-\x05]")


def recognise(path: str | Path) -> VectorFile | ParquetTable | ZippedTable:
    """Open a file of word vectors or a table of term vectors, also a compressed one."""
    path = Path(path)
    with open_bytes(path) as stream:
        head = stream.read(_HEAD)
    if not head:
        raise FileError(path, "the file is empty")
    if head[:4] == struct.pack("<i", fasttext.MAGIC):
        return fasttext.FastTextFile(path)
    if head[:4] in TABLE_MAGIC:
        if form := packed_form(path):
            raise FileError(path, f"is a table of vectors compressed with {form}; unpack it first")
        return ParquetTable(path) if is_parquet(path) else ZippedTable(path)
    if _PICKLE.match(head):
        raise FileError(
            path,
            "is a Python pickle, which medgauge does not open because it may run arbitrary code; in gensim, "
            "save the vectors with model.wv.save_word2vec_format(path, binary=True)",
        )
    if counts := COUNTS.match(head):
        words, dim = int(counts[1]), int(counts[2])
        if dim == 0 or words == 0:
            raise FileError(path, f"the header declares {words} vectors of {dim} dimensions", place="line 1")
        rest = head[counts.end() :]
        if not _closing_numbers(rest)[1] and _is_binary(rest):
            return BinaryFile(path, words, dim)
        return TextFile(path, words, dim)
    if (dim := _closing_numbers(head)[0]) > 1:
        return TextFile(path, None, dim)
    raise FileError(
        path,
        "is in none of the supported formats: word2vec binary or text, GloVe text, fastText .vec or .bin, "
        "each optionally compressed with gzip or zstd; a table of term vectors as Parquet or .npz; for "
        "vectors of concepts, write concepts:FILE",
        place="byte 1",
    )


def _is_binary(sample: bytes) -> bool:
    """Return whether bytes are not text: they have control characters, or are not UTF-8."""
    if _CONTROL.search(sample):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return True
    return False


def _closing_numbers(text: bytes) -> tuple[int, bool]:
    """Count the numbers that end the first line; return also if they are all that follows its first word."""
    _, *fields = text.split(b"\n", 1)[0].split() or [b""]
    count = 0
    for field in reversed(fields):
        try:
            float(field)
        except ValueError:
            break
        count += 1
    return count, 0 < count == len(fields)
