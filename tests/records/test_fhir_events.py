"""What FHIR resources say becomes events, by rules that are written out here one by one."""

import copy
import gzip
import json
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medgauge.errors import InputError, options_as_flags
from medgauge.progress import showing
from medgauge.records.fhir_events import FhirReader, event_schema
from medgauge.records.patient_key import PatientKey

SECRET = "Planted_Name_7f3a"
SNOMED = "http://snomed.info/sct"
ICD10 = "http://hl7.org/fhir/sid/icd-10"
READ2 = "http://read.info/readv2"
VERIFICATION = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
CATEGORY = "http://terminology.hl7.org/CodeSystem/condition-category"


def concept(code="73211009", display="Diabetes mellitus", system=SNOMED, **more):
    return {"coding": [{"system": system, "code": code, "display": display}], **more}


def condition(**changes):
    """Return a condition as Synthea writes it; None removes a property."""
    written = {
        "resourceType": "Condition",
        "id": "c1",
        "clinicalStatus": concept("active", "Active"),
        "verificationStatus": concept("confirmed", "Confirmed", VERIFICATION),
        "category": [concept("encounter-diagnosis", "Encounter Diagnosis", CATEGORY)],
        "code": concept(),
        "subject": {"reference": "Patient/7"},
        "onsetDateTime": "2020-05-17T23:59:59-05:00",
        "recordedDate": "2021-01-01",
        **changes,
    }
    return {name: value for name, value in written.items() if value is not None}


def encounter(*reasons: dict[str, Any], **changes):
    written = {
        "resourceType": "Encounter",
        "status": "finished",
        "subject": {"reference": "Patient/7"},
        "period": {"start": "2020-05-17T08:00:00Z", "end": "2020-05-18T08:00:00Z"},
        "reasonCode": list(reasons),
        **changes,
    }
    return {name: value for name, value in written.items() if value is not None}


def observation(**changes):
    written = {
        "resourceType": "Observation",
        "status": "final",
        "code": concept("8302-2", "Body height", "http://loinc.org"),
        "subject": {"reference": "Patient/7"},
        "effectiveDateTime": "2020-05-17",
        **changes,
    }
    return {name: value for name, value in written.items() if value is not None}


class Keys:
    """Numbers patients in the order in which they are met, and knows who they are."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __call__(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


def events_in(folder: Path, *, categories=("diagnosis", "observation"), mapped=None, strict=False):
    """Return the events in a folder, with the ids of patients, and the counts."""
    keys = Keys()
    reader = FhirReader(folder, keys, categories=categories, mapped=mapped, strict=strict)
    events = [event for batch in reader.batches() for event in batch.to_pylist()]
    for event in events:
        event["patient"] = None if event["patient"] is None else keys.names[event["patient"]]
    assert reader.counts.events == len(events)
    return events, reader.counts


@pytest.fixture
def reading(tmp_path):
    """Return what reads resources as lines of one file."""

    def read(*resources: object, **options):
        text = "\n".join(json.dumps(resource) for resource in resources)
        (tmp_path / "resources.ndjson").write_text(text, "utf-8")
        return events_in(tmp_path, **options)

    return read


@pytest.fixture
def only(reading):
    """Return what reads one resource and returns its one event."""

    def read(resource: dict[str, Any], **options):
        (event,), counts = reading(resource, **options)
        assert counts.left_out == {}
        return event

    return read


@pytest.fixture
def left_out(reading):
    """Return what reads resources without an event and returns the reasons."""

    def read(*resources: object, **options):
        events, counts = reading(*resources, **options)
        assert events == []
        return counts.left_out

    return read


# What becomes an event


def test_a_condition_is_a_diagnosis(only):
    assert only(condition()) == {
        "patient": "7",
        "code": "73211009",
        "system": "snomed",
        "term": "Diabetes mellitus",
        "category": "diagnosis",
        "date": date(2020, 5, 17),
    }


def test_each_reason_of_an_encounter_is_a_presenting_complaint(reading):
    events, _ = reading(encounter(concept("1", "Cough"), concept("2", "Fever")))
    assert [event["term"] for event in events] == ["Cough", "Fever"]
    for event in events:
        assert event["category"] == "presenting complaint"
        assert event["patient"] == "7"
        assert event["date"] == date(2020, 5, 17)


def test_an_encounter_without_a_reason_is_no_event_and_nothing_is_left_out(left_out):
    assert left_out(encounter(), encounter(reasonCode=None)) == {}


def test_observations_are_read_if_they_are_wanted(reading):
    events, counts = reading(observation(), categories={"observation"})
    assert [(event["category"], event["code"], event["system"]) for event in events] == [
        ("observation", "8302-2", "loinc")
    ]
    events, counts = reading(observation(), condition(), categories={"symptom"})
    assert [event["category"] for event in events] == ["diagnosis"]  # the wanted are chosen later
    assert (counts.resources, counts.left_out) == (2, {})


@pytest.mark.parametrize(
    ("categories", "category"),
    [
        (None, "diagnosis"),
        ([], "diagnosis"),
        ([concept("problem-list-item", "Problem List Item", CATEGORY)], "diagnosis"),
        ([concept("health-concern", "Health Concern", CATEGORY)], "diagnosis"),
        ([concept("55607006", "Problem (finding)")], "diagnosis"),
        ([concept("symptom", "Symptom", CATEGORY)], "symptom"),
        ([concept("finding", "", CATEGORY)], "symptom"),
        ([{"text": "Signs and Symptoms"}], "symptom"),
        ([concept(), concept("symptom", "Symptom", CATEGORY)], "symptom"),
        ([concept("33962009", "")], "presenting complaint"),
        ([concept("1", "Chief complaint (finding)")], "presenting complaint"),
        ([concept("presenting-complaint", "")], "presenting complaint"),
        ([{"text": "Presenting problem"}], "presenting complaint"),
        ([concept("encounter-diagnosis"), concept("complaint", "Complaint")], "presenting complaint"),
    ],
)
def test_the_category_of_a_condition(only, categories, category):
    assert only(condition(category=categories))["category"] == category


# What is left out


@pytest.mark.parametrize(
    ("status", "reason"), [("refuted", "refuted"), ("entered-in-error", "entered in error")]
)
def test_conditions_that_do_not_hold_are_left_out(left_out, status, reason):
    assert left_out(condition(verificationStatus=concept(status, "", VERIFICATION))) == {reason: 1}
    assert left_out(condition(verificationStatus=status)) == {reason: 1}  # before R4


@pytest.mark.parametrize("status", ["unconfirmed", "provisional", "differential", "confirmed"])
def test_other_conditions_are_kept(only, status):
    assert only(condition(verificationStatus=concept(status, "", VERIFICATION)))["code"] == "73211009"


def test_a_condition_without_verification_is_kept(only):
    assert only(condition(verificationStatus=None))["code"] == "73211009"


def test_encounters_in_error_are_left_out_with_each_reason(left_out):
    assert left_out(encounter(concept("1"), concept("2"), status="entered-in-error")) == {
        "entered in error": 2
    }


def test_observations_in_error_or_cancelled_are_left_out(left_out):
    assert left_out(observation(status="entered-in-error"), observation(status="cancelled")) == {
        "entered in error": 1,
        "cancelled": 1,
    }


@pytest.mark.parametrize(
    "code", [None, {}, {"text": "Diabetes"}, {"coding": []}, {"coding": [{"display": "D"}]}, concept(" ")]
)
def test_what_has_no_code_is_left_out(left_out, code):
    assert left_out(condition(code=code), observation(code=code)) == {"without a code": 2}


def test_other_types_of_resource_say_nothing(reading):
    events, counts = reading({"resourceType": "Patient", "id": "7"}, {"resourceType": "Claim"})
    assert (events, counts.resources, counts.left_out) == ([], 2, {})


def test_objects_that_are_not_resources_are_counted(left_out):
    assert left_out({"output": []}, {"resourceType": ["Condition"]}) == {"not a FHIR resource": 2}


@pytest.mark.parametrize(
    "changes",
    [
        {"code": [concept()]},
        {"code": "73211009"},
        {"code": {"coding": {"code": "73211009"}}},
        {"code": {"coding": ["73211009"]}},
        {"code": {"coding": [{"code": 73211009}]}},
        {"code": {"coding": [{"code": "73211009", "system": [SNOMED]}]}},
        {"code": {"coding": [{"code": "73211009", "display": {}}]}},
        {"category": concept("symptom")},
        {"category": ["symptom"]},
        {"category": [{"text": 7}]},
        {"verificationStatus": [concept("confirmed")]},
        {"verificationStatus": {"coding": [None]}},
        {"subject": "Patient/7"},
        {"subject": {"reference": 7}},
        {"onsetDateTime": 2020},
        {"onsetDateTime": None, "onsetPeriod": "2020"},
    ],
)
def test_malformed_conditions_are_left_out(left_out, changes):
    assert left_out(condition(**changes)) == {"malformed": 1}


def test_a_malformed_reason_does_not_take_the_others_with_it(reading):
    events, counts = reading(encounter(concept("1"), ["2"], concept("3")))
    assert [event["code"] for event in events] == ["1", "3"]
    assert counts.left_out == {"malformed": 1}


def test_malformed_encounters_and_observations_are_left_out(left_out):
    assert left_out(
        encounter(reasonCode=concept()),
        encounter(concept(), period="2020"),
        encounter(concept(), status=["finished"]),
        observation(status={}),
        observation(effectivePeriod=[], effectiveDateTime=None),
        {"resourceType": "Bundle", "entry": [7]},
        {"resourceType": "Bundle", "entry": {}},
    ) == {"malformed": 7}


# Codes and terms


def codings(*pairs: tuple[str, str]):
    return {"coding": [{"system": system, "code": code, "display": code} for system, code in pairs]}


def test_the_code_of_snomed_ct_is_taken_wherever_it_stands(only):
    several = codings((ICD10, "E11"), (READ2, "C10.."), (SNOMED, "44054006"), (SNOMED, "73211009"))
    event = only(condition(code=several), mapped=lambda *_code: True)
    assert (event["system"], event["code"], event["term"]) == ("snomed", "44054006", "44054006")


def test_else_the_first_code_that_has_a_mapping(only):
    several = codings((ICD10, "E11"), (READ2, "C10.."), (READ2, "C11.."))
    event = only(condition(code=several), mapped=lambda system, code: (system, code[0]) == ("read2", "C"))
    assert (event["system"], event["code"]) == ("read2", "C10..")


@pytest.mark.parametrize("mapped", [None, lambda *_code: False])
def test_else_the_first_code(only, mapped):
    several = {
        "coding": [{"system": SNOMED, "display": "no code"}, *codings((ICD10, "E11"), (READ2, "C"))["coding"]]
    }
    event = only(condition(code=several), mapped=mapped)
    assert (event["system"], event["code"]) == ("icd10", "E11")


def test_what_the_user_selected_does_not_matter(only):
    several = codings((SNOMED, "44054006"), (ICD10, "E11"))
    several["coding"][1]["userSelected"] = True
    assert only(condition(code=several))["code"] == "44054006"


def test_a_code_without_a_system_has_none(only):
    assert only(condition(code={"coding": [{"code": " E11 "}]}))["system"] == ""
    assert only(condition(code={"coding": [{"code": " E11 "}]}))["code"] == "E11"


def test_the_term_is_the_display_or_else_the_text(only):
    assert only(condition(code=concept(text="Sugar")))["term"] == "Diabetes mellitus"
    assert only(condition(code=concept(display=" ", text=" Sugar\n")))["term"] == "Sugar"
    assert only(condition(code=concept(display=None)))["term"] == ""


# Dates


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2020-05-17", date(2020, 5, 17)),
        ("2020-05-17T00:30:00+14:00", date(2020, 5, 17)),  # as written, not in another zone
        ("2020-02-29T10:00:00.000Z", date(2020, 2, 29)),
        ("1899-12-31", date(1899, 12, 31)),
        ("2020", None),
        ("2020-05", None),
        ("2021-02-29", None),
        ("0000-01-01", None),
        ("20200517", None),
        ("2020-W20-7", None),
        ("17.05.2020", None),
        ("yesterday", None),
    ],
)
def test_dates_have_a_day_or_are_none(only, written, day):
    assert only(condition(onsetDateTime=written))["date"] == day
    assert only(encounter(concept(), period={"start": written}))["date"] == day


@pytest.mark.parametrize(
    ("changes", "day"),
    [
        ({"onsetPeriod": {"start": "2019-01-01"}}, date(2020, 5, 17)),
        ({"onsetDateTime": None, "onsetPeriod": {"start": "2019-01-01"}}, date(2019, 1, 1)),
        ({"onsetDateTime": None, "onsetPeriod": {"end": "2019-01-01"}}, date(2021, 1, 1)),
        ({"onsetDateTime": None}, date(2021, 1, 1)),
        ({"onsetDateTime": "2010"}, None),  # what began in 2010 did not begin when it was recorded
        ({"onsetDateTime": None, "recordedDate": None}, None),
        ({"onsetDateTime": None, "onsetString": "childhood", "recordedDate": None}, None),
    ],
)
def test_a_condition_has_the_day_of_its_onset_or_else_of_its_record(only, changes, day):
    assert only(condition(**changes))["date"] == day


@pytest.mark.parametrize(
    ("changes", "day"),
    [
        ({}, date(2020, 5, 17)),
        ({"effectiveDateTime": None, "effectivePeriod": {"start": "2019-01-01"}}, date(2019, 1, 1)),
        ({"effectiveDateTime": None, "issued": "2021-01-01T00:00:00Z"}, date(2021, 1, 1)),
        ({"effectiveDateTime": None}, None),
    ],
)
def test_an_observation_has_the_day_of_its_effect_or_else_of_its_issue(only, changes, day):
    assert only(observation(**changes))["date"] == day


def test_an_encounter_without_a_period_has_no_day(only):
    assert only(encounter(concept(), period=None))["date"] is None


# Patients


@pytest.mark.parametrize(
    ("subject", "patient"),
    [
        ({"reference": "Patient/7"}, "7"),
        ({"reference": "Patient/7/_history/2"}, "7"),
        ({"reference": "https://example.org/fhir/Patient/7"}, "7"),
        ({"reference": "https://example.org/Patient/fhir/Patient/7/_history/2"}, "7"),
        ({"reference": "Patient/7", "type": "Patient"}, "7"),
        ({"reference": "urn:uuid:0c3f"}, "0c3f"),
        ({"reference": "urn:oid:1.2.3"}, "1.2.3"),
        (
            {"reference": "Patient?identifier=http://example.org/mrn|123"},
            "identifier=http://example.org/mrn|123",
        ),
        (
            {"identifier": {"system": "http://example.org/mrn", "value": "123"}},
            "identifier=http://example.org/mrn|123",
        ),
        ({"reference": "#p1", "identifier": {"value": "123"}}, "identifier=|123"),
        ({"identifier": {"system": "http://example.org/mrn"}}, None),
        ({"reference": "#p1"}, None),
        ({"display": "A patient"}, None),
        ({"reference": "Group/7"}, None),
        ({"reference": "Practitioner/7", "identifier": {"value": "123"}}, None),
        ({"reference": "urn:uuid:0c3f", "type": "Group"}, None),
        ({"identifier": {"value": "123"}, "type": "Device"}, None),
        ({"reference": "SubPatient/7"}, None),
        ({"reference": "Patient/"}, None),
        ({"reference": "urn:uuid:"}, None),
        (None, None),
    ],
)
def test_the_patient_is_whom_the_subject_names(only, subject, patient):
    assert only(condition(subject=subject))["patient"] == patient
    assert only(encounter(concept(), subject=subject))["patient"] == patient
    assert only(observation(subject=subject))["patient"] == patient


def test_the_patient_of_earlier_versions_is_not_read(only):
    assert only(condition(subject=None, patient={"reference": "Patient/7"}))["patient"] is None


def test_references_in_a_bundle_find_the_id_of_the_patient(reading):
    bundle = {
        "resourceType": "Bundle",
        "entry": [
            {"fullUrl": "urn:uuid:e1", "resource": condition(subject={"reference": "urn:uuid:a"})},
            {"fullUrl": "urn:uuid:a", "resource": {"resourceType": "Patient", "id": "7"}},
            {"fullUrl": "urn:uuid:b", "resource": {"resourceType": "Patient"}},
            {"fullUrl": "urn:uuid:c", "resource": {"resourceType": "Group", "id": "7"}},
            {"resource": encounter(concept(), subject={"reference": "urn:uuid:b"})},
            {"resource": condition(subject={"reference": "urn:uuid:c"})},
            {"resource": condition(subject={"reference": "Patient/7"})},
        ],
    }
    events, counts = reading(bundle, condition(subject={"reference": "urn:uuid:a"}))
    assert [event["patient"] for event in events] == ["7", "b", None, "7", "a"]
    assert counts.resources == 8


# Files, batches and counts


def test_events_come_in_batches_of_the_same_columns(tmp_path):
    line = json.dumps({"resourceType": "Bundle", "entry": [{"resource": condition()}] * 1000})
    (tmp_path / "a.ndjson").write_text("\n".join([line] * 101))
    reader = FhirReader(tmp_path, lambda _name: -(2**63), categories=[])
    batches = list(reader.batches())
    assert [batch.num_rows for batch in batches] == [50_000, 50_000, 1000]
    assert all(batch.schema == event_schema() for batch in batches)
    assert set(batches[0].column("patient").to_pylist()) == {-(2**63)}


def test_columns_have_the_types_of_events():
    texts = {name: pa.string() for name in ("code", "system", "term", "category")}
    expected = {"patient": pa.int64(), **texts, "date": pa.date32()}
    schema = event_schema()
    assert dict(zip(schema.names, schema.types, strict=True)) == expected


def test_events_of_unknown_patients_without_dates_have_the_same_columns(tmp_path):
    nameless = condition(subject=None, onsetDateTime=None, recordedDate=None)
    (tmp_path / "a.json").write_text(json.dumps(nameless))
    (batch,) = FhirReader(tmp_path, Keys(), categories=[]).batches()
    assert batch.schema == event_schema()


def test_patients_are_replaced_by_salted_hashes(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(condition()))
    key = PatientKey()
    (batch,) = FhirReader(tmp_path, key.of, categories=[]).batches()
    assert batch.column("patient").to_pylist() == [key.of("7")]


def test_a_folder_without_files_has_no_events(tmp_path):
    events, counts = events_in(tmp_path)
    assert (events, counts.files, counts.resources) == ([], 0, 0)


def test_files_are_counted_while_they_are_read(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.json").write_text(json.dumps(condition()))
    said = []

    @contextmanager
    def listener(what, steps):
        said.append((what, steps))
        yield said.append

    with showing(listener):
        _, counts = events_in(tmp_path)
    assert said == [("reading FHIR files", 3), 1, 1, 1]
    assert (counts.files, counts.resources, counts.events) == (3, 3, 3)


def test_what_is_not_json_is_skipped_and_counted(reading):
    events, counts = reading(condition(), 7, condition())
    assert len(events) == 2
    assert (counts.unreadable, counts.unreadable_places) == (1, ["file 1, line 2"])


def test_ten_places_are_listed_and_all_are_counted(reading):
    _, counts = reading(*range(12))
    assert counts.unreadable == 12
    assert counts.unreadable_places == [f"file 1, line {line}" for line in range(1, 11)]


def test_strict_reading_fails_at_the_first_place(tmp_path):
    (tmp_path / f"a {SECRET}.json").write_text(json.dumps(condition()))
    (tmp_path / f"b {SECRET}.ndjson").write_text(f'{json.dumps(condition())}\n{{"{SECRET}": \n')
    with options_as_flags(), pytest.raises(InputError) as failed:
        events_in(tmp_path, strict=True)
    assert str(failed.value) == (
        "file 2, line 2 of the FHIR resources is not JSON; repair or remove it, or read without --strict "
        "to skip and count it"
    )
    assert failed.value.__context__ is None  # the error of the parser would repeat what it parsed


def test_strict_reading_of_what_unpacks_to_too_much_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDGAUGE_MAX_UNPACKED_GB", "0.001")
    (tmp_path / f"{SECRET}.json.gz").write_bytes(gzip.compress(b" " * 2_000_000))
    with pytest.raises(InputError) as failed:
        events_in(tmp_path, strict=True)
    assert str(failed.value) == (
        "file 1 of the FHIR resources unpacks to more than 0.001 GB; if that is meant, set the environment "
        "variable MEDGAUGE_MAX_UNPACKED_GB to a higher number"
    )
    assert failed.value.__context__ is None


def test_malformed_resources_do_not_fail_strict_reading(reading):
    assert reading(condition(code=7), strict=True)[1].left_out == {"malformed": 1}


# Whatever the input

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(
        ["Condition", "Patient", "Bundle", "Patient/1", "urn:uuid:", SNOMED, "2020-05-17", "#", "symptom"]
    ),
)
NAMES = st.sampled_from(
    [
        "resourceType",
        "entry",
        "resource",
        "fullUrl",
        "code",
        "coding",
        "system",
        "text",
        "reference",
        "start",
        "id",
    ]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {"fullUrl": "urn:uuid:a", "resource": {"resourceType": "Patient", "id": "7"}},
        {
            "fullUrl": "urn:uuid:e1",
            "resource": condition(subject={"reference": "urn:uuid:a", "type": "Patient"}),
        },
        {"resource": condition(onsetDateTime=None, onsetPeriod={"start": "2020-01-01"})},
        {
            "resource": encounter(
                concept("1", text="Cough"), subject={"identifier": {"system": "s", "value": "v"}}
            )
        },
        {"resource": observation(effectiveDateTime=None, effectivePeriod={"start": "2020-01-01"})},
    ],
}


def places_in(value):
    """Return the paths of all values in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((name, *rest) for name, one in inner for rest in places_in(one))]


def with_value(document, place, value):
    if not place:
        return value
    changed = copy.deepcopy(document)
    holder = changed
    for name in place[:-1]:
        holder = holder[name]
    holder[place[-1]] = value
    return changed


@settings(max_examples=300)
@given(place=st.sampled_from(places_in(BUNDLE)), value=VALUES)
def test_any_value_in_any_place_is_an_event_or_is_counted(tmp_path_factory, place, value):
    folder = tmp_path_factory.mktemp("any")
    (folder / f"{SECRET}.json").write_text(json.dumps(with_value(BUNDLE, place, value)))
    events, counts = events_in(folder)
    for event in events:
        assert event["code"]
        assert event["category"] in {"diagnosis", "symptom", "presenting complaint", "observation"}
    if counts.unreadable:
        with pytest.raises(InputError, match=r"^file 1 of the FHIR resources is not (JSON|a JSON object); "):
            events_in(folder, strict=True)
    else:
        assert (events, counts) == events_in(folder, strict=True)


def test_the_bundle_that_is_changed_there_is_read_whole(reading):
    events, counts = reading(BUNDLE)
    assert [event["patient"] for event in events] == ["7", "7", "identifier=s|v", "7"]
    assert (counts.resources, counts.left_out, counts.unreadable) == (5, {}, 0)


def test_no_name_of_a_patient_or_file_is_in_what_is_said(tmp_path, recwarn):
    person = {"reference": f"Patient/{SECRET}", "display": SECRET}
    planted = [
        condition(subject=person, code=None),
        condition(subject=person, code=[SECRET]),
        condition(subject=[SECRET]),
        condition(subject=person, verificationStatus=concept("refuted", SECRET)),
        encounter([SECRET], subject=person),
        {"resourceType": SECRET},
        {"resourceType": [SECRET]},
        {SECRET: SECRET},
        [SECRET],
    ]
    bad = {
        "lines.ndjson": "\n".join([*map(json.dumps, planted), f'{{"{SECRET}'] * 3).encode(),
        "cut.json.gz": gzip.compress(json.dumps(planted[0]).encode())[:-10],
        "latin.json": f'{{"{SECRET}": "é"}}'.encode("latin-1"),
        "empty.json": b"",
        "bundle.json": json.dumps({"resourceType": "Bundle", "entry": [SECRET]}).encode(),
    }
    said = []
    for name, content in bad.items():
        folder = tmp_path / name
        (folder / SECRET).mkdir(parents=True)
        (folder / SECRET / f"{SECRET}_{name}").write_bytes(content)
        _, counts = events_in(folder)
        said.append(repr(counts))
        assert counts.unreadable or counts.left_out
        if counts.unreadable:
            with pytest.raises(InputError) as failed:
                events_in(folder, strict=True)
            said += [str(failed.value), repr(failed.value.__context__)]
    said += [str(warning.message) for warning in recwarn]
    assert SECRET not in "".join(said)
