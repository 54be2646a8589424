"""Kinds of tables: sets, ratings, lists of terms, attributes, figures of models."""

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from random import Random

import polars as pl

import medgauge
from medgauge.catalog.termlist import as_terms
from medgauge.pairs import Card, PairSet
from medgauge.ratings.source import read_ratings
from medgauge.strata.attributes import read_attribute
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import RAW, TABLE, TEXT
from tests.fuzz.structures import PARQUET

TERMS = [
    f"{SECRET}{end}"
    for end in (
        "anthoma of kidney",
        "emia of kidney",
        "itis",
        "algia, acute",
        "oma (left)",
        "osis, acute",
        "ectasia",
        "pnea",
    )
]
PAIRS = [(TERMS[i % 8], TERMS[(i * 3 + 1) % 8]) for i in range(16)]


def frame() -> pl.DataFrame:
    """Return a set of pairs with graded gold and a column besides."""
    random = Random(1)
    return pl.DataFrame(
        {
            "term_1": [first for first, _ in PAIRS],
            "term_2": [second for _, second in PAIRS],
            "gold": [round(random.uniform(0, 4), 2) for _ in PAIRS],
            "stratum": ["a", "b"] * 8,
        }
    )


def ratings_frame() -> pl.DataFrame:
    """Return a wide table of ratings."""
    random = Random(2)
    rated = {f"rater_{name}": [random.randrange(5) for _ in PAIRS] for name in ("ann", "bea", "cy")}
    return frame().select("term_1", "term_2").with_columns(pl.Series(n, v) for n, v in rated.items())


def long_frame(words: dict[int, str] | None = None) -> pl.DataFrame:
    """Return a long table of ratings, of numbers or of words."""
    wide = ratings_frame()
    rows = [
        (row["term_1"], row["term_2"], str(number), name, words[value % 2] if words else str(value))
        for number, row in enumerate(wide.iter_rows(named=True), 1)
        for name, value in row.items()
        if isinstance(value, int)
    ]
    return pl.DataFrame(rows, ["term_1", "term_2", "pair_id", "annotator", "rating"], orient="row")


def csv_of(made: pl.DataFrame, separator: str = ",") -> bytes:
    """Return a frame as delimited text."""
    return made.write_csv(separator=separator).encode()


def parquet_of(made: pl.DataFrame) -> bytes:
    """Return a frame as Parquet."""
    stream = io.BytesIO()
    made.write_parquet(stream)
    return stream.getvalue()


def file(name: str, content: Callable[[], bytes]) -> Callable[[Path], None]:
    """Return what writes one file of an example."""
    return lambda folder: _write(folder / name, content())


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def reading_set(name: str) -> Callable[[Path], object]:
    """Return what loads a set."""
    return lambda folder: medgauge.load_dataset(folder / name).digest


def reading_ratings(name: str) -> Callable[[Path], object]:
    """Return what reads ratings and computes their agreement."""

    def read(folder: Path) -> object:
        ratings = read_ratings(folder / name)
        found = medgauge.agreement(folder / name, resamples=10)
        return ratings.values.tobytes(), ratings.annotators, found.to_json()

    return read


def _saved(folder: Path) -> None:
    made = frame().with_row_index("pair_id", 1).cast({"pair_id": pl.String})
    PairSet(made, Card(name="example", title="Example")).save(folder / "set.parquet")
    (folder / "README.md").unlink()


def _terms(name: str) -> Callable[[Path], object]:
    return lambda folder: medgauge.category_separation(
        "levenshtein", close=(folder / name, ["renal scan", "renal biopsy"]), distant=["fluke", "worm"]
    ).to_json()


def _evaluated(folder: Path) -> object:
    models = ["levenshtein", "token-jaccard", "char-tfidf"]
    return medgauge.evaluate(models, [folder / "pairs.csv"], by="words").to_json()


def _correlated(folder: Path) -> object:
    other = {"model": list("abcdef"), "ner": [0.1, 0.5, 0.3, 0.7, 0.9, 0.4]}
    return medgauge.correlate(folder / "figures.csv", pl.DataFrame(other)).to_json()


def _figures() -> bytes:
    return b"model,similarity,relatedness\n" + b"".join(
        b"%c,0.%d,0.%d\n" % (name, place, 9 - place) for place, name in enumerate(b"abcdef", 1)
    )


def _attributes() -> bytes:
    words = sorted({word for term in TERMS for word in term.split()})
    return b"word,frequency\n" + b"".join(f'"{word}",{10 * n}\n'.encode() for n, word in enumerate(words))


def _attribute(folder: Path) -> object:
    return read_attribute(folder / "words.csv", "frequency").values


WORDS = {0: "not same", 1: "same"}
KINDS = (
    Kind(
        "set-csv", file("pairs.csv", lambda: csv_of(frame())), ("pairs.csv",), reading_set("pairs.csv"), TABLE
    ),
    Kind("set-tsv", file("p.tsv", lambda: csv_of(frame(), "\t")), ("p.tsv",), reading_set("p.tsv"), TABLE),
    Kind(
        "set-parquet",
        file("pairs.parquet", lambda: parquet_of(frame())),
        ("pairs.parquet",),
        reading_set("pairs.parquet"),
        (*RAW, PARQUET),
    ),
    Kind("set-medgauge", _saved, ("set.parquet",), reading_set("set.parquet"), (*RAW, PARQUET), sealed=True),
    Kind(
        "set-gzip",
        file("pairs.csv.gz", lambda: gzip.compress(csv_of(frame()), mtime=0)),
        ("pairs.csv.gz",),
        reading_set("pairs.csv.gz"),
        RAW,
        sealed=True,
    ),
    Kind("evaluate", file("pairs.csv", lambda: csv_of(frame())), ("pairs.csv",), _evaluated, TABLE),
    Kind(
        "ratings-wide",
        file("ratings.csv", lambda: csv_of(ratings_frame())),
        ("ratings.csv",),
        reading_ratings("ratings.csv"),
        TABLE,
    ),
    Kind(
        "ratings-long",
        file("ratings.csv", lambda: csv_of(long_frame())),
        ("ratings.csv",),
        reading_ratings("ratings.csv"),
        TABLE,
    ),
    Kind(
        "ratings-verdicts",
        file("ratings.tsv", lambda: csv_of(long_frame(WORDS), "\t")),
        ("ratings.tsv",),
        reading_ratings("ratings.tsv"),
        TABLE,
    ),
    Kind(
        "ratings-parquet",
        file("ratings.parquet", lambda: parquet_of(ratings_frame())),
        ("ratings.parquet",),
        reading_ratings("ratings.parquet"),
        (*RAW, PARQUET),
    ),
    Kind(
        "terms-text",
        file("terms.txt", lambda: "\n".join(TERMS).encode()),
        ("terms.txt",),
        _terms("terms.txt"),
        TEXT,
    ),
    Kind(
        "terms-csv",
        file("terms.csv", lambda: csv_of(pl.DataFrame({"id": range(8), "term": TERMS}))),
        ("terms.csv",),
        lambda folder: as_terms(folder / "terms.csv"),
        TABLE,
    ),
    Kind("attributes", file("words.csv", _attributes), ("words.csv",), _attribute, TABLE),
    Kind("figures", file("figures.csv", _figures), ("figures.csv",), _correlated, TABLE),
)
