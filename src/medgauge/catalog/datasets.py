"""load_dataset: a published set by its name, any table of pairs by its path, or one in memory."""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from medgauge.catalog.as_pairs import as_pairs
from medgauge.catalog.cards import (
    find_file,
    published_file,
    published_name,
    published_sets,
    read_published,
)
from medgauge.catalog.columns import GoldAs, Missing, numbered_columns, read_pairs
from medgauge.errors import CoverageWarning, FileError, InputError, UnknownNameError, option
from medgauge.files.file_names import clean_name, plain_name
from medgauge.files.opening import open_bytes, require_file
from medgauge.files.parquet import is_parquet
from medgauge.frames import Frame
from medgauge.pairs import Card, Pairs, PairSet, has_card
from medgauge.tables import read_table

SetSource = str | Path | Pairs | Frame
"""The name of a published set, a file, a folder of sets, or a table in memory."""


@dataclass(frozen=True)
class _Reading:
    """How a table is read: the columns that were given, and what else cannot be seen in it."""

    columns: dict[str, Any]
    header: bool
    sheet: str | None
    missing: Missing
    gold_as: GoldAs | None
    language: str | None


def load_dataset(
    source: SetSource,
    *,
    term_1: str | None = None,
    term_2: str | None = None,
    gold: str | None = None,
    label: str | None = None,
    pair_id: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    missing: Missing = "error",
    gold_as: GoldAs | None = None,
    language: str | None = None,
) -> PairSet:
    r"""Load a set of pairs.

    `source` is the name of a published set that is on this machine, a Parquet file or folder that
    medgauge wrote, or any CSV, TSV, Excel, OpenDocument or Parquet table. Its columns are found by name
    (term_1, word1, "Begriff A", score, "Mean rating", label, …) or given; in a file without a header they are
    named by number (by default 1, 2 and 3). The card of the set says in `read_from` which were found. `sheet`
    is that of a workbook, by default the first. A pair without gold is an error, or is skipped with
    `missing="skip"`, or all gold is ignored with "ignore". Gold that is all 0 and 1 is taken for labels,
    with a remark, unless `gold_as` is "graded" (or "labels"). `language` is that of the terms ("de"), for the
    card. A table in memory is read as in `as_pairs`, which can also name more columns and the set.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.csv"
    ...     _ = path.write_text("word1,word2,score\nangina,chest pain,3.5\n")
    ...     load_dataset(path).frame.row(0)
    ('1', 'angina', 'chest pain', 3.5)
    """
    columns = {"term_1": term_1, "term_2": term_2, "gold": gold, "label": label, "pair_id": pair_id}
    if isinstance(source, str | Path) and Path(source).is_dir() and published_name(source) is None:
        files = _files_of(Path(source))
        if len(files) > 1:
            raise FileError(source, f"is a folder of {len(files)} sets; give the file of one set")
        source = files[0]
    check_sources([source])
    reading = _Reading(columns, header, sheet, missing, gold_as, language)
    return with_gold(_load_one(source, reading), source)


def load_pairs(
    sources: Iterable[SetSource],
    *,
    term_1: str | None = None,
    term_2: str | None = None,
    gold: str | None = None,
    label: str | None = None,
    pair_id: str | None = None,
    header: bool = True,
    sheet: str | None = None,
    missing: Missing = "error",
    gold_as: GoldAs | None = None,
    language: str | None = None,
    needs_gold: bool = False,
) -> list[Pairs]:
    """Load pairs with or without gold from several sources, each source once, in their order.

    A source is anything `load_dataset` takes, Pairs, 'all' for the published sets on this machine, or a
    folder for all of its sets that have pairs to tell apart. All names are checked before any file is read.
    With `needs_gold`, a set without gold is an error.
    """
    given = list(sources)
    check_sources(given)
    columns = {"term_1": term_1, "term_2": term_2, "gold": gold, "label": label, "pair_id": pair_id}
    reading = _Reading(columns, header, sheet, missing, gold_as, language)
    loaded: dict[str, list[Pairs]] = {}
    for number, source in enumerate(given):
        name = str(published_name(source) or source) if isinstance(source, str | Path) else f"number {number}"
        if name not in loaded:
            loaded[name] = _load_all(source, reading)
            for pairs in loaded[name] if needs_gold else ():
                with_gold(pairs, source)
    return [pairs for some in loaded.values() for pairs in some]


def check_sources(sources: Iterable[SetSource]) -> None:
    """Raise an error for a name or path that does not exist."""
    for source in sources:
        if not isinstance(source, str | Path) or source == "all":
            continue
        if (name := published_name(source)) is not None:
            published_file(name)
        elif not Path(source).is_dir():
            if not Path(source).exists() and Path(source).suffix == "":
                raise UnknownNameError("dataset (or file)", str(source), published_sets())
            require_file(source)


def with_gold(pairs: Pairs, source: SetSource = None) -> PairSet:
    """Return pairs that have gold scores or labels; raise an error if they have none yet.

    `source` is where they come from; the error names it if it is a file.
    """
    if isinstance(source, str | Path) and not len(pairs):
        raise FileError(source, "the set has no pairs")
    if isinstance(pairs, PairSet):
        return pairs
    named = source if isinstance(source, str | Path) else f"the set '{pairs.card.name}'"
    raise InputError(
        f"{named} has no column of gold scores or labels: name it with {option('gold', 'COLUMN')} or "
        f"{option('label', 'COLUMN')}, or have the pairs annotated first"
    )


def datasets_here() -> list[str]:
    """Return the names of the published sets whose files are on this machine."""
    return [name for name, entry in published_sets().items() if find_file(entry.file)]


def _load_all(source: SetSource, reading: _Reading) -> list[Pairs]:
    """Load all sets of a source."""
    if isinstance(source, str) and source == "all":
        here = datasets_here()
        if not here:
            raise InputError(
                "no published set is on this machine: run 'medgauge datasets fetch --all', "
                "or set MEDGAUGE_DATA to the folder that holds them"
            )
        return [read_published(name) for name in here]
    if isinstance(source, str | Path) and published_name(source) is None and Path(source).is_dir():
        return _load_folder(Path(source), reading)
    return [_load_one(source, reading)]


def _load_one(source: SetSource, reading: _Reading) -> Pairs:
    """Load one published set, file or table in memory."""
    if not isinstance(source, str | Path) and isinstance(source, Pairs):
        return source
    columns, language = reading.columns, reading.language
    if not isinstance(source, str | Path):
        pairs = as_pairs(source, missing=reading.missing, gold_as=reading.gold_as, **columns)
        return replace(pairs, card=pairs.card.model_copy(update={"language": language}))
    if (name := published_name(source)) is not None:
        return read_published(name)
    path = Path(source)
    if has_card(path):
        return Pairs.load(path)
    table = read_table(path, has_header=reading.header, sheet=reading.sheet)
    given = columns if reading.header else numbered_columns(columns, table.header)
    name = plain_name(path)
    card = Card(name=name, title=name, source=clean_name(path.name), language=language)
    return read_pairs(table, given, card, missing=reading.missing, gold_as=reading.gold_as)


def _load_folder(folder: Path, reading: _Reading) -> list[Pairs]:
    useful, left = [], []
    for file in _files_of(folder):
        pairs = _load_one(file, reading) if _has_rows(file) else None
        if pairs is not None and len(pairs) and not _has_one_label(pairs):
            useful.append(pairs)
        else:
            left.append(plain_name(file))
    if not useful:
        raise FileError(folder, "has no set with pairs to tell apart")
    if left:
        warnings.warn(
            f"sets of {folder} without pairs, or with pairs of only one label, are left out: "
            f"{', '.join(left)}",
            CoverageWarning,
            stacklevel=4,
        )
    return useful


def _has_one_label(pairs: Pairs) -> bool:
    return isinstance(pairs, PairSet) and pairs.labelled and len(set(pairs.gold)) == 1


def _has_rows(file: Path) -> bool:
    """Return whether a file has more than a header."""
    if is_parquet(file):
        return True
    with open_bytes(file) as stream:
        return bool(stream.readline() and stream.readline())


def _files_of(folder: Path) -> list[Path]:
    """Return the files of a folder of sets, sorted by name: its Parquet files, or else its TSV files."""
    files = sorted(folder.glob("*.parquet")) or sorted(folder.glob("*.tsv"))
    if not files:
        raise FileError(folder, "is a folder without sets (Parquet or TSV files)")
    return files
