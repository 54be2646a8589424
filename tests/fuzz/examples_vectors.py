"""Kinds of vector files."""

import gzip
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import polars as pl

import medgauge
from medgauge.files.digests import sha256_of
from medgauge.models.tables.concept_table import ConceptTable
from medgauge.models.tables.term_table import TermTable
from medgauge.models.vector_cards import VectorCard, write_card
from medgauge.models.words.word_vectors import SubwordVectors, WordVectors
from medgauge.train.checkpoint import load_checkpoint, save_checkpoint
from tests.fuzz.examples_tables import TERMS, file, parquet_of
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import NESTED, RAW, TABLE, TEXT, Mutation
from tests.fuzz.structures import JSON, PARQUET, ZIP, header_numbers
from tests.support.concept_tables import as_csv, as_cui2vec, as_lists, as_npz
from tests.vectors import some_vectors, write_binary, write_model, write_text

WORDS = [f"{SECRET}{end}" for end in ("anthoma", "emia", "itis", "algia", "osis", "é", "心臓")] + [
    "of",
    "kidney",
]
CONCEPTS = [f"{SECRET}{number}" for number in (22298006, 138875005, 7, 42)] + [
    f"{SECRET}:0000118",
    "C0027051",
]
_DIM = 6


def _vectors() -> dict[str, np.ndarray]:
    return some_vectors(*WORDS, dim=_DIM)


def _read_words(name: str, prefix: str = "") -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        model = medgauge.load_model(f"{prefix}{folder / name}" if prefix else folder / name)
        if isinstance(model, TermTable):
            found, known = model.lookup(TERMS)
        elif isinstance(model, ConceptTable):
            found, known = model.lookup([*CONCEPTS, "unknown"])
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


def _concepts() -> dict[str, np.ndarray]:
    return some_vectors(*CONCEPTS, dim=_DIM)


@dataclass
class _Trainer:
    """The arrays of a training, as a checkpoint keeps them."""

    arrays: dict[str, np.ndarray]


def _trainer() -> _Trainer:
    rng = np.random.default_rng(3)
    return _Trainer({name: rng.random((4, _DIM), np.float32) for name in ("inputs", "outputs")})


def _resume(folder: Path) -> object:
    trainer = _Trainer({name: np.zeros_like(array) for name, array in _trainer().arrays.items()})
    done = load_checkpoint(folder / "checkpoint.npz", trainer, "key", 9)
    return done, [array.tobytes() for array in trainer.arrays.values()]


def _with_card(folder: Path) -> None:
    path = write_binary(folder / "vectors.bin", _vectors())
    parameters = {"arch": "sg", "window": 5, "sample": 1e-5}
    digest = sha256_of(path)
    write_card(
        path, VectorCard(digest=digest, trained_on="MEDLINE", sources=("pubmed",), parameters=parameters)
    )


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
        "vector-card",
        _with_card,
        ("vectors.bin.card.json",),
        lambda folder: medgauge.load_model(folder / "vectors.bin").card.model_dump_json(),
        (*NESTED, JSON, JSON),
    ),
    Kind(
        "training-checkpoint",
        lambda folder: save_checkpoint(folder / "checkpoint.npz", _trainer(), "key", 7),
        ("checkpoint.npz",),
        _resume,
        (*RAW, *ZIP),
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
    Kind(
        "concept-csv",
        file("concepts.csv", lambda: as_cui2vec(_concepts())),
        ("concepts.csv",),
        _read_words("concepts.csv", "concepts:"),
        TABLE,
    ),
    Kind(
        "concept-tsv",
        file("concepts.tsv", lambda: as_csv(_concepts(), "\t")),
        ("concepts.tsv",),
        _read_words("concepts.tsv", "concepts:"),
        TABLE,
    ),
    Kind(
        "concept-parquet",
        file("concepts.parquet", lambda: as_lists(_concepts())),
        ("concepts.parquet",),
        _read_words("concepts.parquet", "concepts:"),
        (*RAW, PARQUET),
    ),
    Kind(
        "concept-npz",
        file("concepts.npz", lambda: as_npz(_concepts())),
        ("concepts.npz",),
        _read_words("concepts.npz", "concepts:"),
        (*RAW, *ZIP),
        sealed=True,
    ),
    Kind(
        "concept-words",
        lambda folder: _done(write_binary(folder / "concepts.bin", _concepts())),
        ("concepts.bin",),
        _read_words("concepts.bin", "concepts:"),
        (*RAW, COUNTS),
    ),
)


def _done(_path: Path) -> None:
    """Drop what a writer returns."""
