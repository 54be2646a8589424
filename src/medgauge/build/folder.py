"""The folder that sets are built into."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from medgauge.build.choices import Form
from medgauge.build.manifest import MANIFEST, Manifest
from medgauge.errors import FileError, InputError
from medgauge.files import read_parquet, write_text, writing
from medgauge.folders import WholeFolder
from medgauge.pairs import CARD_KEY, PairSet
from medgauge.tables import read_table

README = "README.md"
_COLUMNS = ("term_1", "term_2", "label")


@dataclass(frozen=True)
class BuildFolder(WholeFolder):
    """The folder of a build: a file for each set, the manifest and a README.md."""

    WHAT: ClassVar[str] = "build"
    MAIN: ClassVar[str] = MANIFEST
    PARTS: ClassVar[tuple[str, ...]] = ("*.parquet", "*.tsv", README)

    def stored(self, *, damaged: bool = False) -> Manifest | None:
        """Read the manifest in the folder, if there is one; with `damaged`, a broken one is none."""
        if not self.exists():
            return None
        try:
            return Manifest.load(self.folder)
        except FileError as error:
            if damaged:
                return None
            raise InputError(f"{error}; add --replace to build anew") from error

    def find_set(self, name: str, key: str) -> pl.DataFrame | None:
        """Find a set that was made before from the same inputs; a damaged one is none."""
        for place in self.places(f"{name}.parquet", key):
            with suppress(FileError):
                return read_parquet(place)
        return None

    def keep_set(self, pairs: PairSet, key: str) -> None:
        """Write a set at once, so that a kill loses none that was made."""
        self.keep(
            f"{pairs.card.name}.parquet",
            pairs.frame,
            metadata={CARD_KEY: pairs.card.model_dump_json()},
            key=key,
        )

    def finish(self, manifest: Manifest, readme: str) -> None:
        """Give the build its manifest, its form and its name."""
        if manifest.form == "tsv":
            for name in manifest.sets:
                frame = read_parquet(self.partial / f"{name}.parquet")
                with writing(self.partial / f"{name}.tsv") as temporary:
                    frame.write_csv(temporary, separator="\t")
        write_text(self.partial / README, readme)
        write_text(self.partial / MANIFEST, manifest.to_json())
        self._take_name({README, MANIFEST, *set_files(manifest.sets, manifest.form)})


def set_files(names: Iterable[str], form: Form) -> list[str]:
    """Name the files of sets."""
    return [f"{name}.{form}" for name in names]


def read_set(folder: Path, name: str) -> pl.DataFrame | None:
    """Read the terms and labels of a set in whichever form it is there; None if it is not."""
    parquet, tsv = (folder / f"{name}.{form}" for form in ("parquet", "tsv"))
    if parquet.exists():
        frame = read_parquet(parquet)
        lacking = [column for column in _COLUMNS if column not in frame.columns]
        if lacking:
            raise FileError(parquet, f"has no column {lacking[0]}")
        return frame.select(_COLUMNS)
    if not tsv.exists():
        return None
    table = read_table(tsv)
    lacking = [column for column in _COLUMNS if column not in table.header]
    if lacking:
        raise FileError(tsv, f"has no column {lacking[0]}", place="line 1")
    places = [table.header.index(column) for column in _COLUMNS]
    rows = [[str(row.values[place]) for place in places] for row in table.rows]
    return pl.DataFrame(rows, dict.fromkeys(_COLUMNS, pl.String), orient="row")
