"""Reads Parquet files in a process of its own, which damaged ones may abort: a script that `intact` starts.

It says on stdout that it is ready, gets the names of files on stdin, in hexadecimal, and answers each with a
line of JSON: null if the file could be read, else the reason. It is run by its path, without the package
around it.
"""

import json
import os
import sys

import polars as pl


def problem_of(path: str) -> str | None:
    """Return why a file cannot be read as Parquet, or None."""
    try:
        pl.read_parquet_metadata(path)
        pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        return str(error) or type(error).__name__
    return None


def answer(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    answer("ready")
    for line in sys.stdin:
        answer(json.dumps(problem_of(os.fsdecode(bytes.fromhex(line)))))
