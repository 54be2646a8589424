"""load_dataset: a published set by its name, any table of pairs by its path, or one in memory."""

import warnings
from pathlib import Path
from typing import Any

from medgauge.catalog.as_pairs import as_pairs
from medgauge.catalog.cards import find_file, published_sets, read_published
from medgauge.catalog.columns import find_columns, numbered_columns, to_pairs
from medgauge.errors import CoverageWarning, FileError, InputError, UnknownNameError
from medgauge.files import is_parquet, open_bytes, plain_name
from medgauge.frames import Frame
from medgauge.pairs import Card, PairSet, has_card
from medgauge.tables import read_table


def load_dataset(
    source: str | Path | Frame,
    *,
    term_1: str | None = None,
    term_2: str | None = None,
    gold: str | None = None,
    label: str | None = None,
    header: bool = True,
) -> PairSet:
    r"""Load a set of pairs.

    `source` is the name of a published set that is on this machine, a Parquet file or folder that
    medgauge wrote, or any CSV, TSV or Parquet table. Its columns are found by name (term_1, word1,
    score, label, …) or given; in a file without a header they are named by number (1, 2 and 3 if
    nothing is said). A table in memory is read as `as_pairs` does, which can name more columns and the set.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("word1,word2,score\nangina,chest pain,3.5\n")
    ...     load_dataset(path).frame.row(0)
    ('1', 'angina', 'chest pain', 3.5)
    """
    if not isinstance(source, str | Path):
        return as_pairs(source, term_1=term_1, term_2=term_2, gold=gold, label=label)
    if isinstance(source, str) and source in published_sets():
        return read_published(source)
    path = Path(source)
    if not path.exists() and path.suffix == "":
        raise UnknownNameError("dataset (or file)", str(source), published_sets())
    if path.is_dir():
        files = _files_of(path)
        if len(files) > 1:
            raise FileError(path, f"is a folder of {len(files)} sets, and one is needed; name its file")
        path = files[0]
    if has_card(path):
        return PairSet.load(path)
    given = {"term_1": term_1, "term_2": term_2, "gold": gold, "label": label}
    table = read_table(path, has_header=header)
    if not header:
        given = numbered_columns(given, table.header)
    name = plain_name(path)
    card = Card(name=name, title=name, source=path.name)
    return to_pairs(table, find_columns(table, given), card)


def datasets_here() -> list[str]:
    """Name the published sets whose files are on this machine."""
    return [name for name, entry in published_sets().items() if find_file(entry.file)]


def resolve_names(sources: list[str]) -> list[str]:
    """Put the sets that are on this machine in the place of 'all'."""
    names = [name for source in sources for name in (datasets_here() if source == "all" else [source])]
    if not names:
        raise InputError(
            "no published set is on this machine: run 'medgauge datasets fetch --all', "
            "or set MEDGAUGE_DATA to the folder that holds them"
        )
    return list(dict.fromkeys(names))


def load_datasets(source: str | Path, **columns: Any) -> list[PairSet]:
    """Load the set of a name or file, or all sets of a folder that have pairs to tell apart.

    `columns` are what `load_dataset` takes beside the source.
    """
    if source in published_sets() or not Path(source).is_dir():
        return [load_dataset(source, **columns)]
    useful, left = [], []
    for file in _files_of(Path(source)):
        pairs = load_dataset(file, **columns) if _has_rows(file) else None
        if pairs is not None and len(pairs) and (not pairs.labelled or len(set(pairs.gold)) == 2):
            useful.append(pairs)
        else:
            left.append(plain_name(file))
    if not useful:
        raise FileError(source, "has no set with pairs to tell apart")
    if left:
        warnings.warn(
            f"sets of {source} without pairs, or with pairs of one label alone, are left out: "
            f"{', '.join(left)}",
            CoverageWarning,
            stacklevel=2,
        )
    return useful


def _has_rows(file: Path) -> bool:
    """Say whether a file has more than a header."""
    if is_parquet(file):
        return True
    with open_bytes(file) as stream:
        return bool(stream.readline() and stream.readline())


def _files_of(folder: Path) -> list[Path]:
    """Give the files of a folder of sets: its Parquet files, or else its TSV files, by name."""
    files = sorted(folder.glob("*.parquet")) or sorted(folder.glob("*.tsv"))
    if not files:
        raise FileError(folder, "is a folder without sets (Parquet or TSV files)")
    return files
