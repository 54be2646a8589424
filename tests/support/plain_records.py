"""Health records read and counted by plain Python loops, which are slow and obvious."""

import csv
import datetime
import gzip
import io
import zipfile
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

PlainEvent = tuple[str | None, str, int | None]
"""A patient, a code and the number of a day."""


class PlainCounts(NamedTuple):
    """Numbers of patients with each concept, with each pair, and with more concepts than are kept."""

    concepts: dict[str, int]
    pairs: dict[tuple[str, str], int]
    cut: int


class PlainSource(NamedTuple):
    """What a source holds: all of its events, the concepts of each code, and its number of patients."""

    events: list[PlainEvent]
    targets: dict[str, set[str]]
    patients: int


def counted(
    events: Iterable[PlainEvent],
    targets: Mapping[str, Collection[str]],
    *,
    min_patients: int = 10,
    max_concepts: int = 500,
    window: int | None = None,
) -> PlainCounts:
    """Count the patients with each concept, and with each pair of concepts of two different recorded codes.

    Events without a patient are left out, and with a `window` those without a day, for concepts too. Pairs
    are those of concepts of at least `min_patients` patients, of which each patient keeps the commonest
    `max_concepts`, ties by id; pairs of fewer patients are returned too.
    """
    recorded: dict[str, set[tuple[str, int | None]]] = defaultdict(set)
    for patient, code, day in events:
        if patient and (window is None or day is not None):
            recorded[patient].add((code, day))

    concepts: Counter[str] = Counter()
    for own in recorded.values():
        concepts.update({concept for code, _ in own for concept in targets.get(code, ())})

    pairs: Counter[tuple[str, str]] = Counter()
    cut = 0
    for own in recorded.values():
        frequent = {
            concept
            for code, _ in own
            for concept in targets.get(code, ())
            if concepts[concept] >= min_patients
        }
        cut += len(frequent) > max_concepts
        kept = sorted(frequent, key=lambda concept: (-concepts[concept], concept))[:max_concepts]
        together = set()
        for (code_1, day_1), (code_2, day_2) in permutations(own, 2):
            if code_1 == code_2 or (window is not None and abs(day_1 - day_2) > window):
                continue
            for concept_1 in targets.get(code_1, ()):
                for concept_2 in targets.get(code_2, ()):
                    if concept_1 < concept_2 and concept_1 in kept and concept_2 in kept:
                        together.add((concept_1, concept_2))
        pairs.update(together)
    return PlainCounts(dict(concepts), dict(pairs), cut)


def day_number(date: str) -> int | None:
    """Return the number of a day from the date that a text begins with."""
    return datetime.date.fromisoformat(date[:10]).toordinal() if date else None


def synthea_events(path: Path) -> PlainSource:
    """Read Synthea's conditions.csv, packed with gzip or not; each code is its own concept."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as stream:
        events = [
            (row["PATIENT"] or None, row["CODE"], day_number(row["START"])) for row in csv.DictReader(stream)
        ]
    return _source(events, {code: {code} for _, code, _ in events})


def omop_events(source: Path) -> PlainSource:
    """Read OMOP's conditions from a zip or a folder of CSV files.

    Codes are concept ids as text. A standard concept stands for its own `concept_code`, any other for those
    of the standard concepts that it maps to by what is valid.
    """
    events = [
        (row["person_id"] or None, row["condition_concept_id"], day_number(row["condition_start_date"]))
        for row in _omop_rows(source, "condition_occurrence")
    ]
    standard = {
        row["concept_id"]: row["concept_code"]
        for row in _omop_rows(source, "concept")
        if row["standard_concept"] == "S"
    }
    targets = {concept: {code} for concept, code in standard.items()}
    for row in _omop_rows(source, "concept_relationship"):
        one, two = row["concept_id_1"], row["concept_id_2"]
        is_valid = row["relationship_id"] == "Maps to" and not row["invalid_reason"]
        if is_valid and one not in standard and two in standard:
            targets.setdefault(one, set()).add(standard[two])
    targets.pop("0", None)
    return _source(events, targets)


def _omop_rows(source: Path, table: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table, whatever the case of its name."""
    if source.is_dir():
        path = next(path for path in source.iterdir() if path.name.lower() == f"{table}.csv")
        yield from csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline=""))
        return
    with zipfile.ZipFile(source) as archive:
        name = next(name for name in archive.namelist() if name.lower() == f"{table}.csv")
        with archive.open(name) as stream:
            yield from csv.DictReader(io.TextIOWrapper(stream, "utf-8-sig", newline=""))


def _source(events: list[PlainEvent], targets: dict[str, set[str]]) -> PlainSource:
    return PlainSource(events, targets, len({patient for patient, _, _ in events if patient}))
