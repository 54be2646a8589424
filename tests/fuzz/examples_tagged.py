"""Kinds of corpora with labelled entities, and what a kill left of their recognition."""

import gzip
import shutil
from pathlib import Path

import numpy as np

from medgauge.ner.labels.tagged_corpus import read_corpora
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import RAW, TABLE
from tests.fuzz.structures import PARQUET

_PARTS = ("train", "devel", "test")
_LABELS = ("O", "O", "B-gene", "I-gene", "O", "B-drug", "O")
_TRAINED = tuple(f"out.partial/counts/corpus--mine--{trial}.parquet" for trial in (1, 2))


def _text(part: str) -> str:
    rows = [
        f"{SECRET}{part}{number}{place}\t{label}\n" + "\n" * (place == len(_LABELS) - 1)
        for number in range(6)
        for place, label in enumerate(_LABELS)
    ]
    return "".join(rows)


def _corpus(folder: Path) -> None:
    for part in _PARTS:
        (folder / f"{part}.tsv").write_text(_text(part), "utf-8")


def _packed(folder: Path) -> None:
    for part in _PARTS:
        (folder / f"{part}.tsv.gz").write_bytes(gzip.compress(_text(part).encode(), mtime=0))


def _read(folder: Path) -> object:
    [corpus] = read_corpora({"corpus": folder})
    parts = [(part.words, part.starts.tolist(), part.labels.tolist()) for part in corpus.parts.values()]
    return corpus.types, parts, corpus.digest


def _recognised(folder: Path) -> object:
    from medgauge import entity_recognition

    words = sorted(row.split("\t")[0] for row in _text("train").split("\n") if row)
    values = np.random.default_rng(0).normal(0, 1, (len(words), 4))
    text = "".join(f"{word} {' '.join(map(str, own))}\n" for word, own in zip(words, values, strict=True))
    (folder / "mine.txt").write_text(text, "utf-8")
    return entity_recognition(
        folder / "mine.txt",
        {"corpus": folder / "corpus"},
        out=folder / "out",
        trials=2,
        epochs=1,
        hidden=3,
        device="cpu",
        resamples=9,
    ).to_json()


def _partial(folder: Path) -> None:
    (folder / "corpus").mkdir()
    _corpus(folder / "corpus")
    _recognised(folder)
    shutil.move(folder / "out", folder / "out.partial")
    (folder / "out.partial" / "results.json").unlink()


KINDS = (
    Kind("tagged-corpus", _corpus, tuple(f"{part}.tsv" for part in _PARTS), _read, TABLE),
    # Not sealed: a file with all of its bytes twice is a valid one, of twice as many sentences.
    Kind("tagged-corpus-gzip", _packed, tuple(f"{part}.tsv.gz" for part in _PARTS), _read, RAW),
    Kind(
        *("recognition-partial", _partial, _TRAINED, _recognised, (*RAW, PARQUET)),
        sealed=True,
        optional=True,
    ),
)
