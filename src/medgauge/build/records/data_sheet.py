"""The data sheet of a benchmark from health records: what it was made of, and what each step left."""

import json
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from medgauge.build.records.pair_samples import ConceptCap, StratifiedBy
from medgauge.records.recorded import RecordForm
from medgauge.result import StoredResult
from medgauge.stored import Count, StoredName

DATA_SHEET = "data-sheet.json"
RECORD_RULES = 1
"""The version of the rules for counting; another version counts other pairs in the same records."""

Sample = Literal["random", "frequent", "stratified"]

FORM_NAMES: dict[RecordForm, str] = {
    "omop": "an OMOP CDM",
    "fhir": "FHIR resources",
    "synthea": "Synthea's CSV",
    "table": "a table of events",
}

FLOOR = 5
"""The fewest patients of whom anything may leave the records, whatever is asked for."""

UNDATED = "without a date"
"""The reason for which events are left out that have no date where dates count."""

FEW: Literal["few"] = "few"
Shown = Count | Literal["few"] | Annotated[str, Field(pattern=r"^[\d,]+–[\d,]+$")]
"""A number of patients or events; one of fewer patients than may be shown is "few".

It is a band where exact numbers would reveal, by their difference, what fewer patients have.
"""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CountingParameters(_Frozen):
    """What the counts depend on besides the records.

    `mapping`, `exclude` and `within` are the SHA-256 of files; `terminology` has the title of a release or an
    ontology and the SHA-256 of its files.
    """

    categories: list[str]
    min_patients: Count
    max_concepts: Count
    window: Count | None = None
    mapping: str | None = None
    exclude: str | None = None
    within: str | None = None
    descendants: bool = True
    exclude_linked: bool = False
    terminology: dict[str, str] = {}
    columns: dict[str, str] = {}
    table: str | None = None
    database_schema: str | None = None


class SamplingParameters(_Frozen):
    """How pairs were chosen from those that were counted."""

    sample: Sample
    pairs: Count
    per_concept: Count | None = None
    cap: ConceptCap | None = None
    by: StratifiedBy | None = None
    seed: int | None = None
    exact_counts: bool = False


class RecordStep(_Frozen):
    """What was left after a step; None where a step does not change it or has none."""

    step: StoredName
    patients: Shown | None = None
    events: Shown | None = None
    concepts: Count | None = None
    pairs: Count | None = None


class CountedRecords(_Frozen):
    """What was found in the records: nothing of fewer patients than may be shown.

    `tables` has the columns that were read, `systems` the number of events in each code system, `left_out`
    the number of entries that are not events, by the reason.
    """

    form: RecordForm
    engine: str
    tables: dict[StoredName, list[StoredName]]
    systems: dict[StoredName, Shown]
    steps: Annotated[list[RecordStep], Field(min_length=1)]
    cut: Shown
    without_patient: Count
    left_out: dict[StoredName, Count]
    unmapped_codes: Count
    target_system: StoredName


class PairsFacts(_Frozen):
    """The set that was written: its size and its digest."""

    pairs: Count
    concepts: Count
    digest: str


class DataSheet(StoredResult, _Frozen):
    """Everything about a benchmark from records that can be published without its terms.

    `origin` is the name of the records in cards, by which a model trained on them is recognised; `files` has
    the SHA-256 of what was read. A dry run has no sampling and no set.
    """

    _kind: ClassVar[str] = "built.records"

    record_rules: int
    medgauge: str
    origin: StoredName
    files: dict[StoredName, str]
    counting: CountingParameters
    found: CountedRecords
    sampling: SamplingParameters | None = None
    written: PairsFacts | None = None

    @property
    def patients(self) -> int:
        """The number of patients with an event, 0 if they are too few to be shown."""
        patients = self.found.steps[0].patients
        return patients if isinstance(patients, int) else 0

    def to_json(self) -> str:
        """Return the data sheet as JSON."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"

    @classmethod
    def load(cls, path: str | Path) -> "DataSheet":
        """Read a data sheet, or the one in a folder."""
        path = Path(path)
        if path.is_dir():
            path = path / DATA_SHEET
        return cls._read(path, "is not a data sheet of medgauge build records")

    def _flaw(self) -> str | None:
        if self.record_rules != RECORD_RULES:
            return f"it was written under rules {self.record_rules}, but this medgauge knows {RECORD_RULES}"
        if (self.sampling is None) != (self.written is None):
            return "it has a sample without pairs, or pairs without a sample"
        return None

    def for_card(self) -> dict[str, Any]:
        """Return what a card says of how a set was built: parameters, and what was left after each step."""
        chosen = self.sampling.model_dump(mode="json", exclude_none=True) if self.sampling else {}
        return {
            "records": self.found.form,
            "engine": self.found.engine,
            **self.counting.model_dump(mode="json", exclude_defaults=True),
            **chosen,
            "files": self.files,
            "steps": {step.step: _step_in_words(step) for step in self.found.steps},
        }


def shown(patients: int, least: int, number: int | None = None) -> Shown:
    """Return a number of patients, or another that belongs to them, as it may be shown.

    >>> shown(9, 10), shown(10, 10), shown(0, 10), shown(4, 10, 700)
    ('few', 10, 0, 'few')
    """
    if 0 < patients < least:
        return FEW
    return patients if number is None else number


def in_words(number: Shown) -> str:
    """Write a number as it may be shown.

    >>> in_words(1200), in_words("few"), in_words("20–49")
    ('1,200', 'few', '20–49')
    """
    return number if isinstance(number, str) else f"{number:,}"


def _step_in_words(step: RecordStep) -> str:
    """Say what was left after a step.

    >>> _step_in_words(RecordStep(step="paired", concepts=3, pairs=1200))
    '3 concepts, 1,200 pairs'
    """
    parts = []
    for name in ("patients", "events", "concepts", "pairs"):
        number = getattr(step, name)
        if number is not None:
            one = number == 1
            parts.append(f"{in_words(number)} {name[:-1] if one else name}")
    return ", ".join(parts)
