"""Records as FHIR R4 resources, in bundles or in the lines of a bulk export."""

import hashlib
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from medgauge.errors import MedgaugeWarning
from medgauge.progress import track
from medgauge.records.bundles import fhir_files
from medgauge.records.engine import Engine
from medgauge.records.fhir_events import FhirCounts, FhirReader, event_schema
from medgauge.records.recorded import OBSERVATION, Recorded, RecordForm, compacted

NOT_JSON = "not JSON"
_READ = {
    "Condition": ["subject", "code", "category", "verificationStatus", "onset", "recordedDate"],
    "Encounter": ["subject", "reasonCode", "status", "period"],
    "Observation": ["subject", "code", "status", "effective", "issued"],
}


@dataclass(frozen=True)
class FhirRecords:
    """Resources in a folder or a file. `mapped` and `strict` are those of `FhirReader`."""

    source: Path
    mapped: Callable[[str, str], bool] | None
    strict: bool
    form: ClassVar[RecordForm] = "fhir"

    @cached_property
    def _files(self) -> list[Path]:
        return fhir_files(self.source)

    def read(self, engine: Engine, categories: Collection[str]) -> Recorded:
        """Return the events."""
        reader = FhirReader(
            self.source, engine.patients.of, categories=categories, mapped=self.mapped, strict=self.strict
        )
        streamed = engine.streamed("fhir", event_schema(), reader.batches())
        rows, kinds = compacted(engine, streamed.rename(day="date"), once=True)
        _warn(reader.counts)
        read = dict(_READ)
        if OBSERVATION not in categories:
            del read["Observation"]
        left_out = dict(sorted(reader.counts.left_out.items()))
        if reader.counts.unreadable:
            left_out[NOT_JSON] = reader.counts.unreadable
        return Recorded("fhir", rows, kinds, read, left_out=left_out)

    def digests(self) -> dict[str, str]:
        """Return one SHA-256 for all files: that of their own, in order. Their names may name patients."""
        every = hashlib.sha256()
        with track("computing digests", len(self._files)) as advance:
            for path in self._files:
                every.update(_digest(path))
                advance(1)
        many = len(self._files)
        return {f"{many:,} FHIR {'file' if many == 1 else 'files'}": every.hexdigest()}


def _digest(path: Path) -> bytes:
    """Return the SHA-256 of a file; nothing for one that cannot be read, which is counted elsewhere."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()
    except OSError:
        return b""


def _warn(counts: FhirCounts) -> None:
    """Warn of what is not JSON, by its places."""
    if not counts.unreadable:
        return
    places = ", ".join(counts.unreadable_places)
    more = ", …" if counts.unreadable > len(counts.unreadable_places) else ""
    one = counts.unreadable == 1
    warnings.warn(
        f"{counts.unreadable:,} {'file or line is' if one else 'files or lines are'} not JSON and "
        f"{'is' if one else 'are'} skipped: {places}{more}; files are numbered in the order of their paths",
        MedgaugeWarning,
        stacklevel=4,
    )
