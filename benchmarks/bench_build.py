"""All twenty sets from a made-up release of full size, with the time of each stage and the peak memory.

    python benchmarks/bench_build.py [--concepts 350000]

The release (benchmarks/release.py) has the shape of table 2 of Schulz and Juric (2020), which is printed
next to the result. The build runs in a separate process with the kernels compiled beforehand, as they are
from the second run on; its peak resident memory is what the system reports at its end. There is no peer:
the published program needs days for a full release. A small release of 1,000 concepts is built on the
command line, including the start.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common import best_process, print_table
from medgauge.build.terminology.build import build_terminology
from medgauge.pairs import PairSet, different_keys
from medgauge.progress import Advance, showing
from medgauge.report.built.build_tables import statistics_grid
from release import write_release

# Table 2: size, and mean distances of positive, random and nearest pairs.
PRINTED = {
    "fsn-syn": (451_256, 16.53, 37.40, 7.97),
    "syn-syn": (726_158, 16.57, 35.10, 8.00),
    "possibly-equivalent-to": (57_528, 33.92, 49.33, 17.95),
    "replaced-by": (7_082, 20.00, 33.93, 11.49),
    "same-as": (20_324, 22.71, 33.30, 10.71),
}
SMALL = 1_000


def build(source: Path, out: Path) -> None:
    """Build all sets in this process, and print the time of each stage and the peak memory as JSON."""
    stages: dict[str, float] = {}

    @contextmanager
    def timed(what: str, _steps: int, _unit: str = "") -> Iterator[Advance]:
        start = time.perf_counter()
        yield lambda _done: None
        stages[what] = stages.get(what, 0.0) + time.perf_counter() - start

    start = time.perf_counter()
    with showing(timed):
        manifest = build_terminology(source, out)
    seconds = time.perf_counter() - start
    grid = statistics_grid(manifest)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    terms = different_keys(PairSet.load(path) for path in out.glob("*.parquet"))
    print(
        json.dumps(
            {
                "seconds": seconds,
                "stages": stages,
                "memory": memory,
                "rows": [[cell.plain for cell in row] for row in grid.rows],
                "length": sum(map(len, terms)) / len(terms),
                "multi_word": manifest.multi_word["all"],
            }
        )
    )


def main(concepts: int) -> None:
    """Generate a release, build the sets and print the tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, full = folder / "small.zip", folder / "release.zip"
        write_release(small, concepts=SMALL)
        command = [sys.executable, "-m", "medgauge", "build", "terminology", str(small), "--out"]
        times = []
        for run in range(3):
            start = time.perf_counter()
            subprocess.run([*command, str(folder / f"small-{run}")], check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        write_release(full, concepts=concepts)
        done = best_process(__file__, "--build", full, "--out", folder / "sets", repeats=1)
    rows = []
    for row in done["rows"]:
        printed = PRINTED.get(row[0])
        shown = [f"{printed[0]:,}", *(f"{mean:.2f}" for mean in printed[1:])] if printed else [""] * 4
        rows.append(
            [row[0], *(value for both in zip(row[1:5], shown, strict=True) for value in both), row[5]]
        )
    header = ["family"]
    for column in ("size", "Pos", "Neg-R", "Neg-L"):
        header += [column, "table 2"]
    shape = f"Terms of {done['length']:.1f} characters on average, {done['multi_word']:.1%} of several words."
    print_table(f"{concepts:,} concepts", [*header, "multi-word"], rows, [shape])
    stages = done["stages"] | {"all": done["seconds"]}
    print_table(
        "Time of each stage",
        ["stage", "seconds"],
        [[stage, f"{seconds:.1f}"] for stage, seconds in stages.items()],
        [
            f"Peak memory {done['memory']:.2f} GB. {SMALL:,} concepts on the command line, with the start: "
            f"{min(times):.2f} to {max(times):.2f} s in three runs."
        ],
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--concepts", type=int, default=350_000)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.build:
        build(given.build, given.out)
    else:
        main(given.concepts)
