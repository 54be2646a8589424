"""The folder that sets are built into."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl

from medgauge.build.manifest import MANIFEST, Manifest
from medgauge.build.terminology.families import FileForm
from medgauge.errors import FileError
from medgauge.files.folders import ResumableFolder
from medgauge.files.parquet import parquet_metadata, read_parquet
from medgauge.files.writing import write_text, writing
from medgauge.pairs import CARD_KEY, PairSet
from medgauge.tables import read_table

README = "README.md"
_COLUMNS = ("term_1", "term_2", "label")


@dataclass(frozen=True)
class BuildFolder(ResumableFolder):
    """The folder of a build: a file for each set, the manifest and a README.md."""

    WHAT: ClassVar[str] = "build"
    MAIN: ClassVar[str] = MANIFEST
    PARTS: ClassVar[tuple[str, ...]] = ("*.parquet", "*.tsv", README)

    def stored(self, *, damaged: bool = False) -> Manifest | None:
        """Read the manifest in the folder, or None; with `damaged`, a broken one counts as None."""
        return self.read_whole(Manifest.load, damaged=damaged)

    def find_set(self, name: str, key: str) -> pl.DataFrame | None:
        """Find a set made before from the same inputs, and keep it; None if it is absent or damaged."""
        for place in self.places(f"{name}.parquet", key):
            with suppress(FileError):
                frame, metadata = read_parquet(place), parquet_metadata(place)
                if place.parent != self.partial:
                    self.keep(place.name, frame, {CARD_KEY: metadata[CARD_KEY]}, key)
                return frame
        return None

    def keep_set(self, pairs: PairSet, key: str) -> None:
        """Write a set immediately, so that an interruption loses no finished set."""
        self.keep(f"{pairs.card.name}.parquet", pairs.frame, {CARD_KEY: pairs.card.model_dump_json()}, key)

    def finish(self, manifest: Manifest, readme: str) -> None:
        """Write the manifest and the files in the requested format, and move the folder into place."""
        if manifest.form == "tsv":
            for name in manifest.sets:
                frame = read_parquet(self.partial / f"{name}.parquet")
                with writing(self.partial / f"{name}.tsv") as temporary:
                    frame.write_csv(temporary, separator="\t")
        write_text(self.partial / README, readme)
        write_text(self.partial / MANIFEST, manifest.to_json())
        self._take_name({README, MANIFEST, *set_files(manifest.sets, manifest.form)})


def set_files(names: Iterable[str], form: FileForm) -> list[str]:
    """Return the file names of sets."""
    return [f"{name}.{form}" for name in names]


def read_set(folder: Path, name: str) -> pl.DataFrame | None:
    """Read the terms and labels of a set in whichever format it has; None if it is missing."""
    parquet, tsv = (folder / f"{name}.{form}" for form in ("parquet", "tsv"))
    if parquet.exists():
        return _read_parquet_set(parquet)
    return _read_tsv_set(tsv) if tsv.exists() else None


def _read_parquet_set(path: Path) -> pl.DataFrame:
    frame = read_parquet(path)
    _check_columns(path, frame.columns)
    frame = frame.select(_COLUMNS)
    are_texts = all(frame[name].dtype == pl.String for name in _COLUMNS[:2])
    is_sound = are_texts and frame["label"].dtype.is_integer() and not any(frame.null_count().row(0))
    if not is_sound or not frame["label"].is_in([0, 1]).all():
        raise FileError(path, "is not a set: terms must be text, and labels 0 or 1")
    return frame.cast({"label": pl.Int8})


def _read_tsv_set(path: Path) -> pl.DataFrame:
    table = read_table(path)
    _check_columns(path, table.header)
    places = [table.header.index(column) for column in _COLUMNS]
    rows = []
    for row in table.rows:
        first, second, label = (str(row.values[place]) for place in places)
        if label not in ("0", "1"):
            raise FileError(path, "the label is neither 0 nor 1", place=row.place)
        rows.append((first, second, int(label)))
    return pl.DataFrame(rows, {"term_1": pl.String, "term_2": pl.String, "label": pl.Int8}, orient="row")


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    lacking = [column for column in _COLUMNS if column not in columns]
    if lacking:
        raise FileError(path, f"has no column {lacking[0]}")
