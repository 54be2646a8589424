"""Events from FHIR R4: what conditions, encounters and observations say about patients."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medgauge.errors import InputError, option
from medgauge.progress import track
from medgauge.records.bundles import documents, fhir_files, unbundled
from medgauge.records.code_systems import short_system

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 50_000  # events
_PLACES = 10  # of what cannot be read, to be listed
_NOT_MEANT = {"entered-in-error": "entered in error", "refuted": "refuted", "cancelled": "cancelled"}
_CHIEF_COMPLAINT = "33962009"  # SNOMED CT
_SYMPTOM = re.compile(r"\b(?:symptoms?|findings?)\b")
_COMPLAINT = re.compile(rf"\bcomplaints?\b|\b(?:presenting|chief) problem\b|{_CHIEF_COMPLAINT}")
_TAG = re.compile(r"\s*\([^()]*\)$")  # as in "Problem (finding)", which does not say that it is a finding
_LITERAL = re.compile(r"(?:.*/)?Patient/(.+?)(?:/_history.*)?")
_CONDITIONAL = re.compile(r"(?:.*/)?Patient\?(.+)")
_URN = re.compile(r"urn:(?:uuid|oid):(.+)")
_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T.*)?")


@dataclass
class FhirCounts:
    """What was read of FHIR resources so far.

    `unreadable` counts files and lines that are not JSON, and `unreadable_places` has the first ten of them.
    `left_out` counts what is not an event, by the reason.
    """

    files: int = 0
    resources: int = 0
    events: int = 0
    unreadable: int = 0
    unreadable_places: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str, number: int = 1) -> None:
        """Count what is left out.

        >>> counts = FhirCounts()
        >>> counts.leave_out("refuted")
        >>> counts.left_out
        {'refuted': 1}
        """
        if number:
            self.left_out[reason] = self.left_out.get(reason, 0) + number


class _MalformedError(Exception):
    """A resource does not have the shape that FHIR defines."""


class FhirReader:
    """Reads the events of a folder or file of FHIR resources, once.

    - Condition.code is a diagnosis, or a symptom or presenting complaint if Condition.category says so.
    - Encounter.reasonCode is a presenting complaint.
    - Observation.code is an observation, and is read only if the categories include it.

    Of several codes one is taken: that of SNOMED CT, else the first for which `mapped` (by system and code)
    is true, else the first. An event has the day on which it began, as it is written. A date without
    a month or day, such as "2020-05", does not count as a day: the event has none then.

    Parameters
    ----------
    source
        The folder, which is searched with the folders in it, or one file.
    patient
        Returns what replaces the id of a patient.
    categories
        The wanted ones; diagnoses, symptoms and presenting complaints are read whether they are or not.
    mapped
        Returns whether a code, named by its system and itself, has a mapping.
    strict
        Whether to fail at what is not JSON instead of counting it.

    Examples
    --------
    >>> reader = FhirReader(Path("bundles"), hash, categories=["diagnosis"])
    >>> list(reader.batches()), reader.counts.events
    ([], 0)

    """

    def __init__(
        self,
        source: Path,
        patient: Callable[[str], int],
        *,
        categories: Collection[str],
        mapped: Callable[[str, str], bool] | None = None,
        strict: bool = False,
    ) -> None:
        self.counts = FhirCounts()
        self._source = source
        self._patient = patient
        self._mapped = mapped
        self._strict = strict
        self._events: list[tuple[int | None, str, str, str, str, date | None]] = []
        self._readers = {"Condition": self._read_condition, "Encounter": self._read_encounter}
        if "observation" in categories:
            self._readers["Observation"] = self._read_observation

    def batches(self) -> "Iterator[pa.RecordBatch]":
        """Yield the events, about 50,000 at a time."""
        files = fhir_files(self._source)
        with track("reading FHIR files", len(files)) as advance:
            for ordinal, path in enumerate(files, 1):
                for _, document in documents(path, ordinal, self._skip):
                    for resource, patients in unbundled(document):
                        self._read(resource, patients)
                    if len(self._events) >= _BATCH:
                        yield self._batch()
                self.counts.files += 1
                advance(1)
        if self._events:
            yield self._batch()

    def _skip(self, place: str, problem: str) -> None:
        if self._strict:
            advice = f"; repair or remove it, or read without {option('strict', True)} to skip and count it"
            said = f"{place} of the FHIR resources {problem}"
            raise InputError(said if ";" in problem else said + advice)
        self.counts.unreadable += 1
        if len(self.counts.unreadable_places) < _PLACES:
            self.counts.unreadable_places.append(place)

    def _batch(self) -> "pa.RecordBatch":
        import pyarrow as pa

        schema = event_schema()
        columns = zip(*self._events, strict=True)
        arrays = [pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)]
        self._events = []
        return pa.RecordBatch.from_arrays(arrays, schema=schema)

    def _read(self, resource: Any, patients: Mapping[str, str]) -> None:
        if not isinstance(resource, dict):
            self.counts.leave_out("malformed")
            return
        kind = resource.get("resourceType")
        if not isinstance(kind, str):
            self.counts.leave_out("not a FHIR resource")
            return
        self.counts.resources += 1
        read = self._readers.get(kind)
        if read is None:
            return
        try:
            read(resource, patients)
        except _MalformedError:
            self.counts.leave_out("malformed")

    def _read_condition(self, condition: dict[str, Any], patients: Mapping[str, str]) -> None:
        if reason := _not_meant(_verification(condition), ("refuted", "entered-in-error")):
            self.counts.leave_out(reason)
            return
        day = _first_day(condition, "onsetDateTime", "onsetPeriod.start", "recordedDate")
        self._add(_object(condition, "code"), _category(condition), _subject(condition, patients), day)

    def _read_encounter(self, encounter: dict[str, Any], patients: Mapping[str, str]) -> None:
        reasons = _list(encounter, "reasonCode")
        if reason := _not_meant({_text(encounter, "status")}, ("entered-in-error",)):
            self.counts.leave_out(reason, len(reasons))
            return
        if not reasons:
            return
        subject, day = _subject(encounter, patients), _first_day(encounter, "period.start")
        for concept in reasons:
            try:
                self._add(_as_object(concept), "presenting complaint", subject, day)
            except _MalformedError:
                self.counts.leave_out("malformed")

    def _read_observation(self, observation: dict[str, Any], patients: Mapping[str, str]) -> None:
        if reason := _not_meant({_text(observation, "status")}, ("entered-in-error", "cancelled")):
            self.counts.leave_out(reason)
            return
        day = _first_day(observation, "effectiveDateTime", "effectivePeriod.start", "issued")
        self._add(_object(observation, "code"), "observation", _subject(observation, patients), day)

    def _add(self, concept: dict[str, Any], category: str, patient: str, day: date | None) -> None:
        """Add the event that a CodeableConcept stands for."""
        codings = [
            (system, code, coding)
            for system, code, coding in map(_as_coding, _list(concept, "coding"))
            if code
        ]
        if not codings:
            self.counts.leave_out("without a code")
            return
        system, code, coding = self._chosen(codings)
        term = _text(coding, "display") or _text(concept, "text")
        self._events.append((self._patient(patient) if patient else None, code, system, term, category, day))
        self.counts.events += 1

    def _chosen(self, codings: list[tuple[str, str, dict[str, Any]]]) -> tuple[str, str, dict[str, Any]]:
        for one in codings:
            if one[0] == "snomed":
                return one
        if self._mapped is not None and len(codings) > 1:
            for one in codings:
                if self._mapped(one[0], one[1]):
                    return one
        return codings[0]


def event_schema() -> "pa.Schema":
    """Return the columns of events, as Arrow has them.

    >>> event_schema().names
    ['patient', 'code', 'system', 'term', 'category', 'date']
    """
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("code", "system", "term", "category")]
    return pa.schema([("patient", pa.int64()), *texts, ("date", pa.date32())])


def _as_object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _MalformedError
    return value


def _object(holder: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object that a property holds, an empty one if there is none."""
    value = holder.get(name)
    return {} if value is None else _as_object(value)


def _list(holder: dict[str, Any], name: str) -> list[Any]:
    """Return the list that a property holds, an empty one if there is none."""
    value = holder.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise _MalformedError
    return value


def _text(holder: dict[str, Any], name: str) -> str:
    """Return the text that a property holds, an empty one if there is none."""
    value = holder.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _MalformedError
    return value.strip()


def _as_coding(value: Any) -> tuple[str, str, dict[str, Any]]:
    coding = _as_object(value)
    return short_system(_text(coding, "system")), _text(coding, "code"), coding


def _verification(condition: dict[str, Any]) -> set[str]:
    """Return the codes of a condition's verificationStatus, which was a code itself before R4."""
    value = condition.get("verificationStatus")
    if isinstance(value, str):
        return {value}
    codings = _list(_object(condition, "verificationStatus"), "coding")
    return {_text(_as_object(coding), "code") for coding in codings}


def _not_meant(found: set[str], statuses: Collection[str]) -> str:
    """Return the reason to leave a resource out if it has one of these statuses, or nothing."""
    return next((_NOT_MEANT[status] for status in statuses if status in found), "")


def _category(condition: dict[str, Any]) -> str:
    names = []
    for value in _list(condition, "category"):
        concept = _as_object(value)
        names.append(_text(concept, "text"))
        for coding in map(_as_object, _list(concept, "coding")):
            names += [_text(coding, "code"), _text(coding, "display")]
    return _category_named(tuple(names))


@lru_cache(maxsize=1000)
def _category_named(names: tuple[str, ...]) -> str:
    """Return the category of events for what Condition.category says in codes and words."""
    plain = [_TAG.sub("", re.sub(r"[\s_-]+", " ", name.lower())) for name in names]
    if any(map(_SYMPTOM.search, plain)):
        return "symptom"
    return "presenting complaint" if any(map(_COMPLAINT.search, plain)) else "diagnosis"


def _first_day(resource: dict[str, Any], *places: str) -> date | None:
    """Return the day that is written in the first of these places in which something is."""
    for place in places:
        name, _, inner = place.partition(".")
        written = _text(_object(resource, name), inner) if inner else _text(resource, name)
        if written:
            return _day(written)
    return None


def _day(written: str) -> date | None:
    """Return the day of a date or time as it is written, None if it has none."""
    found = _DATE.fullmatch(written)
    if found is None:
        return None
    try:
        return date.fromisoformat(found[1])
    except ValueError:  # such as February 30
        return None


def _subject(resource: dict[str, Any], patients: Mapping[str, str]) -> str:
    """Return what identifies the patient that a resource is about, or nothing if it names none.

    This is the id of the Patient, or else its identifier, written as in a search.
    """
    subject = _object(resource, "subject")
    if _text(subject, "type").rpartition("/")[2] not in ("", "Patient"):
        return ""
    reference = _text(subject, "reference")
    if not reference or reference.startswith("#"):
        identifier = _object(subject, "identifier")
        value = _text(identifier, "value")
        return f"identifier={_text(identifier, 'system')}|{value}" if value else ""
    if reference in patients:
        return patients[reference]
    forms = (_LITERAL, _CONDITIONAL, _URN)
    return next((found[1] for form in forms if (found := form.fullmatch(reference))), "")
