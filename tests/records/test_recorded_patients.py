"""The patients of the tests are the same in every form, and the plain count is right on small cases."""

import csv
import gzip
import io
import json
import zipfile
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from medgauge.terminology.sctid import valid_sctids
from tests.support.plain_records import PlainCounts, counted, day_number, omop_events, synthea_events
from tests.support.recorded_patients import (
    CHIEF_COMPLAINT,
    COMPLAINT,
    CONCEPTS,
    DIAGNOSIS,
    FORMS,
    TERMS,
    ancestors,
    concept_ids,
    name_of,
    some_events,
    without_tag,
    write_omop,
    zip_omop,
)


def csv_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def of_synthea(folder):
    for row in csv_rows((folder / "conditions.csv").read_text()):
        yield row["PATIENT"], row["CODE"], without_tag(row["DESCRIPTION"]), DIAGNOSIS, row["START"]
    for row in csv_rows((folder / "encounters.csv").read_text()):
        if row["REASONCODE"]:
            term = without_tag(row["REASONDESCRIPTION"])
            yield row["PATIENT"], row["REASONCODE"], term, COMPLAINT, row["START"][:10]


def of_omop(tables):
    concepts = {row["concept_id"]: row for row in tables["concept"]}
    for row in tables["condition_occurrence"]:
        concept = concepts[row["condition_concept_id"]]
        category = COMPLAINT if row["condition_type_concept_id"] == str(CHIEF_COMPLAINT) else DIAGNOSIS
        date = row["condition_start_date"]
        yield row["person_id"], concept["concept_code"], concept["concept_name"], category, date


def as_text(rows):
    return [{name: str(value) for name, value in row.items()} for row in rows]


def of_omop_folder(folder):
    paths = folder.glob("*.csv")
    return of_omop({path.stem.lower(): csv_rows(path.read_text()) for path in paths})


def of_omop_parquet(folder):
    paths = folder.glob("*.parquet")
    return of_omop({path.stem: as_text(pl.read_parquet(path).to_dicts()) for path in paths})


def of_omop_zip(path):
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.endswith(".csv") and "__MACOSX" not in name]
        return of_omop({name[:-4].lower(): csv_rows(archive.read(name).decode()) for name in names})


def of_omop_duckdb(path):
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        names = [name for (name,) in connection.sql("SHOW TABLES").fetchall()]
        return of_omop({name: as_text(connection.table(name).pl().to_dicts()) for name in names})


def of_resources(resources):
    """Read what a FHIR resource says as the simplest reader would, for those that are written here."""
    for resource in resources:
        if resource["resourceType"] == "Condition":
            code, category, date = resource["code"], DIAGNOSIS, resource["onsetDateTime"]
        elif resource.get("reasonCode"):
            (code,), category, date = resource["reasonCode"], COMPLAINT, resource["period"]["start"]
        else:
            continue
        patient = resource["subject"]["reference"].removeprefix("urn:uuid:").removeprefix("Patient/")
        coding = code["coding"][0]
        yield patient, coding["code"], without_tag(coding["display"]), category, date[:10]


def of_bundles(folder):
    for path in folder.iterdir():
        entries = json.loads(path.read_text())["entry"]
        assert path.stem.endswith(entries[0]["resource"]["id"])
        yield from of_resources(entry["resource"] for entry in entries)


def of_ndjson(folder):
    for path in folder.iterdir():
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        yield from of_resources(map(json.loads, content.splitlines()))


def of_table(path):
    rows = csv_rows(path.read_text()) if path.suffix == ".csv" else as_text(pl.read_parquet(path).to_dicts())
    for row in rows:
        yield row["patient"], row["code"], without_tag(row["term"]), row["category"], row["date"]


READERS = {
    "Synthea CSV": of_synthea,
    "OMOP CSV": of_omop_folder,
    "OMOP Parquet": of_omop_parquet,
    "OMOP zip": of_omop_zip,
    "OMOP DuckDB": of_omop_duckdb,
    "FHIR bundles": of_bundles,
    "FHIR NDJSON": of_ndjson,
    "FHIR NDJSON, packed": of_ndjson,
    "table in CSV": of_table,
    "table in Parquet": of_table,
}


def by_patient(rows):
    """Return each patient's events in order, without whose they are: ids differ between forms."""
    records = defaultdict(list)
    for patient, *rest in rows:
        records[patient].append(tuple(rest))
    return Counter(tuple(sorted(record)) for record in records.values())


def of_events(events):
    return [(patient, code, without_tag(term), *rest) for patient, code, term, *rest in events]


def plain(events):
    return [(event.patient, event.code, day_number(event.date)) for event in events]


ITSELF = {code: [code] for code in TERMS}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_holds_the_same_patients(form, tmp_path):
    events = some_events()
    assert by_patient(READERS[form](FORMS[form](tmp_path, events))) == by_patient(of_events(events))


@pytest.mark.parametrize("form", [form for form in FORMS if form != "OMOP DuckDB"])
def test_the_same_patients_are_written_as_the_same_bytes(form, tmp_path):
    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        FORMS[form](tmp_path / name, some_events(5))
        files = sorted(path for path in (tmp_path / name).rglob("*") if path.is_file())
        contents.append([(path.name, path.read_bytes()) for path in files])
    assert contents[0] == contents[1]


def test_the_patients_have_what_the_tests_need():
    events = some_events()
    assert events == some_events(seed=7) != some_events(seed=8)
    found = counted(plain(events), ITSELF)
    assert min(found.concepts.values()) < 10
    assert sum(count >= 10 for count in found.pairs.values()) >= 20
    assert any(count < 10 for count in found.pairs.values())
    assert {event.category for event in events} == {DIAGNOSIS, COMPLAINT}
    assert len({(event.patient, event.code) for event in events}) < len(events)
    within = counted(plain(events), ITSELF, window=30)
    assert 5 <= sum(count >= 10 for count in within.pairs.values()) < 20
    assert len({name_of(event.patient) for event in events}) == 60


def test_codes_have_the_form_of_snomed_ct():
    assert valid_sctids(np.array([int(concept.code) for concept in CONCEPTS])).all()


def test_ancestors_are_worked_by_hand():
    of_viral_sinusitis = {(above, levels) for above, code, levels in ancestors() if code == "444814009"}
    assert of_viral_sinusitis == {
        ("444814009", 0),
        ("36971009", 1),
        ("64572001", 2),
        ("404684003", 3),
    }


@pytest.mark.parametrize("write", [write_omop, zip_omop])
def test_concepts_that_are_not_standard_map_to_the_same_counts(write, tmp_path):
    events = some_events()
    source = omop_events(write(tmp_path / "omop.zip", events, non_standard=True, unmapped=2))
    assert len(source.events) == len(events) + 2
    assert source.patients == 60
    assert counted(source.events, source.targets) == counted(plain(events), ITSELF)
    assert sum(code == "0" for _, code, _ in source.events) == 2
    assert "0" not in source.targets
    standard = set(map(str, concept_ids().values()))
    others = {code for _, code, _ in source.events} - standard - {"0"}
    assert len(others) >= 10
    assert all(len(source.targets[code]) == 1 for code in others)


TARGETS = {"s": ["A", "B"], "t": ["B"], "u": ["C"], "v": []}


def test_two_targets_of_one_code_are_not_paired_however_often_it_is_recorded():
    events = [("p", "s", 1), ("p", "s", 2), ("p", "v", 1), ("p", "x", 1)]
    assert counted(events, TARGETS, min_patients=1) == PlainCounts({"A": 1, "B": 1}, {}, 0)


def test_two_targets_of_one_code_are_paired_if_another_code_stands_for_one_of_them():
    events = [("p", "s", 1), ("p", "t", 9), ("q", "s", 1), ("q", "u", 1), ("r", "t", 1), ("r", "t", 1)]
    assert counted(events, TARGETS, min_patients=1) == PlainCounts(
        {"A": 2, "B": 3, "C": 1},
        {("A", "B"): 1, ("A", "C"): 1, ("B", "C"): 1},
        0,
    )


def test_a_window_pairs_what_was_recorded_within_its_days():
    events = [
        ("p", "t", 10),
        ("p", "u", 17),
        ("p", "t", 40),
        ("q", "t", 10),
        ("q", "u", 18),
        ("r", "t", None),
        ("r", "u", 10),
    ]
    assert counted(events, TARGETS, min_patients=1).pairs == {("B", "C"): 3}
    within = counted(events, TARGETS, min_patients=1, window=7)
    assert within == PlainCounts({"B": 2, "C": 3}, {("B", "C"): 1}, 0)
    assert counted(events, TARGETS, min_patients=1, window=6).pairs == {}


def test_the_commonest_concepts_of_a_patient_are_kept_with_ties_by_id():
    targets = {code: [code.upper()] for code in "acdrz"}
    events = [("p", code, None) for code in "acdrz"]
    events += [("q", code, None) for code in "acz"] + [("r", code, None) for code in "dz"]
    # R is too rare to count; Z is the commonest, and of A, C and D, which have two patients, A comes first.
    found = counted(events, targets, min_patients=2, max_concepts=2)
    assert found.concepts == {"A": 2, "C": 2, "D": 2, "R": 1, "Z": 3}
    assert found.pairs == {("A", "Z"): 2, ("D", "Z"): 1}
    assert found.cut == 2
    assert counted(events, targets, min_patients=2, max_concepts=4).cut == 0


def test_events_without_a_patient_are_left_out():
    events = [(None, "t", 1), (None, "u", 1), ("", "t", 1), ("", "u", 1), ("p", "t", 1)]
    assert counted(events, TARGETS, min_patients=1) == PlainCounts({"B": 1}, {}, 0)


@pytest.mark.parametrize(
    ("name", "read", "facts", "frequent"),
    [
        ("ehr/synthea/conditions.csv.gz", synthea_events, (20_512, 986), (5_474, 1_532)),
        ("ehr/omop/Synthea27Nj_5.4.zip", omop_events, (470, 26), (747, 14)),
    ],
)
def test_published_records_are_read_whole(name, read, facts, frequent, real_data):
    source = read(real_data(name))
    assert (len(source.events), source.patients) == facts
    found = counted(source.events, source.targets, min_patients=1)
    # Each code here stands for one concept of its own, so that pairs of codes are pairs of concepts.
    codes = defaultdict(set)
    for patient, code, _ in source.events:
        codes[patient].update(source.targets[code])
    pairs = Counter(pair for own in codes.values() for pair in combinations(sorted(own), 2))
    assert found.pairs == pairs
    assert (len(pairs), sum(count >= 10 for count in pairs.values())) == frequent
