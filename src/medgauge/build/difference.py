"""diff: what changed between the sets of two builds."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from medgauge.build.folder import read_set
from medgauge.build.manifest import Manifest
from medgauge.errors import FileError
from medgauge.progress import track

_PAIR = ["label", "low", "high"]


@dataclass(frozen=True)
class Change:
    """How the pairs with a label changed in a set; the order of terms in a pair does not matter."""

    set: str
    label: int
    old: int
    new: int
    added: int
    removed: int


@dataclass(frozen=True)
class BuildDifference:
    """What changed between two builds: counts for each set and label, and the pairs themselves."""

    changes: list[Change]
    pairs: pl.DataFrame


def diff(old: Path, new: Path) -> BuildDifference:
    """Find the pairs added to and removed from each set between two builds."""
    names = list(dict.fromkeys([*_set_names(old), *_set_names(new)]))
    changes, tables = [], []
    with track("comparing", len(names)) as advance:
        for name in names:
            before, after = (_keyed(folder, name) for folder in (old, new))
            removed, added = (
                one.join(other, on=_PAIR, how="anti", maintain_order="left")
                for one, other in ((before, after), (after, before))
            )
            changes += [
                Change(name, label, *(frame.filter(pl.col("label") == label).height for frame in frames))
                for label in (1, 0)
                for frames in [(before, after, added, removed)]
            ]
            tables += [_listed(name, "removed", removed), _listed(name, "added", added)]
            advance(1)
    return BuildDifference(changes, pl.concat(tables))


def _set_names(folder: Path) -> Sequence[str]:
    if not folder.is_dir():
        raise FileError(folder, "is not a folder of sets")
    return list(Manifest.load(folder).sets)


def _keyed(folder: Path, name: str) -> pl.DataFrame:
    frame = read_set(folder, name)
    if frame is None:
        if name in _set_names(folder):
            raise FileError(folder, f"the set {name} in its manifest is missing; build it again")
        frame = pl.DataFrame(schema={"term_1": pl.String, "term_2": pl.String, "label": pl.Int8})
    return frame.with_columns(
        low=pl.min_horizontal("term_1", "term_2"),
        high=pl.max_horizontal("term_1", "term_2"),
    )


def _listed(name: str, change: str, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(
        pl.lit(name).alias("set"), pl.lit(change).alias("change"), "term_1", "term_2", "label"
    )
