"""Detects the format of a file of concept vectors from its content, never from its name."""

from pathlib import Path

from medgauge.errors import FileError
from medgauge.files.opening import open_bytes
from medgauge.files.parquet import is_parquet
from medgauge.models.recognise import TABLE_MAGIC, recognise
from medgauge.models.tables.concept_keys import ARRAYS, COLUMNS, ConceptKeyKind
from medgauge.models.tables.concept_table import ConceptFile
from medgauge.models.tables.concept_words import ConceptWords
from medgauge.models.tables.delimited_table import HEAD, DelimitedTable
from medgauge.models.tables.parquet_table import ParquetTable
from medgauge.models.tables.zipped_table import ZippedTable
from medgauge.models.words.textvec import TextFile
from medgauge.models.words.word2vec import BinaryFile

_MOST = 1000


def concept_file(
    path: Path, wanted: ConceptKeyKind | None, *, strict: bool
) -> tuple[ConceptFile, list[str], int]:
    """Open a file of concept vectors, also a compressed one; return its first keys and the dimension too.

    `wanted` is what its keys are, if it was said: of several columns or arrays of keys, those are read.
    """
    with open_bytes(path) as stream:
        head = stream.read(HEAD)
    if head[:4] not in TABLE_MAGIC and (table := DelimitedTable.of(path, head)) is not None:
        return table, table.first_keys(head), table.dim
    kind = wanted or "id"
    if head[:4] in TABLE_MAGIC and is_parquet(path):
        parquet = ParquetTable(path, COLUMNS[kind])
        keys, vectors = parquet.load()
        return parquet, keys[:_MOST], vectors.shape[1]
    found = recognise(path)
    if isinstance(found, ZippedTable):
        zipped = ZippedTable(path, ARRAYS[kind])
        keys, vectors = zipped.load()
        return zipped, keys[:_MOST], vectors.shape[1]
    if not isinstance(found, BinaryFile | TextFile):
        raise FileError(path, f"is a {found.format}; save its vectors as word2vec text or binary")
    words = ConceptWords(found, strict)
    return words, words.first_keys(), found.dim
