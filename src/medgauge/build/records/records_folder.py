"""The folder that pairs from health records are built into."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl
from pydantic import ValidationError

from medgauge.build.records.data_sheet import DATA_SHEET, CountedRecords, DataSheet
from medgauge.build.records.record_counts import RecordCounts
from medgauge.errors import FileError
from medgauge.files.folders import ResumableFolder
from medgauge.files.parquet import parquet_metadata, read_parquet
from medgauge.files.writing import write_text, writing
from medgauge.pairs import Pairs

PAIRS, UNMAPPED = "pairs.parquet", "unmapped.tsv"
_README = "README.md"
_COUNTED, _CONCEPTS, _LACKING = "counted.parquet", "concepts.parquet", "lacking.parquet"
_FOUND = "medgauge.records"


@dataclass(frozen=True)
class RecordsFolder(ResumableFolder):
    """The folder of a build from records: the pairs, the data sheet, the unmapped codes and a README.md.

    While it is unfinished it also holds what was counted, of enough patients only, with which a build that
    was killed goes on.
    """

    WHAT: ClassVar[str] = "build"
    MAIN: ClassVar[str] = DATA_SHEET
    PARTS: ClassVar[tuple[str, ...]] = ("*.parquet", UNMAPPED, _README)

    def stored(self, *, damaged: bool = False) -> DataSheet | None:
        """Read the data sheet in the folder, or None; with `damaged`, a broken one counts as None."""
        return self.read_whole(DataSheet.load, damaged=damaged)

    def is_complete(self) -> bool:
        """Return whether the folder has all of its files."""
        return all((self.folder / name).is_file() for name in (PAIRS, UNMAPPED, DATA_SHEET, _README))

    def find_counts(self, key: str) -> RecordCounts | None:
        """Find what a build that was killed had counted in the same records; None if there is nothing."""
        names = (_CONCEPTS, _COUNTED, _LACKING)
        if not all(self.has(name, key) for name in names):
            return None
        with suppress(FileError, KeyError, ValidationError):
            concepts, pairs, unmapped = (read_parquet(self.partial / name) for name in names)
            found = CountedRecords.model_validate_json(parquet_metadata(self.partial / _COUNTED)[_FOUND])
            return RecordCounts(concepts, pairs, unmapped, found)
        return None

    def keep_counts(self, counts: RecordCounts, key: str) -> None:
        """Write what was counted at once, so that an interruption does not lose it."""
        self.keep(_CONCEPTS, counts.concepts, key=key)
        self.keep(_LACKING, counts.unmapped, key=key)
        self.keep(_COUNTED, counts.pairs, {_FOUND: counts.found.model_dump_json()}, key)

    def finish(self, sheet: DataSheet, pairs: Pairs, unmapped: pl.DataFrame) -> None:
        """Write the files, and give the folder its final name; what was counted is removed."""
        pairs.save(self.partial / PAIRS)
        write_table(self.partial / UNMAPPED, unmapped)
        write_text(self.partial / DATA_SHEET, sheet.to_json())
        self._take_name({PAIRS, UNMAPPED, DATA_SHEET, _README})


def write_table(path: Path, frame: pl.DataFrame) -> None:
    """Write a table as TSV."""
    with writing(path) as temporary:
        frame.write_csv(temporary, separator="\t", quote_style="never")
