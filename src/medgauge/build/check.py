"""verify and diff: whether built sets are those of a manifest, and what changed between two builds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import polars as pl

from medgauge.build.folder import read_set
from medgauge.build.manifest import Manifest, set_digest
from medgauge.errors import FileError
from medgauge.progress import track

Verdict = Literal["same", "differs", "missing"]
_PAIR = ["label", "low", "high"]


@dataclass(frozen=True)
class Verification:
    """What became of each set of a manifest in a folder, and what the two were not built alike with."""

    sets: dict[str, Verdict]
    differences: dict[str, tuple[str, str]]
    """What the folder was built from or with, where it differs: theirs and ours, by name."""

    @property
    def holds(self) -> bool:
        """Whether every set is the same."""
        return all(verdict == "same" for verdict in self.sets.values())

    def to_json(self) -> dict[str, object]:
        """Give all of it as plain values."""
        return {"holds": self.holds, **asdict(self)}


def verify(manifest: Path, folder: Path) -> Verification:
    """Compare the sets in a folder, as they are in its files, with the digests of a manifest."""
    theirs = Manifest.load(manifest)
    if not folder.is_dir():
        raise FileError(folder, "is no folder of sets")
    verdicts: dict[str, Verdict] = {}
    with track("verifying", len(theirs.sets)) as advance:
        for name, facts in theirs.sets.items():
            frame = read_set(folder, name)
            if frame is None:
                verdicts[name] = "missing"
            else:
                verdicts[name] = "same" if set_digest(frame) == facts.digest else "differs"
            advance(1)
    return Verification(verdicts, _differences(theirs, folder))


def _differences(theirs: Manifest, folder: Path) -> dict[str, tuple[str, str]]:
    try:
        ours = Manifest.load(folder)
    except FileError:
        return {}
    left, right = _facts(theirs), _facts(ours)
    return {
        name: (left.get(name, "–"), right.get(name, "–"))
        for name in dict.fromkeys([*left, *right])
        if left.get(name) != right.get(name)
    }


def _facts(manifest: Manifest) -> dict[str, str]:
    parameters = manifest.parameters.model_dump()
    return {
        "rules": str(manifest.rules),
        "medgauge": manifest.medgauge,
        "source": manifest.source.title,
        **{f"digest of {name}": digest for name, digest in manifest.source.files.items()},
        **{
            name: ", ".join(value) if isinstance(value, list) else str(value)
            for name, value in parameters.items()
            if value is not None
        },
        **manifest.versions,
    }


@dataclass(frozen=True)
class Change:
    """How the pairs of a label changed in a set; a pair is the same in either order."""

    set: str
    label: int
    old: int
    new: int
    added: int
    removed: int


@dataclass(frozen=True)
class Difference:
    """What changed between two builds: counts for each set and label, and the pairs themselves."""

    changes: list[Change]
    pairs: pl.DataFrame


def diff(old: Path, new: Path) -> Difference:
    """Find the pairs that were added to, and removed from, each set between two builds."""
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
    return Difference(changes, pl.concat(tables))


def _set_names(folder: Path) -> Sequence[str]:
    if not folder.is_dir():
        raise FileError(folder, "is no folder of sets")
    return list(Manifest.load(folder).sets)


def _keyed(folder: Path, name: str) -> pl.DataFrame:
    frame = read_set(folder, name)
    if frame is None:
        if name in _set_names(folder):
            raise FileError(folder, f"the set {name} of its manifest is missing; build it again")
        frame = pl.DataFrame(schema={"term_1": pl.String, "term_2": pl.String, "label": pl.Int8})
    return frame.with_columns(
        low=pl.min_horizontal("term_1", "term_2"),
        high=pl.max_horizontal("term_1", "term_2"),
    )


def _listed(name: str, change: str, frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(
        pl.lit(name).alias("set"), pl.lit(change).alias("change"), "term_1", "term_2", "label"
    )
