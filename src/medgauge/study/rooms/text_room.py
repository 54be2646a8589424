"""The corpus of a study, and its word table, by medgauge.corpus."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.corpus.from_text import build_corpus
from medgauge.corpus.stored_corpus import Corpus
from medgauge.corpus.word_table import corpus_words, open_word_table
from medgauge.files.digests import remembered_sha256
from medgauge.files.opening import require_file
from medgauge.files.parquet import is_parquet
from medgauge.study.rooms.room_protocols import StudiedText


@dataclass(frozen=True)
class CorpusText:
    """Makes and reads corpora of medgauge."""

    def open(self, path: Path) -> StudiedText:
        """Look at a corpus, or at a file that one can be made of."""
        path = require_file(path)
        if not is_parquet(path):
            return StudiedText(path, remembered_sha256(path), is_corpus=False)
        corpus = Corpus.open(path)
        return StudiedText(path, corpus.digest, True, corpus.card.tokens, corpus.parsed)

    def make_corpus(self, source: Path, out: Path) -> None:
        """Make a corpus of a file of text."""
        build_corpus(source, out)

    def count_words(self, corpus: Path, journals: Path | None, out: Path) -> None:
        """Write the word table of a corpus, with subjects if there is a table of those of journals."""
        corpus_words(corpus, out, journals=journals)

    def words(self, path: Path) -> pl.DataFrame:
        """Read a word table."""
        return open_word_table(path).frame
