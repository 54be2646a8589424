"""Mapping 2,263 SNOMED CT ids to CUIs from a made-up MRCONSO.RRF of 2 GB, compared with plain reads of it.

The plain reads only filter the rows of these ids, as the documentation of each package shows: Polars scans
the file in its streaming engine, pandas reads it in chunks of a million rows; neither checks a row. medgauge
checks that every row is whole, chooses the CUIs by algorithm 1 of Schulz et al. (2020), and computes the
digest of the file. 2,263 is the number of different concepts of EHR-RelB.

Each reader runs in a separate process, whose peak resident memory is what the system reports at its end.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

from common import best_process, print_table, report_work

MEGABYTES = 2000
IDS = [f"{100_000 + 3 * 137 * number}008" for number in range(2263)]


def filter_with_pandas(path: Path) -> int:
    """Filter the rows of the ids, a million rows at a time."""
    import pandas as pd

    wanted, found = {*IDS}, 0
    for chunk in pd.read_csv(
        path / "2026AA/META/MRCONSO.RRF",
        sep="|",
        header=None,
        quoting=csv.QUOTE_NONE,
        usecols=[0, 9, 11, 12, 16],
        dtype=str,
        chunksize=1_000_000,
    ):
        found += int(((chunk[11] == "SNOMEDCT_US") & chunk[9].isin(wanted) & (chunk[16] == "N")).sum())
    return found


def filter_with_polars(path: Path) -> int:
    """Filter the rows of the ids with the streaming engine."""
    import polars as pl

    names = [f"field_{number}" for number in range(19)]
    rows = pl.scan_csv(
        path / "2026AA/META/MRCONSO.RRF",
        separator="|",
        has_header=False,
        quote_char=None,
        schema=dict.fromkeys(names, pl.String),
    )
    kept = rows.filter(
        pl.col("field_11") == "SNOMEDCT_US", pl.col("field_9").is_in(IDS), pl.col("field_16") == "N"
    )
    return kept.select("field_0", "field_9", "field_12").collect(engine="streaming").height


def map_with_medgauge(path: Path) -> int:
    """Map the ids."""
    from medgauge.terminology.umls.source_codes import cuis_of_codes
    from medgauge.terminology.umls.umls_release import open_umls

    chosen = cuis_of_codes(open_umls(path), IDS).chosen
    return sum(one.cui is not None for one in chosen.values())


READERS = {
    "pandas, filter": (filter_with_pandas, "folder"),
    "Polars, filter": (filter_with_polars, "folder"),
    "medgauge, folder": (map_with_medgauge, "folder"),
    "medgauge, zip": (map_with_medgauge, "umls.zip"),
}


def run_one(name: str, folder: Path) -> None:
    """Time a reader in this process, without the imports, and print what it took."""
    if name.startswith("pandas"):
        import pandas  # noqa: F401
    import medgauge.terminology.umls.source_codes  # noqa: F401

    reader, source = READERS[name]
    report_work(lambda: reader(folder / source))


def main(megabytes: int) -> None:
    """Measure all readers on the same release and print the ratios."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in ("folder", "umls.zip"):
            # Also in a separate process: its child processes would report its peak memory as theirs.
            generator = Path(__file__).with_name("metathesaurus.py")
            command = [sys.executable, str(generator), str(folder / name), "--megabytes", str(megabytes)]
            subprocess.run(command, check=True)
        size = (folder / "folder/2026AA/META/MRCONSO.RRF").stat().st_size / 1e6
        results = {name: best_process(__file__, name, folder, repeats=2) for name in READERS}
    plain = results["Polars, filter"]
    print_table(
        f"MRCONSO.RRF of {size:,.0f} MB, {len(IDS):,} ids",
        ["reader", "seconds", "peak MB", "relative to Polars", "found"],
        [
            [
                name,
                f"{run['seconds']:.1f}",
                f"{run['peak']:.0f}",
                f"{run['seconds'] / plain['seconds']:.1f}",
                f"{run['count']:,}",
            ]
            for name, run in results.items()
        ],
        ["Best of 2 processes, the files in the page cache where memory allows, imports not counted."],
    )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run_one(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) == 2 else MEGABYTES)
