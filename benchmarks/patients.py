"""Generate the health records of made-up patients, skewed as real ones are.

    python benchmarks/patients.py OUT.parquet --patients 1000000 --events 13000000
    python benchmarks/patients.py OUT --bundles 10000           a folder of FHIR bundles

Numbers of events are log-normal over patients, and codes follow Zipf's law over 30,000; 40% of events repeat
an earlier code of the same patient, as chronic conditions do. No term is from SNOMED CT (medical_terms.py).
The same numbers and seed give the same values.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import polars as pl

from medgauge.arrays import Integers
from medgauge.terminology.sctid import check_digits
from medical_terms import meanings
from medical_words import Words

PATIENTS, EVENTS = 1_000_000, 13_000_000
CODES, EXPONENT, OFFSET = 30_000, 1.1, 10
SPREAD = 0.8
"""Of the logarithm of a patient's number of events."""
REPEATED = 0.4
CATEGORIES = ("diagnosis", "symptom", "presenting complaint")
SHARES = (0.7, 0.2, 0.1)
FIRST_DAY, DAYS = np.datetime64("2010-01-01"), 5_000
AT_ONCE = 100_000
"""Patients that are made at a time, to bound memory."""
BUNDLES = 10_000
VISITS, READINGS = 10, 4
"""Of a patient in a bundle, and of a visit: with a Condition for each visit, about 60 resources in all."""


def codes_and_terms(rng: np.random.Generator) -> tuple[pl.Series, pl.Series]:
    """Make up the codes, commonest first, and a term for each."""
    numbers = (10_000 + 7 * rng.permutation(CODES)) * 100
    codes = pl.Series("code", numbers * 10 + check_digits(numbers)).cast(pl.String)
    terms: dict[str, None] = {}
    made = meanings(Words(rng))
    while len(terms) < CODES:
        terms |= dict.fromkeys(meaning.name for meaning in islice(made, CODES))
    return codes, pl.Series("term", list(terms)[:CODES])


def numbers_of_events(patients: int, events: int, rng: np.random.Generator) -> Integers:
    """Return how many events each patient has: at least one, and `events` in all."""
    sizes = rng.lognormal(0, SPREAD, patients)
    # Each end is rounded, not each number, so that they add up.
    ends = np.rint(np.cumsum(sizes) / sizes.sum() * (events - patients)).astype(np.int64)
    counts: Integers = 1 + np.diff(ends, prepend=0)
    return counts


def ranks(counts: Integers, repeated: float, rng: np.random.Generator) -> Integers:
    """Draw a code's rank for each event of patients one after another, some of them an earlier one's."""
    law = np.cumsum((np.arange(CODES) + OFFSET + 1.0) ** -EXPONENT)
    total = int(counts.sum())
    drawn = np.searchsorted(law, rng.random(total) * law[-1], side="right")
    place = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    back = 1 + (rng.random(total) * place).astype(np.int64)
    source = np.arange(total) - np.where((place > 0) & (rng.random(total) < repeated), back, 0)
    # What is repeated may itself repeat another: follow until nothing changes.
    while not np.array_equal(further := source[source], source):
        source = further
    chosen: Integers = drawn[source]
    return chosen


def tables(patients: int, events: int, seed: int) -> Iterator[pl.DataFrame]:
    """Yield the events of some patients at a time."""
    rng = np.random.default_rng(seed)
    codes, terms = codes_and_terms(rng)
    counts = numbers_of_events(patients, events, rng)
    # A patient's first event cannot repeat another.
    repeated = min(1.0, REPEATED * events / max(1, events - patients))
    kinds = pl.Series("category", CATEGORIES)
    for start in range(0, patients, AT_ONCE):
        own = counts[start : start + AT_ONCE]
        rank = ranks(own, repeated, rng)
        numbers = pl.Series("patient", np.arange(start, start + own.size)).cast(pl.String)
        days = FIRST_DAY + rng.integers(0, DAYS, rank.size)
        yield pl.DataFrame(
            [
                ("P" + numbers.str.zfill(7)).alias("patient")[np.repeat(np.arange(own.size), own)],
                codes[rank],
                terms[rank],
                kinds[rng.choice(len(CATEGORIES), rank.size, p=SHARES)],
                pl.Series("date", days.astype("datetime64[D]")),
            ]
        )


def write_patients(path: Path, patients: int = PATIENTS, events: int = EVENTS, seed: int = 1) -> None:
    """Write a table of events in Parquet, patient by patient."""
    import pyarrow.parquet

    if events < patients:
        raise ValueError("each patient needs an event")
    made = tables(patients, events, seed)
    table = next(made).to_arrow()
    with pyarrow.parquet.ParquetWriter(path, table.schema, compression="zstd") as writer:
        writer.write_table(table)
        for frame in made:
            writer.write_table(frame.to_arrow())


def write_bundle_folder(folder: Path, count: int = BUNDLES, seed: int = 1) -> None:
    """Write FHIR R4 bundles of about 60 resources, most of them observations, in files with names."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    codes, terms = (column.to_list() for column in codes_and_terms(rng))
    for number in range(count):
        patient = _uuid(rng)
        entries = [
            {
                "fullUrl": f"urn:uuid:{resource['id']}",
                "resource": resource,
                "request": {"method": "POST", "url": resource["resourceType"]},
            }
            for resource in _resources(patient, number, codes, terms, rng)
        ]
        bundle = {"resourceType": "Bundle", "type": "transaction", "entry": entries}
        (folder / f"Given{number}_Family{number}_{patient}.json").write_text(json.dumps(bundle, indent=2))


def _uuid(rng: np.random.Generator) -> str:
    return str(UUID(bytes=rng.bytes(16), version=4))


def _concept(system: str, code: str, term: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code, "display": term}], "text": term}


def _resources(
    patient: str, number: int, codes: list[str], terms: list[str], rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Yield a patient, and visits with a diagnosis or a reason, and readings."""
    yield {
        "resourceType": "Patient",
        "id": patient,
        "identifier": [{"system": "https://github.com/synthetichealth/synthea", "value": patient}],
        "name": [{"use": "official", "family": f"Family{number}", "given": [f"Given{number}"]}],
        "gender": "female",
        "birthDate": "1970-01-01",
    }
    subject = {"reference": f"urn:uuid:{patient}"}
    terminology = "http://terminology.hl7.org/CodeSystem"
    visits = int(rng.integers(VISITS - 4, VISITS + 5))
    for rank, day in zip(
        ranks(np.array([visits]), REPEATED, rng), rng.integers(0, DAYS, visits).tolist(), strict=True
    ):
        when = f"{FIRST_DAY + np.timedelta64(day, 'D')}T09:30:00-05:00"
        said = _concept("http://snomed.info/sct", codes[rank], terms[rank])
        encounter = _uuid(rng)
        yield {
            "resourceType": "Encounter",
            "id": encounter,
            "status": "finished",
            "class": {"system": f"{terminology}/v3-ActCode", "code": "AMB"},
            "type": [_concept("http://snomed.info/sct", "185345009", "Encounter for symptom")],
            "subject": subject,
            "period": {"start": when, "end": when},
            **({"reasonCode": [said]} if rng.random() < 0.3 else {}),
        }
        shared = {"subject": subject, "encounter": {"reference": f"urn:uuid:{encounter}"}}
        yield {
            "resourceType": "Condition",
            "id": _uuid(rng),
            "clinicalStatus": {"coding": [{"system": f"{terminology}/condition-clinical", "code": "active"}]},
            "verificationStatus": {
                "coding": [{"system": f"{terminology}/condition-ver-status", "code": "confirmed"}]
            },
            "category": [
                {"coding": [{"system": f"{terminology}/condition-category", "code": "encounter-diagnosis"}]}
            ],
            "code": said,
            **shared,
            "onsetDateTime": when,
            "recordedDate": when,
        }
        for value in rng.normal(100, 20, READINGS).tolist():
            yield {
                "resourceType": "Observation",
                "id": _uuid(rng),
                "status": "final",
                "category": [
                    {"coding": [{"system": f"{terminology}/observation-category", "code": "vital-signs"}]}
                ],
                "code": _concept("http://loinc.org", "8480-6", "Systolic blood pressure"),
                **shared,
                "effectiveDateTime": when,
                "issued": when,
                "valueQuantity": {
                    "value": round(value, 1),
                    "unit": "mm[Hg]",
                    "system": "http://unitsofmeasure.org",
                    "code": "mm[Hg]",
                },
            }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--patients", type=int, default=PATIENTS)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--bundles", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.bundles is None:
        write_patients(given.out, given.patients, given.events, given.seed)
    else:
        write_bundle_folder(given.out, given.bundles, given.seed)
