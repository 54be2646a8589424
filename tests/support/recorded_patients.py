"""The same made-up patients in every form that is read: Synthea, OMOP, FHIR and plain tables.

    events = some_events()
    source = FORMS["OMOP zip"](tmp_path, events)

No patient exists. Codes are those of SNOMED CT that Synthea publishes; who has them is drawn at random.
"""

import csv
import datetime
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from uuid import NAMESPACE_OID, UUID, uuid5

import polars as pl

DIAGNOSIS, COMPLAINT = "diagnosis", "presenting complaint"
SNOMED_URI = "http://snomed.info/sct"


class Event(NamedTuple):
    """Something recorded for a patient. The term has its semantic tag, and the date is in ISO 8601."""

    patient: str
    code: str
    term: str
    category: str
    date: str


class Concept(NamedTuple):
    """A concept that is recorded, or that others are below: `weight` is 0 for those never recorded."""

    code: str
    term: str
    weight: float
    icd: str
    parents: tuple[str, ...]


CONCEPTS = (
    Concept("404684003", "Clinical finding (finding)", 0, "", ()),
    Concept("64572001", "Disease (disorder)", 0, "", ("404684003",)),
    Concept("224363007", "Employed (finding)", 0, "", ("404684003",)),
    Concept("444814009", "Viral sinusitis (disorder)", 12, "J01.90", ("36971009",)),
    Concept("75498004", "Acute bacterial sinusitis (disorder)", 1.5, "J01.80", ("36971009",)),
    Concept("36971009", "Sinusitis (disorder)", 5, "J32.9", ("64572001",)),
    Concept("195662009", "Acute viral pharyngitis (disorder)", 8, "J02.8", ("64572001",)),
    Concept("10509002", "Acute bronchitis (disorder)", 6, "J20.9", ("64572001",)),
    Concept("38341003", "Hypertensive disorder, systemic arterial (disorder)", 6, "I10", ("64572001",)),
    Concept("44054006", "Diabetes mellitus type 2 (disorder)", 5, "E11.9", ("64572001",)),
    Concept("15777000", "Prediabetes (finding)", 5, "R73.03", ("404684003",)),
    Concept("55822004", "Hyperlipidemia (disorder)", 3, "E78.5", ("64572001",)),
    Concept("386661006", "Fever (finding)", 7, "R50.9", ("404684003",)),
    Concept("49727002", "Cough (finding)", 7, "R05.9", ("404684003",)),
    Concept("25064002", "Headache (finding)", 4, "R51.9", ("404684003",)),
    Concept("267036007", "Dyspnea (finding)", 0.4, "R06.00", ("404684003",)),
    Concept("160903007", "Full-time employment (finding)", 9, "Z56.9", ("224363007",)),
)
"""Full-time employment is administrative, and sinusitis is the parent of two that are recorded with it."""

TERMS = {concept.code: concept.term for concept in CONCEPTS}
_RECORDED = [concept for concept in CONCEPTS if concept.weight]
_COMPLAINTS = {"386661006": 0.8, "49727002": 0.8, "25064002": 0.9, "267036007": 1.0, "10509002": 0.2}
"""How often a concept is the reason for a visit; others are always diagnoses."""


def without_tag(term: str) -> str:
    """Return a term without its semantic tag."""
    return term.rpartition(" (")[0]


def some_events(patients: int = 60, seed: int = 7) -> list[Event]:
    """Make up events: a few visits for each patient, with one to five codes in the weeks after each."""
    random = Random(seed)
    weights = [concept.weight for concept in _RECORDED]
    events = []
    for _ in range(patients):
        patient = str(UUID(int=random.getrandbits(128), version=4))
        own = []
        for _ in range(random.randint(1, 5)):
            visit = datetime.date(2014, 1, 1) + datetime.timedelta(random.randrange(3000))
            for concept in random.choices(_RECORDED, weights, k=random.randint(1, 5)):
                day = visit + datetime.timedelta(random.choice((0, 0, 0, 3, 20)))
                is_complaint = random.random() < _COMPLAINTS.get(concept.code, 0)
                category = COMPLAINT if is_complaint else DIAGNOSIS
                own.append(Event(patient, concept.code, concept.term, category, day.isoformat()))
        events += sorted(own, key=lambda event: event.date)
    return events


def name_of(patient: str) -> tuple[str, str]:
    """Return a patient's given and family name, with numbers as in Synthea; they must appear nowhere."""
    number = UUID(patient).int
    given = ("Abe", "Berta", "Carlos", "Dora", "Emil")[number % 5]
    family = ("Frami", "Gulgowski", "Hilll", "Kuhn", "Leffler")[number // 5 % 5]
    return f"{given}{100 + number % 900}", f"{family}{100 + number // 900 % 900}"


def _patients(events: Iterable[Event]) -> list[str]:
    """Return the patients in the order of their first events."""
    return list(dict.fromkeys(event.patient for event in events))


def _encounter_id(number: int) -> str:
    """Return the id of the visit at which an event was recorded."""
    return str(uuid5(NAMESPACE_OID, f"encounter {number}"))


def _write_csv(path: Path, header: str, rows: Iterable[Mapping[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, header.split(","), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_synthea(folder: Path, events: Sequence[Event]) -> Path:
    """Write Synthea's CSV: diagnoses are conditions, presenting complaints the reasons of encounters."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {patient: name_of(patient) for patient in _patients(events)}
    _write_csv(
        folder / "patients.csv",
        "Id,BIRTHDATE,DEATHDATE,SSN,DRIVERS,PASSPORT,PREFIX,FIRST,LAST,SUFFIX,MAIDEN,MARITAL,RACE,ETHNICITY,"
        "GENDER,BIRTHPLACE,ADDRESS,CITY,STATE,COUNTY,ZIP,LAT,LON,HEALTHCARE_EXPENSES,HEALTHCARE_COVERAGE",
        (
            {"Id": patient, "BIRTHDATE": "1970-01-01", "FIRST": given, "LAST": family, "GENDER": "F"}
            for patient, (given, family) in names.items()
        ),
    )
    _write_csv(
        folder / "conditions.csv",
        "START,STOP,PATIENT,ENCOUNTER,CODE,DESCRIPTION",
        (
            {
                "START": event.date,
                "PATIENT": event.patient,
                "ENCOUNTER": _encounter_id(number),
                "CODE": event.code,
                "DESCRIPTION": event.term,
            }
            for number, event in enumerate(events)
            if event.category == DIAGNOSIS
        ),
    )
    _write_csv(
        folder / "encounters.csv",
        "Id,START,STOP,PATIENT,ORGANIZATION,PROVIDER,PAYER,ENCOUNTERCLASS,CODE,DESCRIPTION,"
        "BASE_ENCOUNTER_COST,TOTAL_CLAIM_COST,PAYER_COVERAGE,REASONCODE,REASONDESCRIPTION",
        (
            {
                "Id": _encounter_id(number),
                "START": f"{event.date}T23:15:00Z",
                "STOP": f"{event.date}T23:30:00Z",
                "PATIENT": event.patient,
                "ENCOUNTERCLASS": "ambulatory",
                "CODE": "185345009",
                "DESCRIPTION": "Encounter for symptom",
                "BASE_ENCOUNTER_COST": "129.16",
                "REASONCODE": event.code if event.category == COMPLAINT else "",
                "REASONDESCRIPTION": event.term if event.category == COMPLAINT else "",
            }
            for number, event in enumerate(events)
        ),
    )
    return folder


CHIEF_COMPLAINT, EHR = 42894222, 32817
"""OMOP's types of condition: the first was withdrawn with the vocabulary, and is still in use."""
_ALWAYS = {"valid_start_date": datetime.date(1970, 1, 1), "valid_end_date": datetime.date(2099, 12, 31)}
_OMOP_COLUMNS = {
    "CDM_SOURCE": "cdm_source_name cdm_source_abbreviation cdm_holder source_release_date cdm_release_date "
    "cdm_version cdm_version_concept_id vocabulary_version",
    "CONCEPT": "concept_id concept_name domain_id vocabulary_id concept_class_id standard_concept "
    "concept_code valid_start_date valid_end_date invalid_reason",
    "CONCEPT_ANCESTOR": "ancestor_concept_id descendant_concept_id min_levels_of_separation "
    "max_levels_of_separation",
    "CONCEPT_RELATIONSHIP": "concept_id_1 concept_id_2 relationship_id valid_start_date valid_end_date "
    "invalid_reason",
    "CONDITION_OCCURRENCE": "condition_occurrence_id person_id condition_concept_id condition_start_date "
    "condition_start_datetime condition_end_date condition_end_datetime condition_type_concept_id "
    "condition_status_concept_id stop_reason provider_id visit_occurrence_id visit_detail_id "
    "condition_source_value condition_source_concept_id condition_status_source_value",
    "PERSON": "person_id gender_concept_id year_of_birth month_of_birth day_of_birth birth_datetime "
    "race_concept_id ethnicity_concept_id location_id provider_id care_site_id person_source_value "
    "gender_source_value gender_source_concept_id race_source_value race_source_concept_id "
    "ethnicity_source_value ethnicity_source_concept_id",
    "VISIT_OCCURRENCE": "visit_occurrence_id person_id visit_concept_id visit_start_date "
    "visit_start_datetime visit_end_date visit_end_datetime visit_type_concept_id visit_source_value",
    "VOCABULARY": "vocabulary_id vocabulary_name vocabulary_reference vocabulary_version "
    "vocabulary_concept_id",
}
_TEXT_IDS = ("domain_id", "vocabulary_id", "concept_class_id", "relationship_id")


def _omop_type(column: str) -> pl.DataType:
    if column.endswith("_datetime"):
        return pl.Datetime()
    if column.endswith("_date"):
        return pl.Date()
    is_number = "_id" in column or "_of_birth" in column or "_levels_" in column
    return pl.Int64() if is_number and column not in _TEXT_IDS else pl.String()


def concept_ids() -> dict[str, int]:
    """Return OMOP's ids of the concepts that we made up, by code."""
    return {concept.code: 4_000_001 + 17 * number for number, concept in enumerate(CONCEPTS)}


def _icd_ids() -> dict[str, int]:
    """Return the ids of the concepts that are not standard, by the code of the concept that they map to."""
    return {code: standard + 41_000_000 for code, standard in concept_ids().items() if _icd_of(code)}


def _icd_of(code: str) -> str:
    return next(concept.icd for concept in CONCEPTS if concept.code == code)


def ancestors() -> Iterator[tuple[str, str, int]]:
    """Yield the ancestor, the concept and the levels between them; a concept is its own ancestor."""
    parents = {concept.code: concept.parents for concept in CONCEPTS}
    for code in parents:
        level, above = 0, [code]
        while above:
            yield from ((ancestor, code, level) for ancestor in above)
            level, above = level + 1, [parent for each in above for parent in parents[each]]


def _concept_rows() -> Iterator[dict[str, object]]:
    ids, icd_ids = concept_ids(), _icd_ids()
    yield {
        **_ALWAYS,
        "concept_id": 0,
        "concept_name": "No matching concept",
        "domain_id": "Metadata",
        "vocabulary_id": "None",
        "concept_class_id": "Undefined",
        "concept_code": "No matching concept",
    }
    for concept in CONCEPTS:
        shared = {**_ALWAYS, "concept_name": without_tag(concept.term), "domain_id": "Condition"}
        yield {
            **shared,
            "concept_id": ids[concept.code],
            "vocabulary_id": "SNOMED",
            "concept_class_id": "Clinical Finding",
            "standard_concept": "S",
            "concept_code": concept.code,
        }
        if concept.icd:
            yield {
                **shared,
                "concept_id": icd_ids[concept.code],
                "vocabulary_id": "ICD10CM",
                "concept_class_id": "4-char billing code",
                "concept_code": concept.icd,
            }


def _relationship_rows() -> Iterator[dict[str, object]]:
    """Yield hierarchy and mappings; each mapping has a retired one next to it, to the root."""
    ids, icd_ids = concept_ids(), _icd_ids()

    def row(one: int, relation: str, two: int, invalid: str | None = None) -> dict[str, object]:
        relationship = {"concept_id_1": one, "concept_id_2": two, "relationship_id": relation}
        return {**_ALWAYS, **relationship, "invalid_reason": invalid}

    for concept in CONCEPTS:
        own = ids[concept.code]
        yield row(own, "Maps to", own)
        yield row(own, "Mapped from", own)
        for parent in concept.parents:
            yield row(own, "Is a", ids[parent])
            yield row(ids[parent], "Subsumes", own)
        if concept.icd:
            icd = icd_ids[concept.code]
            yield row(icd, "Maps to", own)
            yield row(own, "Mapped from", icd)
            yield row(icd, "Maps to", ids["404684003"], "D")


def omop_tables(
    events: Sequence[Event], *, non_standard: bool = False, unmapped: int = 0
) -> dict[str, pl.DataFrame]:
    """Return the tables of the CDM 5.4, by their names in upper case.

    With `non_standard`, every third event is recorded as an ICD-10-CM concept that maps to the standard one.
    `unmapped` events of the first patient are added with the concept id 0.
    """
    ids, icd_ids = concept_ids(), _icd_ids()
    people = {patient: number for number, patient in enumerate(_patients(events), 1)}
    conditions, visits = [], []
    for number, event in enumerate(events):
        own, code = ids[event.code], event.code
        if non_standard and number % 3 == 0:
            own, code = icd_ids[event.code], _icd_of(event.code)
        visit = {"visit_occurrence_id": 5_000 + number, "person_id": people[event.patient]}
        day = datetime.date.fromisoformat(event.date)
        midnight = datetime.datetime.combine(day, datetime.time())
        conditions.append(
            {
                **visit,
                "condition_concept_id": own,
                "condition_start_date": day,
                "condition_start_datetime": midnight,
                "condition_type_concept_id": CHIEF_COMPLAINT if event.category == COMPLAINT else EHR,
                "condition_status_concept_id": 0,
                "condition_source_value": code,
                "condition_source_concept_id": own,
            }
        )
        visits.append(
            {
                **visit,
                "visit_concept_id": 9202,
                "visit_start_date": day,
                "visit_start_datetime": midnight,
                "visit_end_date": day,
                "visit_end_datetime": midnight,
                "visit_type_concept_id": EHR,
                "visit_source_value": _encounter_id(number),
            }
        )
    no_match = {
        "condition_concept_id": 0,
        "condition_source_value": "LOCAL-1",
        "condition_source_concept_id": 0,
    }
    conditions += [{**conditions[0], **no_match} for _ in range(unmapped)]
    rows: dict[str, Iterable[dict[str, Any]]] = {
        "CDM_SOURCE": [
            {
                "cdm_source_name": "Made-up patients",
                "cdm_source_abbreviation": "MADE-UP",
                "cdm_version": "5.4",
                "cdm_version_concept_id": 756265,
                "vocabulary_version": "v5.0 09-APR-22",
            }
        ],
        "CONCEPT": _concept_rows(),
        "CONCEPT_ANCESTOR": (
            {
                "ancestor_concept_id": ids[ancestor],
                "descendant_concept_id": ids[code],
                "min_levels_of_separation": level,
                "max_levels_of_separation": level,
            }
            for ancestor, code, level in ancestors()
        ),
        "CONCEPT_RELATIONSHIP": _relationship_rows(),
        "CONDITION_OCCURRENCE": (
            {"condition_occurrence_id": number, **row} for number, row in enumerate(conditions, 1)
        ),
        "PERSON": (
            {
                "person_id": number,
                "gender_concept_id": 8532,
                "year_of_birth": 1970,
                "race_concept_id": 0,
                "ethnicity_concept_id": 0,
                "person_source_value": patient,
            }
            for patient, number in people.items()
        ),
        "VISIT_OCCURRENCE": visits,
        "VOCABULARY": [
            {"vocabulary_id": name, "vocabulary_name": name, "vocabulary_concept_id": 0}
            for name in ("None", "SNOMED", "ICD10CM")
        ],
    }
    return {
        name: pl.DataFrame(
            list(rows[name]), schema={column: _omop_type(column) for column in columns.split()}
        )
        for name, columns in _OMOP_COLUMNS.items()
    }


def _omop_csv(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_csv(stream, datetime_format="%Y-%m-%d %H:%M:%S")
    return stream.getvalue()


def write_omop(
    folder: Path,
    events: Sequence[Event],
    *,
    form: str = "csv",
    upper: bool = True,
    non_standard: bool = False,
    unmapped: int = 0,
) -> Path:
    """Write OMOP's tables as a folder of CSV or Parquet files, with names in upper or lower case."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in omop_tables(events, non_standard=non_standard, unmapped=unmapped).items():
        path = folder / f"{name if upper else name.lower()}.{form}"
        if form == "parquet":
            table.write_parquet(path)
        else:
            path.write_bytes(_omop_csv(table))
    return folder


def zip_omop(path: Path, events: Sequence[Event], *, non_standard: bool = False, unmapped: int = 0) -> Path:
    """Write OMOP's tables as OHDSI publishes them: a zip made on a Mac, with what a Mac adds."""
    tables = omop_tables(events, non_standard=non_standard, unmapped=unmapped)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        junk = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        "
        archive.writestr(zipfile.ZipInfo(".DS_Store"), b"\x00\x00\x00\x01Bud1\x00")
        for name, table in tables.items():
            archive.writestr(zipfile.ZipInfo(f"{name}.csv"), _omop_csv(table))
            archive.writestr(zipfile.ZipInfo(f"__MACOSX/._{name}.csv"), junk)
    return path


def write_omop_duckdb(
    path: Path, events: Sequence[Event], *, non_standard: bool = False, unmapped: int = 0
) -> Path:
    """Write OMOP's tables to a DuckDB file, with names in lower case."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        for name, table in omop_tables(events, non_standard=non_standard, unmapped=unmapped).items():
            connection.from_arrow(table.to_arrow()).create(name.lower())
    return path


def _patient_resource(patient: str) -> dict[str, Any]:
    given, family = name_of(patient)
    return {
        "resourceType": "Patient",
        "id": patient,
        "identifier": [{"system": "https://github.com/synthetichealth/synthea", "value": patient}],
        "name": [{"use": "official", "family": family, "given": [given]}],
        "gender": "female",
        "birthDate": "1970-01-01",
    }


def _coded(event: Event) -> dict[str, Any]:
    coding = {"system": SNOMED_URI, "code": event.code, "display": event.term}
    return {"coding": [coding], "text": event.term}


def _category(system: str, code: str) -> dict[str, Any]:
    return {"coding": [{"system": f"http://terminology.hl7.org/CodeSystem/{system}", "code": code}]}


def _resources(number: int, event: Event, reference: Callable[[str, str], str]) -> Iterator[dict[str, Any]]:
    """Yield an event's Encounter and, for a diagnosis, its Condition; in UTC both are on the next day."""
    subject = {"reference": reference("Patient", event.patient), "display": " ".join(name_of(event.patient))}
    encounter = _encounter_id(number)
    reason = {"reasonCode": [_coded(event)]} if event.category == COMPLAINT else {}
    yield {
        "resourceType": "Encounter",
        "id": encounter,
        "status": "finished",
        "class": {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "AMB"},
        "type": [{"coding": [{"system": SNOMED_URI, "code": "185345009"}], "text": "Encounter for symptom"}],
        "subject": subject,
        "period": {"start": f"{event.date}T23:15:00-05:00", "end": f"{event.date}T23:30:00-05:00"},
        **reason,
    }
    if event.category == DIAGNOSIS:
        yield {
            "resourceType": "Condition",
            "id": str(uuid5(NAMESPACE_OID, f"condition {number}")),
            "clinicalStatus": _category("condition-clinical", "active"),
            "verificationStatus": _category("condition-ver-status", "confirmed"),
            "category": [_category("condition-category", "encounter-diagnosis")],
            "code": _coded(event),
            "subject": subject,
            "encounter": {"reference": reference("Encounter", encounter)},
            "onsetDateTime": f"{event.date}T23:15:00-05:00",
            "recordedDate": f"{event.date}T23:15:00-05:00",
        }


def write_bundles(folder: Path, events: Sequence[Event]) -> Path:
    """Write a FHIR R4 transaction for each patient, in a file with the patient's name, as Synthea does."""
    folder.mkdir(parents=True, exist_ok=True)
    resources = {patient: [_patient_resource(patient)] for patient in _patients(events)}
    for number, event in enumerate(events):
        resources[event.patient] += _resources(number, event, lambda _kind, own: f"urn:uuid:{own}")
    for patient, own in resources.items():
        entries = [
            {
                "fullUrl": f"urn:uuid:{resource['id']}",
                "resource": resource,
                "request": {"method": "POST", "url": resource["resourceType"]},
            }
            for resource in own
        ]
        bundle = {"resourceType": "Bundle", "type": "transaction", "entry": entries}
        path = folder / f"{'_'.join(name_of(patient))}_{patient}.json"
        path.write_text(json.dumps(bundle, indent=2), "utf-8")
    return folder


def write_ndjson(folder: Path, events: Sequence[Event], *, packed: bool = False) -> Path:
    """Write the files of a FHIR bulk export, one for each type of resource, packed with gzip or not."""
    folder.mkdir(parents=True, exist_ok=True)
    files: dict[str, list[dict[str, Any]]] = {"Patient": [], "Condition": [], "Encounter": []}
    files["Patient"] = [_patient_resource(patient) for patient in _patients(events)]
    for number, event in enumerate(events):
        for resource in _resources(number, event, lambda kind, own: f"{kind}/{own}"):
            files[resource["resourceType"]].append(resource)
    for name, resources in files.items():
        content = "".join(f"{json.dumps(resource)}\n" for resource in resources).encode()
        path = folder / f"{name}.ndjson{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(content, mtime=0) if packed else content)
    return folder


def write_table(path: Path, events: Sequence[Event]) -> Path:
    """Write a plain table with the columns patient, code, term, category and date: CSV, or Parquet."""
    table = pl.DataFrame(list(events), schema=list(Event._fields), orient="row")
    if path.suffix == ".parquet":
        table.with_columns(pl.col("date").str.to_date()).write_parquet(path)
    else:
        table.write_csv(path)
    return path


FORMS: dict[str, Callable[[Path, Sequence[Event]], Path]] = {
    "Synthea CSV": lambda folder, events: write_synthea(folder / "synthea", events),
    "OMOP CSV": lambda folder, events: write_omop(folder / "omop", events),
    "OMOP Parquet": lambda folder, events: write_omop(
        folder / "omop-parquet", events, form="parquet", upper=False
    ),
    "OMOP zip": lambda folder, events: zip_omop(folder / "omop.zip", events),
    "OMOP DuckDB": lambda folder, events: write_omop_duckdb(folder / "omop.duckdb", events),
    "FHIR bundles": lambda folder, events: write_bundles(folder / "bundles", events),
    "FHIR NDJSON": lambda folder, events: write_ndjson(folder / "ndjson", events),
    "FHIR NDJSON, packed": lambda folder, events: write_ndjson(folder / "packed", events, packed=True),
    "table in CSV": lambda folder, events: write_table(folder / "events.csv", events),
    "table in Parquet": lambda folder, events: write_table(folder / "events.parquet", events),
}
"""Writers of a form into a folder, which return the path of the source."""
