"""load_dataset: a published set by its name, or any table of pairs by its path."""

from pathlib import Path

from medgauge.catalog.columns import find_columns, to_pairs
from medgauge.catalog.published import find_file, published_sets, read_published
from medgauge.errors import FileError, InputError, UnknownNameError
from medgauge.files import is_parquet, parquet_metadata, plain_name
from medgauge.pairs import CARD_KEY, Card, PairSet
from medgauge.tables import read_table


def load_dataset(
    source: str | Path,
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
    nothing is said).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("word1,word2,score\nangina,chest pain,3.5\n")
    ...     load_dataset(path).frame.row(0)
    ('1', 'angina', 'chest pain', 3.5)
    """
    if isinstance(source, str) and source in published_sets():
        return read_published(source)
    path = Path(source)
    if not path.exists() and path.suffix == "":
        raise UnknownNameError("dataset (or file)", str(source), published_sets())
    if path.is_dir():
        path = _only_parquet(path)
    if is_parquet(path) and CARD_KEY in parquet_metadata(path):
        return PairSet.load(path)
    given = {"term_1": term_1, "term_2": term_2, "gold": gold, "label": label}
    if not header:
        by_number = {"term_1": "1", "term_2": "2"} | ({} if label else {"gold": "3"})
        given = {name: given[name] or by_number.get(name) for name in given}
    table = read_table(path, has_header=header)
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


def _only_parquet(folder: Path) -> Path:
    files = sorted(folder.glob("*.parquet"))
    if len(files) != 1:
        raise FileError(folder, f"is a directory with {len(files)} Parquet files; name one file")
    return files[0]
