"""Reading a made-up SNOMED CT release of 350,000 concepts (Full), compared with plain reads of its files.

The plain reads do not do the same work, only its first step: pandas and Polars, called as
their documentation shows, load the same five files with all columns and compute nothing. `read_rf2` reads the
columns that it needs, checks every row, finds the current state of each component, joins names, synonyms,
associations and hierarchy to concepts, and on first use computes the digests of the files.

Each reader runs in a separate process, whose peak resident memory is what the system reports at its end.
"""

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import best_process, print_table, report_work


def read_with_pandas(path: Path) -> int:
    """Load each file."""
    import pandas as pd

    texts = sorted(path.rglob("*.txt"))
    return sum(len(pd.read_csv(text, sep="\t", quoting=csv.QUOTE_NONE)) for text in texts)


def read_with_polars(path: Path) -> int:
    """Load each file."""
    import polars as pl

    texts = sorted(path.rglob("*.txt"))
    return sum(pl.read_csv(text, separator="\t", quote_char=None).height for text in texts)


def read_with_medgauge(path: Path) -> int:
    """Read the release, with the digests of its files known."""
    from medgauge.terminology.rf2 import read_rf2

    return read_rf2([path]).concepts.height


def read_first(path: Path) -> int:
    """Read the release as a user does the first time, when the digests of its files are not yet known."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        return read_with_medgauge(path)


READERS = {
    "pandas, all columns": (read_with_pandas, "folder"),
    "Polars, all columns": (read_with_polars, "folder"),
    "medgauge, folder": (read_with_medgauge, "folder"),
    "medgauge, folder, first use": (read_first, "folder"),
    "medgauge, zip": (read_with_medgauge, "release.zip"),
    "medgauge, zip, first use": (read_first, "release.zip"),
}


def run_one(name: str, folder: Path) -> None:
    """Time a reader in this process, without the imports, and print what it took."""
    if name.startswith("pandas"):
        import pandas  # noqa: F401
    import medgauge.terminology.rf2  # noqa: F401

    reader, source = READERS[name]
    report_work(lambda: reader(folder / source))


def main() -> None:
    """Measure all readers on the same release and print the ratios."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        start = time.perf_counter()
        for name in ("folder", "release.zip"):
            # Also in a separate process: its child processes would report its peak memory as theirs.
            generator = Path(__file__).with_name("release.py")
            subprocess.run([sys.executable, generator, folder / name], check=True)
        made = (time.perf_counter() - start) / 2
        size = sum(file.stat().st_size for file in folder.rglob("*.txt")) / 1e6
        results = {name: best_process(__file__, name, folder) for name in READERS}
    plain, whole = results["pandas, all columns"], results["medgauge, zip"]
    print_table(
        f"A release of {whole['count']:,} concepts: {plain['count']:,} rows, {size:.0f} MB of text",
        ["reader", "seconds", "peak MB", "relative to pandas"],
        [
            [name, f"{run['seconds']:.1f}", f"{run['peak']:.0f}", f"{run['seconds'] / plain['seconds']:.1f}"]
            for name, run in results.items()
        ],
        [
            "Best of 3 processes, the files in the page cache, imports not counted.",
            "pandas and Polars load rows and compute nothing; medgauge checks them and resolves their state.",
            f"The release was generated in {made:.0f} s.",
        ],
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run_one(sys.argv[1], Path(sys.argv[2]))
    else:
        main()
