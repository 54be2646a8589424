"""Pairs of concepts in the records of a million made-up patients, beside a DuckDB query written by hand.

    python benchmarks/bench_records.py [--patients 1000000 --events 13000000 --bundles 10000]

The query counts the same pairs, and nothing else: no hash of patients, no categories, no limit on
long records, no steps, terms or data sheet. Both have 4 GB, two threads and the same file, and the numbers
of pairs are compared. FHIR bundles are read by medgauge (a dry run), and parsed by orjson and by DuckDB.

Each runs in a separate process, whose peak resident memory is what the system reports at its end.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from common import best_process, print_table
from patients import BUNDLES, EVENTS, PATIENTS

LEAST = 10
QUERY = f"""
CREATE TEMP TABLE held AS SELECT DISTINCT patient, code FROM read_parquet(?);
CREATE TEMP TABLE codes AS
    SELECT code, row_number() OVER (ORDER BY code)::INTEGER AS number
    FROM held GROUP BY code HAVING count(*) >= {LEAST};
CREATE TEMP TABLE patients AS
    SELECT patient, row_number() OVER ()::INTEGER AS number FROM (SELECT DISTINCT patient FROM held);
CREATE TEMP TABLE numbers AS
    SELECT patients.number AS patient, codes.number AS code
    FROM held JOIN codes USING (code) JOIN patients USING (patient);
CREATE TEMP TABLE pairs AS
    SELECT one.code AS code_1, two.code AS code_2, count(*) AS patients
    FROM numbers AS one JOIN numbers AS two ON one.patient = two.patient AND one.code < two.code
    GROUP BY ALL HAVING count(*) >= {LEAST};
"""


def count_by_hand(source: Path) -> int:
    """Count the pairs with the query."""
    import duckdb

    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        connection.execute(f"SET memory_limit = '4GB'; SET temp_directory = '{folder}'; SET threads = 2")
        connection.execute("SET preserve_insertion_order = false")
        first, *others = QUERY.strip().split(";\n")
        connection.execute(first, [str(source)])
        for statement in others:
            connection.execute(statement)
        return _number(connection.execute("SELECT count(*) FROM pairs").fetchone())


def count_with_medgauge(source: Path, memory: str = "4GB") -> int:
    """Build the frequent pairs, from the events to a folder with a data sheet."""
    from medgauge.build.records.from_records import build_records

    with tempfile.TemporaryDirectory() as folder:
        sheet = build_records(source, Path(folder) / "pairs", min_patients=LEAST, memory=memory)
    return sheet.found.steps[-1].pairs or 0


def count_in_little_memory(source: Path) -> int:
    """Build them with 1 GB, which spills."""
    return count_with_medgauge(source, "1GB")


def read_with_medgauge(folder: Path) -> int:
    """Read the events of bundles, and count the first steps."""
    from medgauge.build.records.from_records import build_records

    events = build_records(folder).found.steps[0].events
    assert isinstance(events, int), "too few events to be counted exactly"
    return events


def parse_with_orjson(folder: Path) -> int:
    """Parse each bundle, and count the events in it."""
    import orjson

    found = 0
    for path in folder.iterdir():
        for entry in orjson.loads(path.read_bytes())["entry"]:
            resource_type = entry["resource"]["resourceType"]
            found += resource_type == "Condition" or "reasonCode" in entry["resource"]
    return found


def parse_with_duckdb(folder: Path) -> int:
    """Count the events in the bundles with DuckDB's JSON reader, by a schema of what is needed."""
    import duckdb

    held = "STRUCT(resourceType VARCHAR, code JSON, reasonCode JSON, subject JSON)"
    query = f"""
        SELECT count(*) FROM (
            SELECT unnest(entry).resource AS found
            FROM read_json(?, columns = {{entry: 'STRUCT(resource {held})[]'}}, format = 'unstructured')
        ) WHERE found.resourceType = 'Condition' OR found.reasonCode IS NOT NULL
    """
    with duckdb.connect() as connection:
        connection.execute("SET threads = 2")
        return _number(connection.execute(query, [str(folder / "*.json")]).fetchone())


def _number(row: tuple[int, ...] | None) -> int:
    return row[0] if row else 0


Work = Callable[[Path], int]
COUNTING: dict[str, Work] = {
    "a query by hand, counts only": count_by_hand,
    "medgauge": count_with_medgauge,
    "medgauge, --memory 1GB": count_in_little_memory,
}
READING: dict[str, Work] = {
    "orjson, parsing only": parse_with_orjson,
    "DuckDB's JSON reader": parse_with_duckdb,
    "medgauge, dry run": read_with_medgauge,
}


def run_one(name: str, source: Path) -> None:
    """Time one in this process, without the imports, and print what it took."""
    import duckdb  # noqa: F401
    import ibis  # noqa: F401
    import polars  # noqa: F401

    import medgauge.build.records.from_records  # noqa: F401

    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache  # digests of files that are known already would flatter
        start = time.perf_counter()
        count = (COUNTING | READING)[name](source)
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "count": count}))


def compare(title: str, works: dict[str, Work], source: Path, notes: list[str]) -> None:
    """Run each three times, check that they found as many, and print the ratios to the first."""
    results = {name: best_process(__file__, name, source) for name in works}
    counts = {run["count"] for run in results.values()}
    first = next(iter(results.values()))
    print_table(
        title,
        ["what", "seconds", "peak MB", "relative to the first", "found"],
        [
            [
                name,
                f"{run['seconds']:.1f}",
                f"{run['peak']:.0f}",
                f"{run['seconds'] / first['seconds']:.2f}",
                f"{run['count']:,}",
            ]
            for name, run in results.items()
        ],
        ["Best of 3 processes, the files in the page cache, imports not counted.", *notes],
    )
    if len(counts) > 1:
        raise SystemExit("the numbers that were found differ")


def main(patients: int, events: int, bundles: int) -> None:
    """Measure both on the same records."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        generator = [sys.executable, str(Path(__file__).with_name("patients.py"))]
        table, fhir = folder / "events.parquet", folder / "bundles"
        made = [str(table), f"--patients={patients}", f"--events={events}"]
        subprocess.run([*generator, *made], check=True)
        subprocess.run([*generator, str(fhir), f"--bundles={bundles}"], check=True)
        size = sum(file.stat().st_size for file in fhir.iterdir()) / 1e6
        compare(
            f"Pairs of {LEAST} patients or more: {patients:,} patients, {events:,} events",
            COUNTING,
            table,
            ["medgauge also hashes patients, reads categories, counts each step, samples and writes."],
        )
        compare(
            f"Events in {bundles:,} FHIR bundles ({size:.0f} MB)",
            READING,
            fhir,
            ["medgauge also reads dates, categories and statuses, digests files and counts the steps."],
        )


if __name__ == "__main__":
    if len(sys.argv) == 3 and not sys.argv[1].startswith("-"):
        run_one(sys.argv[1], Path(sys.argv[2]))
    else:
        parser = argparse.ArgumentParser(
            description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        parser.add_argument("--patients", type=int, default=PATIENTS)
        parser.add_argument("--events", type=int, default=EVENTS)
        parser.add_argument("--bundles", type=int, default=BUNDLES)
        given = parser.parse_args()
        main(given.patients, given.events, given.bundles)
