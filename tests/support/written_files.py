"""What a command has written: all that is in the files of a folder."""

from pathlib import Path

import polars as pl


def everything_written(folder: Path) -> str:
    """Return all that is in the files of a folder, with the text of tables."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            found.append(pl.read_parquet(path).write_json())
        if path.is_file():
            found.append(path.read_bytes().decode("latin-1"))
    return "\n".join(found)
