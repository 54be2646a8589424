"""The folder of a study: what its steps wrote, a record of each, and the report."""

import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import polars as pl
from pydantic import BaseModel, ConfigDict, ValidationError

from medgauge.errors import FileError
from medgauge.files.digests import remembered_sha256
from medgauge.files.folders import ResumableFolder, key_of, part_name
from medgauge.files.parquet import parquet_metadata, read_parquet
from medgauge.files.writing import write_text
from medgauge.result import Result
from medgauge.stored import Count, StoredName
from medgauge.study.study_result import STUDY_RESULT, StudyResult

_RECORD = "medgauge.step"
_FILES = {"path": pl.String, "bytes": pl.Int64, "sha256": pl.String}
RUNS, VECTORS, PLOTS = "runs", "vectors", "plots"
"""The folders of runs, trained vectors and plots in that of a study."""


class StepRecord(BaseModel):
    """A step that was made: how long it took, for how much work, and digests of what it needed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    step: StoredName
    pace: str
    work: float
    seconds: float
    needed: dict[str, str]
    files: dict[str, tuple[Count, str]] = {}

    @property
    def digest(self) -> str:
        """The digest of what the step wrote."""
        return key_of(files=self.files)


@dataclass(frozen=True)
class StudyFolder(ResumableFolder):
    """The folder of a study.

    Each step that was made has a record under its key: a Parquet file that names what it wrote, with digests.
    """

    WHAT: ClassVar[str] = "study"
    MAIN: ClassVar[str] = STUDY_RESULT
    PARTS: ClassVar[tuple[str, ...]] = (
        "steps/*.parquet",
        "*.parquet",
        f"{PLOTS}/*.svg",
        f"{PLOTS}/*.png",
        "report.*",
        "figures.csv",
    )
    WITHIN: ClassVar[tuple[str, ...]] = (RUNS, VECTORS)

    def stored(self, *, damaged: bool = False) -> StudyResult | None:
        """Read the result in the folder, or None; with `damaged`, a broken one counts as None."""
        return self.read_whole(StudyResult.load, damaged=damaged)

    def kept(self, step: str, key: str, needed: Mapping[str, str]) -> tuple[StepRecord, Path] | None:
        """Find a step that was made of the same inputs, with intact files, and the folder that it is in."""
        for place in self.places(_record_path(step), key):
            with suppress(FileError, KeyError, ValidationError):
                record = StepRecord.model_validate_json(parquet_metadata(place)[_RECORD])
                rows = read_parquet(place).iter_rows()
                record = record.model_copy(update={"files": {path: (size, sha) for path, size, sha in rows}})
                folder = place.parent.parent
                if record.needed == dict(needed) and all(
                    _is_intact(folder / path, *facts) for path, facts in record.files.items()
                ):
                    return record, folder
        return None

    def records(self) -> list[StepRecord]:
        """Return the records of all steps that were made, whatever their inputs were."""
        found = []
        for folder in (self.partial, self.folder):
            for place in sorted(folder.glob("steps/*.parquet")):
                with suppress(FileError, KeyError, ValidationError):
                    found.append(StepRecord.model_validate_json(parquet_metadata(place)[_RECORD]))
        return found

    def adopt(self, record: StepRecord, key: str, folder: Path) -> None:
        """Keep a step that was found in the folder that is to be replaced."""
        if folder == self.partial:
            return
        for path in record.files:
            _link(folder / path, self.partial / path)
        self._write_record(record, key)

    def bring(self, path: str) -> None:
        """Bring a folder that is to be replaced, for what is reused of it, unless a kill left a newer one."""
        newer = (self.partial / path, self.partial / f"{path}.partial")
        if any(one.exists() for one in newer):
            return
        for place in sorted((self.folder / path).rglob("*")):
            if place.is_file():
                _link(place, self.partial / place.relative_to(self.folder))

    def keep_step(self, record: StepRecord, outputs: Iterable[str], key: str) -> StepRecord:
        """Record a step at once, with what it wrote, so that an interruption does not lose it."""
        places = sorted({place for pattern in outputs for place in self.partial.glob(pattern)})
        files = {
            place.relative_to(self.partial).as_posix(): (place.stat().st_size, remembered_sha256(place))
            for place in places
            if place.is_file()
        }
        record = record.model_copy(update={"files": files})
        self._write_record(record, key)
        return record

    def _write_record(self, record: StepRecord, key: str) -> None:
        rows = [(path, *facts) for path, facts in record.files.items()]
        frame = pl.DataFrame(rows, schema=_FILES, orient="row")
        metadata = {_RECORD: record.model_dump_json(exclude={"files"})}
        self.keep(_record_path(record.step), frame, metadata, key)

    def has_report(self, result: StudyResult, *, plots: bool) -> bool:
        """Return whether the complete folder has the report of its result."""
        drawn = _plots(result) if plots else {}
        return all((self.folder / name).is_file() for name in (*result.report(plots=plots), *drawn))

    def finish(self, result: StudyResult, records: Iterable[StepRecord], *, plots: bool) -> None:
        """Write the report and the result, and give the folder its final name; nothing else stays in it."""
        drawn = _plots(result) if plots else {}
        for path, one in drawn.items():
            one.save_plot(self.partial / path)
        report = result.report(plots=plots)
        for name, text in report.items():
            write_text(self.partial / name, text)
        write_text(self.partial / STUDY_RESULT, result.to_json())
        needed = {STUDY_RESULT, *report, *drawn}
        for record in records:
            needed |= {_record_path(record.step), *record.files}
        self._take_name(needed)
        for place in sorted(self.folder.rglob("*/"), reverse=True):
            with suppress(OSError):
                place.rmdir()  # if what was in it is not needed


def _plots(result: StudyResult) -> dict[str, Result]:
    """Return what is drawn, by the paths of the plots."""
    return {
        f"{PLOTS}/{part_name(name)}.{form}": one
        for name, one in result.drawn().items()
        for form in ("svg", "png")
    }


def _record_path(step: str) -> str:
    return f"steps/{part_name(step.replace(' ', '-'))}.parquet"


def _is_intact(path: Path, size: int, sha256: str) -> bool:
    return path.is_file() and path.stat().st_size == size and remembered_sha256(path) == sha256


def _link(source: Path, target: Path) -> None:
    """Put a file in a second place, without a copy where the system can; nothing changes it in place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
