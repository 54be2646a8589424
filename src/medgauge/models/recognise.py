"""Which format a file of vectors has: told from its content, never from its name."""

import re
import struct
import zipfile
from pathlib import Path

from medgauge.errors import FileError
from medgauge.files import is_parquet, open_bytes
from medgauge.models import fasttext
from medgauge.models.reading import VectorFile
from medgauge.models.termtable import ParquetTable, ZippedTable
from medgauge.models.textvec import TextFile
from medgauge.models.word2vec import BinaryFile

_HEAD = 1 << 18
_COUNTS = re.compile(rb"\s*(\d{1,12}) +(\d{1,6})[ \r]*\n")
_PICKLE = re.compile(rb"\x80[\x02-\x05]")


def recognise(path: str | Path) -> VectorFile | ParquetTable | ZippedTable:
    """Open a file of word vectors or a table of term vectors; gzip is looked through."""
    path = Path(path)
    with open_bytes(path) as stream:
        head = stream.read(_HEAD)
    if not head:
        raise FileError(path, "the file is empty")
    if head[:4] == struct.pack("<i", fasttext.MAGIC):
        return fasttext.FastTextFile(path)
    if is_parquet(path):
        return ParquetTable(path)
    if zipfile.is_zipfile(path):
        return ZippedTable(path)
    if _PICKLE.match(head):
        raise FileError(
            path,
            "is a Python pickle, which medgauge does not open because it may run any code; in gensim, "
            "save the vectors with model.wv.save_word2vec_format(path, binary=True)",
        )
    if counts := _COUNTS.match(head):
        words, dim = int(counts[1]), int(counts[2])
        if dim == 0 or words == 0:
            raise FileError(path, f"the header promises {words} vectors of {dim}", place="line 1")
        if _closing_numbers(head[counts.end() :])[1]:
            return TextFile(path, words, dim)
        return BinaryFile(path, words, dim)
    numbers, _ = _closing_numbers(head)
    if numbers > 1:
        return TextFile(path, None, numbers)
    raise FileError(
        path,
        "is in none of the formats that are read: word2vec binary or text, GloVe text, fastText .vec or "
        ".bin, each also gzipped; a table of term vectors as Parquet or .npz",
        place="byte 1",
    )


def _closing_numbers(text: bytes) -> tuple[int, bool]:
    """Count the numbers that end the first line, and say if they are all that follows its first word."""
    _, *fields = text.split(b"\n", 1)[0].split() or [b""]
    count = 0
    for field in reversed(fields):
        try:
            float(field)
        except ValueError:
            break
        count += 1
    return count, 0 < count == len(fields)
