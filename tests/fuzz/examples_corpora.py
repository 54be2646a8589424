"""Kinds of text that corpora are made of, corpora, and tables of their words."""

import os
from collections.abc import Callable
from pathlib import Path

import polars as pl

from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.stored_corpus import SCHEMAS, Corpus
from medgauge.corpus.word_table import corpus_words, open_word_table
from tests.fuzz.kind import SECRET, Kind
from tests.fuzz.mutations import NESTED, RAW, TABLE
from tests.fuzz.structures import PARQUET
from tests.support.articles import CONLLU, JATS, Article, medline

_ARTICLES = [
    Article(f"{number}", f"{SECRET}{number} after <i>gout</i>", [f"The {SECRET} rose.", "p&lt;0.05"])
    for number in range(8)
]
_TEXTS = {
    "a.xml": medline(_ARTICLES),
    "a.nxml": JATS.replace("Gout", f"{SECRET} gout"),
    "a.conllu": CONLLU.replace("Gout", SECRET) * 4,
    "a.txt": "".join(f"{SECRET} rose {number}-fold.\n" for number in range(20)),
}


def _write(name: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_text(_TEXTS[name], "utf-8", newline="\n")

    return write


def _rows(corpus: Corpus) -> object:
    frame = pl.concat(corpus.batches(list(SCHEMAS[corpus.card.layout])))
    assert frame.height == corpus.card.sentences
    return frame.rows(), corpus.card.unread


def _build(name: str) -> Callable[[Path], object]:
    def read(folder: Path) -> object:
        os.environ["XDG_CACHE_HOME"] = str(folder.parent / "cache")
        return _rows(build_corpus(folder / name, folder.parent / "built.parquet", workers=1))

    return read


def _corpus(folder: Path) -> None:
    _write("a.conllu")(folder)
    build_corpus(folder / "a.conllu", folder / "corpus.parquet", workers=1)
    (folder / "a.conllu").unlink()


def _opened(folder: Path) -> object:
    return _rows(Corpus.open(folder / "corpus.parquet"))


def _words(folder: Path) -> None:
    os.environ["XDG_CACHE_HOME"] = str(folder.parent / "cache")
    _corpus(folder)
    corpus_words(folder / "corpus.parquet", folder / "words.parquet", memory="200MB")
    (folder / "corpus.parquet").unlink()


def _counted(folder: Path) -> object:
    table = open_word_table(folder / "words.parquet")
    return table.frame.rows(), table.card


KINDS = (
    Kind("corpus-medline", _write("a.xml"), ("a.xml",), _build("a.xml"), NESTED),
    Kind("corpus-jats", _write("a.nxml"), ("a.nxml",), _build("a.nxml"), NESTED),
    Kind("corpus-conllu", _write("a.conllu"), ("a.conllu",), _build("a.conllu"), TABLE),
    Kind("corpus-text", _write("a.txt"), ("a.txt",), _build("a.txt"), RAW),
    Kind(
        "corpus",
        _corpus,
        ("corpus.parquet",),
        _opened,
        (*RAW, PARQUET),
        sealed=True,
    ),
    Kind(
        "word-table",
        _words,
        ("words.parquet",),
        _counted,
        (*RAW, PARQUET),
        sealed=True,
        optional=True,
    ),
)
