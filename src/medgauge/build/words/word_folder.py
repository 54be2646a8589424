"""The folder that a benchmark of word similarity is built into."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from medgauge.build.words.word_cards import readme_of_words
from medgauge.build.words.word_sheet import WORD_SHEET, WordSheet
from medgauge.files.folders import ResumableFolder
from medgauge.files.writing import write_text, writing
from medgauge.pairs import CARD_KEY, Pairs

EXPERTS, WORDS = "experts", "words.tsv"
_README = "README.md"


@dataclass(frozen=True)
class WordFolder(ResumableFolder):
    """The folder of a build from words: the sets, what experts judge, the chosen words and the data sheet."""

    WHAT: ClassVar[str] = "build"
    MAIN: ClassVar[str] = WORD_SHEET
    PARTS: ClassVar[tuple[str, ...]] = ("*.parquet", WORDS, _README, f"{EXPERTS}/*.parquet")

    def stored(self, *, damaged: bool = False) -> WordSheet | None:
        """Read the data sheet in the folder, or None; with `damaged`, a broken one counts as None."""
        return self.read_whole(WordSheet.load, damaged=damaged)

    def is_complete(self, sheet: WordSheet) -> bool:
        """Return whether the folder has all files of the sheet's sets."""
        return all((self.folder / name).is_file() for name in (WORDS, _README, *_files(list(sheet.sets))))

    def finish(
        self, sheet: WordSheet, sets: Sequence[Pairs], experts: Sequence[Pairs], words: pl.DataFrame
    ) -> None:
        """Write all files, and give the folder its final name."""
        listed = {f"{pairs.card.name}.parquet": pairs for pairs in sets}
        listed |= {f"{EXPERTS}/{pairs.card.name}.parquet": pairs for pairs in experts}
        (self.partial / EXPERTS).mkdir(exist_ok=True)
        for path, pairs in listed.items():
            self.keep(path, pairs.frame, {CARD_KEY: pairs.card.model_dump_json()})
        with writing(self.partial / WORDS) as temporary:
            words.write_csv(temporary, separator="\t", quote_style="never")
        write_text(self.partial / _README, readme_of_words(sheet))
        write_text(self.partial / WORD_SHEET, sheet.to_json())
        self._take_name({WORDS, _README, WORD_SHEET, *listed})


def _files(sets: Sequence[str]) -> list[str]:
    return [f"{name}.parquet" for name in sets]
