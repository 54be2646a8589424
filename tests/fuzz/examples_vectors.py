"""Kinds of vector files."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

import medgauge
from medgauge.models.vector_files import SubwordVectors, TermTable, WordVectors
from tests.fuzz.examples_tables import TERMS, file, parquet_of
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import RAW, TEXT, Mutation
from tests.fuzz.structures import PARQUET, ZIP, header_numbers
from tests.vectors import some_vectors, write_binary, write_model, write_text

WORDS = [f"{SECRET}{end}" for end in ("anthoma", "emia", "itis", "algia", "osis", "é", "心臓")] + [
    "of",
    "kidney",
]
_DIM = 6


def _vectors() -> dict[str, np.ndarray]:
    return some_vectors(*WORDS, dim=_DIM)


def _read_words(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        model = medgauge.load_model(folder / name)
        if isinstance(model, TermTable):
            found, known = model.lookup(TERMS)
        else:
            assert isinstance(model, WordVectors | SubwordVectors)
            found, known = model.vectors([*WORDS, "unknown", "kidneys"])
        return np.asarray(found, np.float32)[known].tobytes(), known.tobytes(), model.count()

    return read


def _fasttext(folder: Path) -> None:
    matrix = np.random.default_rng(1).standard_normal((len(WORDS) + 50, _DIM)).astype(np.float32)
    write_model(folder / "model.bin", matrix, [word.encode() for word in WORDS], buckets=50)


def _packed(name: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        make(folder / name)
        packed = gzip.compress((folder / name).read_bytes(), mtime=0)
        (folder / name).unlink()
        (folder / f"{name}.gz").write_bytes(packed)

    return write


def _npz() -> bytes:
    stream = io.BytesIO()
    vectors = np.random.default_rng(2).standard_normal((len(TERMS), _DIM)).astype(np.float32)
    np.savez(stream, terms=np.array(TERMS), vectors=vectors)
    return stream.getvalue()


def _table() -> bytes:
    vectors = np.random.default_rng(2).standard_normal((len(TERMS), _DIM)).tolist()
    return parquet_of(pl.DataFrame({"term": TERMS, "vector": vectors}))


def _contradict_counts(content: bytes, random: Random) -> bytes:
    """Change the number of words or of dimensions in a header of text."""
    first, end, rest = content.partition(b"\n")
    numbers = first.split()
    if len(numbers) != 2:
        return content
    place = random.randrange(2)
    wrong = [b"1", b"2", b"7", b"999999", b"999999999999", b"10", b"5"]
    numbers[place] = random.choice([one for one in wrong if one != numbers[place]])
    return b" ".join(numbers) + end + rest


COUNTS = Mutation("contradict_counts", _contradict_counts, "contradiction")
# Places of the header: dim, the number of buckets, of all entries, of words and of labels.
_SIZES = header_numbers((8, "<i"), (40, "<i"), (68, "<i"), (72, "<i"))

KINDS = (
    Kind(
        "word2vec-binary",
        lambda folder: _done(write_binary(folder / "vectors.bin", _vectors())),
        ("vectors.bin",),
        _read_words("vectors.bin"),
        (*RAW, COUNTS),
    ),
    Kind(
        "word2vec-text",
        lambda folder: _done(write_text(folder / "vectors.txt", _vectors())),
        ("vectors.txt",),
        _read_words("vectors.txt"),
        (*TEXT, COUNTS),
    ),
    Kind(
        "glove",
        lambda folder: _done(write_text(folder / "glove.txt", _vectors(), header=False)),
        ("glove.txt",),
        _read_words("glove.txt"),
        TEXT,
    ),
    Kind("fasttext", _fasttext, ("model.bin",), _read_words("model.bin"), (*RAW, _SIZES)),
    Kind(
        "word2vec-gzip",
        _packed("vectors.bin", lambda path: write_binary(path, _vectors())),
        ("vectors.bin.gz",),
        _read_words("vectors.bin.gz"),
        RAW,
        sealed=True,
    ),
    Kind(
        "term-vectors-parquet",
        file("vectors.parquet", _table),
        ("vectors.parquet",),
        _read_words("vectors.parquet"),
        (*RAW, PARQUET),
    ),
    Kind(
        "term-vectors-npz",
        file("vectors.npz", _npz),
        ("vectors.npz",),
        _read_words("vectors.npz"),
        (*RAW, *ZIP),
        sealed=True,
    ),
)


def _done(_path: Path) -> None:
    """Drop what a writer returns."""
